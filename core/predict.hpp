// Raw values → what the node says where each row stops, or the parts of one whose missing values go
// to every answer, each child getting its share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "query.hpp"
#include "raw_rows.hpp"
#include "rows_down_tree.hpp"
#include "sparse_columns.hpp"
#include "table.hpp"
#include "threads.hpp"
#include "tree_view.hpp"

namespace bough {

/// An entry for each node, and the places for those of the rows: bytes of any meaning.
struct NodeEntries {
    const std::uint8_t* of_nodes = nullptr;
    std::uint8_t* of_rows = nullptr;
    std::size_t size = 0;  // of one entry

    /// Copy to the rows from one on the entries of the nodes where they stop.
    void copy(std::span<const std::uint32_t> nodes, std::size_t row) const {
        std::uint8_t* to = of_rows + row * size;
        const auto copy_all = [&](auto n_bytes) {
            for (const std::uint32_t node : nodes) {
                std::memcpy(to, of_nodes + node * n_bytes, n_bytes);
                to += n_bytes;
            }
        };
        if (size == 4)  // which is known when this is compiled
            copy_all(std::integral_constant<std::size_t, 4>{});
        else if (size == 8)
            copy_all(std::integral_constant<std::size_t, 8>{});
        else if (size == 16)
            copy_all(std::integral_constant<std::size_t, 16>{});
        else
            copy_all(size);
    }
};

/// The nodes that some rows meet in parts, those of one row after the other, from the root down.
struct Parts {
    std::vector<std::int64_t> starts;  // where each row's nodes begin; one more than there are rows
    std::vector<std::int32_t> nodes;
    std::vector<double> shares;       // of the row that comes to the node
    std::vector<std::uint8_t> stops;  // whether it stops there
};

/// A tree made ready to lead rows down. It reads the arrays of the tree, which must outlive it.
class Router {
  public:
    using Columns = std::span<const RawColumn>;

    explicit Router(const TreeView& tree)
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

    [[nodiscard]] std::size_t n_features() const { return tree_.n_choices.size(); }
    [[nodiscard]] std::size_t n_nodes() const { return tree_.size(); }
    /// About how many steps it takes to look rows up.
    [[nodiscard]] std::size_t n_steps(std::size_t n_rows) const {
        return n_rows * (depth_ + asked_.size());
    }

    // Missing values go where such values went when the tree was grown, if there were any; or a row
    // weighs: it goes on to every answer of a query other than `is_missing`, in parts.
    //
    // A row that meets an infinite number on its way is refused: `InfiniteNumber`. What no query
    // asks of it is not read.

    /// Copy to each row the entry of the node where it stops.
    void look_up(Columns columns, std::size_t n_rows, const NodeEntries& entries,
                 std::size_t n_threads, const Cancel& cancel) const {
        const RawRows raw(columns, asked_);
        const std::size_t step = raw.n_at_once();
        Threads threads = threads_for(n_rows, depth_ + raw.n_copied(), n_threads);
        for_parts(n_rows, step, threads, [&](std::size_t begin, std::size_t end) {
            Scratch scratch{.room = raw.room(), .nodes = std::vector<std::uint32_t>(step)};
            for (std::size_t row = begin; row < end; row += step) {
                cancel.check();
                entries.copy(stops(raw, row, std::min(end, row + step), scratch), row);
            }
        });
    }

