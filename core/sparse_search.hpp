// The queries about a sparse column at a node, from what the node has in its cells.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "choice_search.hpp"
#include "cut_scan.hpp"
#include "fast_node.hpp"
#include "pivot.hpp"
#include "sparse_cells.hpp"

namespace bough {

/// A node as its columns are searched.
template <class Criterion, class Statistic>
struct SparseNode {
    const Counts<Statistic>& counts;
    const Scores<Criterion>& scores;
    Levels levels;
    const typename Statistic::Cell* all;   // what its rows add up to
    const typename Statistic::Cell* sums;  // and what they do in each cell
};

/// Searches one column of one node. Buffers are kept from node to node.
template <class Criterion, class Statistic>
class SparseSearch {
  public:
    using Node = SparseNode<Criterion, Statistic>;

    SparseSearch(const SparseCells& cells, std::size_t n_parts, const Limits& limits,
                 const Cancel& cancel)
        : cells_(cells),
          choices_(n_parts, limits, cancel),
          cuts_(limits),
          running_(n_parts, 0, Statistic::is_weighted),
          upto_(n_parts),
          nothing_(n_parts),
          missing_(n_parts) {}

    /// Offer the queries about a column; `seen` are those of its cells that have rows. Say whether
    /// it tells any rows apart. Not inlined, as it is called from several loops over bits.
    [[gnu::noinline]] bool scan(const Node& node, std::size_t column,
                                std::span<const std::uint32_t> seen, Shortlist& shortlist) {
        node_ = &node;
        const CellRange& range = cells_.range(column);
        missing_.clear();
        if (range.is_missing(seen.front())) {
            node.counts.accumulate(missing_, sums_of(seen.front()));
            seen = seen.subspan(1);
        }
        find_rest(seen, missing_.rows > 0 ? range.first : range.end);
        const bool has_zero = node.counts[0].rows(rest_.data()) > 0;
        const std::size_t n_known = seen.size() + (has_zero ? 1 : 0);
        if (n_known + (missing_.rows > 0 ? 1 : 0) < 2) return false;
        fill_running(range, seen, has_zero, n_known);
        cuts_.enter(node.scores, node.levels, column);
        choices_.offer_missing(node.scores, missing_, column, shortlist);
        for_each_side(missing_, nothing_, [&](const Sums& ahead, std::int32_t side) {
            cuts_.offer(running_, ahead, side, {.upto = running_.rows()[running_.n_cells]},
                        shortlist, [&](std::size_t cell) {
                            Cut cut;
                            cut.level = Cut::Level::place;
                            cut.value = values_[cell];
                            cut.integer = std::bit_cast<std::int64_t>(values_[cell + 1]);
                            return cut;
                        });
        });
        return true;
    }

  private:
    using Cell = typename Statistic::Cell;

    [[nodiscard]] const Cell* sums_of(std::uint32_t cell) const {
        return node_->sums + cell * node_->counts.width();
    }
    void add(std::vector<Cell>& to, const Cell* sums) const {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] += sums[i];
    }

    /// What the rows of value 0 add up to: integers, so that nothing is lost.
    void find_rest(std::span<const std::uint32_t> known, std::uint32_t missing) {
        rest_.assign(node_->all, node_->all + node_->counts.width());
        const auto take = [&](std::uint32_t cell) {
            for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] -= sums_of(cell)[i];
        };
        for (const std::uint32_t cell : known) take(cell);
        if (missing_.rows > 0) take(missing);
    }

    /// A boundary after each value.
    void fill_running(const CellRange& range, std::span<const std::uint32_t> known, bool has_zero,
                      std::size_t n_known) {
        if (running_.room() < n_known)
            running_ = RunningSums(running_.n_parts(), 2 * n_known, Statistic::is_weighted);
        running_.start(nothing_);
        values_.clear();
        so_far_.assign(rest_.size(), Cell{});
        const auto append = [&](const Cell* sums, double value) {
            add(so_far_, sums);
            upto_.clear();
            node_->counts.accumulate(upto_, so_far_.data());
            running_.mark(upto_);
            values_.push_back(value);
        };
        bool is_due = has_zero;
        for (const std::uint32_t cell : known) {
            if (is_due && cell >= range.zero) {
                append(rest_.data(), 0.0);
                is_due = false;
            }
            append(sums_of(cell), cells_.value(cell));
        }
        if (is_due) append(rest_.data(), 0.0);
    }

    const SparseCells& cells_;
    const Node* node_ = nullptr;
    ChoiceSearch<Criterion, Statistic> choices_;
    CutScan<Criterion> cuts_;
    RunningSums running_;
    std::vector<double> values_;  // of each cell of the running
    std::vector<Cell> rest_;
    std::vector<Cell> so_far_;
    Sums upto_;
    Sums nothing_;
    Sums missing_;
};

}  // namespace bough
