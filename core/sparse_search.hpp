// What a node has in the cells of sparse columns, and the queries about a column that follow.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "choice_search.hpp"
#include "cut_scan.hpp"
#include "pivot.hpp"
#include "run_search.hpp"
#include "sparse_cells.hpp"
#include "statistics_of_outputs.hpp"

namespace bough {

/// Labels of the table's rows, one output after the other.
template <class Statistic>
struct RowLabels {
    const typename Statistic::Label* first;
    std::size_t n_rows;
};

/// A count of the rows of a node that knows which cells have any, so that a small node costs no
/// more than its rows do.
template <class Statistic>
class SparseCounts {
  public:
    using Cell = typename Statistic::Cell;

    SparseCounts(const SparseCells& cells, std::size_t width)
        : cells_(cells),
          width_(width),
          sums_(cells.n_cells() * width),
          seen_(cells.n_cells() / 64 + 1),
          seen_words_(seen_.size() / 64 + 1) {}

    [[nodiscard]] const std::vector<Cell>& sums() const { return sums_; }

    void count(std::span<const Row> rows, const Counts<Statistic>& counts,
               const RowLabels<Statistic>& labels) {
        clear();
        for (const Row row : rows) {
            for (const std::uint32_t cell : cells_.of_row(row)) {
                counts.add(sums_.data() + cell * width_, labels.first + row, labels.n_rows);
                seen_[cell / 64] |= std::uint64_t{1} << cell % 64;
                seen_words_[cell / 4096] |= std::uint64_t{1} << cell / 64 % 64;
            }
        }
        may_be_empty_ = false;
    }

    /// Take some of the counted rows out again.
    void take_out(std::span<const Row> rows, const Counts<Statistic>& counts,
                  const RowLabels<Statistic>& labels) {
        std::vector<Cell> one(width_);
        std::vector<std::size_t> places;  // where it is not 0: few, however many classes there are
        for (const Row row : rows) {
            counts.add(one.data(), labels.first + row, labels.n_rows);
            for (std::size_t i = 0; i < width_; ++i)
                if (one[i] != Cell{}) places.push_back(i);
            for (const std::uint32_t cell : cells_.of_row(row))
                for (const std::size_t i : places) sums_[cell * width_ + i] -= one[i];
            for (const std::size_t i : places) one[i] = Cell{};
            places.clear();
        }
        may_be_empty_ = true;
    }

    /// Call `use` with each cell that has rows, in order.
    void for_each_seen(const Counts<Statistic>& counts, const auto& use) const {
        for_each_bit(seen_words_, 0, seen_words_.size(), [&](std::size_t word) {
            for_each_bit(seen_, word, word + 1, [&](std::size_t cell) {
                if (has_rows(cell, counts)) use(static_cast<std::uint32_t>(cell));
            });
        });
    }
    /// The same for the cells of one column.
    void for_each_seen(const Counts<Statistic>& counts, const CellRange& range,
                       const auto& use) const {
        for (std::uint32_t cell = range.first; cell < range.end; ++cell)
            if ((seen_[cell / 64] >> cell % 64 & 1) != 0 && has_rows(cell, counts)) use(cell);
    }

  private:
    static void for_each_bit(const std::vector<std::uint64_t>& words, std::size_t begin,
                             std::size_t end, const auto& use) {
        for (std::size_t word = begin; word < end; ++word)
            for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1)
                use(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
    }

    [[nodiscard]] bool has_rows(std::size_t cell, const Counts<Statistic>& counts) const {
        return !may_be_empty_ || counts[0].rows(sums_.data() + cell * width_) > 0;
    }

    void clear() {
        for_each_bit(seen_words_, 0, seen_words_.size(), [&](std::size_t word) {
            for_each_bit(seen_, word, word + 1, [&](std::size_t cell) {
                std::fill_n(sums_.begin() + static_cast<std::ptrdiff_t>(cell * width_), width_,
                            Cell{});
            });
            seen_[word] = 0;
        });
        std::ranges::fill(seen_words_, 0);
    }

    const SparseCells& cells_;
    std::size_t width_;
    std::vector<Cell> sums_;                 // of each cell
    std::vector<std::uint64_t> seen_;        // a bit for each cell that has rows, or had some
    bool may_be_empty_ = false;              // and has none now
    std::vector<std::uint64_t> seen_words_;  // a bit for each word of them that is not 0
};

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
        find_rest(seen);
        missing_.clear();
        if (range.is_missing(seen.front())) {
            node.counts.accumulate(missing_, sums_of(seen.front()));
            seen = seen.subspan(1);
        }
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

    /// What the rows of value 0 add up to: integers, so that nothing is lost.
    void find_rest(std::span<const std::uint32_t> seen) {
        rest_.assign(node_->all, node_->all + node_->counts.width());
        for (const std::uint32_t cell : seen)
            for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] -= sums_of(cell)[i];
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
            for (std::size_t i = 0; i < so_far_.size(); ++i) so_far_[i] += sums[i];
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
