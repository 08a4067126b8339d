// Growing the whole subtree of a small node from sorted lists of its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "drawn_cuts.hpp"
#include "exact_judge.hpp"
#include "few_classes.hpp"
#include "few_rows.hpp"
#include "list_answers.hpp"
#include "list_context.hpp"
#include "list_labels.hpp"
#include "list_search.hpp"
#include "rows.hpp"
#include "sorted_lists.hpp"
#include "two_rows.hpp"

namespace bough {

/// Sorts the rows of a node once; below it, lists are parted and nothing is sorted again.
template <class Criterion, class Statistic>
class ListGrower {
  public:
    using Label = typename Statistic::Label;

    ListGrower(const ListContext<Criterion>& context)
        : context_(context),
          search_(context, Counts<Statistic>(context.fixed.view()).n_parts()),
          sums_(Counts<Statistic>(context.fixed.view()).n_parts()),
          contest_(context.raw.size(), 1, context.limits.by_ratio) {}

    /// Grow below a node_id; `rows` are its rows, put in the order of the leaves. With `codes`
    /// there are the labels of their block.
    void grow(std::span<Row> rows, const NodeCodes* codes, const Label* labels_of_block,
              GrownTree& nodes, std::size_t node_id) {
        begin_ = nodes[node_id].begin;
        out_ = rows;
        nodes_ = &nodes;
        lists_.set_rows(rows);
        labels_.read(lists_.rows(), codes, labels_of_block);
        lists_.lay_out(context_.raw, labels_.two_classes());
        draws_cuts_ = may_draw_cuts_ && drawn_cuts_.read(context_.raw, lists_.rows());
        if (!draws_cuts_) lists_.sort(context_.raw, codes, draws_few_, context_.cancel);
        search_.enter(lists_, labels_.all());
        const bool is_drawn = context_.limits.draw_one;
        few_rows_ = draws_cuts_ == is_drawn ? FewRows::most_for<Criterion>(context_) : 0;
        if (few_rows_ > 0) few_.read(context_, lists_.rows());
        if constexpr (std::is_same_v<Criterion, Gini>)
            if (few_of_classes_ > 0) few_classes_.read(context_, lists_.rows());
        waiting_.clear();
        const Segment root{0, rows.size(), node_id, 0, rows.size(), draws_cuts_};
        if (context_.settings.may_split(rows.size(), nodes[node_id].depth) && !is_pure(root))
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
    using Segment = ListSegment;
    static std::size_t row_of(Entry entry) { return SortedLists::row_of(entry); }

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

    // --- one node ------------------------------------------------------------------------------

    void grow_one(Segment segment) {
        context_.cancel.check();
        if (!context_.settings.use_fast_search) return ask_exact_search(segment);
        if (segment.n_rows() == 2 && may_ask_anything_) return ask_two(segment);
        if (draws_cuts_) drawn_cuts_.enter(entries_of(segment));
        if (segment.n_rows() <= few_rows_ && ask_few(segment, few_)) return;
        if (segment.n_rows() <= few_of_classes_ && ask_few(segment, few_classes_)) return;
        const Counts<Statistic>& counts = labels_.grid(segment.grid);
        cells_.assign(counts.width(), typename Statistic::Cell{});
        for (const Entry entry : entries_of(segment))
            counts.add(cells_.data(), labels_.all().data() + row_of(entry), lists_.rows().size());
        sums_.clear();
        counts.accumulate(sums_, cells_.data());
        scores_.enter(sums_, counts);
        if (!scores_.can_tell()) return look_closer(segment);
        const Levels levels{counts.levels(context_.fixed.view()),
                            (*nodes_)[segment.node_id].bounds};
        search_.enter(segment.begin, segment.end, counts, scores_, levels, cells_);
        run_contest(contest_, scores_, [&] { search_columns(segment); });
        if (contest_.is_empty()) return finish(segment);
        const auto winner = decided<Criterion>(
            contest_, context_.fixed, may_have_finer_grid(segment),
            [&] { return rows_of(segment); }, answers_in(segment));
        return winner ? ask(segment, *winner) : look_closer(segment);
    }

    void ask_two(const Segment& segment) {
        const auto put_in_order = [&](std::size_t column) { sort_list(segment, column); };
        const TwoRows<Criterion> two(context_, lists_, segment.begin);
        const auto query = two.query((*nodes_)[segment.node_id].chance, drawn_, put_in_order);
        return query ? ask(segment, *query) : finish(segment);
    }

    /// Put the list of a column in order, if it is not.
    void sort_list(const Segment& segment, std::size_t column) {
        if (!segment.is_loose || context_.raw[column].is_choice) return;
        if (draws_cuts_)
            drawn_cuts_.sort(lists_, column, segment.begin, segment.end);
        else
            lists_.sort_again(column, segment.begin, segment.end);
    }
    [[nodiscard]] std::uint64_t chance_of(const Segment& segment, std::size_t column) const {
        return context_.settings.column_numbers.chance((*nodes_)[segment.node_id].chance, column);
    }

    void search_columns(const Segment& segment) {
        for_each_column(
            segment,
            [&](std::size_t column) {
                bool tells_apart = false;
                contest_.with_shortlist(column, 0, [&](Shortlist& shortlist) {
                    tells_apart = scan(segment, column, shortlist);
                });
                return tells_apart;
            },
            [&] { return !contest_.is_empty(); });
    }

    bool scan(const Segment& segment, std::size_t column, Shortlist& shortlist) {
        const std::uint64_t chance = chance_of(segment, column);
        if (draws_cuts_) {
            if (!drawn_cuts_.draw(column, chance)) return false;
            search_.offer_cut(column, drawn_cuts_.part(lists_, column, segment.begin, segment.end),
                              shortlist);
            return true;
        }
        sort_list(segment, column);
        return search_.scan(column, chance, shortlist);
    }

    /// Scan all columns, or draw some that tell rows apart, until there is a query.
    template <class ScanColumn, class HasQuery>
    void for_each_column(const Segment& segment, const ScanColumn& scan,
                         const HasQuery& has_query) {
        const std::size_t n_columns = context_.raw.size();
        const std::size_t most = context_.settings.max_features;
        if (most == 0) {
            for (std::size_t column = 0; column < n_columns; ++column) scan(column);
            return;
        }
        drawn_.start(context_.settings.column_numbers, n_columns,
                     (*nodes_)[segment.node_id].chance);
        drawn_.scan_some(most, scan, has_query);
    }

    /// Search a node of few rows in one pass; say whether that decides what becomes of it.
    template <class Few>
    bool ask_few(const Segment& segment, Few& few) {
        if (!few.enter(entries_of(segment), (*nodes_)[segment.node_id].bounds)) return false;
        for_each_column(
            segment,
            [&](std::size_t column) {
                if (draws_cuts_) return drawn_cuts_.draw(column, chance_of(segment, column));
                if constexpr (std::is_same_v<Few, FewRows>) {
                    if (few.is_settled(column)) return false;
                    if (context_.raw[column].is_choice)
                        return few.scan_choices(column, lists_, entries_of(segment));
                }
                sort_list(segment, column);
                return few.scan(column, entries_of(segment, column));
            },
            [&] { return draws_cuts_ || !few.cuts().is_empty(); });
        if constexpr (std::is_same_v<Few, FewRows>) {
            few.finish();
            if (draws_cuts_) drawn_cuts_.offer(few);
        }
        auto winner = few.winner();
        if (winner && draws_cuts_)
            winner->place = static_cast<double>(drawn_cuts_.part(
                lists_, static_cast<std::size_t>(winner->column), segment.begin, segment.end));
        if (winner)
            ask(segment, std::move(*winner));
        else if (few.cuts().is_empty())
            finish(segment);
        return winner || few.cuts().is_empty();
    }

    /// Ask what won, if it gains enough.
    void ask(const Segment& segment, Finalist winner) {
        if (context_.settings.min_impurity_decrease > 0) {
            const std::vector<Row> rows = rows_of(segment);
            Judge<Criterion> judge(context_.fixed, rows, false);
            if (!context_.decreases_enough(judge.gain(winner, answers_in(segment))))
                return finish(segment);
        }
        if (winner.kind == Kind::below) answers_of(segment).fetch_pivot(winner);
        answers_of(segment).mark(winner);
        Question question;
        if (winner.kind == Kind::below) question.pivot = answers_of(segment).pivot(winner);
        static_cast<QuestionBase&>(question) = std::move(winner);
        split(segment, question);
    }

    [[nodiscard]] ListAnswers answers_of(const Segment& segment) {
        return {lists_, context_.raw, segment.begin, segment.end};
    }
    /// The answers of the rows of a node to a finalist, in the order of `rows_of`.
    [[nodiscard]] auto answers_in(const Segment& segment) {
        return [this, segment](const Finalist& finalist, Answers& answers) {
            answers_of(segment).mark(finalist);
            std::size_t i = 0;
            for (const Entry entry : entries_of(segment)) answers[i++] = lists_.side(row_of(entry));
        };
    }

    [[nodiscard]] bool may_have_finer_grid(const Segment& segment) const {
        return Statistic::has_grid && 2 * segment.n_rows() <= segment.n_rows_of_grid;
    }

    /// Put the labels of a node on a grid of their own and search again; where they are on it
    /// already, look at every cut in exact arithmetic.
    void look_closer(Segment& segment) {
        if (!may_have_finer_grid(segment)) return ask_exact_search(segment);
        const std::vector<Row> rows = rows_of(segment);
        segment.grid = labels_.add_grid(rows, entries_of(segment));
        segment.n_rows_of_grid = rows.size();
        grow_one(segment);
    }

    void ask_exact_search(const Segment& segment) {
        const std::vector<Row> rows = rows_of(segment);
        auto found = exact_search<Criterion>(context_.fixed, context_.raw, rows, context_.limits,
                                             context_.settings, (*nodes_)[segment.node_id].chance,
                                             (*nodes_)[segment.node_id].bounds, context_.cancel);
        if (!found || !context_.decreases_enough(found->gain)) return finish(segment);
        sort_list(segment, static_cast<std::size_t>(found->question.column));
        answers_of(segment).mark(found->question);
        split(segment, found->question);
    }

    [[nodiscard]] bool is_pure(const Segment& segment) {
        const auto entries = entries_of(segment);
        return std::none_of(entries.begin(), entries.end(), [&](Entry entry) {
            return labels_.differ(row_of(entry), row_of(entries.front()));
        });
    }

    /// Leave a node as it is, its rows in their place.
    void finish(const Segment& segment) {
        std::size_t at = segment.begin;
        for (const Entry entry : entries_of(segment)) out_[at++] = lists_.table_row(entry);
    }

    // --- splitting -----------------------------------------------------------------------------

    /// Split a node whose rows have their answers noted.
    void split(const Segment& segment, const Question& question) {
        sides_.assign(question.n_answers(), {});
        for (const Entry entry : entries_of(segment)) {
            ListSide& side = sides_[lists_.side(row_of(entry))];
            if (side.n_rows++ == 0) side.first_row = row_of(entry);
            side.is_mixed = side.is_mixed || labels_.differ(row_of(entry), side.first_row);
        }
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
        for (std::size_t answer = 0; answer < sides_.size(); ++answer) {
            ListSide& side = sides_[answer];
            side.next = starts_[answer];
            if (!side.is_mixed ||
                !context_.settings.may_split(side.n_rows, (*nodes_)[first + answer].depth))
                continue;
            side.goes_on = true;
            most = std::max(most, side.n_rows);
        }
        for (const Entry entry : entries_of(segment)) {
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

    ListContext<Criterion> context_;
    // Nodes draw so few columns that most lists are never looked at.
    bool draws_few_ = context_.settings.max_features > 0 &&
                      2 * context_.settings.max_features < context_.raw.size();
    bool may_draw_cuts_ = context_.limits.draw_one && DrawnCuts::can_read(context_.raw);
    bool draws_cuts_ = false;  // no list is in order
    DrawnCuts drawn_cuts_;
    std::size_t few_rows_ = 0;  // that are searched in one pass
    FewRows few_;
    std::size_t few_of_classes_ = FewClasses::most_for<Criterion>(context_);
    FewClasses few_classes_;
    bool may_ask_anything_ = TwoRows<Criterion>::may_ask_anything(context_);
    ListSearch<Criterion, Statistic> search_;
    Sums sums_;
    Scores<Criterion> scores_;
    Contest contest_;
    DrawnColumns drawn_;
    std::size_t begin_ = 0;
    std::span<Row> out_;
    GrownTree* nodes_ = nullptr;
    SortedLists lists_;
    ListLabels<Criterion, Statistic> labels_{context_};
    std::vector<typename Statistic::Cell> cells_;
    std::vector<std::size_t> starts_;
    std::vector<ListSide> sides_;
    std::vector<Segment> waiting_;
};

}  // namespace bough
