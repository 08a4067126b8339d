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
#include "pair_runner.hpp"
#include "small_node_context.hpp"
#include "small_node_gains.hpp"
#include "sorted_lists.hpp"
#include "square_scan.hpp"

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
        if constexpr (may_sum_squares) {
            sums_squares_ = true;
            for (std::size_t o = 0; o < counts.n_outputs(); ++o)
                sums_squares_ = sums_squares_ && counts[o].n_parts() == 2;
            if (sums_squares_) squares_.enter(counts, scores, node_, labels_);
        }
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
        use_running_ =
            limits_.direction(column) != 0 ||
            (!sums_squares_ && (!has_runner<Criterion, Statistic> || counts_->n_outputs() > 1));
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
        offer_drawn(column, lists_->entries(column, begin_, end_), n_first, 0, stop, shortlist);
    }

  private:
    /// Missing rows that go to the first side, and what they answer then.
    struct Ahead {
        const Sums& sums;
        const Cell* cells;
        std::int32_t answer;
    };

    static constexpr bool may_sum_squares =
        std::is_same_v<Criterion, SquaredError> || std::is_same_v<Criterion, Gini>;
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
        if constexpr (std::is_same_v<Criterion, Gini> && !Statistic::is_weighted)
            if (!use_running_ && counts_->n_parts() == 2)
                return scan_pairs(column, entries, n_missing, ahead, shortlist);
        if (!use_running_ && sums_squares_)
            return scan_squares(column, entries, n_missing, ahead, shortlist);
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
        offer_drawn(column, known, n_first, n_missing, n_missing > 0 ? drawn.answer : stop,
                    shortlist);
    }
    /// Offer the cut behind so many of the known entries.
    void offer_drawn(std::size_t column, std::span<const Entry> known, std::size_t n_first,
                     std::size_t n_missing, std::int32_t answer, Shortlist& shortlist) {
        const bool goes_first = answer == 0;
        if (sums_squares_ && limits_.direction(column) == 0) {
            squares_.start(goes_first ? missing_cells_.data() : none_.data());
            squares_.take_all(known.first(n_first));
            offer_square(column, 0, n_first, goes_first ? n_missing : 0, answer, shortlist);
            return;
        }
        fill_running(known.first(n_first), true);
        cuts_.offer(running_, goes_first ? missing_ : nothing_, answer,
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

    void scan_squares(std::size_t column, std::span<const Entry> entries, std::size_t n_missing,
                      const Ahead& ahead, Shortlist& shortlist) {
        squares_.start(ahead.cells);
        const auto n_ahead = static_cast<std::size_t>(ahead.sums.rows);
        for (std::size_t start = n_missing; start + 1 < entries.size();) {
            const std::size_t count = std::min(squares_.stretch, entries.size() - 1 - start);
            const std::size_t first = std::exchange(start, start + count);
            if (!squares_.take(&entries[first], count, shortlist.cutoff())) continue;
            const double most = squares_.score(&entries[first], count);
            // Where all cuts are admissible, the greatest gain is one that will be offered.
            double least = shortlist.cutoff();
            if (limits_.min_rows <= 1 && limits_.min_weight <= 0)
                least = shortlist.cutoff_beside(most);
            for (std::size_t i = 0; i < count && most >= least; ++i) {
                if (squares_.rough_gain(i) < std::max(least, 0.0)) continue;
                offer_square(column, i, first + i + 1 - n_missing, n_ahead, ahead.answer,
                             shortlist);
                least = std::max(least, shortlist.cutoff());
            }
        }
    }
    /// Offer the cut after the i-th of a stretch, if it may be asked.
    void offer_square(std::size_t column, std::size_t i, std::size_t place, std::size_t n_ahead,
                      std::int32_t missing, Shortlist& shortlist) {
        const Sums& node = scores_->node();
        const double weight = squares_.weight(i);
        if (!limits_.admit(static_cast<double>(place + n_ahead), weight, node)) return;
        const double gain = squares_.gain(i);
        if (gain < shortlist.cutoff()) return;
        Finalist found = two_way(limits_, column, Kind::below, missing, gain, weight, node.weight);
        found.place = static_cast<double>(place);
        shortlist.offer(std::move(found));
    }

    void scan_pairs(std::size_t column, std::span<const Entry> entries, std::size_t n_missing,
                    const Ahead& ahead, Shortlist& shortlist) {
        const Sums& node = scores_->node();
        PairRunner runner;
        runner.start(node, ahead.sums);
        double least = shortlist.cutoff();
        // Only where both sides have rows enough: after the entries from `first` up to `last`.
        const auto n_ahead = static_cast<std::size_t>(ahead.sums.rows);
        const auto known_rows_beside = [&](std::size_t n_missing_there) {
            const auto enough = static_cast<std::size_t>(limits_.least_rows());
            return enough > n_missing_there ? enough - n_missing_there : 1;
        };
        const std::size_t n_before = known_rows_beside(n_ahead);
        const std::size_t n_behind = known_rows_beside(n_missing - n_ahead);
        if (entries.size() - n_missing < n_before + n_behind) return;
        const std::size_t first = n_missing + n_before - 1;
        const std::size_t last = entries.size() - n_behind;
        std::int32_t n_ones = 0;
        for (std::size_t i = n_missing; i < first; ++i)
            n_ones += static_cast<std::int32_t>(SortedLists::mark_of(entries[i]));
        runner.skip(static_cast<std::int32_t>(first - n_missing), n_ones);
        for (std::size_t start = first; start < last; start += PairRunner::stretch) {
            const std::size_t count = std::min(PairRunner::stretch, last - start);
            const double before = static_cast<double>(start - n_missing) + ahead.sums.rows;
            if (!runner.take(count, before, least, [&](std::size_t i) -> std::uint32_t {
                    return SortedLists::mark_of(entries[start + i]);
                }))
                continue;
            for (std::size_t i = 0; i < count; ++i) {
                const double rows = before + static_cast<double>(i + 1);
                const double gain = runner.gain(i, rows);
                if (gain < least ||
                    rank_of(entries[start + i]) == rank_of(entries[start + i + 1]) ||
                    !limits_.admit(rows, rows, node))
                    continue;
                Finalist found(column, Kind::below, ahead.answer, gain);
                found.place = static_cast<double>(start + i + 1 - n_missing);
                shortlist.offer(std::move(found));
                least = shortlist.cutoff();
            }
        }
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
    bool sums_squares_ = false;  // a gain is one for each output
    ChoiceSearch<Criterion, Statistic> choices_;
    ChoiceTally<Statistic> tally_;
    CutScan<Criterion> cuts_;
    Runner<Criterion, Statistic> runner_;
    SquareScan<Statistic> squares_;
    RunningSums running_;
    std::vector<Cell> so_far_;
    std::vector<Cell> missing_cells_;
    std::vector<Cell> none_;
    Sums upto_;
    Sums nothing_;
    Sums missing_;
};

}  // namespace bough
