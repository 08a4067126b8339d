// One query by chance about each column of a node, from its rows: no histogram is needed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "choice_search.hpp"
#include "choice_tally.hpp"
#include "coarse_table.hpp"
#include "cut_scan.hpp"
#include "drawn_cuts_by_row.hpp"
#include "part_rows.hpp"
#include "random_draws.hpp"
#include "run_search.hpp"

namespace bough {

/// Searches one column of one node. Buffers are kept from node to node.
template <class Criterion, class Statistic>
class DrawnSearch {
  public:
    using Node = FastNode<Criterion, Statistic>;
    using Cell = typename Statistic::Cell;

    DrawnSearch(const CoarseTable& table, std::span<const RawColumn> raw, std::size_t n_parts,
                const Limits& limits, const Cancel& cancel)
        : table_(table),
          raw_(raw),
          rows_(table, raw),
          choices_(n_parts, limits, cancel),
          cuts_(limits),
          running_(n_parts, 1, Statistic::is_weighted),
          before_(n_parts),
          missing_(n_parts),
          nothing_(n_parts) {}

    /// Offer the query that is drawn, if it may be asked; say whether the column tells rows apart.
    bool scan(const Node& node, std::size_t column, std::uint64_t chance, Shortlist& shortlist) {
        node_ = &node;
        column_ = column;
        cuts_.enter(node.scores, node.levels, column);
        if (raw_[column].is_choice) return draw_choices(chance, shortlist);
        return use_values(raw_[column], [&](const auto& values) {
            return draw_pivot(values, chance, shortlist);
        });
    }

    /// Draw a cut of every column by `chance(column)`, and offer it in a shortlist that
    /// `offer(column, act)` lends; false where that must be done column by column.
    template <class Chance, class Offer>
    bool scan_all(const Node& node, const Chance& chance, const Offer& offer) {
        if (node.block.row_codes.empty() || !rows_.draw(node.block, node.rows, node.labels, chance))
            return false;
        node_ = &node;
        for (column_ = 0; column_ < raw_.size(); ++column_) {
            if (!rows_.tells_apart(column_)) continue;
            cuts_.enter(node.scores, node.levels, column_);
            offer(column_, [&](Shortlist& shortlist) {
                offer_before(rows_.cells(column_), rows_.cut(column_), stop, shortlist);
            });
        }
        return true;
    }

  private:
    const Counts<Statistic>& counts() const { return node_->block.counts; }

    bool draw_choices(std::uint64_t chance, Shortlist& shortlist) {
        const Block<Statistic>& block = node_->block;
        use_choices(raw_[column_], [&](const auto& choices) {
            tally_.count(
                counts(), raw_[column_].n_choices, node_->rows,
                [&](LocalRow row) { return choices[block.table_row(row)] + 1; },
                [&](LocalRow row) { return block.labels + row; }, block.n_rows);
        });
        if (tally_.present().size() < 2) return false;
        missing_.clear();
        choices_.start();
        for (const std::size_t code : tally_.present())
            counts().accumulate(
                code == 0 ? missing_ : choices_.next(static_cast<std::int32_t>(code) - 1),
                tally_.cells(code));
        choices_.scan(node_->scores, missing_, column_, chance, shortlist);
        return true;
    }

    template <class Values>
    bool draw_pivot(const Values& values, std::uint64_t chance, Shortlist& shortlist) {
        fetch_bins();
        // Less one, missing values have the greatest bin of all.
        std::uint8_t low = missing_bin;
        std::uint8_t high = 0;
        std::uint8_t most_bin = 0;
        for (std::size_t i = 0; i < n_rows(); ++i) {
            const auto less_one = static_cast<std::uint8_t>(bins_[i] - 1);
            low = std::min(low, less_one);
            most_bin = std::max(most_bin, less_one);
            high = std::max(high, bins_[i]);
        }
        if (high == 0) return false;
        const bool any_missing = most_bin == missing_bin;
        const auto ends = find_ends(values, static_cast<std::uint8_t>(low + 1), high);
        const typename Values::Value least = ends.high;
        const typename Values::Value most = ends.low;
        const bool has_pivots = least < most;
        if (!has_pivots && !any_missing) return false;
        const DrawnMissing drawn(chance);
        if (any_missing) sum_missing();
        if (any_missing && (drawn.is_asked || !has_pivots)) {
            choices_.offer_missing(node_->scores, missing_, column_, shortlist);
            return true;
        }
        const auto place = drawn_between(least, most, chance);
        offer_cut(values, place, any_missing ? drawn.answer : stop, shortlist);
        return true;
    }

    /// Have the bins of the rows side by side.
    void fetch_bins() {
        const std::uint8_t* bins = node_->block.bins[column_];
        const std::size_t n = n_rows();
        bins_ = bins;
        if (n == node_->block.n_rows) return;
        own_bins_.resize(std::max(own_bins_.size(), n));
        std::uint8_t* own = own_bins_.data();  // a byte might be any other member
        const LocalRow* rows = node_->rows.data();
        for (std::size_t i = 0; i < n; ++i) own[i] = bins[rows[i]];
        bins_ = own;
    }

