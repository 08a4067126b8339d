// Growing the whole subtree of a small node from sorted lists of its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "finalist.hpp"
#include "list_context.hpp"
#include "list_search.hpp"
#include "rows.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Sorts the rows of a node once; below it, lists are parted and nothing is sorted again.
template <class Criterion, class Statistic>
class ListGrower {
  public:
    using Label = typename Statistic::Label;

    ListGrower(const ListContext<Criterion>& context, const Statistic& statistic)
        : context_(context),
          statistic_(statistic),
          search_(context, statistic),
          contest_(context.raw.size(), 1) {}

    /// Grow below a stem; `rows` are its rows, put in the order of the leaves. With `codes` there
    /// are the labels of their block.
    void grow(std::span<Row> rows, const NodeCodes* codes, const Label* labels_of_block,
              std::vector<Stem>& stems, std::size_t stem) {
        begin_ = stems[stem].begin;
        out_ = rows;
        stems_ = &stems;
        if (codes != nullptr && !Statistic::has_grid)
            fetch_labels(labels_of_block, codes->local_rows);
        else
            read_labels(rows);
        lists_.sort(rows, context_.raw, codes, two_classes(), context_.cancel);
        search_.enter(lists_, labels_);
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

    /// A node: where its entries lie in every list.
    struct Segment {
        std::size_t begin;
        std::size_t end;
        std::size_t stem;
    };

    [[nodiscard]] std::span<const Entry> entries_of(const Segment& segment,
                                                    std::size_t column) const {
        return lists_.entries(column, segment.begin, segment.end);
    }
    [[nodiscard]] std::span<const Entry> entries_of(const Segment& segment) const {
        return entries_of(segment, lists_.order());
    }

    void fetch_labels(const Label* labels_of_block, std::span<const LocalRow> rows) {
        labels_.clear();
        for (const LocalRow row : rows) labels_.push_back(labels_of_block[row]);
    }

    /// As fine as these rows allow, if they are on a grid.
    void read_labels(std::span<const Row> rows) {
        labels_.resize(rows.size());
        constexpr int sum_bits = 61;  // lists are added up in 64 bits
        statistic_.read(
            context_.fixed, rows.size(), [&](std::size_t i) { return rows[i]; }, sum_bits, labels_,
            alone_);
    }

    /// The labels, if there are two of them: entries carry them along.
    [[nodiscard]] std::span<const std::uint8_t> two_classes() const {
        if constexpr (std::is_same_v<Statistic, ClassCounts>)
            if (statistic_.n_classes == 2) return labels_;
        return {};
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
                    search_.scan(column, segment.begin, segment.end, scores, podium);
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

    // --- splitting -----------------------------------------------------------------------------

    void split(const Segment& segment, const Finalist& asked) {
        Question question = question_of(asked);
        if (asked.kind == Kind::below) question.pivot = pivot(segment, asked);
        split(segment, std::move(question));
    }

    [[nodiscard]] Pivot pivot(const Segment& segment, const Finalist& asked) {
        const auto column = static_cast<std::size_t>(asked.column);
        const auto entries = entries_of(segment, column);
        const std::size_t place =
            SortedLists::count_missing(entries) + static_cast<std::size_t>(asked.place);
        const Row low = lists_.table_row(entries[place - 1]);
        const Row high = lists_.table_row(entries[place]);
        return use_values(context_.raw[column], [&](const auto& values) {
            return pivot_between(values[low], values[high]);
        });
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
        parent.question = std::make_unique<Question>(std::move(question));
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
            if (!context_.raw[column].is_choice) lists_.part(column, bounds_);
        if (lists_.order() == context_.raw.size()) lists_.part(lists_.order(), bounds_);
        for (std::size_t answer = n_answers; answer-- > 0;)
            if (goes_on[answer] != 0)
                waiting_.push_back({bounds_[answer], bounds_[answer + 1], first + answer});
    }

    /// Note each row's answer, where each answer's entries will begin, and whether its labels
    /// differ.
    void mark_sides(const Segment& segment, const Question& question, std::size_t n_answers) {
        bounds_.assign(n_answers + 1, 0);
        bounds_[0] = segment.begin;
        is_mixed_.assign(n_answers, 0);
        first_rows_.assign(n_answers, SortedLists::most_rows);
        const auto column = static_cast<std::size_t>(question.column);
        if (context_.raw[column].is_choice) {
            const std::vector<std::int32_t> answer_of_code =
                answers_by_code(question, context_.raw[column].n_choices + 1);
            const Entry* codes = lists_.choices(column);
            mark(entries_of(segment),
                 [&](Entry entry) { return answer_of_code[codes[row_of(entry)]]; });
        } else {
            // In the order of the values the answers are stretches.
            const auto entries = entries_of(segment, column);
            const std::size_t n_missing = SortedLists::count_missing(entries);
            const std::size_t n_first = count_first(entries.subspan(n_missing), question);
            mark(entries.first(n_missing), [&](Entry) { return question.missing; });
            mark(entries.subspan(n_missing, n_first), [](Entry) { return 0; });
            mark(entries.subspan(n_missing + n_first), [](Entry) { return 1; });
        }
        for (std::size_t i = 0; i < n_answers; ++i) bounds_[i + 1] += bounds_[i];
    }

    template <class Answer>
    void mark(std::span<const Entry> entries, const Answer& answer_of) {
        for (const Entry entry : entries) {
            const std::size_t row = row_of(entry);
            const auto side = static_cast<std::size_t>(answer_of(entry));
            lists_.side(row) = static_cast<std::uint16_t>(side);
            ++bounds_[side + 1];
            if (first_rows_[side] == SortedLists::most_rows)
                first_rows_[side] = row;
            else if (is_mixed_[side] == 0 && differ(row, first_rows_[side]))
                is_mixed_[side] = 1;
        }
    }

    /// How many of the entries, in the order of their values, have the first answer.
    [[nodiscard]] std::size_t count_first(std::span<const Entry> entries,
                                          const Question& question) const {
        const RawColumn& raw = context_.raw[static_cast<std::size_t>(question.column)];
        return use_values(raw, [&]<class Values>(const Values& values) {
            const auto query = query_for<typename Values::Value>(question);
            const auto end = std::partition_point(entries.begin(), entries.end(), [&](Entry entry) {
                return answer(query, values[lists_.table_row(entry)]) == 0;
            });
            return static_cast<std::size_t>(end - entries.begin());
        });
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
    Threads alone_{1};
    Statistic statistic_;
    ListSearch<Criterion, Statistic> search_;
    Contest<Criterion> contest_;
    std::size_t begin_ = 0;
    std::span<Row> out_;
    std::vector<Stem>* stems_ = nullptr;
    SortedLists lists_;
    std::vector<Label> labels_;
    std::vector<std::size_t> bounds_;
    std::vector<std::uint8_t> is_mixed_;
    std::vector<std::size_t> first_rows_;
    std::vector<Segment> waiting_;
};

}  // namespace bough
