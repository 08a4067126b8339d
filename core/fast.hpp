// Growing by the fast search: histograms for large nodes, sorted lists for small ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "fast_search.hpp"
#include "fast_split.hpp"
#include "list_context.hpp"
#include "lists.hpp"
#include "raw_rows.hpp"
#include "waiting_node.hpp"

namespace bough {

template <class Criterion, class Statistic>
class FastGrower {
  public:
    using Labels = typename Criterion::Labels;
    using Label = typename Statistic::Label;

    FastGrower(const GrowTable& table, const Settings& settings, const FixedLabels<Labels>& fixed,
               const Limits& limits, std::span<Row> rows, Threads& threads, const Cancel& cancel)
        : table_(table),
          settings_(settings),
          limits_(limits),
          rows_(rows),
          threads_(threads),
          cancel_(cancel),
          context_{table.columns, settings, fixed, limits, fixed.weight_of(rows), cancel} {}

    std::vector<Stem> grow() {
        std::vector<Stem> stems(1);
        stems[0].end = rows_.size();
        if (rows_.size() <= std::min(settings_.list_rows_at_root, SortedLists::most_rows)) {
            refuse_infinite(table_.columns, table_.n_rows, threads_, cancel_);
            ListGrower<Criterion, Statistic>(context_, statistic())
                .grow(rows_, nullptr, nullptr, stems, 0);
            return stems;
        }
        coarse_ = std::make_unique<CoarseTable>(table_.columns, table_.n_rows, threads_, cancel_);
        Task root = root_task();
        if (!may_split(root, stems)) return stems;
        grow_together(std::move(root), stems);
        grow_apart(stems);
        return stems;
    }

  private:
    using Task = WaitingNode<Statistic>;
    using Node = FastNode<Criterion, Statistic>;

    /// What one thread keeps from node to node.
    struct Worker {
        FastColumnSearch<Criterion, Statistic> search;
        FastSplitter<Statistic> splitter;
        ListGrower<Criterion, Statistic> lists;
        std::vector<Label> labels;
        Threads alone{1};

        explicit Worker(const FastGrower& grower)
            : search(*grower.coarse_, grower.table_.columns, grower.statistic_, grower.limits_,
                     grower.cancel_),
              splitter(*grower.coarse_, grower.table_.columns),
              lists(grower.context_, grower.statistic_) {}
    };

    // --- the root ------------------------------------------------------------------------------

    Statistic statistic() {
        if constexpr (std::is_same_v<Labels, ClassLabels>)
            statistic_.n_classes = table_.n_classes[0];
        return statistic_;
    }

    Task root_task() {
        statistic();
        auto block = std::make_shared<Block<Statistic>>();
        block->n_rows = table_.n_rows;
        for (std::size_t i = 0; i < coarse_->n_columns(); ++i) {
            block->bins.push_back((*coarse_)[i].bins);
            block->steps.push_back((*coarse_)[i].steps);
        }
        block->fetch_labels(statistic_, context_.fixed, threads_);
        Task task;
        task.block = std::move(block);
        task.owner = std::make_shared<std::vector<LocalRow>>(rows_.begin(), rows_.end());
        task.rows = *task.owner;
        return task;
    }

    /// Give a task its histogram, on this thread or on all.
    void count(Task& task, Worker* worker) {
        task.histogram = Histogram<Statistic>(statistic_, coarse_->n_columns());
        std::vector<Label> own;
        Threads& threads = worker == nullptr ? threads_ : worker->alone;
        const auto labels = task.labels(worker == nullptr ? own : worker->labels, threads);
        const std::size_t n_columns = coarse_->n_columns();
        threads.parallel_for((n_columns + 1) / 2, [&](std::size_t pair) {
            task.histogram.count(*task.block, task.rows, labels, 2 * pair,
                                 std::min(n_columns, 2 * pair + 2));
        });
    }

    // --- large nodes: all threads at one node --------------------------------------------------

