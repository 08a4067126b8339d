// The best query of a small node from the sorted lists of its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "choice_search.hpp"
#include "choice_tally.hpp"
#include "cut_scan.hpp"
#include "finalist.hpp"
#include "list_context.hpp"
#include "runner.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Searches one column of one node. Buffers are kept from node to node.
template <class Criterion, class Statistic>
class ListSearch {
  public:
    using Entry = SortedLists::Entry;
    using Label = typename Statistic::Label;

    ListSearch(const ListContext<Criterion>& context, const Statistic& statistic)
        : raw_(context.raw),
          statistic_(statistic),
          limits_(context.limits),
          choices_(statistic, context.limits, context.cancel),
          cuts_(context.limits),
          strip_(statistic.n_parts(), 0, Statistic::is_weighted),
          upto_(statistic.n_parts()),
          nothing_(statistic.n_parts()),
          missing_(statistic.n_parts()) {}

    /// Search in these lists from now on; `labels` are those of their rows.
    void enter(const SortedLists& lists, std::span<const Label> labels) {
        lists_ = &lists;
        labels_ = labels;
        if constexpr (!has_runner<Criterion, Statistic>)
            strip_ = Strip(statistic_.n_parts(), labels.size(), Statistic::is_weighted);
    }

    /// Offer the queries about a column at a node, whose entries begin and end at these places.
    void scan(std::size_t column, std::size_t begin, std::size_t end, const Fast<Criterion>& scores,
              Podium& podium) {
        if (raw_[column].is_choice)
            return scan_choices(column, lists_->entries(lists_->order(), begin, end), scores,
                                podium);
        const std::span<const Entry> entries = lists_->entries(column, begin, end);
        if (rank_of(entries.front()) == rank_of(entries.back())) return;
        const std::size_t n_missing = sum_missing(entries);
        if constexpr (!has_runner<Criterion, Statistic>) fill_strip(entries.subspan(n_missing));
        cuts_.enter(scores, column);
        if (n_missing > 0) {
            choices_.offer_missing(scores, missing_, column, podium);
            scan_pivots(column, entries, n_missing, missing_, 0, scores.node(), podium);
            scan_pivots(column, entries, n_missing, nothing_, 1, scores.node(), podium);
        } else {
            scan_pivots(column, entries, 0, nothing_, stop, scores.node(), podium);
        }
    }

  private:
    static std::size_t row_of(Entry entry) { return SortedLists::row_of(entry); }
    static Entry rank_of(Entry entry) { return SortedLists::rank_of(entry); }

    std::size_t sum_missing(std::span<const Entry> entries) {
        missing_.clear();
        const std::size_t n_missing = SortedLists::count_missing(entries);
        if (n_missing == 0) return 0;
        std::vector<typename Statistic::Cell> cell(statistic_.width());
        for (const Entry entry : entries.first(n_missing))
            Statistic::add(cell.data(), labels_[row_of(entry)]);
        statistic_.accumulate(missing_, cell.data());
        return n_missing;
    }

    void scan_pivots(std::size_t column, std::span<const Entry> entries, std::size_t n_missing,
                     const Sums& moved, std::int32_t side, const Sums& sums, Podium& podium) {
        if constexpr (!has_runner<Criterion, Statistic>)
            return cuts_.offer(strip_, moved, side, 0, strip_.rows()[strip_.n_cells], podium,
                               [](std::size_t /*cell*/) { return Cut{}; });
        else if constexpr (std::is_same_v<Criterion, Gini>)
            if (sums.parts.size() == 2)
                return scan_pairs(column, entries, n_missing, moved, side, sums, podium);
        if constexpr (has_runner<Criterion, Statistic>)
            run(column, entries, n_missing, moved, side, sums, podium);
    }

    /// One cell for each value.
    void fill_strip(std::span<const Entry> known) {
        strip_.start(nothing_);
        so_far_.assign(statistic_.width(), typename Statistic::Cell{});
        for (std::size_t i = 0; i < known.size(); ++i) {
            Statistic::add(so_far_.data(), labels_[row_of(known[i])]);
            if (i + 1 < known.size() && rank_of(known[i]) == rank_of(known[i + 1])) continue;
            upto_.clear();
            statistic_.accumulate(upto_, so_far_.data());
            strip_.mark(upto_);
        }
    }

