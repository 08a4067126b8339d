// Splitting a small node: what its rows answer, where they go, and which children are grown
// further.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "finalist.hpp"
#include "small_node_answers.hpp"
#include "small_node_context.hpp"
#include "small_node_labels.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// The rows of nodes in sorted lists, which are parted.
template <class Criterion, class Statistic>
class ListSplitter {
  protected:
    using Entry = SortedLists::Entry;
    using Segment = ListSegment;
    static std::size_t row_of(Entry entry) { return SortedLists::row_of(entry); }

    explicit ListSplitter(const ListContext<Criterion>& context) : context_(context) {}

    [[nodiscard]] std::span<const Entry> entries_of(const Segment& segment,
                                                    std::size_t column) const {
        return lists_.entries(column, segment.begin, segment.end);
    }
    [[nodiscard]] std::span<const Entry> entries_of(const Segment& segment) const {
        return entries_of(segment, lists_.order());
    }
    [[nodiscard]] std::vector<Row> rows_of(const Segment& segment) const {
        std::vector<Row> rows;
        rows.reserve(segment.n_rows());
        for (const Entry entry : entries_of(segment)) rows.push_back(lists_.table_row(entry));
        return rows;
    }

    [[nodiscard]] ListAnswers answers_of(const Segment& segment) {
        return {lists_, context_.raw, segment.begin, segment.end};
    }

    [[nodiscard]] bool is_pure(std::span<const Entry> entries) const {
        return std::none_of(entries.begin() + 1, entries.end(), [&](Entry entry) {
            return labels_.differ(row_of(entry), row_of(entries.front()));
        });
    }

    /// Leave a node as it is, its rows in their place.
    void finish(const Segment& segment) {
        std::size_t at = segment.begin;
        for (const Entry entry : entries_of(segment)) out_[at++] = lists_.table_row(entry);
    }

    /// Split a node by the query that won.
    void split(const Segment& segment, const Finalist& winner) {
        if (winner.kind == Kind::below) fetch_pivot(segment, winner);
        if (winner.kind == Kind::below && winner.missing == stop)
            return split_in_two(segment, winner);
        answers_of(segment).mark(winner);
        split(segment, question_of(winner));
    }
    /// Split a node whose rows have their answers noted.
    void split(const Segment& segment, const Question& question) {
        sides_.assign(question.n_answers(), {});
        for (const Entry entry : entries_of(segment)) {
            ListSide& side = sides_[lists_.side(row_of(entry))];
            if (side.n_rows++ == 0) side.first_row = row_of(entry);
            side.is_mixed = side.is_mixed || labels_.differ(row_of(entry), side.first_row);
        }
        split_in_order(segment, question);
    }
    /// Read the values between which cuts lie.
    void set_pivots() {
        for (const Between& cut : cuts_)
            use_values(context_.raw[cut.column], [&](const auto& values) {
                nodes_->set_pivot((*nodes_)[cut.node_id],
                                  pivot_between(values[cut.low], values[cut.high]));
            });
        cuts_.clear();
    }

    ListContext<Criterion> context_;
    // Nodes draw so few columns that most lists are never looked at.
    bool draws_few_ = context_.settings.max_features > 0 &&
                      2 * context_.settings.max_features < context_.raw.size();
    std::size_t begin_ = 0;
    std::span<Row> out_;
    GrownTree* nodes_ = nullptr;
    SortedLists lists_;
    ListLabels<Criterion, Statistic> labels_{context_};
    std::vector<Segment> waiting_;

  private:
    /// A cut, and the rows whose values it lies between.
    struct Between {
        std::size_t node_id;
        std::size_t column;
        Row low;
        Row high;
    };

    /// Have the values ready between which a cut lies: they lie far apart, and are read when all
    /// has grown.
    void fetch_pivot(const Segment& segment, const Finalist& winner) {
        const auto [low, high] = answers_of(segment).neighbours(winner);
        const auto column = static_cast<std::size_t>(winner.column);
        std::visit(
            [low = low, high = high](const auto& values) {
                __builtin_prefetch(values.place(low));
                __builtin_prefetch(values.place(high));
            },
            context_.raw[column].values);
        cuts_.push_back({segment.node_id, column, low, high});
    }
    /// Split a node by a cut of a sorted list without missing rows: answers are stretches of it.
    void split_in_two(const Segment& segment, const Finalist& winner) {
        const auto entries = entries_of(segment, static_cast<std::size_t>(winner.column));
        const auto n_first = static_cast<std::size_t>(winner.place);
        sides_.resize(2);
        for (std::uint16_t answer = 0; answer < 2; ++answer) {
            const auto mine = answer == 0 ? entries.first(n_first) : entries.subspan(n_first);
            for (const Entry entry : mine) lists_.side(row_of(entry)) = answer;
            sides_[answer] = {.n_rows = mine.size(), .is_mixed = !is_pure(mine)};
        }
        Question question;
        question.column = winner.column;
        split_in_order(segment, question);
    }
    /// Split a node of which it is known what each answer gets.
    void split_in_order(const Segment& segment, const Question& question) {
        starts_.assign(1, begin_ + segment.begin);
        for (const ListSide& side : sides_) starts_.push_back(starts_.back() + side.n_rows);
        const std::size_t first = nodes_->add_children(segment.node_id, question, starts_);
        for (std::size_t& start : starts_) start -= begin_;
        context_.part_bounds(*nodes_, segment.node_id, [&](std::size_t answer) {
            std::vector<Row> rows;
            for (const Entry entry : entries_of(segment))
                if (lists_.side(row_of(entry)) == answer) rows.push_back(lists_.table_row(entry));
            return rows;
        });
        std::size_t most = 0;  // rows of an answer that goes on; 0: none does
        bool all_go_on = true;
        for (std::size_t answer = 0; answer < sides_.size(); ++answer) {
            ListSide& side = sides_[answer];
            side.next = starts_[answer];
            if (!side.is_mixed ||
                !context_.settings.may_split(side.n_rows, (*nodes_)[first + answer].depth)) {
                all_go_on = false;
                continue;
            }
            side.goes_on = true;
            most = std::max(most, side.n_rows);
        }
        for (const Entry entry : entries_of(segment)) {
            if (all_go_on) break;
            ListSide& side = sides_[lists_.side(row_of(entry))];
            if (!side.goes_on) out_[side.next++] = lists_.table_row(entry);
        }
        if (most == 0) return;
        const bool is_loose = segment.is_loose || (draws_few_ && most <= SortedLists::most_few);
        lists_.part(lists_.order(), starts_);
        for (std::size_t column = 0; column < context_.raw.size() && !is_loose; ++column)
            if (!context_.raw[column].is_choice && column != lists_.order())
                lists_.part(column, starts_);
        for (std::size_t answer = sides_.size(); answer-- > 0;)
            if (sides_[answer].goes_on)
                waiting_.push_back({starts_[answer], starts_[answer + 1], first + answer,
                                    segment.grid, segment.n_rows_of_grid, is_loose});
    }

    std::vector<std::size_t> starts_;
    std::vector<ListSide> sides_;
    std::vector<Between> cuts_;
};

}  // namespace bough