    [[nodiscard]] std::size_t n_rows() const { return node_->rows.size(); }
    /// Asked of few rows, so the block need not have the steps of its rows side by side.
    [[nodiscard]] int step_of(std::size_t i) const {
        return table_[column_].steps[node_->block.table_row(node_->rows[i])];
    }
    template <class Values>
    [[nodiscard]] auto value_of(const Values& values, std::size_t i) const {
        return values[node_->block.table_row(node_->rows[i])];
    }

    /// Call `act(i)` for the rows in two bins, which are few: whole stretches have none.
    template <class Act>
    void for_each_in(std::uint8_t one, std::uint8_t other, const Act& act) const {
        for (std::size_t begin = 0; begin < n_rows(); begin += stretch) {
            const std::size_t end = std::min(begin + stretch, n_rows());
            std::uint8_t any = 0;
            for (std::size_t i = begin; i < end; ++i)
                any |= static_cast<std::uint8_t>((bins_[i] == one) | (bins_[i] == other));
            for (std::size_t i = begin; i < end && any != 0; ++i)
                if (bins_[i] == one || bins_[i] == other) act(i);
        }
    }

    /// The least known value as if it were above a cut, and the greatest as if it were below.
    template <class Values>
    [[nodiscard]] auto find_ends(const Values& values, std::uint8_t low, std::uint8_t high) const {
        const auto& singles = table_[column_].is_single;
        Neighbours<typename Values::Value> ends;
        for_each_in(low, high, [&](std::size_t i) {
            const auto value = [&] { return value_of(values, i); };
            if (bins_[i] == low && !(ends.has_high() && singles[low] != 0))
                ends.above(step_of(i), value);
            if (bins_[i] == high && !(ends.has_low() && singles[high] != 0))
                ends.below(step_of(i), value);
        });
        return ends;
    }

    void sum_missing() {
        cells_.assign(counts().width(), Cell{});
        for (std::size_t i = 0; i < n_rows(); ++i)
            if (bins_[i] == 0) counts().add(cells_.data(), &node_->labels[i], n_rows());
        missing_.clear();
        counts().accumulate(missing_, cells_.data());
    }

    /// Offer the cut at a place; values are read only where their code is that of the place.
    template <class Values>
    void offer_cut(const Values& values, typename Values::Value place, std::int32_t missing,
                   Shortlist& shortlist) {
        Cut cut;
        cut.level = Cut::Level::place;
        const std::uint32_t code = table_.code_of(column_, as_float(place));
        cut.bin = static_cast<std::uint8_t>(code >> 8);
        cut.step = static_cast<std::uint8_t>(code);
        cut.set(place);
        is_before_.resize(std::max(is_before_.size(), n_rows()));
        mark_below(static_cast<std::uint8_t>(cut.bin - 1));
        for_each_in(cut.bin, cut.bin, [&](std::size_t i) {
            const int step = step_of(i);
            const bool is_before =
                step < cut.step || (step == cut.step && value_of(values, i) <= place);
            is_before_[i] = is_before ? 1 : 0;
        });
        cells_.assign(counts().width(), Cell{});
        for (std::size_t o = 0; o < counts().n_outputs(); ++o)
            counts()[o].add_some(cells_.data() + counts().first_cell(o),
                                 node_->labels.subspan(o * n_rows(), n_rows()), is_before_.data());
        offer_before(cells_.data(), cut, missing, shortlist);
    }

    /// Offer a cut before which this is counted.
    void offer_before(const Cell* cells, const Cut& cut, std::int32_t missing,
                      Shortlist& shortlist) {
        const double n_known = node_->scores.node().rows - (missing == stop ? 0 : missing_.rows);
        before_.clear();
        counts().accumulate(before_, cells);
        running_.start(nothing_);
        running_.mark(before_);
        cuts_.offer(running_, missing == 0 ? missing_ : nothing_, missing, {.upto = n_known},
                    shortlist, [&](std::size_t /*cell*/) { return cut; });
    }

    /// Mark the rows whose bins, less one, are below this one.
    void mark_below(std::uint8_t bin) {
        const std::uint8_t* bins = bins_;
        std::uint8_t* marks = is_before_.data();
        const std::size_t n = n_rows();
        for (std::size_t i = 0; i < n; ++i)
            marks[i] = static_cast<std::uint8_t>(static_cast<std::uint8_t>(bins[i] - 1) < bin);
    }

    static constexpr std::uint8_t missing_bin = n_bins - 1;
    static constexpr std::size_t stretch = 16;

    const CoarseTable& table_;
    std::span<const RawColumn> raw_;
    const Node* node_ = nullptr;
    std::size_t column_ = 0;
    const std::uint8_t* bins_ = nullptr;  // of the rows
    std::vector<std::uint8_t> own_bins_;
    std::vector<std::uint8_t> is_before_;  // 1 for the rows before a cut
    DrawnRows<Statistic> rows_;
    ChoiceSearch<Criterion, Statistic> choices_;
    ChoiceTally<Statistic> tally_;
    CutScan<Criterion> cuts_;
    RunningSums running_;
    std::vector<Cell> cells_;
    Sums before_;
    Sums missing_;
    Sums nothing_;
};

}  // namespace bough
