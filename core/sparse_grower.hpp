// Growing from sparse columns: work in a node follows what its rows store.
#pragma once

#include <algorithm>
#include <array>
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
#include "frontier.hpp"
#include "part_rows.hpp"
#include "rows.hpp"
#include "small_node_context.hpp"
#include "sparse_search.hpp"

namespace bough {

/// Each thread has one count, that of the node whose turn it is.
template <class Criterion, class Statistic>
class SparseGrower {
  public:
    using Labels = typename Criterion::Labels;
    using Cell = typename Statistic::Cell;
    using Label = typename Statistic::Label;

    SparseGrower(const SparseTable& table, const ListContext<Criterion>& context,
                 std::span<Row> rows, Threads& threads)
        : context_(context),
          rows_(rows),
          threads_(threads),
          cells_(table, threads, context.cancel),
          counts_(context.fixed.view()),
          n_table_rows_(table.n_rows) {
        // The counts of all threads together need no more room than the table with its zeros.
        const std::size_t n_sums = cells_.n_cells() * counts_.width();
        const std::size_t most = table.n_rows * table.n_columns / std::max<std::size_t>(n_sums, 1);
        for (std::size_t i = 0; i < std::clamp<std::size_t>(most, 1, threads.count()); ++i)
            workers_.push_back(std::make_unique<Worker>(*this));
    }

    GrownTree grow() {
        GrownTree nodes(root_node(context_.settings, rows_.size()));
        Task root;
        root.rows = rows_;
        labels_.resize(n_table_rows_ * counts_.n_outputs());
        put_on_grid(root, threads_);
        if (!may_split(root, nodes)) return nodes;
        std::vector<Task> apart;
        const std::size_t large =
            workers_.size() == 1 ? 0
                                 : std::max<std::size_t>(rows_.size() / workers_.size() / 4, 512);
        grow_depth_first(std::move(root), [&](Task&& task) {
            if (task.rows.size() >= large) return step(std::move(task), nodes, *workers_[0]);
            apart.push_back(std::move(task));
            return std::vector<Task>{};
        });
        grow_subtrees(std::move(apart), nodes, threads_, workers_.size(),
                      [&](Task&& branch, GrownTree& subtree, std::size_t i) {
                          workers_[i]->counted_node.reset();
                          grow_depth_first(std::move(branch), [&](Task&& task) {
                              return step(std::move(task), subtree, *workers_[i]);
                          });
                      });
        return nodes;
    }

  private:
    /// A node that waits.
    struct Task {
        std::size_t node_id = 0;
        std::span<Row> rows;
        std::shared_ptr<const Counts<Statistic>> counts;  // on the grid of its labels
        std::size_t n_rows_of_grid = 0;
    };

    /// What one thread keeps from node to node.
    struct Worker {
        SparseCounts<Statistic> counts;
        std::optional<std::size_t> counted_node;  // the node whose count that is
        SparseSearch<Criterion, Statistic> search;
        Contest contest;
        Sums sums;
        std::vector<Cell> all;
        Scores<Criterion> scores;
        std::vector<std::uint32_t> seen;  // cells of a column
        std::vector<Row> spare;
        Threads alone{1};

        explicit Worker(const SparseGrower& grower)
            : counts(grower.cells_, grower.counts_.width()),
              search(grower.cells_, grower.counts_.n_parts(), grower.context_.limits,
                     grower.context_.cancel),
              contest(grower.cells_.size(), 1, grower.context_.limits.by_ratio),
              sums(grower.counts_.n_parts()) {}
    };

    /// Search and split a node; return its children that are not leaves.
    std::vector<Task> step(Task&& task, GrownTree& nodes, Worker& worker) {
        context_.cancel.check();
        auto question = search(task, nodes, worker);
        if (!question) return {};
        return split(task, std::move(*question), nodes, worker);
    }