    void look_up(const SparseRows& rows, const NodeEntries& entries, std::size_t n_threads,
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
                entries.copy(stops(raw, 0, count, scratch), row);
                for (std::size_t i = 0; i < count; ++i)
                    rows.for_each(row + i, [&](std::size_t place, double /*value*/) {
                        cells[i * width + place] = 0;
                    });
            }
        });
    }

    /// For each node, the child that a row would go to from there; `stop` if to none, `every` if to
    /// all of them. Most nodes are not on its way, so infinite numbers are not refused.
    [[nodiscard]] std::vector<std::int32_t> answers(Columns columns, std::size_t row,
                                                    bool weighs) const {
        std::vector<std::int32_t> children(tree_.size(), stop);
        for (std::size_t node = 0; node < tree_.size(); ++node) {
            if (tree_.is_leaf(node)) continue;
            const std::int32_t next = answer_of(columns, row, node, weighs, false);
            children[node] = next < 0 ? next : tree_.first_child[node] + next;
        }
        return children;
    }

    /// The rows that a missing value sends to every answer of some query, if they weigh.
    [[nodiscard]] std::vector<std::int64_t> weighed_rows(Columns columns, std::size_t n_rows,
                                                         std::size_t n_threads,
                                                         const Cancel& cancel) const {
        std::vector<std::uint8_t> marks(n_rows);
        for (const std::uint32_t column : asked_)
            std::visit(
                [&](const auto& values) {
                    for (std::size_t row = 0; row < n_rows; ++row)
                        marks[row] |= static_cast<std::uint8_t>(is_missing(asked(values[row])));
                },
                columns[column].values);
        Threads threads = threads_for(n_rows, depth_, n_threads);
        for_parts(n_rows, rows_at_once(depth_), threads, [&](std::size_t begin, std::size_t end) {
            cancel.check();
            for (std::size_t row = begin; row < end; ++row)
                if (marks[row] != 0)
                    marks[row] = stop_of(columns, row, true).given == every ? 1 : 0;
        });
        std::vector<std::int64_t> rows;
        for (std::size_t row = 0; row < n_rows; ++row)
            if (marks[row] != 0) rows.push_back(static_cast<std::int64_t>(row));
        return rows;
    }

    /// The nodes that some rows meet if they weigh; `flow` is the share of what comes to its parent
    /// that each node gets of such a row.
    [[nodiscard]] Parts parts(Columns columns, std::span<const std::int64_t> rows,
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

    /// The mean of the entries of the nodes where each of some rows stops, weighted by the parts of
    /// the row; an entry is `size` numbers.
    void mix(Columns columns, std::span<const std::int64_t> rows, std::span<const double> flow,
             const double* of_nodes, double* of_rows, std::size_t size, std::size_t n_threads,
             const Cancel& cancel) const {
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

  private:
    /// What a row answers at a branch; where that is on its way, an infinite number is refused.
    [[nodiscard]] std::int32_t answer_of(Columns columns, std::size_t row, std::size_t node,
                                         bool weighs, bool is_on_way = true) const {
        const auto answered = [&](const auto& values) {
            const auto value = asked(values[row]);
            if (is_on_way && std::isinf(static_cast<double>(value))) throw InfiniteNumber{};
            auto query = tree_.query<std::decay_t<decltype(value)>>(node);
            if (weighs) query.missing = every;
            return answer(query, value);
        };
        return std::visit(answered, columns[tree_.asked(node)].values);
    }

    /// Where a row stops, or goes on in parts, and what it answers there.
    struct Stop {
        std::size_t node = 0;
        std::int32_t given = stop;
    };
    [[nodiscard]] Stop stop_of(Columns columns, std::size_t row, bool weighs) const {
        Stop here;
        while (!tree_.is_leaf(here.node)) {
            here.given = answer_of(columns, row, here.node, weighs);
            if (here.given < 0) break;
            here.node = static_cast<std::size_t>(tree_.first_child[here.node] + here.given);
        }
        return here;
    }

    /// Call `use(node, share, stops)` for each node that a row meets if it weighs.
    void follow(Columns columns, std::size_t row, std::span<const double> flow,
                const auto& use) const {
        // Nodes to be visited, and how much of the row comes to each.
        std::vector<std::pair<std::size_t, double>> waiting{{0, 1.0}};
        while (!waiting.empty()) {
            const auto [node, share] = waiting.back();
            waiting.pop_back();
            const std::int32_t next =
                tree_.is_leaf(node) ? stop : answer_of(columns, row, node, true);
            use(node, share, next == stop);
            if (next == stop) continue;
            const auto first = static_cast<std::size_t>(tree_.first_child[node]);
            if (next != every) {
                waiting.emplace_back(first + static_cast<std::size_t>(next), share);
                continue;
            }
            for (auto child = first + static_cast<std::size_t>(tree_.n_children[node]);
                 child-- > first;)
                waiting.emplace_back(child, share * flow[child]);
        }
    }

    /// What one thread needs to lead some rows down after the other.
    struct Scratch {
        std::unique_ptr<double[]> room;
        std::vector<std::uint32_t> nodes;
        bool has_gaps = false;  // many rows have met a missing value
    };
    /// The nodes where the rows from `begin` to before `end` stop.
    [[nodiscard]] std::span<const std::uint32_t> stops(const RawRows& raw, std::size_t begin,
                                                       std::size_t end, Scratch& scratch) const {
        const std::span<std::uint32_t> nodes(scratch.nodes.data(), end - begin);
        if (!target_walk_) {
            for (std::size_t i = 0; i < nodes.size(); ++i)
                nodes[i] =
                    static_cast<std::uint32_t>(stop_of(raw.columns(), begin + i, false).node);
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

    TreeView tree_;
    std::size_t depth_;
    std::vector<std::uint32_t> asked_;       // the features, each once
    std::optional<PivotWalk> pivot_walk_;    // none: the tree asks other queries too
    std::optional<TargetWalk> target_walk_;  // none: there is no way but asking query by query
};

}  // namespace bough
