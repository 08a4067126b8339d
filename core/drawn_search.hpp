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

    /// Bin and step of a row in one number; below `n_steps` where its value is missing.
    [[nodiscard]] std::uint32_t code_of(LocalRow row) const {
        return static_cast<std::uint32_t>(bins_[row]) << 8 | steps_[row];
    }

    template <class Values>
    bool draw_pivot(const Values& values, std::uint64_t chance, Shortlist& shortlist) {
        bins_ = node_->block.bins[column_];
        steps_ = node_->block.steps[column_];
        // Codes grow with values, so that only those of the least and the greatest code are read.
        std::uint32_t low = n_bins * n_steps;
        std::uint32_t high = n_steps - 1;
        bool any_missing = false;
        typename Values::Value least{};
        typename Values::Value most{};
        for (const LocalRow row : node_->rows) {
            const std::uint32_t code = code_of(row);
            if (code < n_steps) {
                any_missing = true;
                continue;
            }
            if (code <= low) {
                const auto value = values[node_->block.table_row(row)];
                least = code < low ? value : std::min(least, value);
                low = code;
            }
            if (code >= high) {
                const auto value = values[node_->block.table_row(row)];
                most = code > high ? value : std::max(most, value);
                high = code;
            }
        }
        if (high < n_steps) return false;
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

    void sum_missing() {
        const std::uint8_t* bins = node_->block.bins[column_];
        cells_.assign(counts().width(), Cell{});
        for (const LocalRow row : node_->rows)
            if (bins[row] == 0)
                counts().add(cells_.data(), node_->block.labels + row, node_->block.n_rows);
        missing_.clear();
        counts().accumulate(missing_, cells_.data());
    }

    /// Offer the cut at a place; values are read only where their code is that of the place.
    template <class Values>
    void offer_cut(const Values& values, typename Values::Value place, std::int32_t missing,
                   Shortlist& shortlist) {
        const Block<Statistic>& block = node_->block;
        const std::uint32_t code = table_.code_of(column_, as_float(place));
        cells_.assign(counts().width(), Cell{});
        for (std::size_t o = 0; o < counts().n_outputs(); ++o) {
            const Statistic statistic = counts()[o];
            Cell* cells = cells_.data() + counts().first_cell(o);
            const auto* labels = block.labels_of(o);
            for (const LocalRow row : node_->rows) {
                const std::uint32_t here = code_of(row);
                bool is_before = here < code && here >= n_steps;
                if (here == code) is_before = values[block.table_row(row)] <= place;
                statistic.add_if(cells, labels[row], is_before);
            }
        }
        const double n_known = node_->scores.node().rows - (missing == stop ? 0 : missing_.rows);
        before_.clear();
        counts().accumulate(before_, cells_.data());
        running_.start(nothing_);
        running_.mark(before_);
        Cut cut;
        cut.level = Cut::Level::place;
        cut.bin = static_cast<std::uint8_t>(code >> 8);
        cut.step = static_cast<std::uint8_t>(code);
        cut.set(place);
        cuts_.offer(running_, missing == 0 ? missing_ : nothing_, missing, {.upto = n_known},
                    shortlist, [&](std::size_t /*cell*/) { return cut; });
    }

    const CoarseTable& table_;
    std::span<const RawColumn> raw_;
    const Node* node_ = nullptr;
    std::size_t column_ = 0;
    const std::uint8_t* bins_ = nullptr;
    const std::uint8_t* steps_ = nullptr;
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
