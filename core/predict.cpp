// Raw values → what the node says where each row stops.
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

}  // namespace bough
