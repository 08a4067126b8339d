// Growing the whole subtree of a small node from sorted lists of its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "choice_search.hpp"
#include "contest.hpp"
#include "cut_scan.hpp"
#include "finalist.hpp"
#include "list_context.hpp"
#include "rows.hpp"
#include "runner.hpp"
#include "sorted_lists.hpp"

namespace bough {

// The lists of a node lie at the same place in every column, sorted by value, missing rows first:
//
//     column 0   |  node A: 3 1 4  |  node B: 0 2  |      an entry is rank << 16 | local row
//     column 1   |  node A: 1 4 3  |  node B: 2 0  |
//
// Splitting a node parts each of its lists in two and keeps their order, so nothing is sorted
// twice.
template <class Criterion, class Statistic>
class ListGrower {
  public:
    using Label = typename Statistic::Label;

    ListGrower(const ListContext<Criterion>& context, const Statistic& statistic)
        : context_(context),
          statistic_(statistic),
          choices_(statistic, context.limits, context.cancel),
          contest_(context.raw.size(), 1),
          cuts_(context.limits),
          strip_(statistic.n_parts(), 0, Statistic::is_weighted),
          upto_(statistic.n_parts()),
          nothing_(statistic.n_parts()),
          missing_(statistic.n_parts()) {}

    /// Grow below the last of the stems; `rows` are its rows, put in the order of the leaves.
    void grow(std::span<Row> rows, std::vector<Stem>& stems, std::size_t stem) {
        begin_ = stems[stem].begin;
        out_ = rows;
        stems_ = &stems;
        lists_.sort(rows, context_.raw, context_.cancel);
        fetch_labels();
        if constexpr (!has_runner<Criterion, Statistic>)
            strip_ = Strip(statistic_.n_parts(), rows.size(), Statistic::is_weighted);
        waiting_.clear();
        const Segment root{0, rows.size(), stem};
        if (context_.settings.may_split(rows.size(), stems[stem].depth) && !is_pure(root))
            waiting_.push_back(root);
        else
            finish(root);
        while (!waiting_.empty()) {
            const Segment segment = waiting_.back();
            waiting_.pop_back();
            grow_one(segment);
        }
    }

  private:
    using Entry = SortedLists::Entry;
    static std::size_t row_of(Entry entry) { return SortedLists::row_of(entry); }
    static Entry rank_of(Entry entry) { return SortedLists::rank_of(entry); }

    /// A node: where its entries lie in every list.
    struct Segment {
        std::size_t begin;
        std::size_t end;
        std::size_t stem;
    };

    [[nodiscard]] std::span<const Entry> entries_of(const Segment& segment,
                                                    std::size_t column = 0) const {
        return lists_.entries(column, segment.begin, segment.end);
    }

    void fetch_labels() {
        const std::span<const Row> rows = lists_.rows();
        labels_.resize(rows.size());
        constexpr int sum_bits = 61;  // lists are added up in 64 bits
        statistic_.read(
            context_.fixed, rows.size(), [&](std::size_t i) { return rows[i]; }, sum_bits, labels_);
    }

    // --- one node ------------------------------------------------------------------------------

    void grow_one(const Segment& segment) {
        context_.cancel.check();
        const Sums sums = sums_of(segment);
        Fast<Criterion> scores(sums, statistic_.precision());
        if (!scores.can_tell()) return ask_exact_search(segment);
        hold(contest_, scores, [&] {
            for (std::size_t column = 0; column < context_.raw.size(); ++column)
                contest_.hear(column, 0, [&](Podium& podium) {
                    scan(column, entries_of(segment, column), scores, podium);
                });
        });
        if (contest_.is_empty()) return finish(segment);
        const auto winner = contest_.winner();
        if (winner && context_.settings.min_impurity_decrease <= 0)
            split(segment, *winner);
        else
            ask_exact_search(segment);
    }

    [[nodiscard]] bool is_pure(const Segment& segment) {
        const auto entries = entries_of(segment);
        return std::none_of(entries.begin(), entries.end(), [&](Entry entry) {
            return differ(row_of(entry), row_of(entries.front()));
        });
    }

    /// Whether two rows have different labels.
    [[nodiscard]] bool differ(std::size_t a, std::size_t b) const {
        if constexpr (std::is_same_v<typename Criterion::Labels, NumberLabels>)
            return context_.fixed.given(0, lists_.rows()[a]) !=
                   context_.fixed.given(0, lists_.rows()[b]);
        else
            return labels_[a] != labels_[b];
    }

