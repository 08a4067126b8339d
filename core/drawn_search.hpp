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
#include "cut_scan.hpp"
#include "draw.hpp"
#include "fast_node.hpp"

namespace bough {

/// Searches one column of one node. Buffers are kept from node to node.
template <class Criterion, class Statistic>
class DrawnSearch {
  public:
    using Node = FastNode<Criterion, Statistic>;
    using Cell = typename Statistic::Cell;

    DrawnSearch(std::span<const RawColumn> raw, std::size_t n_parts, const Limits& limits,
                const Cancel& cancel)
        : raw_(raw),
          choices_(n_parts, limits, cancel),
          cuts_(limits),
          strip_(n_parts, 1, Statistic::is_weighted),
          before_(n_parts),
          missing_(n_parts),
          nothing_(n_parts) {}

    /// Offer the query that is drawn, if it may be asked; say whether the column tells rows apart.
    bool scan(const Node& node, std::size_t column, std::uint64_t chance, Podium& podium) {
        node_ = &node;
        column_ = column;
        cuts_.enter(node.scores, node.levels, column);
        if (raw_[column].is_choice) return draw_choices(chance, podium);
        return use_values(raw_[column],
                          [&](const auto& values) { return draw_pivot(values, chance, podium); });
    }

  private:
    const Counts<Statistic>& counts() const { return node_->block.counts; }

    bool draw_choices(std::uint64_t chance, Podium& podium) {
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
        choices_.scan(node_->scores, missing_, column_, chance, podium);
        return true;
    }

    /// The range of a column's known values at a node, and a row of each bin.
    template <class Value>
    struct Seen {
        std::array<LocalRow, n_bins> some_row;
        std::size_t first = n_bins;  // bin with rows
        std::size_t last = 0;
        Value least{};
        Value most{};
        bool any_missing = false;
    };

    template <class Values>
    auto range_of(const Values& values) const {
        constexpr LocalRow none = std::numeric_limits<LocalRow>::max();
        const std::uint8_t* bins = node_->block.bins[column_];
        const auto value = [&](LocalRow row) { return values[node_->block.table_row(row)]; };
        Seen<typename Values::Value> seen;
        seen.some_row.fill(none);
        for (const LocalRow row : node_->rows) {
            const std::size_t bin = bins[row];
            seen.some_row[bin] = row;
            if (bin == 0) continue;
            if (bin <= seen.first) {
                const auto here = value(row);
                seen.least = bin < seen.first ? here : std::min(seen.least, here);
                seen.first = bin;
            }
            if (bin >= seen.last) {
                const auto here = value(row);
                seen.most = bin > seen.last ? here : std::max(seen.most, here);
                seen.last = bin;
            }
        }
        seen.any_missing = seen.some_row[0] != none;
        return seen;
    }

    template <class Values>
    bool draw_pivot(const Values& values, std::uint64_t chance, Podium& podium) {
        const auto seen = range_of(values);
        const bool has_pivots = seen.last > 0 && seen.least < seen.most;
        if (!has_pivots && !(seen.any_missing && seen.last > 0)) return false;
        const DrawnMissing drawn(chance);
        if (seen.any_missing) sum_missing();
        if (seen.any_missing && (drawn.is_asked || !has_pivots)) {
            choices_.offer_missing(node_->scores, missing_, column_, podium);
            return true;
        }
        const auto place = drawn_between(seen.least, seen.most, chance);
        // A row of each bin says in which two of them the place may be.
        constexpr LocalRow none = std::numeric_limits<LocalRow>::max();
        std::size_t low = 0;
        std::size_t high = n_bins;
        for (std::size_t bin = seen.first; bin <= seen.last && high == n_bins; ++bin) {
            if (seen.some_row[bin] == none) continue;
            if (values[node_->block.table_row(seen.some_row[bin])] > place)
                high = bin;
            else
                low = bin;
        }
        if (low == 0) low = high;
        offer_cut(values, place, low, high, seen.any_missing ? drawn.answer : stop, podium);
        return true;
    }

    void sum_missing() {
        const std::uint8_t* bins = node_->block.bins[column_];
        cells_.assign(counts().width(), Cell{});
        for (const LocalRow row : node_->rows)
            if (bins[row] == 0)
                counts().add(cells_.data(), node_->block.labels + row, node_->block.n_rows);
        missing_.clear();
        counts().accumulate(missing_, cells_.data());
    }

    /// Offer the cut at a place; only in the bins `low` and `high` are values on both sides of it.
    template <class Values>
    void offer_cut(const Values& values, typename Values::Value place, std::size_t low,
                   std::size_t high, std::int32_t missing, Podium& podium) {
        const Block<Statistic>& block = node_->block;
        const std::uint8_t* bins = block.bins[column_];
        cells_.assign(counts().width(), Cell{});
        double n_known = 0;
        for (const LocalRow row : node_->rows) {
            const std::size_t bin = bins[row];
            const bool is_near = bin == low || bin == high;
            if (bin == 0) continue;
            ++n_known;
            if (is_near ? values[block.table_row(row)] <= place : bin < high)
                counts().add(cells_.data(), block.labels + row, block.n_rows);
        }
        before_.clear();
        counts().accumulate(before_, cells_.data());
        strip_.start(nothing_);
        strip_.mark(before_);
        Cut cut;
        cut.level = Cut::Level::place;
        cut.bin = static_cast<std::uint8_t>(low);
        cut.next = static_cast<std::uint16_t>(high);
        cut.set(place);
        cuts_.offer(strip_, missing == 0 ? missing_ : nothing_, missing, {.upto = n_known}, podium,
                    [&](std::size_t /*cell*/) { return cut; });
    }

    std::span<const RawColumn> raw_;
    const Node* node_ = nullptr;
    std::size_t column_ = 0;
    ChoiceSearch<Criterion, Statistic> choices_;
    ChoiceTally<Statistic> tally_;
    CutScan<Criterion> cuts_;
    Strip strip_;
    std::vector<Cell> cells_;
    Sums before_;
    Sums missing_;
    Sums nothing_;
};

}  // namespace bough