    void run(std::size_t column, std::span<const Entry> entries, std::size_t n_missing,
             const Sums& moved, std::int32_t side, const Sums& sums, Podium& podium) {
        runner_.start(sums, moved);
        const auto least_rows = static_cast<std::int64_t>(limits_.least_rows());
        const auto all = static_cast<std::int64_t>(entries.size());
        auto before = static_cast<std::int64_t>(moved.rows);
        double least = podium.cutoff();
        for (std::size_t i = n_missing; i + 1 < entries.size(); ++i) {
            runner_.take(labels_[row_of(entries[i])]);
            ++before;
            if (rank_of(entries[i]) == rank_of(entries[i + 1]) || before < least_rows) continue;
            if (all - before < least_rows) break;
            if (!runner_.reaches(before, least)) continue;
            Finalist found =
                two_way<Criterion>(column, Kind::below, side, runner_.gain(before),
                                   static_cast<double>(before), static_cast<double>(all));
            found.place = static_cast<double>(i + 1 - n_missing);
            podium.offer(std::move(found));
            least = podium.cutoff();
        }
    }

    void scan_pairs(std::size_t column, std::span<const Entry> entries, std::size_t n_missing,
                    const Sums& moved, std::int32_t side, const Sums& sums, Podium& podium) {
        PairRunner runner;
        runner.start(sums, moved);
        double least = podium.cutoff();
        // Only where both sides have rows enough: after the entries from `first` up to `last`.
        const auto n_moved = static_cast<std::size_t>(moved.rows);
        const auto known_rows_beside = [&](std::size_t n_missing_there) {
            const auto enough = static_cast<std::size_t>(limits_.least_rows());
            return enough > n_missing_there ? enough - n_missing_there : 1;
        };
        const std::size_t n_before = known_rows_beside(n_moved);
        const std::size_t n_behind = known_rows_beside(n_missing - n_moved);
        if (entries.size() - n_missing < n_before + n_behind) return;
        const std::size_t first = n_missing + n_before - 1;
        const std::size_t last = entries.size() - n_behind;
        std::int32_t n_ones = 0;
        for (std::size_t i = n_missing; i < first; ++i)
            n_ones += static_cast<std::int32_t>(SortedLists::mark_of(entries[i]));
        runner.skip(static_cast<std::int32_t>(first - n_missing), n_ones);
        for (std::size_t start = first; start < last; start += PairRunner::stretch) {
            const std::size_t count = std::min(PairRunner::stretch, last - start);
            const double before = static_cast<double>(start - n_missing) + moved.rows;
            if (!runner.take(count, before, least, [&](std::size_t i) -> std::uint32_t {
                    return SortedLists::mark_of(entries[start + i]);
                }))
                continue;
            for (std::size_t i = 0; i < count; ++i) {
                const double rows = before + static_cast<double>(i + 1);
                const double gain = runner.gain(i, rows);
                if (gain < least ||
                    rank_of(entries[start + i]) == rank_of(entries[start + i + 1]) ||
                    !limits_.admit(rows, rows, sums))
                    continue;
                Finalist found(column, Kind::below, side, gain);
                found.place = static_cast<double>(start + i + 1 - n_missing);
                podium.offer(std::move(found));
                least = podium.cutoff();
            }
        }
    }

    void scan_choices(std::size_t column, std::span<const Entry> entries,
                      const Fast<Criterion>& scores, Podium& podium) {
        const Entry* codes = lists_->choices(column);
        tally_.count(
            statistic_, raw_[column].n_choices, entries,
            [&](Entry entry) { return codes[row_of(entry)]; },
            [&](Entry entry) { return labels_[row_of(entry)]; });
        missing_.clear();
        choices_.start();
        for (const std::size_t code : tally_.present())
            statistic_.accumulate(
                code == 0 ? missing_ : choices_.next(static_cast<std::int32_t>(code) - 1),
                tally_.cells(code));
        choices_.scan(scores, missing_, column, podium);
    }

    std::span<const RawColumn> raw_;
    Statistic statistic_;
    Limits limits_;
    const SortedLists* lists_ = nullptr;
    std::span<const Label> labels_;
    ChoiceSearch<Criterion, Statistic> choices_;
    ChoiceTally<Statistic> tally_;
    CutScan<Criterion> cuts_;
    Runner<Criterion, Statistic> runner_;
    Strip strip_;  // where there is no runner
    std::vector<typename Statistic::Cell> so_far_;
    Sums upto_;
    Sums nothing_;
    Sums missing_;
};

}  // namespace bough