    /// Split a node; return its children that are not leaves, the larger one, whose turn is next,
    /// last.
    std::vector<Task> split(const Task& task, Question&& question, GrownTree& nodes,
                            Worker& worker) {
        worker.spare.resize(std::max(worker.spare.size(), task.rows.size()));
        const std::size_t n_first = part_in_two(task.rows, worker.spare, answers_of(question));
        std::copy_n(worker.spare.begin(), task.rows.size() - n_first,
                    task.rows.begin() + static_cast<std::ptrdiff_t>(n_first));
        const GrownNode& node = nodes[task.node_id];
        const std::array<std::size_t, 3> starts{node.begin, node.begin + n_first, node.end};
        const std::size_t first = nodes.add_children(task.node_id, question, starts);
        std::vector<Task> children(2, task);
        for (std::size_t i = 0; i < 2; ++i) {
            children[i].node_id = first + i;
            children[i].rows = rows_.subspan(starts[i], starts[i + 1] - starts[i]);
        }
        context_.part_bounds(nodes, task.node_id,
                             [&](std::size_t answer) { return children[answer].rows; });
        if (children[0].rows.size() > children[1].rows.size()) std::swap(children[0], children[1]);
        if (worker.counted_node == task.node_id) count_larger(children, nodes, worker);
        std::erase_if(children, [&](const Task& child) { return !may_split(child, nodes); });
        return children;
    }

    /// The count of a node without one child is that of the other.
    void count_larger(const std::vector<Task>& children, const GrownTree& nodes,
                      Worker& worker) const {
        const Task& larger = children[1];
        if (!is_worth_keeping(larger) || !may_split(larger, nodes)) return;
        worker.counts.take_out(children[0].rows, *larger.counts, {labels_.data(), n_table_rows_});
        worker.counted_node = larger.node_id;
    }

    [[nodiscard]] bool may_split(const Task& task, const GrownTree& nodes) const {
        return context_.settings.may_split(task.rows.size(), nodes[task.node_id].depth) &&
               std::ranges::any_of(task.rows, [&](Row row) {
                   return labels_differ(context_.fixed, task.rows.front(), row);
               });
    }

    // --- one node ------------------------------------------------------------------------------

    /// What a node asks; nothing where it is a leaf.
    std::optional<Question> search(Task& task, const GrownTree& nodes, Worker& worker) {
        const GrownNode& node = nodes[task.node_id];
        if (!context_.settings.use_fast_search) return search_exactly(task, node);
        const Counts<Statistic>& counts = *task.counts;
        worker.all.assign(counts.width(), Cell{});
        for (const Row row : task.rows)
            counts.add(worker.all.data(), labels_.data() + row, n_table_rows_);
        worker.sums.clear();
        counts.accumulate(worker.sums, worker.all.data());
        worker.scores.enter(worker.sums, counts);
        if (!worker.scores.can_tell()) return look_closer(task, nodes, worker);
        if (worker.counted_node != task.node_id)
            worker.counts.count(task.rows, counts, {labels_.data(), n_table_rows_});
        worker.counted_node = task.node_id;
        const SparseNode<Criterion, Statistic> seen{
            counts,
            worker.scores,
            {counts.levels(context_.fixed.view()), node.bounds},
            worker.all.data(),
            worker.counts.sums().data()};
        run_contest(worker.contest, worker.scores,
                    [&] { search_columns(seen, node.chance, worker); });
        if (worker.contest.is_empty()) return std::nullopt;
        const auto winner = decided<Criterion>(
            worker.contest, context_.fixed, may_have_finer_grid(task), [&] { return task.rows; },
            answers_in(task));
        return winner ? asked(*winner, task) : look_closer(task, nodes, worker);
    }

