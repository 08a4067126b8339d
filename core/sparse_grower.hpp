// Growing from sparse columns: work in a node follows what its rows store.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "fast_split.hpp"
#include "sparse_node_search.hpp"

namespace bough {

template <class Criterion, class Statistic>
class SparseGrower : public SparseNodeSearch<Criterion, Statistic> {
    using Search = SparseNodeSearch<Criterion, Statistic>;
    using Search::cancel_;
    using Search::context_;
    using Search::is_worth_keeping;
    using Search::labels_;
    using Search::n_table_rows_;
    using Search::put_on_grid;
    using Search::rows_;
    using Search::search;
    using Search::settings_;
    using Search::threads_;
    using Search::with_answers;
    using Search::workers_;
    using typename Search::Task;
    using typename Search::Worker;

  public:
    using Search::Search;

    std::vector<GrownNode> grow() {
        std::vector<GrownNode> nodes;
        nodes.push_back(root_node(settings_, rows_.size()));
        Task root;
        root.rows = rows_;
        labels_.resize(n_table_rows_ * Counts<Statistic>(context_.fixed.view()).n_outputs());
        put_on_grid(root, threads_);
        if (!may_split(root, nodes)) return nodes;
        std::vector<Task> apart;
        const std::size_t n_workers = workers_.size();
        const std::size_t large =
            n_workers == 1 ? 0 : std::max<std::size_t>(rows_.size() / n_workers / 4, 512);
        grow_from(std::move(root), nodes, *workers_[0], [&](Task& task) {
            if (task.rows.size() >= large) return false;
            apart.push_back(std::move(task));
            return true;
        });
        grow_apart(apart, nodes);
        return nodes;
    }

  private:
    // --- the order in which nodes go -----------------------------------------------------------

    /// Grow below a node, but for those that `is_left` takes.
    template <class IsLeft>
    void grow_from(Task&& root, std::vector<GrownNode>& nodes, Worker& worker,
                   const IsLeft& is_left) {
        std::vector<Task> waiting;
        worker.counted_node.reset();
        waiting.push_back(std::move(root));
        while (!waiting.empty()) {
            Task task = std::move(waiting.back());
            waiting.pop_back();
            if (is_left(task)) continue;
            cancel_.check();
            auto question = search(task, nodes, worker);
            if (!question) continue;
            for (Task& child : split(std::move(task), std::move(*question), nodes, worker))
                waiting.push_back(std::move(child));
        }
    }

    /// Each thread its own subtrees.
    void grow_apart(std::vector<Task>& apart, std::vector<GrownNode>& nodes) {
        std::sort(apart.begin(), apart.end(),
                  [](const Task& a, const Task& b) { return a.rows.size() > b.rows.size(); });
        std::vector<std::vector<GrownNode>> grown(apart.size());
        std::vector<std::size_t> roots(apart.size());
        std::atomic<std::size_t> next{0};
        threads_.parallel_for(workers_.size(), [&](std::size_t i) {
            for (std::size_t t = next++; t < apart.size(); t = next++) {
                roots[t] = std::exchange(apart[t].node_id, 0);
                grown[t].push_back(std::move(nodes[roots[t]]));
                grow_from(std::move(apart[t]), grown[t], *workers_[i],
                          [](const Task& /*task*/) { return false; });
            }
        });
        for (std::size_t t = 0; t < grown.size(); ++t) graft(nodes, roots[t], std::move(grown[t]));
    }

    // --- splitting -----------------------------------------------------------------------------

    /// Split a node; return its children that are not leaves, the larger one, whose turn is next,
    /// last.
    std::vector<Task> split(Task&& task, Question&& question, std::vector<GrownNode>& nodes,
                            Worker& worker) {
        worker.spare.resize(std::max(worker.spare.size(), task.rows.size()));
        std::size_t n_first = 0;
        with_answers(question, [&](const auto& answer_of) {
            n_first = part_in_two(task.rows, worker.spare, answer_of);
        });
        std::copy_n(worker.spare.begin(), task.rows.size() - n_first,
                    task.rows.begin() + static_cast<std::ptrdiff_t>(n_first));
        const GrownNode& node = nodes[task.node_id];
        const std::array<std::size_t, 3> starts{node.begin, node.begin + n_first, node.end};
        const std::size_t first = add_children(nodes, task.node_id, std::move(question), starts);
        std::vector<Task> children(2);
        for (std::size_t i = 0; i < 2; ++i) {
            children[i].node_id = first + i;
            children[i].rows = rows_.subspan(starts[i], starts[i + 1] - starts[i]);
            children[i].counts = task.counts;
            children[i].n_rows_of_grid = task.n_rows_of_grid;
        }
        context_.part_bounds(nodes, task.node_id, [&](std::size_t answer) {
            return std::vector<Row>(children[answer].rows.begin(), children[answer].rows.end());
        });
        if (children[0].rows.size() > children[1].rows.size()) std::swap(children[0], children[1]);
        if (worker.counted_node == task.node_id) count_larger(children, nodes, worker);
        std::erase_if(children, [&](const Task& child) { return !may_split(child, nodes); });
        return children;
    }

    /// The count of a node without one child is that of the other.
    void count_larger(const std::vector<Task>& children, const std::vector<GrownNode>& nodes,
                      Worker& worker) const {
        const Task& larger = children[1];
        if (!is_worth_keeping(larger) || !may_split(larger, nodes)) return;
        worker.counts.take_out(children[0].rows, *larger.counts, {labels_.data(), n_table_rows_});
        worker.counted_node = larger.node_id;
    }

    [[nodiscard]] bool may_split(const Task& task, const std::vector<GrownNode>& nodes) const {
        return settings_.may_split(task.rows.size(), nodes[task.node_id].depth) &&
               std::any_of(task.rows.begin(), task.rows.end(), [&](Row row) {
                   return labels_differ(context_.fixed, task.rows.front(), row);
               });
    }
};

}  // namespace bough