    void grow_together(Task&& root, std::vector<Stem>& stems) {
        std::vector<Task> waiting;
        waiting.push_back(std::move(root));
        for (std::size_t i = 0; i < threads_.count(); ++i)
            workers_.push_back(std::make_unique<Worker>(*this));
        const std::size_t large =
            std::max<std::size_t>(rows_.size() / (4 * threads_.count()), 8192);
        if (keeps_counts()) counts_.resize(coarse_->n_columns());
        while (!waiting.empty()) {
            Task task = std::move(waiting.back());
            waiting.pop_back();
            if (task.rows.size() < large) {
                apart_.push_back(std::move(task));
                continue;
            }
            cancel_.check();
            if (task.histogram.is_empty()) count(task, nullptr);
            for (auto& child : step(std::move(task), stems, nullptr))
                waiting.push_back(std::move(child));
        }
        counts_.clear();
    }

    /// Whether counts of steps may be kept: of whole numbers, in little memory beside the codes.
    [[nodiscard]] bool keeps_counts() const {
        return !Statistic::has_grid &&
               StepCounts<Statistic>::n_bytes(statistic_) <= settings_.kept_bytes * rows_.size();
    }

    // --- small nodes: each thread its own subtree ----------------------------------------------

    void grow_apart(std::vector<Stem>& stems) {
        std::sort(apart_.begin(), apart_.end(),
                  [](const Task& a, const Task& b) { return a.rows.size() > b.rows.size(); });
        std::vector<std::vector<Stem>> grown(apart_.size());
        std::vector<std::size_t> roots(apart_.size());
        std::atomic<std::size_t> next{0};
        threads_.parallel_for(workers_.size(), [&](std::size_t i) {
            for (std::size_t t = next++; t < apart_.size(); t = next++) {
                Task task = std::move(apart_[t]);
                roots[t] = std::exchange(task.stem, 0);
                grown[t].push_back(std::move(stems[roots[t]]));
                grow_subtree(std::move(task), grown[t], *workers_[i]);
            }
        });
        for (std::size_t t = 0; t < grown.size(); ++t) graft(stems, roots[t], std::move(grown[t]));
    }

    void grow_subtree(Task&& root, std::vector<Stem>& stems, Worker& worker) {
        std::vector<Task> waiting;
        waiting.push_back(std::move(root));
        while (!waiting.empty()) {
            cancel_.check();
            Task task = std::move(waiting.back());
            waiting.pop_back();
            if (fits_lists(task, stems)) {
                grow_list(task, stems, worker);
                continue;
            }
            if (pays_to_settle(task, stems)) task.settle();
            if (task.histogram.is_empty()) count(task, &worker);
            for (auto& child : step(std::move(task), stems, &worker))
                waiting.push_back(std::move(child));
        }
    }

    /// Whether a node is small beside its block, but large enough to be read many times more.
    [[nodiscard]] bool pays_to_settle(const Task& task, const std::vector<Stem>& stems) const {
        return task.rows.size() * 8 <= task.block->n_rows &&
               task.rows.size() > 4 * settings_.list_rows && levels_left(task, stems) > 2;
    }

    /// Give a node a grid of its own, and count its labels on that.
    void make_finer(Task& task, Worker& worker) {
        task.settle();
        task.block->fetch_labels(statistic_, context_.fixed, worker.alone);
        count(task, &worker);
    }

    // --- one node ------------------------------------------------------------------------------

    /// Search and split a node; return its children that are not leaves. Without a worker all
    /// threads take part.
    std::vector<Task> step(Task&& task, std::vector<Stem>& stems, Worker* worker) {
        Sums sums(statistic_.n_parts());
        for (std::size_t bin = 0; bin < n_bins; ++bin)
            statistic_.accumulate(sums, task.histogram.bin(0, bin));
        Precision precision = task.block->statistic.precision();
        precision.squares = task.block->statistic.doubt();
        Fast<Criterion> scores(sums, precision);
        if (!scores.can_tell()) return look_closer(task, stems, worker);
        Node node{*task.block, task.rows, task.histogram, scores, settings_.use_general_bounds};
        if (worker == nullptr) node.counts = counts_;
        Contest<Criterion> contest(coarse_->n_columns(), worker == nullptr ? workers_.size() : 1);
        hold(contest, scores, [&] { search(node, contest, worker); });
        if (contest.is_empty()) {
            finish(task, stems);
            return {};
        }
        auto winner = contest.winner();
        if (settings_.min_impurity_decrease > 0) return ask_exact_search(task, stems, worker);
        if (!winner) return look_closer(task, stems, worker);
        Worker& splitting = worker == nullptr ? *workers_[0] : *worker;
        Split split =
            splitting.splitter.split(*task.block, task.rows, task.histogram, statistic_, *winner,
                                     worker == nullptr ? threads_ : worker->alone);
        return children(std::move(task), std::move(split), stems, worker);
    }

