// Growing the whole subtree of a small node from sorted lists of its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "drawn_cuts.hpp"
#include "exact_judge.hpp"
#include "few_rows_classes.hpp"
#include "few_rows_mixed.hpp"
#include "few_rows_numbers.hpp"
#include "few_rows_poisson.hpp"
#include "part_small_node.hpp"
#include "rows.hpp"
#include "small_node_answers.hpp"
#include "small_node_context.hpp"
#include "small_node_labels.hpp"
#include "small_node_search.hpp"
#include "sorted_lists.hpp"
#include "two_rows.hpp"

namespace bough {

/// Sorts the rows of a node once; below it, lists are parted and nothing is sorted again.
template <class Criterion, class Statistic>
class ListGrower : private ListSplitter<Criterion, Statistic> {
    using Splitter = ListSplitter<Criterion, Statistic>;
    using Splitter::answers_of;
    using Splitter::begin_;
    using Splitter::context_;
    using Splitter::draws_few_;
    using Splitter::entries_of;
    using Splitter::finish;
    using Splitter::is_pure;
    using Splitter::labels_;
    using Splitter::lists_;
    using Splitter::nodes_;
    using Splitter::out_;
    using Splitter::row_of;
    using Splitter::rows_of;
    using Splitter::split;
    using Splitter::waiting_;
    using typename Splitter::Entry;
    using typename Splitter::Segment;

  public:
    using Label = typename Statistic::Label;

    ListGrower(const ListContext<Criterion>& context)
        : Splitter(context),
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
        lists_.lay_out(context_.raw);
        draws_cuts_ = may_draw_cuts_ && drawn_cuts_.read(context_.raw, lists_.rows());
        if (!draws_cuts_) lists_.sort(context_.raw, codes, draws_few_, context_.cancel);
        search_.enter(lists_, labels_.all());
        const bool is_drawn = context_.limits.draw_one;
        few_rows_ = draws_cuts_ == is_drawn ? FewRows::most_for<Criterion>(context_) : 0;
        if (few_rows_ > 0) few_.read(context_, lists_.rows());
        if constexpr (std::is_same_v<Criterion, Gini>)
            if (few_of_classes_ > 0) few_classes_.read(context_, lists_.rows());
        if constexpr (std::is_same_v<Criterion, Poisson>)
            if (few_of_poisson_ > 0) few_poisson_.read(context_, lists_.rows());
        is_mixed_read_ = false;
        waiting_.clear();
        const Segment root{0, rows.size(), node_id, 0, rows.size(), draws_cuts_};
        if (context_.settings.may_split(rows.size(), nodes[node_id].depth) &&
            !is_pure(entries_of(root)))
            waiting_.push_back(root);
        else
            finish(root);
        while (!waiting_.empty()) {
            const Segment segment = waiting_.back();
            waiting_.pop_back();
            grow_one(segment);
        }
        this->set_pivots();
    }

  private:
    // --- one node ------------------------------------------------------------------------------

    void grow_one(Segment segment) {
        context_.cancel.check();
        if (!context_.settings.use_fast_search) return ask_exact_search(segment);
        if (segment.n_rows() == 2 && may_ask_anything_) return ask_two(segment);
        if (draws_cuts_) drawn_cuts_.enter(entries_of(segment));
        meets_missing_ = false;
        if (segment.n_rows() <= few_rows_ && ask_few(segment, few_)) return;
        if (ask_mixed(segment)) return;
        if (segment.n_rows() <= few_of_classes_ && ask_few(segment, few_classes_)) return;
        if (segment.n_rows() <= few_of_poisson_ && ask_few(segment, few_poisson_)) return;
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
                if constexpr (Few::takes_choices) {
                    if (few.is_settled(column)) return false;
                    if (context_.raw[column].is_choice)
                        return few.scan_choices(column, lists_, entries_of(segment));
                }
                sort_list(segment, column);
                const auto entries = entries_of(segment, column);
                const Entry first = SortedLists::rank_of(entries.front());
                if (!Few::takes_missing && first == 0) meets_missing_ = true;
                if (!Few::takes_missing && meets_missing_)
                    return true;  // nothing is known any more
                if (first == SortedLists::rank_of(entries.back())) return false;
                few.scan(column, entries);
                return true;
            },
            [&] { return draws_cuts_ || !few.cuts().is_empty(); });
        if (!Few::takes_missing && meets_missing_) return false;
        if constexpr (std::is_same_v<Few, FewRows>)
            if (draws_cuts_) drawn_cuts_.offer(few);
        auto winner = winner_of(few);
        if (winner && draws_cuts_)
            winner->place = static_cast<double>(drawn_cuts_.part(
                lists_, static_cast<std::size_t>(winner->column), segment.begin, segment.end));
        if (winner)
            ask(segment, *winner);
        else if (few.cuts().is_empty())
            finish(segment);
        return winner || few.cuts().is_empty();
    }
    template <class Few>
    static std::optional<Finalist> winner_of(Few& few) {
        if constexpr (Few::takes_choices)
            return few.winner();
        else
            return few.cuts().winner();
    }
    /// The same with choices and missing values, where others met these.
    bool ask_mixed(const Segment& segment) {
        if (segment.n_rows() > few_mixed_ || !(has_choices_ || meets_missing_)) return false;
        if (!is_mixed_read_) mixed_.read(context_, lists_.rows());
        is_mixed_read_ = true;
        return ask_few(segment, mixed_);
    }

    /// Ask what won, if it gains enough.
    void ask(const Segment& segment, const Finalist& winner) {
        if (context_.settings.min_impurity_decrease > 0) {
            const std::vector<Row> rows = rows_of(segment);
            Judge<Criterion> judge(context_.fixed, rows, false);
            if (!context_.decreases_enough(judge.gain(winner, answers_in(segment))))
                return finish(segment);
        }
        split(segment, winner);
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

    bool may_draw_cuts_ = context_.limits.draw_one && DrawnCuts::can_read(context_.raw);
    bool draws_cuts_ = false;  // no list is in order
    DrawnCuts drawn_cuts_;
    std::size_t few_rows_ = 0;  // that are searched in one pass
    FewRows few_;
    bool has_choices_ = context_.has_choices();
    bool meets_missing_ = false;  // in the node that is searched
    std::size_t few_mixed_ = FewMixed::most_for<Criterion>(context_);
    bool is_mixed_read_ = false;
    FewMixed mixed_;
    std::size_t few_of_classes_ = FewClasses::most_for<Criterion>(context_);
    FewClasses few_classes_;
    std::size_t few_of_poisson_ = FewPoisson::most_for<Criterion>(context_);
    FewPoisson few_poisson_;
    bool may_ask_anything_ = TwoRows<Criterion>::may_ask_anything(context_);
    ListSearch<Criterion, Statistic> search_;
    Sums sums_;
    Scores<Criterion> scores_;
    Contest contest_;
    DrawnColumns drawn_;
    std::vector<typename Statistic::Cell> cells_;
};

}  // namespace bough
