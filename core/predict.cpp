// Raw values → what the node says where each row stops, or the parts of one whose missing values go
// to every answer, each child getting its share.
#include "predict.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "query.hpp"

namespace bough {
namespace {

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

Router::Answer Router::answer_of(std::span<const RawColumn> columns, std::size_t row,
                                 std::size_t node, Missing missing) const {
    const auto answered = [&](const auto& values) {
        const auto value = asked(values[row]);
        auto query = tree_.query<std::decay_t<decltype(value)>>(node);
        if (missing == Missing::weigh) query.missing = every;
        return Answer{.next = answer(query, value),
                      .is_missing = is_missing(value),
                      .is_infinite = std::isinf(static_cast<double>(value))};
    };
    return std::visit(answered, columns[tree_.asked(node)].values);
}

Router::Answer Router::answer_on_way(std::span<const RawColumn> columns, std::size_t row,
                                     std::size_t node, Missing missing) const {
    const Answer given = answer_of(columns, row, node, missing);
    if (given.is_infinite) throw InfiniteNumber{};
    return given;
}

Router::Stop Router::stop_of(std::span<const RawColumn> columns, std::size_t row) const {
    std::size_t node = 0;
    while (!tree_.is_leaf(node)) {
        const Answer given = answer_on_way(columns, row, node, Missing::as_grown);
        if (given.next == stop) return {.node = node, .is_unseen = !given.is_missing};
        node = static_cast<std::size_t>(tree_.first_child[node] + given.next);
    }
    return {.node = node};
}

std::vector<std::int32_t> Router::answers(std::span<const RawColumn> columns, std::size_t row,
                                          Missing missing) const {
    std::vector<std::int32_t> children(tree_.size(), stop);
    for (std::size_t node = 0; node < tree_.size(); ++node) {
        if (tree_.is_leaf(node)) continue;
        const std::int32_t next = answer_of(columns, row, node, missing).next;
        children[node] = next < 0 ? next : tree_.first_child[node] + next;
    }
    return children;
}

std::span<const std::uint32_t> Router::stops(const RawRows& raw, std::size_t begin, std::size_t end,
                                             Scratch& scratch) const {
    const std::span<std::uint32_t> nodes(scratch.nodes.data(), end - begin);
    if (!target_walk_) {
        for (std::size_t i = 0; i < nodes.size(); ++i)
            nodes[i] = static_cast<std::uint32_t>(stop_of(raw.columns(), begin + i).node);
        return nodes;
    }
    raw.use_rows(begin, end, scratch.room.get(), [&](const auto& rows) {
        if (!pivot_walk_ || scratch.has_gaps) return target_walk_->stops(rows, nodes);
        std::size_t n_redone = 0;
        const auto redo = [&](std::size_t row, std::size_t count) {
            target_walk_->stops(rows.from(row), nodes.subspan(row, count));
            n_redone += count;
        };
        pivot_walk_->stops(rows, nodes, redo);
        scratch.has_gaps = n_redone > nodes.size() / 4;
    });
    return nodes;
}

void Router::look_up(std::span<const RawColumn> columns, std::size_t n_rows, const Entries& entries,
                     std::size_t n_threads, const Cancel& cancel) const {
    const RawRows raw(columns, asked_);
    const std::size_t step = raw.n_at_once();
    Threads threads = threads_for(n_rows, depth_ + raw.n_copied(), n_threads);
    for_parts(n_rows, step, threads, [&](std::size_t begin, std::size_t end) {
        Scratch scratch{.room = raw.room(), .nodes = std::vector<std::uint32_t>(step)};
        for (std::size_t row = begin; row < end; row += step) {
            cancel.check();
            copy_entries(stops(raw, row, std::min(end, row + step), scratch), entries,
                         entries.of_rows + row * entries.size);
        }
    });
}

void Router::look_up(const SparseRows& rows, const Entries& entries, std::size_t n_threads,
                     const Cancel& cancel) const {
    const std::size_t width = n_features();
    const std::size_t step = rows_at_once(width);
    Threads threads = threads_for(rows.size(), depth_ + width, n_threads);
    for_parts(rows.size(), step, threads, [&](std::size_t begin, std::size_t end) {
        std::vector<double> cells(step * width);  // of some rows, with their zeros
        std::vector<RawColumn> columns(width);
        for (std::size_t i = 0; i < width; ++i)
            columns[i].values = Strided<double>{&cells[i], static_cast<std::int64_t>(width)};
        const RawRows raw(columns, asked_);
        Scratch scratch{.room = raw.room(), .nodes = std::vector<std::uint32_t>(step)};
        for (std::size_t row = begin; row < end; row += step) {
            cancel.check();
            const std::size_t count = std::min(end - row, step);
            for (std::size_t i = 0; i < count; ++i)
                rows.for_each(row + i, [&](std::size_t place, double value) {
                    cells[i * width + place] = value;
                });
            copy_entries(stops(raw, 0, count, scratch), entries,
                         entries.of_rows + row * entries.size);
            for (std::size_t i = 0; i < count; ++i)
                rows.for_each(row + i, [&](std::size_t place, double /*value*/) {
                    cells[i * width + place] = 0;
                });
        }
    });
}

std::vector<std::int64_t> Router::unseen(std::span<const RawColumn> columns, std::size_t n_rows,
                                         const Cancel& cancel) const {
    std::vector<std::int64_t> counts(columns.size());
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (row % 4096 == 0) cancel.check();
        const Stop here = stop_of(columns, row);
        if (here.is_unseen) ++counts[tree_.asked(here.node)];
    }
    return counts;
}

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
