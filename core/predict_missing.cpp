// Rows whose missing values go to every answer, each child getting its share of the row.
#include <algorithm>

#include "predict.hpp"
#include "query.hpp"

namespace bough {
namespace {

/// A node that waits to be visited, and how much of the row comes to it.
struct Part {
    std::size_t node = 0;
    double share = 1;
};

void mark_missing(const RawColumn& column, std::span<std::uint8_t> marks) {
    std::visit(
        [&](const auto& values) {
            for (std::size_t row = 0; row < marks.size(); ++row)
                marks[row] |= static_cast<std::uint8_t>(is_missing(asked(values[row])));
        },
        column.values);
}

}  // namespace

template <class Use>
void Router::follow(std::span<const RawColumn> columns, std::size_t row,
                    std::span<const double> flow, const Use& use) const {
    std::vector<Part> waiting(1);
    while (!waiting.empty()) {
        const auto [node, share] = waiting.back();
        waiting.pop_back();
        const std::int32_t next =
            tree_.is_leaf(node) ? stop : answer_on_way(columns, row, node, Missing::weigh).next;
        use(node, share, next == stop);
        if (next == stop) continue;
        const auto first = static_cast<std::size_t>(tree_.first_child[node]);
        if (next != every) {
            waiting.push_back({first + static_cast<std::size_t>(next), share});
            continue;
        }
        for (auto child = first + static_cast<std::size_t>(tree_.n_children[node]);
             child-- > first;)
            waiting.push_back({child, share * flow[child]});
    }
}

bool Router::is_weighed(std::span<const RawColumn> columns, std::size_t row) const {
    std::size_t node = 0;
    while (!tree_.is_leaf(node)) {
        const std::int32_t next = answer_on_way(columns, row, node, Missing::weigh).next;
        if (next < 0) return next == every;
        node = static_cast<std::size_t>(tree_.first_child[node] + next);
    }
    return false;
}

std::vector<std::int64_t> Router::weighed_rows(std::span<const RawColumn> columns,
                                               std::size_t n_rows, std::size_t n_threads,
                                               const Cancel& cancel) const {
    std::vector<std::uint8_t> marks(n_rows);
    for (const std::uint32_t column : asked_) mark_missing(columns[column], marks);
    Threads threads = threads_for(n_rows, depth_, n_threads);
    for_parts(n_rows, rows_at_once(depth_), threads, [&](std::size_t begin, std::size_t end) {
        cancel.check();
        for (std::size_t row = begin; row < end; ++row)
            if (marks[row] != 0 && !is_weighed(columns, row)) marks[row] = 0;
    });
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < n_rows; ++row)
        if (marks[row] != 0) rows.push_back(static_cast<std::int64_t>(row));
    return rows;
}

Parts Router::parts(std::span<const RawColumn> columns, std::span<const std::int64_t> rows,
                    std::span<const double> flow, const Cancel& cancel) const {
    Parts found;
    found.starts.push_back(0);
    for (const std::int64_t row : rows) {
        cancel.check();
        follow(columns, static_cast<std::size_t>(row), flow,
               [&](std::size_t node, double share, bool stops) {
                   found.nodes.push_back(static_cast<std::int32_t>(node));
                   found.shares.push_back(share);
                   found.stops.push_back(static_cast<std::uint8_t>(stops));
               });
        found.starts.push_back(static_cast<std::int64_t>(found.nodes.size()));
    }
    return found;
}

void Router::mix(std::span<const RawColumn> columns, std::span<const std::int64_t> rows,
                 std::span<const double> flow, const double* of_nodes, double* of_rows,
                 std::size_t size, std::size_t n_threads, const Cancel& cancel) const {
    Threads threads = threads_for(rows.size(), tree_.size() * size, n_threads);
    threads.parallel_for(rows.size(), [&](std::size_t i) {
        cancel.check();
        double* mean = of_rows + i * size;
        std::fill_n(mean, size, 0.0);
        follow(columns, static_cast<std::size_t>(rows[i]), flow,
               [&](std::size_t node, double share, bool stops) {
                   if (!stops) return;
                   const double* entry = of_nodes + node * size;
                   for (std::size_t k = 0; k < size; ++k) mean[k] += share * entry[k];
               });
    });
}

}  // namespace bough