    void search(const Node& node, Contest<Criterion>& contest, Worker* worker) {
        std::vector<double> most(coarse_->n_columns());
        for_each_index(worker, most.size(),
                       [&](std::size_t column, std::size_t thread, Worker& one) {
                           contest.hear(column, thread, [&](Podium& podium) {
                               most[column] = one.search.scan(node, column, podium);
                           });
                       });
        std::vector<std::size_t> alive;
        for (std::size_t column = 0; column < most.size(); ++column)
            if (most[column] >= contest.cutoff(column)) alive.push_back(column);
        std::sort(alive.begin(), alive.end(), [&](std::size_t a, std::size_t b) {
            return most[a] != most[b] ? most[a] > most[b] : a < b;
        });
        for_each_index(worker, alive.size(), [&](std::size_t i, std::size_t thread, Worker& one) {
            const std::size_t column = alive[i];
            contest.hear(column, thread, [&](Podium& podium) {
                if (most[column] >= podium.cutoff()) one.search.refine(node, column, podium);
            });
        });
    }

    /// Call `act(i, thread, worker)` for each i, on this thread or on all.
    template <class Act>
    void for_each_index(Worker* worker, std::size_t count, const Act& act) {
        if (worker != nullptr) {
            for (std::size_t i = 0; i < count; ++i) act(i, 0, *worker);
            return;
        }
        std::atomic<std::size_t> next{0};
        threads_.parallel_for(workers_.size(), [&](std::size_t thread) {
            for (std::size_t i = next++; i < count; i = next++) act(i, thread, *workers_[thread]);
        });
    }

    /// Where doubles cannot tell, they may on a finer grid; else exact arithmetic does.
    std::vector<Task> look_closer(Task& task, std::vector<Stem>& stems, Worker* worker) {
        if (worker == nullptr || !task.may_have_finer_grid())
            return ask_exact_search(task, stems, worker);
        make_finer(task, *worker);
        return step(std::move(task), stems, worker);
    }

    std::vector<Task> ask_exact_search(Task& task, std::vector<Stem>& stems, Worker* worker) {
        std::vector<Row> rows;
        for (const LocalRow row : task.rows) rows.push_back(task.block->table_row(row));
        auto found =
            exact_search<Criterion>(context_.fixed, table_.columns, rows, limits_, cancel_);
        if (!found || !context_.decreases_enough(*found)) {
            finish(task, stems);
            return {};
        }
        const RawColumn& raw = table_.columns[static_cast<std::size_t>(found->question.column)];
        Split split;
        std::vector<std::int32_t> answer_of = answers(rows, found->question, raw);
        split.bounds = put_in_order(task.rows, answer_of, found->question.n_answers());
        split.question = std::move(found->question);
        return children(std::move(task), std::move(split), stems, worker);
    }

    std::vector<Task> children(Task&& task, Split&& split, std::vector<Stem>& stems,
                               Worker* worker) {
        const std::size_t first = stems.size();
        const std::size_t begin = stems[task.stem].begin;
        const std::int64_t depth = stems[task.stem].depth + 1;
        stems[task.stem].question = std::make_unique<Question>(std::move(split.question));
        stems[task.stem].first_child = first;
        std::vector<Task> tasks;
        std::size_t largest = 0;
        for (std::size_t i = 0; i + 1 < split.bounds.size(); ++i) {
            Stem stem;
            stem.begin = begin + split.bounds[i];
            stem.end = begin + split.bounds[i + 1];
            stem.depth = depth;
            stems.push_back(std::move(stem));
            Task child;
            child.stem = first + i;
            child.block = task.block;
            child.owner = task.owner;
            child.rows = task.rows.subspan(split.bounds[i], split.bounds[i + 1] - split.bounds[i]);
            tasks.push_back(std::move(child));
            if (tasks[i].rows.size() > tasks[largest].rows.size()) largest = i;
        }
        count_children(std::move(task.histogram), tasks, largest, stems, worker);
        std::erase_if(tasks, [&](Task& child) {
            if (!child.histogram.is_empty() || may_split(child, stems)) return false;
            finish(child, stems);
            return true;
        });
        return tasks;
    }

