// The query of a node of sparse columns, from what its rows store.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "exact_judge.hpp"
#include "list_context.hpp"
#include "rows.hpp"
#include "sparse_counts.hpp"
#include "sparse_search.hpp"

namespace bough {

/// Finds what nodes ask. A large node keeps its count; a small one is counted when its turn comes.
template <class Criterion, class Statistic>
class SparseNodeSearch {
  protected:
    using Labels = typename Criterion::Labels;
    using Cell = typename Statistic::Cell;
    using Label = typename Statistic::Label;

  public:
    SparseNodeSearch(const SparseColumns& columns, const Settings& settings,
                     const FixedLabels<Labels>& fixed, const Limits& limits, std::span<Row> rows,
                     Threads& threads, const Cancel& cancel)
        : settings_(settings),
          limits_(limits),
          rows_(rows),
          threads_(threads),
          cancel_(cancel),
          context_{{}, settings, fixed, limits, fixed.table_weight(rows), cancel},
          cells_(columns, threads, cancel),
          n_table_rows_(columns.n_rows) {
        // The counts of all threads together need no more room than the table with its zeros.
        const std::size_t n_sums = cells_.n_cells() * Counts<Statistic>(fixed.view()).width();
        const std::size_t most = columns.n_rows * columns.size() / std::max<std::size_t>(n_sums, 1);
        for (std::size_t i = 0; i < std::clamp<std::size_t>(most, 1, threads.count()); ++i)
            workers_.push_back(std::make_unique<Worker>(*this));
    }

  protected:
    /// A node that waits.
    struct Task {
        std::size_t node_id = 0;
        std::span<Row> rows;
        std::shared_ptr<const Counts<Statistic>> counts;  // on the grid of its labels
        std::size_t n_rows_of_grid = 0;
        std::vector<Cell> sums;  // of each cell, if it is worth keeping
    };

    /// What one thread keeps from node to node.
    struct Worker {
        SparseCounts<Statistic> counts;
        SparseSearch<Criterion, Statistic> search;
        Contest contest;
        Sums sums;
        std::vector<Cell> all;
        Scores<Criterion> scores;
        std::vector<std::uint32_t> seen;
        std::vector<std::span<const std::uint32_t>> columns;  // stretches of `seen`
        std::vector<Row> spare;
        Threads alone{1};

        explicit Worker(const SparseNodeSearch& grower)
            : Worker(grower, Counts<Statistic>(grower.context_.fixed.view())) {}
        Worker(const SparseNodeSearch& grower, const Counts<Statistic>& counted)
            : counts(grower.cells_, counted.width()),
              search(grower.cells_, counted.n_parts(), grower.limits_, grower.cancel_),
              contest(grower.cells_.size(), 1, grower.limits_.by_ratio),
              sums(counted.n_parts()) {}
    };

    // --- one node ------------------------------------------------------------------------------

    /// What a node asks; nothing where it is a leaf.
    std::optional<Question> search(Task& task, const std::vector<GrownNode>& nodes,
                                   Worker& worker) {
        const GrownNode& node = nodes[task.node_id];
        if (!settings_.use_fast_search) return search_exactly(task, node);
        const Counts<Statistic>& counts = *task.counts;
        worker.all.assign(counts.width(), Cell{});
        for (const Row row : task.rows)
            counts.add(worker.all.data(), labels_.data() + row, n_table_rows_);
        worker.sums.clear();
        counts.accumulate(worker.sums, worker.all.data());
        worker.scores.enter(worker.sums, counts);
        if (!worker.scores.can_tell()) return look_closer(task, nodes, worker);
        count(task, worker);
        const SparseNode<Criterion, Statistic> seen{
            counts,
            worker.scores,
            {counts.levels(context_.fixed.view()), node.bounds},
            worker.all.data(),
            (task.sums.empty() ? worker.counts.sums() : task.sums).data()};
        run_contest(worker.contest, worker.scores,
                    [&] { search_columns(seen, node.chance, worker); });
        if (worker.contest.is_empty()) return std::nullopt;
        if (const auto winner = worker.contest.winner()) return asked(*winner, task);
        const std::vector<Finalist> finalists = worker.contest.finalists();
        const bool are_few = !worker.contest.has_given_up() && finalists.size() <= most_judged;
        if (!are_few || (finalists.size() > 8 && may_have_finer_grid(task)))
            return look_closer(task, nodes, worker);
        Judge<Criterion> judge(context_.fixed, task.rows, limits_.by_ratio);
        return asked(finalists[judge.winner(finalists, answers_in(task))], task);
    }

    /// Count the rows of a node, unless that is done, and find the cells of each column.
    void count(Task& task, Worker& worker) {
        worker.seen.clear();
        if (task.sums.empty()) {
            worker.counts.count(task.rows, *task.counts, {labels_.data(), n_table_rows_});
            worker.counts.for_each_seen([&](std::uint32_t cell) { worker.seen.push_back(cell); });
            if (is_worth_keeping(task)) task.sums = worker.counts.sums();
        } else {
            const Cell* sums = task.sums.data();
            for (std::uint32_t cell = 0; cell < cells_.n_cells(); ++cell, sums += worker.all.size())
                if ((*task.counts)[0].rows(sums) > 0) worker.seen.push_back(cell);
        }
        worker.columns.clear();
        const std::span<const std::uint32_t> seen = worker.seen;
        for (std::size_t begin = 0; begin < seen.size();) {
            const std::uint32_t last = cells_.range(cells_.column_of(seen[begin])).end;
            std::size_t end = begin + 1;
            while (end < seen.size() && seen[end] < last) ++end;
            worker.columns.push_back(seen.subspan(begin, end - begin));
            begin = end;
        }
    }

