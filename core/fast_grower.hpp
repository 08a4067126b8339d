// Growing by the fast search: histograms for large nodes, sorted lists for small ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "frontier.hpp"
#include "node_search.hpp"
#include "part_rows.hpp"
#include "raw_rows.hpp"

namespace bough {

template <class Criterion, class Statistic>
class FastGrower : public NodeSearch<Criterion, Statistic> {
    using Search = NodeSearch<Criterion, Statistic>;
    using Search::coarse_;
    using Search::context_;
    using Search::count;
    using Search::counts_;
    using Search::finish;
    using Search::is_best_first;
    using Search::n_table_rows_;
    using Search::one_of;
    using Search::room_;
    using Search::rows_;
    using Search::search;
    using Search::table_rows;
    using Search::threads_;
    using Search::threads_of;
    using Search::workers_;
    using typename Search::Found;
    using typename Search::Label;
    using typename Search::Labels;
    using typename Search::Task;
    using typename Search::Worker;

  public:
    using Search::Search;

    GrownTree grow() {
        GrownTree nodes(root_node(context_.settings, rows_.size()));
        constexpr std::size_t many_nodes = std::size_t{1} << 20;
        if (context_.settings.max_depth < 0) nodes.reserve(std::min(2 * rows_.size(), many_nodes));
        if (fits_lists_at_root()) {
            refuse_infinite(context_.raw, n_table_rows_, threads_, context_.cancel);
            ListGrower<Criterion, Statistic>(context_).grow(rows_, nullptr, nullptr, nodes, 0);
            return nodes;
        }
        coarse_ =
            std::make_unique<CoarseTable>(context_.raw, n_table_rows_, threads_, context_.cancel);
        for (std::size_t i = 0; i < threads_.count(); ++i)
            workers_.push_back(std::make_unique<Worker>(*this));
        Task root = root_task();
        if (!may_split(root, nodes)) return nodes;
        if (is_best_first()) {
            grow_best_first(std::move(root), nodes);
            return nodes;
        }
        std::vector<Task> apart;  // large nodes first, all threads at one of them
        const std::size_t large =
            std::max<std::size_t>(rows_.size() / (4 * threads_.count()), 8192);
        grow_depth_first(std::move(root), [&](Task&& task) {
            if (task.rows.size() >= large) return step(std::move(task), nodes, nullptr);
            apart.push_back(std::move(task));
            return std::vector<Task>{};
        });
        grow_subtrees(std::move(apart), nodes, threads_, workers_.size(),
                      [&](Task&& task, GrownTree& subtree, std::size_t worker) {
                          grow_subtree(std::move(task), subtree, *workers_[worker]);
                      });
        return nodes;
    }

  private:
    /// Lists of a whole table are grown on one thread.
    [[nodiscard]] bool fits_lists_at_root() const {
        constexpr std::size_t many_values = std::size_t{1} << 20;
        const bool are_few = rows_.size() * context_.raw.size() <= many_values;
        const std::size_t most = are_few || context_.settings.list_rows_at_root == 0
                                     ? context_.settings.list_rows_at_root
                                     : context_.settings.list_rows;
        return rows_.size() <= std::min(most, SortedLists::most_rows) && !is_best_first();
    }

    Task root_task() {
        auto block = std::make_shared<Block<Statistic>>();
        block->n_rows = n_table_rows_;
        for (std::size_t i = 0; i < coarse_->n_columns(); ++i) {
            block->bins.push_back((*coarse_)[i].bins);
            block->table_steps.push_back((*coarse_)[i].steps);
        }
        block->fetch_labels(context_.fixed, threads_);
        if (context_.limits.draw_one && context_.settings.max_features == 0 &&
            counts_.n_outputs() == 1 && counts_.width() <= DrawnRows<Statistic>::most_cells &&
            DrawnCuts::can_read(context_.raw))
            block->join_codes(threads_);
        Task task;
        task.block = std::move(block);
        task.owner = std::make_shared<std::vector<LocalRow>>(rows_.begin(), rows_.end());
        task.rows = *task.owner;
        return task;
    }

    // --- the order in which nodes go -----------------------------------------------------------

    void grow_subtree(Task&& root, GrownTree& nodes, Worker& worker) {
        grow_depth_first(std::move(root), [&](Task&& task) {
            if (fits_lists(task, nodes)) {
                grow_list(task, nodes, worker);
                return std::vector<Task>{};
            }
            if (pays_to_move(task, nodes)) task.move_to_own_block();
            return step(std::move(task), nodes, &worker);
        });
    }

    void grow_best_first(Task&& root, GrownTree& nodes) {
        Frontier frontier(context_.settings.max_leaf_nodes);
        Summary<Labels> summary(context_.fixed.view());
        summary.add(context_.fixed, rows_);
        const Amount impurity = impurity_of<Criterion>(context_.fixed, rows_, summary);
        const int unit = context_.fixed.view().common_unit(Criterion::degree);
        frontier.set_tie(tie_share * std::max(0.0, rounded(impurity.in(unit))));
        struct Waiter {
            Task task;
            Found found;
        };
        std::vector<Waiter> waiting;
        std::vector<Task> fresh;
        fresh.push_back(std::move(root));
        while (true) {
            for (Task& task : fresh) {
                auto found = search(task, nodes, nullptr);
                if (!found) continue;  // it stays a leaf
                frontier.push({waiting.size(), found->decrease, found->n_answers});
                waiting.push_back({std::move(task), std::move(*found)});
            }
            const std::vector<std::size_t> taken = frontier.take();
            if (taken.empty()) break;
            Waiter& next = waiting[taken[0]];
            fresh = split(std::move(next.task), std::move(next.found), nodes, nullptr);
            next.task = {};
        }
        for (const Waiter& left : waiting)
            if (left.task.block) finish(left.task, nodes);
    }

