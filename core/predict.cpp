// Raw values → the node where each row stops.
#include "predict.hpp"

#include <algorithm>
#include <cmath>

#include "matrix_walk.hpp"
#include "pivot.hpp"
#include "query.hpp"

namespace bough {
namespace {

/// A branch, laid out for routing.
struct Branch {
    Kind kind = Kind::below;
    std::int32_t first_child = stop;
    std::int32_t missing = stop;  // answer
    std::size_t feature = 0;
    double pivot = 0;
    std::int64_t whole_pivot = 0;  // integers below the pivot are below this one too
    std::span<const std::int32_t> choices;
    std::span<const std::int32_t> answers;

    template <class Value>
    [[nodiscard]] Query<Value> query() const {
        Query<Value> query;
        query.kind = kind;
        query.missing = missing;
        if constexpr (std::is_same_v<Value, double>)
            query.pivot = pivot;
        else
            query.pivot = static_cast<Value>(whole_pivot);
        query.choices = choices;
        query.answers = answers;
        return query;
    }
};

std::vector<Branch> branches(const TreeView& tree) {
    std::vector<Branch> all(tree.feature.size());
    for (std::size_t id = 0; id < all.size(); ++id) {
        if (tree.n_children[id] == 0) continue;
        Branch& branch = all[id];
        branch.kind = static_cast<Kind>(tree.query_kind[id]);
        branch.first_child = tree.first_child[id];
        branch.feature = static_cast<std::size_t>(tree.feature[id]);
        if (tree.missing_child[id] >= 0)
            branch.missing = tree.missing_child[id] - branch.first_child;
        Pivot pivot;
        pivot.value = tree.pivot[id];
        if (!tree.pivot_int.empty()) pivot.integer = tree.pivot_int[id];
        branch.pivot = pivot.value;
        branch.whole_pivot = pivot.whole();
        const auto begin = static_cast<std::size_t>(tree.codes_start[id]);
        const auto count = static_cast<std::size_t>(tree.codes_start[id + 1]) - begin;
        branch.choices = tree.codes.subspan(begin, count);
        branch.answers = tree.answers.subspan(begin, count);
    }
    return all;
}

/// The node where one row stops, and whether an unseen value stopped it.
struct Stop {
    std::int32_t node = 0;
    bool is_unseen = false;
    std::size_t feature = 0;
};

Stop stop_of(std::span<const Branch> tree, std::span<const RawColumn> columns, std::size_t row) {
    Stop here;
    while (true) {
        const Branch& branch = tree[static_cast<std::size_t>(here.node)];
        if (branch.first_child == stop) return here;
        const auto [next, was_missing] = std::visit(
            [&](const auto& values) {
                using Value = std::decay_t<decltype(values[row])>;
                // A float is compared as the double that it is.
                using Asked = std::conditional_t<std::is_same_v<Value, float>, double, Value>;
                const auto value = static_cast<Asked>(values[row]);
                return std::pair(answer(branch.query<Asked>(), value), is_missing(value));
            },
            columns[branch.feature].values);
        if (next == stop) {
            here.is_unseen = !was_missing;
            here.feature = branch.feature;
            return here;
        }
        here.node = branch.first_child + next;
    }
}

}  // namespace

Stops stops(const TreeView& tree, std::span<const RawColumn> columns, std::size_t n_rows,
            std::size_t n_threads, const Cancel& cancel) {
    constexpr std::size_t chunk = 4096;
    constexpr std::size_t few_rows = 64;
    const std::vector<Branch> tree_branches = branches(tree);
    const std::optional<MatrixWalk> matrix_walk =
        n_rows < few_rows ? std::nullopt : MatrixWalk::make(tree, columns);
    const std::size_t n_chunks = (n_rows + chunk - 1) / chunk;
    Threads threads(std::min(n_threads, n_chunks));
    Stops result;
    result.node.resize(n_rows);
    std::vector<std::atomic<std::int64_t>> unseen(columns.size());
    threads.parallel_for(n_chunks, [&](std::size_t part) {
        cancel.check();
        const std::size_t end = std::min(n_rows, (part + 1) * chunk);
        std::size_t row = part * chunk;
        const auto walk_one = [&](std::size_t one) {
            const Stop here = stop_of(tree_branches, columns, one);
            result.node[one] = here.node;
            if (here.is_unseen) ++unseen[here.feature];
        };
        if (matrix_walk) {
            constexpr std::size_t n = MatrixWalk::n_side_by_side;
            for (; row + n <= end; row += n)
                if (!matrix_walk->stops(row, result.node.data() + row))
                    for (std::size_t k = 0; k < n; ++k) walk_one(row + k);
        }
        for (; row < end; ++row) walk_one(row);
    });
    result.unseen.assign(unseen.begin(), unseen.end());
    return result;
}

}  // namespace bough