    void search_columns(const SparseNode<Criterion, Statistic>& node, std::uint64_t chance,
                        Worker& worker) {
        const auto scan = [&](std::size_t column) {
            bool tells_apart = false;
            worker.contest.with_shortlist(column, 0, [&](Shortlist& shortlist) {
                tells_apart = worker.search.scan(node, column, worker.seen, shortlist);
            });
            return tells_apart;
        };
        if (context_.settings.max_features > 0) return search_drawn(node, chance, worker, scan);
        std::size_t column = 0;
        worker.seen.clear();
        worker.counts.for_each_seen(node.counts, [&](std::uint32_t cell) {
            if (cell >= cells_.range(column).end) {
                if (!worker.seen.empty()) scan(column);
                column = cells_.column_of(cell, column);
                worker.seen.clear();
            }
            worker.seen.push_back(cell);
        });
        if (!worker.seen.empty()) scan(column);
    }

    void search_drawn(const SparseNode<Criterion, Statistic>& node, std::uint64_t chance,
                      Worker& worker, const auto& scan) const {
        const auto scan_drawn = [&](std::size_t column) {
            worker.seen.clear();
            worker.counts.for_each_seen(node.counts, cells_.range(column),
                                        [&](std::uint32_t cell) { worker.seen.push_back(cell); });
            return !worker.seen.empty() && scan(column);  // else all rows have 0
        };
        DrawnColumns(context_.settings.column_numbers, cells_.size(), chance)
            .scan_some(context_.settings.max_features, scan_drawn,
                       [&] { return !worker.contest.is_empty(); });
    }

    /// What is asked if it gains enough.
    std::optional<Question> asked(const Finalist& winner, const Task& task) const {
        if (context_.settings.min_impurity_decrease > 0) {
            Judge<Criterion> judge(context_.fixed, task.rows, false);
            if (!context_.decreases_enough(judge.gain(winner, answers_in(task))))
                return std::nullopt;
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

    /// Says what a row answers to a question, as long as that is there.
    [[nodiscard]] auto answers_of(const Question& question) const {
        const CellRange& range = cells_.range(static_cast<std::size_t>(question.column));
        return [this, &range, query = query_for<double>(question)](Row row) {
            return static_cast<std::uint32_t>(answer(query, cells_.value_at(row, range)));
        };
    }
    [[nodiscard]] auto answers_in(const Task& task) const {
        return [this, &task](const Finalist& finalist, Answers& answers) {
            const Question question = question_with_pivot(finalist);
            std::ranges::transform(task.rows, answers.begin(), answers_of(question));
        };
    }

    // --- where doubles cannot tell -------------------------------------------------------------

    [[nodiscard]] static bool may_have_finer_grid(const Task& task) {
        return Statistic::has_grid && 2 * task.rows.size() <= task.n_rows_of_grid;
    }

    std::optional<Question> look_closer(Task& task, const GrownTree& nodes, Worker& worker) {
        if (!may_have_finer_grid(task)) return search_exactly(task, nodes[task.node_id]);
        worker.counted_node.reset();
        put_on_grid(task, worker.alone);
        return search(task, nodes, worker);
    }

    std::optional<Question> search_exactly(const Task& task, const GrownNode& node) {
        auto found =
            exact_search<Criterion>(context_.fixed, cells_, task.rows, context_.limits,
                                    context_.settings, node.chance, node.bounds, context_.cancel);
        if (!found || !context_.decreases_enough(found->gain)) return std::nullopt;
        return std::move(found->question);
    }

    /// Put the labels of a node on a grid of their own.
    void put_on_grid(Task& task, Threads& threads) {
        constexpr int sum_bits = 61;  // integers are added up
        auto counts = std::make_shared<Counts<Statistic>>(counts_);
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
        return std::ranges::any_of(task.rows, [&](Row row) {
            n_stored += cells_.of_row(row).size();
            return 4 * n_stored >= cells_.n_cells();
        });
    }

    ListContext<Criterion> context_;
    std::span<Row> rows_;
    Threads& threads_;
    SparseCells cells_;
    Counts<Statistic> counts_;  // how labels are counted, but for their grids
    std::size_t n_table_rows_;
    std::vector<Label> labels_;  // of the table's rows, one output after the other
    std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace bough
