// Growing the whole subtree of a small node from sorted lists of its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "exact_judge.hpp"
#include "few_rows.hpp"
#include "list_answers.hpp"
#include "list_context.hpp"
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
              std::vector<GrownNode>& nodes, std::size_t node_id) {
        begin_ = nodes[node_id].begin;
        out_ = rows;
        nodes_ = &nodes;
        grids_.assign(1, Counts<Statistic>(context_.fixed.view()));
        if (codes != nullptr && !Statistic::has_grid && grids_[0].n_outputs() == 1)
            fetch_labels(labels_of_block, codes->local_rows);
        else
            grids_[0].read(
                context_.fixed, rows.size(), [&](std::size_t i) { return rows[i]; }, sum_bits,
                labels_, alone_);
        lists_.sort(rows, context_.raw, codes, two_classes(), draws_few_, context_.cancel);
        search_.enter(lists_, labels_);
        has_few_ = may_ask_few();
        if (has_few_) read_few();
        waiting_.clear();
        const Segment root{0, rows.size(), node_id, 0, rows.size(), false};
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
    static constexpr int sum_bits = 61;  // lists are added up in 64 bits
    static constexpr bool may_be_few =
        std::is_same_v<Criterion, SquaredError> || std::is_same_v<Criterion, Gini>;
    static std::size_t row_of(Entry entry) { return SortedLists::row_of(entry); }

    /// A node: where its entries lie in every list, and on which grid its labels are.
    struct Segment {
        std::size_t begin;
        std::size_t end;
        std::size_t node_id;
        std::size_t grid;
        std::size_t n_rows_of_grid;
        bool is_loose;  // only one list is in order

        [[nodiscard]] std::size_t n_rows() const { return end - begin; }
    };

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

    void fetch_labels(const Label* labels_of_block, std::span<const LocalRow> rows) {
        labels_.clear();
        for (const LocalRow row : rows) labels_.push_back(labels_of_block[row]);
    }

    /// Whether nodes of few rows can be searched in one pass.
    [[nodiscard]] bool may_ask_few() const {
        const Limits& limits = context_.limits;
        return may_be_few && grids_[0].n_outputs() == 1 && grids_[0].n_parts() == 2 &&
               limits.min_rows <= 1 && limits.min_weight <= 0 && !limits.draw_one &&
               limits.directions.empty() &&
               std::none_of(context_.raw.begin(), context_.raw.end(),
                            [](const RawColumn& raw) { return raw.is_choice; });
    }

    void read_few() {
        const auto& labels = context_.fixed.view();
        const auto number = [&](std::size_t i) -> double {
            if constexpr (std::is_same_v<typename Criterion::Labels, ClassLabels>)
                return labels.codes[lists_.rows()[i]];
            else
                return context_.fixed.numbers()[lists_.rows()[i]];
        };
        few_.read(lists_.rows().size(), number,
                  [&](std::size_t i) { return to_double(labels.weights[lists_.rows()[i]]); });
    }

    /// The labels, if there are two of them: entries carry them along.
    [[nodiscard]] std::span<const std::uint16_t> two_classes() const {
        if constexpr (std::is_same_v<Statistic, ClassSums<false>>)
            if (grids_[0].n_parts() == 2) return labels_;
        return {};
    }

    // --- one node ------------------------------------------------------------------------------

    void grow_one(Segment segment) {
        context_.cancel.check();
        if (!context_.settings.use_fast_search) return ask_exact_search(segment);
        if (segment.n_rows() == 2 && may_ask_anything_) return ask_two(segment);
        if (has_few_ && segment.n_rows() <= few_.most_rows && ask_few(segment)) return;
        const Counts<Statistic>& counts = grids_[segment.grid];
        cells_.assign(counts.width(), typename Statistic::Cell{});
        for (const Entry entry : entries_of(segment))
            counts.add(cells_.data(), labels_.data() + row_of(entry), lists_.rows().size());
        sums_.clear();
        counts.accumulate(sums_, cells_.data());
        scores_.enter(sums_, counts);
        if (!scores_.can_tell()) return look_closer(segment);
        const Levels levels{counts.levels(context_.fixed.view()),
                            (*nodes_)[segment.node_id].bounds};
        search_.enter(segment.begin, segment.end, counts, scores_, levels, cells_);
        run_contest(contest_, scores_, [&] { search_columns(segment); });
        if (contest_.is_empty()) return finish(segment);
        if (const auto winner = contest_.winner()) return ask(segment, *winner);
        judge(segment);
    }

    void ask_two(const Segment& segment) {
        const auto put_in_order = [&](std::size_t column) { sort_list(segment, column); };
        const TwoRows<Criterion> two(context_, lists_, segment.begin);
        const auto query = two.query((*nodes_)[segment.node_id].chance, drawn_, put_in_order);
        return query ? ask(segment, *query) : finish(segment);
    }

    /// Put the list of a column in order, if it is not.
    void sort_list(const Segment& segment, std::size_t column) {
        if (segment.is_loose && !context_.raw[column].is_choice)
            lists_.sort_again(column, segment.begin, segment.end);
    }

    void search_columns(const Segment& segment) {
        const ColumnNumbers& numbers = context_.settings.column_numbers;
        const std::uint64_t chance = (*nodes_)[segment.node_id].chance;
        for_each_column(
            segment,
            [&](std::size_t column) {
                bool tells_apart = false;
                contest_.with_shortlist(column, 0, [&](Shortlist& shortlist) {
                    tells_apart = search_.scan(column, numbers.chance(chance, column), shortlist);
                });
                return tells_apart;
            },
            [&] { return !contest_.is_empty(); });
    }

    /// Scan all columns, or draw some that tell rows apart, until there is a query.
    template <class ScanColumn, class HasQuery>
    void for_each_column(const Segment& segment, const ScanColumn& scan,
                         const HasQuery& has_query) {
        const std::size_t n_columns = context_.raw.size();
        const std::size_t most = context_.settings.max_features;
        if (most == 0) {
            for (std::size_t column = 0; column < n_columns; ++column) {
                sort_list(segment, column);
                scan(column);
            }
            return;
        }
        std::size_t n_drawn = 0;
        drawn_.start(context_.settings.column_numbers, n_columns,
                     (*nodes_)[segment.node_id].chance);
        while (!drawn_.is_empty()) {
            const std::size_t column = drawn_.take();
            sort_list(segment, column);
            if (scan(column) && ++n_drawn >= most && has_query()) return;
        }
    }

    /// Search a node of few rows in one pass; say whether that decides what becomes of it.
    bool ask_few(const Segment& segment) {
        if constexpr (may_be_few) {
            if (!few_.enter(entries_of(segment))) return false;
            bool has_missing = false;
            for_each_column(
                segment,
                [&](std::size_t column) {
                    const auto entries = entries_of(segment, column);
                    const Entry first = SortedLists::rank_of(entries.front());
                    has_missing = has_missing || first == 0;
                    if (first == SortedLists::rank_of(entries.back())) return false;
                    few_.scan(column, entries);
                    return true;
                },
                [] { return true; });
            if (has_missing) return false;
            if (few_.is_empty()) {
                finish(segment);
                return true;
            }
            const auto winner = few_.winner();
            if (winner) ask(segment, *winner);
            return winner.has_value();
        }
        return false;
    }

    /// Ask what won, if it gains enough.
    void ask(const Segment& segment, const Finalist& winner) {
        if (context_.settings.min_impurity_decrease > 0) {
            const std::vector<Row> rows = rows_of(segment);
            Judge<Criterion> judge(context_.fixed, rows, false);
            const double gain = judge.gain(winner, answers_in(segment));
            if (!context_.decreases_enough(gain, judge.weight())) return finish(segment);
        }
        Question question = question_of(winner);
        if (winner.kind == Kind::below) question.pivot = answers_of(segment).pivot(winner);
        answers_of(segment).mark(winner);
        split(segment, std::move(question));
    }

    /// Where doubles cannot tell, exact arithmetic decides between the few that may be the best.
    void judge(Segment& segment) {
        const std::vector<Finalist> finalists = contest_.finalists();
        const bool are_few = !contest_.has_given_up() && finalists.size() <= most_judged;
        if (!are_few || (finalists.size() > 8 && may_have_finer_grid(segment)))
            return look_closer(segment);
        const std::vector<Row> rows = rows_of(segment);
        Judge<Criterion> judge(context_.fixed, rows, context_.limits.by_ratio);
        ask(segment, finalists[judge.winner(finalists, answers_in(segment))]);
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
        Counts<Statistic> finer(context_.fixed.view());
        finer.read(
            context_.fixed, rows.size(), [&](std::size_t i) { return rows[i]; }, sum_bits, finer_,
            alone_);
        const auto entries = entries_of(segment);
        for (std::size_t o = 0; o < finer.n_outputs(); ++o)
            for (std::size_t i = 0; i < entries.size(); ++i)
                labels_[o * lists_.rows().size() + row_of(entries[i])] =
                    finer_[o * entries.size() + i];
        segment.grid = grids_.size();
        segment.n_rows_of_grid = entries.size();
        grids_.push_back(std::move(finer));
        grow_one(segment);
    }

    void ask_exact_search(const Segment& segment) {
        const std::vector<Row> rows = rows_of(segment);
        auto found = exact_search<Criterion>(context_.fixed, context_.raw, rows, context_.limits,
                                             context_.settings, (*nodes_)[segment.node_id].chance,
                                             (*nodes_)[segment.node_id].bounds, context_.cancel);
        if (!found || !context_.decreases_enough(found->gain, found->weight))
            return finish(segment);
        sort_list(segment, static_cast<std::size_t>(found->question.column));
        answers_of(segment).mark(found->question);
        split(segment, std::move(found->question));
    }

    [[nodiscard]] bool is_pure(const Segment& segment) {
        const auto entries = entries_of(segment);
        return std::none_of(entries.begin(), entries.end(), [&](Entry entry) {
            return differ(row_of(entry), row_of(entries.front()));
        });
    }

    /// Whether two rows have different labels.
    [[nodiscard]] bool differ(std::size_t a, std::size_t b) const {
        if constexpr (std::is_integral_v<Label>)
            if (labels_[a] != labels_[b]) return true;
        return labels_differ(context_.fixed, lists_.rows()[a], lists_.rows()[b]);
    }

    /// Leave a node as it is, its rows in their place.
    void finish(const Segment& segment) {
        std::size_t at = segment.begin;
        for (const Entry entry : entries_of(segment)) out_[at++] = lists_.table_row(entry);
    }

    // --- splitting -----------------------------------------------------------------------------

    /// Split a node whose rows have their answers noted.
    void split(const Segment& segment, Question&& question) {
        const std::size_t n_answers = question.n_answers();
        starts_.assign(n_answers + 1, 0);
        is_mixed_.assign(n_answers, 0);
        first_rows_.assign(n_answers, SortedLists::most_rows);
        for (const Entry entry : entries_of(segment)) count_side(row_of(entry));
        starts_[0] = begin_ + segment.begin;
        for (std::size_t i = 0; i < n_answers; ++i) starts_[i + 1] += starts_[i];
        const std::size_t first =
            add_children(*nodes_, segment.node_id, std::move(question), starts_);
        for (std::size_t& start : starts_) start -= begin_;
        context_.part_bounds(*nodes_, segment.node_id, [&](std::size_t answer) {
            std::vector<Row> rows;
            for (const Entry entry : entries_of(segment))
                if (lists_.side(row_of(entry)) == answer) rows.push_back(lists_.table_row(entry));
            return rows;
        });
        goes_on_.assign(n_answers, 0);
        for (std::size_t answer = 0; answer < n_answers; ++answer) {
            const std::size_t n_rows = starts_[answer + 1] - starts_[answer];
            goes_on_[answer] = is_mixed_[answer] != 0 &&
                               context_.settings.may_split(n_rows, (*nodes_)[first + answer].depth);
        }
        finish_sides(segment);
        if (std::none_of(goes_on_.begin(), goes_on_.end(), [](auto on) { return on != 0; })) return;
        const bool is_loose = segment.is_loose || (draws_few_ && all_are_small());
        lists_.part(lists_.order(), starts_);
        for (std::size_t column = 0; column < context_.raw.size() && !is_loose; ++column)
            if (!context_.raw[column].is_choice && column != lists_.order())
                lists_.part(column, starts_);
        for (std::size_t answer = n_answers; answer-- > 0;)
            if (goes_on_[answer] != 0)
                waiting_.push_back({starts_[answer], starts_[answer + 1], first + answer,
                                    segment.grid, segment.n_rows_of_grid, is_loose});
    }

    /// Whether the answers that go on have so few rows that lists are sooner sorted than parted.
    [[nodiscard]] bool all_are_small() const {
        for (std::size_t answer = 0; answer < goes_on_.size(); ++answer)
            if (goes_on_[answer] != 0 &&
                starts_[answer + 1] - starts_[answer] > SortedLists::most_few)
                return false;
        return true;
    }

    void count_side(std::size_t row) {
        const std::size_t side = lists_.side(row);
        ++starts_[side + 1];
        if (first_rows_[side] == SortedLists::most_rows)
            first_rows_[side] = row;
        else if (is_mixed_[side] == 0 && differ(row, first_rows_[side]))
            is_mixed_[side] = 1;
    }

    /// Put the rows of the answers that do not go on in their place.
    void finish_sides(const Segment& segment) {
        next_.assign(starts_.begin(), starts_.end() - 1);
        for (const Entry entry : entries_of(segment)) {
            const std::size_t side = lists_.side(row_of(entry));
            if (goes_on_[side] == 0) out_[next_[side]++] = lists_.table_row(entry);
        }
    }

    ListContext<Criterion> context_;
    // Nodes draw so few columns that most lists are never looked at.
    bool draws_few_ = context_.settings.max_features > 0 &&
                      2 * context_.settings.max_features < context_.raw.size();
    bool has_few_ = false;
    FewRows few_;
    bool may_ask_anything_ = TwoRows<Criterion>::may_ask_anything(context_);
    Threads alone_{1};
    ListSearch<Criterion, Statistic> search_;
    Sums sums_;
    Scores<Criterion> scores_;
    Contest contest_;
    DrawnColumns drawn_;
    std::size_t begin_ = 0;
    std::span<Row> out_;
    std::vector<GrownNode>* nodes_ = nullptr;
    SortedLists lists_;
    std::vector<Label> labels_;  // of local rows, one output after the other
    std::vector<Label> finer_;
    std::vector<Counts<Statistic>> grids_;
    std::vector<typename Statistic::Cell> cells_;
    std::vector<std::size_t> starts_;
    std::vector<std::uint8_t> is_mixed_;
    std::vector<std::uint8_t> goes_on_;
    std::vector<std::size_t> next_;
    std::vector<std::size_t> first_rows_;
    std::vector<Segment> waiting_;
};

}  // namespace bough