    void search_columns(const SparseNode<Criterion, Statistic>& node, std::uint64_t chance,
                        Worker& worker) {
        const auto scan = [&](std::size_t column, std::span<const std::uint32_t> seen) {
            bool tells_apart = false;
            worker.contest.with_shortlist(column, 0, [&](Shortlist& shortlist) {
                tells_apart = worker.search.scan(node, column, seen, shortlist);
            });
            return tells_apart;
        };
        const std::size_t most = settings_.max_features;
        if (most == 0) {
            for (const auto& seen : worker.columns) scan(cells_.column_of(seen.front()), seen);
            return;
        }
        std::size_t n_drawn = 0;
        for (DrawnColumns drawn(settings_.column_numbers, cells_.size(), chance);
             !drawn.is_empty();) {
            const std::size_t column = drawn.take();
            const auto found = std::lower_bound(
                worker.columns.begin(), worker.columns.end(), cells_.range(column).first,
                [](const auto& seen, std::uint32_t first) { return seen.front() < first; });
            if (found == worker.columns.end() || found->front() >= cells_.range(column).end)
                continue;  // all rows have 0
            if (scan(column, *found) && ++n_drawn >= most && !worker.contest.is_empty()) return;
        }
    }

    /// What is asked if it gains enough.
    std::optional<Question> asked(const Finalist& winner, const Task& task) const {
        if (settings_.min_impurity_decrease > 0) {
            Judge<Criterion> judge(context_.fixed, task.rows, false);
            const double gain = judge.gain(winner, answers_in(task));
            if (!context_.decreases_enough(gain, judge.weight())) return std::nullopt;
        }
        return question_with_pivot(winner);
    }
    static Question question_with_pivot(const Finalist& finalist) {
        Question question = question_of(finalist);
        if (finalist.kind == Kind::below)  // `SparseSearch` gives both neighbours
            question.pivot =
                pivot_between(finalist.cut.value, std::bit_cast<double>(finalist.cut.integer));
        return question;
    }

    /// Calls `use(answer_of)`, where `answer_of(row)` is the answer of a row to a question.
    template <class Use>
    void with_answers(const Question& question, const Use& use) const {
        const auto query = query_for<double>(question);
        const CellRange& range = cells_.range(static_cast<std::size_t>(question.column));
        use([&](Row row) {
            return static_cast<std::uint32_t>(answer(query, cells_.value_at(row, range)));
        });
    }
    [[nodiscard]] auto answers_in(const Task& task) const {
        return [this, &task](const Finalist& finalist, Answers& answers) {
            with_answers(question_with_pivot(finalist), [&](const auto& answer_of) {
                std::transform(task.rows.begin(), task.rows.end(), answers.begin(), answer_of);
            });
        };
    }

    // --- where doubles cannot tell -------------------------------------------------------------

    [[nodiscard]] static bool may_have_finer_grid(const Task& task) {
        return Statistic::has_grid && 2 * task.rows.size() <= task.n_rows_of_grid;
    }

    std::optional<Question> look_closer(Task& task, const std::vector<GrownNode>& nodes,
                                        Worker& worker) {
        if (!may_have_finer_grid(task)) return search_exactly(task, nodes[task.node_id]);
        task.sums.clear();
        put_on_grid(task, worker.alone);
        return search(task, nodes, worker);
    }

    std::optional<Question> search_exactly(const Task& task, const GrownNode& node) {
        auto found = exact_search<Criterion>(context_.fixed, cells_, task.rows, limits_, settings_,
                                             node.chance, node.bounds, cancel_);
        if (!found || !context_.decreases_enough(found->gain, found->weight)) return std::nullopt;
        return std::move(found->question);
    }

    /// Put the labels of a node on a grid of their own.
    void put_on_grid(Task& task, Threads& threads) {
        constexpr int sum_bits = 61;  // integers are added up
        auto counts = std::make_shared<Counts<Statistic>>(context_.fixed.view());
        std::vector<Label> labels;
        counts->read(
            context_.fixed, task.rows.size(), [&](std::size_t i) { return task.rows[i]; }, sum_bits,
            labels, threads);
        for (std::size_t o = 0; o < counts->n_outputs(); ++o)
            for (std::size_t i = 0; i < task.rows.size(); ++i)
                labels_[o * n_table_rows_ + task.rows[i]] = labels[o * task.rows.size() + i];
        task.counts = std::move(counts);
        task.n_rows_of_grid = task.rows.size();
    }

    /// Whether its rows store about as many values as there are cells, or more.
    [[nodiscard]] bool is_worth_keeping(const Task& task) const {
        std::size_t n_stored = 0;
        return std::any_of(task.rows.begin(), task.rows.end(), [&](Row row) {
            n_stored += cells_.of_row(row).size();
            return 4 * n_stored >= cells_.n_cells();
        });
    }
    const Settings& settings_;
    const Limits& limits_;
    std::span<Row> rows_;
    Threads& threads_;
    const Cancel& cancel_;
    ListContext<Criterion> context_;
    SparseCells cells_;
    std::size_t n_table_rows_;
    std::vector<Label> labels_;  // of the table's rows, one output after the other
    std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace bough