    /// Whether a node is small beside its block, but large enough to be read many times more.
    [[nodiscard]] bool pays_to_move(const Task& task, const GrownTree& nodes) const {
        return task.rows.size() * 8 <= task.block->n_rows &&
               task.rows.size() > 4 * context_.settings.list_rows && levels_left(task, nodes) > 2;
    }

    /// Search and split a node; return its children that are not leaves. Without a worker all
    /// threads take part.
    std::vector<Task> step(Task&& task, GrownTree& nodes, Worker* worker) {
        auto found = search(task, nodes, worker);
        if (!found) return {};
        return split(std::move(task), std::move(*found), nodes, worker);
    }

    std::vector<Task> split(Task&& task, Found&& found, GrownTree& nodes, Worker* worker) {
        Split split;
        if (found.finalist) {
            if (task.histogram.is_empty() && !context_.limits.draw_one) count(task, worker);
            split = one_of(worker).splitter.split(*task.block, task.rows, task.histogram,
                                                  *found.finalist, threads_of(worker));
        } else {
            split = one_of(worker).splitter.split(*task.block, task.rows, std::move(found.question),
                                                  threads_of(worker));
        }
        std::vector<std::size_t> starts = split.bounds;
        for (std::size_t& start : starts) start += nodes[task.node_id].begin;
        const std::size_t first = nodes.add_children(task.node_id, split.question, starts);
        std::vector<Task> tasks;
        std::size_t largest = 0;
        for (std::size_t i = 0; i + 1 < split.bounds.size(); ++i) {
            Task child;
            child.node_id = first + i;
            child.block = task.block;
            child.owner = task.owner;
            child.rows = task.rows.subspan(split.bounds[i], split.bounds[i + 1] - split.bounds[i]);
            tasks.push_back(std::move(child));
            if (tasks[i].rows.size() > tasks[largest].rows.size()) largest = i;
        }
        context_.part_bounds(nodes, task.node_id,
                             [&](std::size_t answer) { return table_rows(tasks[answer]); });
        count_children(std::move(task.histogram), tasks, largest, nodes, worker);
        std::erase_if(tasks, [&](Task& child) {
            if (!child.histogram.is_empty() || may_split(child, nodes)) return false;
            finish(child, nodes);
            return true;
        });
        return tasks;
    }

    /// Histograms for two children, if they need one: the larger's is what the other leaves. Many
    /// children are counted when their turn comes, by the thread that takes them.
    void count_children(Histogram<Statistic>&& whole, std::vector<Task>& tasks, std::size_t largest,
                        const GrownTree& nodes, Worker* worker) {
        if (tasks.size() > 2 || whole.is_empty()) return;
        const bool largest_needs = needs_histogram(tasks[largest], nodes);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (i == largest || !(largest_needs || needs_histogram(tasks[i], nodes))) continue;
            count(tasks[i], worker);
            if (largest_needs) whole.subtract(tasks[i].histogram);
            if (room_.is_full() || !needs_histogram(tasks[i], nodes)) tasks[i].histogram = {};
        }
        if (largest_needs) tasks[largest].histogram = std::move(whole);
    }

    [[nodiscard]] bool may_split(const Task& task, const GrownTree& nodes) const {
        return context_.settings.may_split(task.rows.size(), nodes[task.node_id].depth) &&
               !is_pure(task);
    }

    [[nodiscard]] bool is_pure(const Task& task) const {
        const Row first = task.block->table_row(task.rows.front());
        return std::ranges::none_of(task.rows, [&](LocalRow row) {
            return labels_differ(context_.fixed, first, task.block->table_row(row));
        });
    }

    [[nodiscard]] bool needs_histogram(const Task& task, const GrownTree& nodes) const {
        return context_.settings.use_fast_search && !context_.limits.draw_one &&
               (is_best_first() || !fits_lists(task, nodes)) && may_split(task, nodes);
    }

    /// How many levels may still be grown below a node.
    [[nodiscard]] std::int64_t levels_left(const Task& task, const GrownTree& nodes) const {
        return context_.settings.max_depth < 0
                   ? std::numeric_limits<std::int64_t>::max()
                   : context_.settings.max_depth - nodes[task.node_id].depth;
    }

    /// Sorting pays where few rows will be looked at in several levels, and more of them where a
    /// histogram has many cells.
    [[nodiscard]] bool fits_lists(const Task& task, const GrownTree& nodes) const {
        if (context_.settings.list_rows == 0) return false;
        const std::size_t many = std::max(context_.settings.list_rows, 256 * counts_.n_parts());
        const std::size_t most =
            levels_left(task, nodes) <= 1 ? std::min<std::size_t>(many, 512) : many;
        return task.rows.size() <= std::min(most, SortedLists::most_rows);
    }

    void grow_list(Task& task, GrownTree& nodes, Worker& worker) {
        finish(task, nodes);
        const GrownNode& node_id = nodes[task.node_id];
        const auto steps = [&](std::size_t column) { return task.block->steps(column); };
        const NodeCodes codes{*coarse_, task.block->bins, steps, task.rows};
        worker.lists.grow(rows_.subspan(node_id.begin, node_id.end - node_id.begin), &codes,
                          task.block->labels, nodes, task.node_id);
    }
};

}  // namespace bough
