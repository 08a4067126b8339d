// Raw values → what the node says where each row stops.
#include "predict.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "query.hpp"

namespace bough {
namespace {

/// How far columns of copied rows lie apart: not so that they share the same few lines of a cache.
std::size_t pitch_of(std::size_t n_rows) { return n_rows + 8; }

template <std::size_t size>
void copy_entries(std::span<const std::uint32_t> nodes, const std::uint8_t* from,
                  std::uint8_t* to) {
    for (const std::uint32_t node : nodes) {
        std::memcpy(to, from + node * size, size);
        to += size;
    }
}

void copy_entries(std::span<const std::uint32_t> nodes, const Entries& entries, std::uint8_t* to) {
    switch (entries.size) {
        case 4:
            return copy_entries<4>(nodes, entries.of_nodes, to);
        case 8:
            return copy_entries<8>(nodes, entries.of_nodes, to);
        case 16:
            return copy_entries<16>(nodes, entries.of_nodes, to);
        default:
            for (std::size_t i = 0; i < nodes.size(); ++i)
                std::memcpy(to + i * entries.size, entries.of_nodes + nodes[i] * entries.size,
                            entries.size);
    }
}

}  // namespace

Router::Router(const TreeView& tree)
    : tree_(tree),
      depth_(tree.depth()),
      pivot_walk_(PivotWalk::make(tree)),
      target_walk_(TargetWalk::make(tree)) {
    std::vector<bool> is_asked(n_features());
    for (std::size_t id = 0; id < tree.size(); ++id)
        if (!tree.is_leaf(id)) is_asked[tree.asked(id)] = true;
    for (std::size_t i = 0; i < is_asked.size(); ++i)
        if (is_asked[i]) asked_.push_back(static_cast<std::uint32_t>(i));
}

std::pair<std::int32_t, bool> Router::answer_of(std::span<const RawColumn> columns, std::size_t row,
                                                std::size_t node, Missing missing) const {
    return std::visit(
        [&](const auto& values) {
            const auto value = asked(values[row]);
            auto query = tree_.query<std::decay_t<decltype(value)>>(node);
            if (missing == Missing::weigh) query.missing = every;
            return std::pair(answer(query, value), is_missing(value));
        },
        columns[tree_.asked(node)].values);
}

Router::Stop Router::stop_of(std::span<const RawColumn> columns, std::size_t row) const {
    std::size_t node = 0;
    while (!tree_.is_leaf(node)) {
        const auto [next, was_missing] = answer_of(columns, row, node);
        if (next == stop) return {.node = node, .is_unseen = !was_missing};
        node = static_cast<std::size_t>(tree_.first_child[node] + next);
    }
    return {.node = node};
}

std::vector<std::int32_t> Router::answers(std::span<const RawColumn> columns, std::size_t row,
                                          Missing missing) const {
    std::vector<std::int32_t> children(tree_.size(), stop);
    for (std::size_t node = 0; node < tree_.size(); ++node) {
        if (tree_.is_leaf(node)) continue;
        const std::int32_t next = answer_of(columns, row, node, missing).first;
        children[node] = next < 0 ? next : tree_.first_child[node] + next;
    }
    return children;
}

void Router::stops(const RawRows& raw, std::size_t begin, std::span<std::uint32_t> nodes,
                   bool any_missing, std::vector<double>& copied) const {
    if (!target_walk_) {
        for (std::size_t i = 0; i < nodes.size(); ++i)
            nodes[i] = static_cast<std::uint32_t>(stop_of(raw.columns(), begin + i).node);
        return;
    }
    const std::optional<Doubles> in_place = raw.in_place(begin);
    const Doubles rows = in_place ? *in_place
                                  : raw.copy(begin, begin + nodes.size(), asked_, copied.data(),
                                             pitch_of(nodes.size()));
    if (pivot_walk_ && !any_missing)
        pivot_walk_->stops(rows, nodes);
    else
        target_walk_->stops(rows, nodes);
}

bool Router::look_up(std::span<const RawColumn> columns, std::size_t n_rows, const Entries& entries,
                     std::size_t n_threads, const Cancel& cancel) const {
    const RawRows raw(columns);
    const std::size_t step = rows_at_once(columns.size());
    Threads threads = threads_for(n_rows, columns.size(), n_threads);
    std::atomic<bool> any_infinite{false};
    for_parts(n_rows, columns.size(), threads, [&](std::size_t begin, std::size_t end) {
        std::vector<double> copied(raw.in_place(0) ? 0 : pitch_of(step) * columns.size());
        std::vector<std::uint32_t> nodes(step);
        for (std::size_t row = begin; row < end && !any_infinite; row += step) {
            cancel.check();
            const std::span<std::uint32_t> here(nodes.data(), std::min(end - row, step));
            const Special special = raw.special(row, row + here.size());
            if (special == Special::infinite) {
                any_infinite = true;
                return;
            }
            stops(raw, row, here, special == Special::missing, copied);
            copy_entries(here, entries, entries.of_rows + row * entries.size);
        }
    });
    return !any_infinite;
}

std::vector<std::int64_t> Router::unseen(std::span<const RawColumn> columns, std::size_t n_rows,
                                         const Cancel& cancel) const {
    Threads alone(1);
    if (any_infinite(columns, n_rows, alone, cancel)) return {};
    std::vector<std::int64_t> counts(columns.size());
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (row % 4096 == 0) cancel.check();
        const Stop here = stop_of(columns, row);
        if (here.is_unseen) ++counts[tree_.asked(here.node)];
    }
    return counts;
}

}  // namespace bough
