// The best query of a small node from the sorted lists of its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "choice_search.hpp"
#include "choice_tally.hpp"
#include "cut_scan.hpp"
#include "finalist.hpp"
#include "small_node_context.hpp"
#include "small_node_gains.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Searches one column of one node. Buffers are kept from node to node.
template <class Criterion, class Statistic>
class ListSearch {
  public:
    using Entry = SortedLists::Entry;
    using Label = typename Statistic::Label;
    using Cell = typename Statistic::Cell;

    ListSearch(const ListContext<Criterion>& context, std::size_t n_parts)
        : raw_(context.raw),
          limits_(context.limits),
          choices_(n_parts, context.limits, context.cancel),
          cuts_(context.limits),
          running_(n_parts, 0, Statistic::is_weighted),
          upto_(n_parts),
          nothing_(n_parts),
          missing_(n_parts) {}

    /// Search in these lists from now on; `labels` are those of their rows, one output after the
    /// other.
    void enter(const SortedLists& lists, const std::vector<Label>& labels) {
        lists_ = &lists;
        labels_ = labels;
    }

    /// Search a node whose entries begin and end at these places from now on.
    void enter(std::size_t begin, std::size_t end, const Counts<Statistic>& counts,
               const Scores<Criterion>& scores, const Levels& levels,
               const std::vector<Cell>& cells) {
        begin_ = begin;
        end_ = end;
        counts_ = &counts;
        scores_ = &scores;
        levels_ = levels;
        node_ = cells.data();
        none_.assign(counts.width(), Cell{});
    }

    /// Offer the queries about a column, or one of them by chance; say whether it tells any rows
    /// apart.
    bool scan(std::size_t column, std::uint64_t chance, Shortlist& shortlist) {
        if (raw_[column].is_choice) return scan_choices(column, chance, shortlist);
        const std::span<const Entry> entries = lists_->entries(column, begin_, end_);
        if (rank_of(entries.front()) == rank_of(entries.back())) return false;
        const std::size_t n_missing = sum_missing(entries);
        if (limits_.draw_one) {
            scan_drawn(column, entries, n_missing, chance, shortlist);
            return true;
        }
        use_running_ = !has_runner<Criterion, Statistic> || counts_->n_outputs() > 1 ||
                       limits_.direction(column) != 0;
        if (use_running_) fill_running(entries.subspan(n_missing));
        cuts_.enter(*scores_, levels_, column);
        if (n_missing > 0) {
            choices_.offer_missing(*scores_, missing_, column, shortlist);
            scan_pivots(column, entries, n_missing, {missing_, missing_cells_.data(), 0},
                        shortlist);
            scan_pivots(column, entries, n_missing, {nothing_, none_.data(), 1}, shortlist);
        } else {
            scan_pivots(column, entries, 0, {nothing_, none_.data(), stop}, shortlist);
        }
        return true;
    }

    /// Offer the cut of a column that tells rows apart, of which none is missing, behind so many of
    /// its entries.
    void offer_cut(std::size_t column, std::size_t n_first, Shortlist& shortlist) {
        cuts_.enter(*scores_, levels_, column);
        offer_drawn(lists_->entries(column, begin_, end_), n_first, stop, shortlist);
    }

  private:
    /// Missing rows that go to the first side, and what they answer then.
    struct Ahead {
        const Sums& sums;
        const Cell* cells;
        std::int32_t answer;
    };

    static std::size_t row_of(Entry entry) { return SortedLists::row_of(entry); }
    static Entry rank_of(Entry entry) { return SortedLists::rank_of(entry); }
    [[nodiscard]] const Label* label_of(Entry entry) const {
        return labels_.data() + row_of(entry);
    }

    std::size_t sum_missing(std::span<const Entry> entries) {
        missing_.clear();
        const std::size_t n_missing = SortedLists::count_missing(entries);
        if (n_missing == 0) return 0;
        missing_cells_.assign(counts_->width(), Cell{});
        for (const Entry entry : entries.first(n_missing))
            counts_->add(missing_cells_.data(), label_of(entry), lists_->rows().size());
        counts_->accumulate(missing_, missing_cells_.data());
        return n_missing;
    }

    void scan_pivots(std::size_t column, std::span<const Entry> entries, std::size_t n_missing,
                     const Ahead& ahead, Shortlist& shortlist) {
        if constexpr (has_runner<Criterion, Statistic>)
            if (!use_running_) return run(column, entries, n_missing, ahead, shortlist);
        cuts_.offer(running_, ahead.sums, ahead.answer, {.upto = running_.rows()[running_.n_cells]},
                    shortlist, [](std::size_t /*cell*/) { return Cut{}; });
    }