    [[nodiscard]] Sums sums_of(const Segment& segment) {
        std::vector<typename Statistic::Cell> cell(statistic_.width());
        for (const Entry entry : entries_of(segment))
            Statistic::add(cell.data(), labels_[row_of(entry)]);
        Sums sums(statistic_.n_parts());
        statistic_.accumulate(sums, cell.data());
        return sums;
    }

    /// Leave a node as it is, its rows in their place.
    void finish(const Segment& segment) {
        std::size_t at = segment.begin;
        for (const Entry entry : entries_of(segment)) out_[at++] = lists_.table_row(entry);
    }

    // --- the search ----------------------------------------------------------------------------

    void scan(std::size_t column, std::span<const Entry> entries, const Fast<Criterion>& scores,
              Podium& podium) {
        if (rank_of(entries.front()) == rank_of(entries.back())) return;
        const std::size_t n_missing = sum_missing(entries);
        if (context_.raw[column].is_choice)
            return scan_choices(column, entries.subspan(n_missing), scores, podium);
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

    std::size_t sum_missing(std::span<const Entry> entries) {
        missing_.clear();
        std::size_t n_missing = 0;
        if (rank_of(entries.front()) != 0) return 0;
        std::vector<typename Statistic::Cell> cell(statistic_.width());
        while (rank_of(entries[n_missing]) == 0)
            Statistic::add(cell.data(), labels_[row_of(entries[n_missing++])]);
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
        const auto least_rows = static_cast<std::int64_t>(context_.limits.least_rows());
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
        const std::size_t last = entries.size() - 1;
        for (std::size_t start = n_missing; start < last; start += PairRunner::stretch) {
            const std::size_t count = std::min(PairRunner::stretch, last - start);
            const double before = static_cast<double>(start - n_missing) + moved.rows;
            if (!runner.take(count, before, least, [&](std::size_t i) -> std::uint32_t {
                    return labels_[row_of(entries[start + i])];
                }))
                continue;
            for (std::size_t i = 0; i < count; ++i) {
                const double rows = before + static_cast<double>(i + 1);
                const double gain = runner.gain(i, rows);
                if (gain < least ||
                    rank_of(entries[start + i]) == rank_of(entries[start + i + 1]) ||
                    !context_.limits.admit(rows, rows, sums))
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
        choices_.start();
        for (std::size_t i = 0; i < entries.size();) {
            std::vector<typename Statistic::Cell> cell(statistic_.width());
            const std::size_t first = i;
            for (; i < entries.size() && rank_of(entries[i]) == rank_of(entries[first]); ++i)
                Statistic::add(cell.data(), labels_[row_of(entries[i])]);
            Sums of_value(statistic_.n_parts());
            statistic_.accumulate(of_value, cell.data());
            choices_.add(choice_of(column, entries[first]), std::move(of_value));
        }
        choices_.scan(scores, missing_, column, podium);
    }

    [[nodiscard]] std::int32_t choice_of(std::size_t column, Entry entry) const {
        return std::get<Strided<std::int32_t>>(
            context_.raw[column].values)[lists_.table_row(entry)];
    }

    // --- splitting -----------------------------------------------------------------------------

    void split(const Segment& segment, const Finalist& asked) {
        Question question;
        question.column = asked.column;
        question.kind = asked.kind;
        question.missing = asked.missing;
        question.choices = asked.choices;
        question.answers = asked.answers;
        if (asked.kind == Kind::below) question.pivot = pivot(segment, asked);
        split(segment, std::move(question));
    }

    [[nodiscard]] Pivot pivot(const Segment& segment, const Finalist& asked) {
        const auto column = static_cast<std::size_t>(asked.column);
        const auto entries = entries_of(segment, column);
        const auto known = std::find_if(entries.begin(), entries.end(),
                                        [](Entry entry) { return rank_of(entry) > 0; });
        const auto place = known + static_cast<std::ptrdiff_t>(asked.place);
        const Row low = lists_.table_row(*(place - 1));
        const Row high = lists_.table_row(*place);
        return std::visit(
            [&](const auto& values) {
                return pivot_between(kept(values[low]), kept(values[high]));
            },
            context_.raw[column].values);
    }

    /// Where doubles cannot tell, exact arithmetic does.
    void ask_exact_search(const Segment& segment) {
        std::vector<Row> rows;
        for (const Entry entry : entries_of(segment)) rows.push_back(lists_.table_row(entry));
        auto found = exact_search<Criterion>(context_.fixed, context_.raw, rows, context_.limits,
                                             context_.cancel);
        if (!found) return finish(segment);
        if (!context_.decreases_enough(*found)) return finish(segment);
        split(segment, std::move(found->question));
    }

    void split(const Segment& segment, Question&& question) {
        const std::size_t n_answers = question.n_answers();
        mark_sides(segment, question, n_answers);
        Stem& parent = (*stems_)[segment.stem];
        const std::int64_t depth = parent.depth + 1;
        const std::size_t first = stems_->size();
        parent.question = std::move(question);
        parent.first_child = first;
        std::vector<std::uint8_t> goes_on(n_answers);
        for (std::size_t answer = 0; answer < n_answers; ++answer) {
            Stem child;
            child.begin = begin_ + bounds_[answer];
            child.end = begin_ + bounds_[answer + 1];
            child.depth = depth;
            goes_on[answer] = is_mixed_[answer] != 0 &&
                              context_.settings.may_split(child.end - child.begin, depth);
            stems_->push_back(std::move(child));
        }
        finish_sides(segment, goes_on);
        if (std::none_of(goes_on.begin(), goes_on.end(), [](auto on) { return on != 0; })) return;
        for (std::size_t column = 0; column < context_.raw.size(); ++column)
            lists_.part(column, bounds_);
        for (std::size_t answer = n_answers; answer-- > 0;)
            if (goes_on[answer] != 0)
                waiting_.push_back({bounds_[answer], bounds_[answer + 1], first + answer});
    }

    /// Note each row's answer, where each answer's entries will begin, and whether its labels
    /// differ.
    void mark_sides(const Segment& segment, const Question& question, std::size_t n_answers) {
        bounds_.assign(n_answers + 1, segment.begin);
        is_mixed_.assign(n_answers, 0);
        constexpr std::size_t nobody = SortedLists::most_rows;
        std::vector<std::size_t> first_row(n_answers, nobody);
        const auto column = static_cast<std::size_t>(question.column);
        std::visit(
            [&](const auto& values) {
                using Value = std::decay_t<decltype(values[0])>;
                using Asked = std::conditional_t<std::is_same_v<Value, float>, double, Value>;
                const auto query = query_for<Asked>(question);
                for (const Entry entry : entries_of(segment, column)) {
                    const std::size_t row = row_of(entry);
                    const auto side = static_cast<std::size_t>(
                        answer(query, static_cast<Asked>(values[lists_.table_row(entry)])));
                    lists_.side(row) = static_cast<std::uint16_t>(side);
                    ++bounds_[side + 1];
                    if (first_row[side] == nobody)
                        first_row[side] = row;
                    else if (differ(row, first_row[side]))
                        is_mixed_[side] = 1;
                }
            },
            context_.raw[column].values);
        for (std::size_t i = 0; i < n_answers; ++i) bounds_[i + 1] += bounds_[i] - segment.begin;
    }

    /// Put the rows of the answers that do not go on in their place.
    void finish_sides(const Segment& segment, const std::vector<std::uint8_t>& goes_on) {
        std::vector<std::size_t> next(bounds_.begin(), bounds_.end() - 1);
        for (const Entry entry : entries_of(segment)) {
            const std::size_t side = lists_.side(row_of(entry));
            if (goes_on[side] == 0) out_[next[side]++] = lists_.table_row(entry);
        }
    }

    ListContext<Criterion> context_;
    Statistic statistic_;
    ChoiceSearch<Criterion, Statistic> choices_;
    Contest<Criterion> contest_;
    CutScan<Criterion> cuts_;
    Runner<Criterion, Statistic> runner_;
    // Where there is no runner:
    Strip strip_;
    std::vector<typename Statistic::Cell> so_far_;
    Sums upto_;
    Sums nothing_;
    Sums missing_;
    std::size_t begin_ = 0;
    std::span<Row> out_;
    std::vector<Stem>* stems_ = nullptr;
    SortedLists lists_;
    std::vector<Label> labels_;
    std::vector<std::size_t> bounds_;
    std::vector<std::uint8_t> is_mixed_;
    std::vector<Segment> waiting_;
};

}  // namespace bough