    /// Histograms for two children, if they need one: the larger's is what the other leaves. Many
    /// children are counted when their turn comes, by the thread that takes them.
    void count_children(Histogram<Statistic>&& whole, std::vector<Task>& tasks, std::size_t largest,
                        const std::vector<Stem>& stems, Worker* worker) {
        if (tasks.size() > 2) return;
        const bool largest_needs = needs_histogram(tasks[largest], stems);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (i == largest || !(largest_needs || needs_histogram(tasks[i], stems))) continue;
            count(tasks[i], worker);
            if (largest_needs) whole.subtract(tasks[i].histogram);
            if (!needs_histogram(tasks[i], stems)) tasks[i].histogram = {};
        }
        if (largest_needs) tasks[largest].histogram = std::move(whole);
    }

    [[nodiscard]] bool may_split(const Task& task, const std::vector<Stem>& stems) const {
        return settings_.may_split(task.rows.size(), stems[task.stem].depth) && !is_pure(task);
    }

    [[nodiscard]] bool is_pure(const Task& task) const {
        const auto label = [&](LocalRow row) {
            if constexpr (std::is_same_v<Labels, NumberLabels>)
                return context_.fixed.given(0, task.block->table_row(row));
            else
                return task.block->labels[row];
        };
        return std::all_of(task.rows.begin(), task.rows.end(),
                           [&](LocalRow row) { return label(row) == label(task.rows.front()); });
    }

    [[nodiscard]] bool needs_histogram(const Task& task, const std::vector<Stem>& stems) const {
        return !fits_lists(task, stems) && may_split(task, stems);
    }

    /// How many levels may still be grown below a node.
    [[nodiscard]] std::int64_t levels_left(const Task& task, const std::vector<Stem>& stems) const {
        return settings_.max_depth < 0 ? std::numeric_limits<std::int64_t>::max()
                                       : settings_.max_depth - stems[task.stem].depth;
    }

    /// Sorting pays where few rows will be looked at in several levels.
    [[nodiscard]] bool fits_lists(const Task& task, const std::vector<Stem>& stems) const {
        const std::size_t most = levels_left(task, stems) <= 1
                                     ? std::min<std::size_t>(settings_.list_rows, 512)
                                     : settings_.list_rows;
        return task.rows.size() <= std::min(most, SortedLists::most_rows);
    }

    void grow_list(Task& task, std::vector<Stem>& stems, Worker& worker) {
        finish(task, stems);
        const Stem& stem = stems[task.stem];
        const NodeCodes codes{*coarse_, task.block->bins, task.block->steps, task.rows};
        worker.lists.grow(rows_.subspan(stem.begin, stem.end - stem.begin), &codes,
                          task.block->labels, stems, task.stem);
    }

    /// Put the rows of a node in their place.
    void finish(const Task& task, const std::vector<Stem>& stems) {
        const std::size_t begin = stems[task.stem].begin;
        for (std::size_t i = 0; i < task.rows.size(); ++i)
            rows_[begin + i] = task.block->table_row(task.rows[i]);
    }

    const GrowTable& table_;
    const Settings& settings_;
    const Limits& limits_;
    std::span<Row> rows_;
    Threads& threads_;
    const Cancel& cancel_;
    ListContext<Criterion> context_;
    Statistic statistic_;
    std::unique_ptr<CoarseTable> coarse_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<StepCounts<Statistic>> counts_;  // of each column, while nodes are large
    std::vector<Task> apart_;
};

}  // namespace bough