    void scan_drawn(std::size_t column, std::span<const Entry> entries, std::size_t n_missing,
                    std::uint64_t chance, Shortlist& shortlist) {
        cuts_.enter(*scores_, levels_, column);
        const auto known = entries.subspan(n_missing);
        const DrawnMissing drawn(chance);
        const bool has_pivots = rank_of(known.front()) != rank_of(known.back());
        if (n_missing > 0 && (drawn.is_asked || !has_pivots))
            return choices_.offer_missing(*scores_, missing_, column, shortlist);
        const std::size_t n_first = use_values(raw_[column], [&](const auto& values) {
            const auto value = [&](Entry entry) { return values[lists_->table_row(entry)]; };
            const auto place = drawn_between(value(known.front()), value(known.back()), chance);
            const auto end = std::partition_point(
                known.begin(), known.end(), [&](Entry entry) { return value(entry) <= place; });
            return static_cast<std::size_t>(end - known.begin());
        });
        offer_drawn(known, n_first, n_missing > 0 ? drawn.answer : stop, shortlist);
    }
    /// Offer the cut behind so many of the known entries.
    void offer_drawn(std::span<const Entry> known, std::size_t n_first, std::int32_t answer,
                     Shortlist& shortlist) {
        fill_running(known.first(n_first), true);
        cuts_.offer(running_, answer == 0 ? missing_ : nothing_, answer,
                    {.upto = static_cast<double>(known.size())}, shortlist,
                    [](std::size_t /*cell*/) { return Cut{}; });
    }

    /// One cell for each value, or one for all.
    void fill_running(std::span<const Entry> known, bool in_one = false) {
        if (running_.room() < known.size())
            running_ = RunningSums(running_.n_parts(), 2 * known.size(), Statistic::is_weighted);
        running_.start(nothing_);
        so_far_.assign(counts_->width(), Cell{});
        for (std::size_t i = 0; i < known.size(); ++i) {
            counts_->add(so_far_.data(), label_of(known[i]), lists_->rows().size());
            if (i + 1 < known.size() && (in_one || rank_of(known[i]) == rank_of(known[i + 1])))
                continue;
            upto_.clear();
            counts_->accumulate(upto_, so_far_.data());
            running_.mark(upto_);
        }
    }

    void run(std::size_t column, std::span<const Entry> entries, std::size_t n_missing,
             const Ahead& ahead, Shortlist& shortlist) {
        runner_.start((*counts_)[0], node_, ahead.cells);
        const Sums& node = scores_->node();
        const double least_rows = limits_.least_rows();
        double before = ahead.sums.rows;
        double least = shortlist.cutoff();
        for (std::size_t i = n_missing; i + 1 < entries.size(); ++i) {
            runner_.take(*label_of(entries[i]));
            ++before;
            if (rank_of(entries[i]) == rank_of(entries[i + 1]) || before < least_rows) continue;
            if (node.rows - before < least_rows) break;
            if (!runner_.reaches(least)) continue;
            const double gain = runner_.gain();
            if (gain < least || !limits_.admit(before, runner_.weight(), node) || bars()) continue;
            Finalist found = two_way(limits_, column, Kind::below, ahead.answer, gain,
                                     runner_.weight(), node.weight);
            found.place = static_cast<double>(i + 1 - n_missing);
            shortlist.offer(std::move(found));
            least = shortlist.cutoff();
        }
    }
    [[nodiscard]] bool bars() const {
        if constexpr (requires { runner_.bars(); }) return runner_.bars();
        return false;
    }

    bool scan_choices(std::size_t column, std::uint64_t chance, Shortlist& shortlist) {
        const Entry* codes = lists_->choices(column);
        tally_.count(
            *counts_, raw_[column].n_choices, lists_->entries(lists_->order(), begin_, end_),
            [&](Entry entry) { return codes[row_of(entry)]; },
            [&](Entry entry) { return label_of(entry); }, lists_->rows().size());
        if (tally_.present().size() < 2) return false;
        missing_.clear();
        choices_.start();
        for (const std::size_t code : tally_.present())
            counts_->accumulate(
                code == 0 ? missing_ : choices_.next(static_cast<std::int32_t>(code) - 1),
                tally_.cells(code));
        choices_.scan(*scores_, missing_, column, chance, shortlist);
        return true;
    }

    std::span<const RawColumn> raw_;
    Limits limits_;
    const SortedLists* lists_ = nullptr;
    std::span<const Label> labels_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    const Counts<Statistic>* counts_ = nullptr;
    const Scores<Criterion>* scores_ = nullptr;
    Levels levels_;
    const Cell* node_ = nullptr;
    bool use_running_ = false;
    ChoiceSearch<Criterion, Statistic> choices_;
    ChoiceTally<Statistic> tally_;
    CutScan<Criterion> cuts_;
    Runner<Criterion, Statistic> runner_;
    RunningSums running_;
    std::vector<Cell> so_far_;
    std::vector<Cell> missing_cells_;
    std::vector<Cell> none_;
    Sums upto_;
    Sums nothing_;
    Sums missing_;
};

}  // namespace bough
