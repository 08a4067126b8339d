// A large node, and what it asks: by its histogram, by chance, or by exact arithmetic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "drawn_search.hpp"
#include "exact_judge.hpp"
#include "histogram_search.hpp"
#include "part_rows.hpp"
#include "small_node_context.hpp"
#include "small_node_grower.hpp"

namespace bough {

/// A node that waits, with all that its search needs.
template <class Statistic>
struct WaitingNode {
    using Label = typename Statistic::Label;

    std::size_t node_id = 0;
    std::shared_ptr<Block<Statistic>> block;
    std::span<LocalRow> rows;
    Histogram<Statistic> histogram;
    std::shared_ptr<std::vector<LocalRow>> owner;  // of the rows

    /// The labels of its rows, side by side: those of its block where it has all rows of that, in
    /// their order, else brought together in `room`.
    std::span<const Label> labels(std::vector<Label>& room, Threads& threads) const {
        const std::size_t n_outputs = block->counts.n_outputs();
        const std::size_t size = rows.size() * n_outputs;
        if (rows.size() == block->n_rows) return {block->labels, size};
        room.resize(std::max(room.size(), size));
        for (std::size_t o = 0; o < n_outputs; ++o) {
            const Label* from = block->labels_of(o);
            Label* to = room.data() + o * rows.size();
            threads.for_stretches(rows.size(), [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) to[i] = from[rows[i]];
            });
        }
        return {room.data(), size};
    }

    /// Move into a block of its own.
    void move_to_own_block() {
        block = Block<Statistic>::copy(*block, rows);
        owner = std::make_shared<std::vector<LocalRow>>(rows.size());
        std::iota(owner->begin(), owner->end(), LocalRow{0});
        rows = *owner;
    }

    /// Whether its labels on a grid of their own would be much finer.
    [[nodiscard]] bool may_have_finer_grid() const {
        return Statistic::has_grid && rows.size() * 2 <= block->n_rows_of_grid;
    }
};

/// Finds what large nodes ask, on one thread or on all.
template <class Criterion, class Statistic>
class NodeSearch {
  protected:
    using Labels = typename Criterion::Labels;
    using Label = typename Statistic::Label;
    using Task = WaitingNode<Statistic>;
    using Node = FastNode<Criterion, Statistic>;

  public:
    NodeSearch(std::size_t n_table_rows, const ListContext<Criterion>& context, std::span<Row> rows,
               Threads& threads)
        : n_table_rows_(n_table_rows),
          context_(context),
          rows_(rows),
          threads_(threads),
          counts_(context.fixed.view()),
          room_(std::max<std::size_t>(most_bytes_, 2 * histogram_bytes())) {}

  protected:
    /// What one thread keeps from node to node.
    struct Worker {
        FastColumnSearch<Criterion, Statistic> search;
        DrawnSearch<Criterion, Statistic> drawn;
        FastSplitter<Statistic> splitter;
        ListGrower<Criterion, Statistic> lists;
        std::vector<Label> labels;
        Threads alone{1};

        explicit Worker(const NodeSearch& grower)
            : search(*grower.coarse_, grower.context_.raw, grower.counts_, grower.context_.limits,
                     grower.context_.cancel),
              drawn(*grower.coarse_, grower.context_.raw, grower.counts_.n_parts(),
                    grower.context_.limits, grower.context_.cancel),
              splitter(*grower.coarse_, grower.context_.raw),
              lists(grower.context_) {}
    };

    /// The query that a node asks: one that the fast search has found, or the exact one.
    struct Found {
        std::optional<Finalist> finalist;
        Question question;
        double decrease = 0;  // of the table's impurity, where that is asked for
        std::size_t n_answers = 2;
    };

    static constexpr std::size_t most_bytes_ = std::size_t{1} << 26;
    [[nodiscard]] std::size_t histogram_bytes() const {
        return counts_.width() * n_bins * context_.raw.size() * sizeof(typename Statistic::Cell);
    }

    /// Give a task its histogram, on this thread or on all.
    void count(Task& task, Worker* worker) {
        task.histogram = Histogram<Statistic>(counts_.width(), coarse_->n_columns(), room_);
        std::vector<Label> own;
        Threads& threads = threads_of(worker);
        const auto labels = task.labels(worker == nullptr ? own : worker->labels, threads);
        const std::size_t n_columns = coarse_->n_columns();
        threads.parallel_for((n_columns + 1) / 2, [&](std::size_t pair) {
            task.histogram.count(*task.block, task.rows, labels, 2 * pair,
                                 std::min(n_columns, 2 * pair + 2));
        });
    }
    /// Without a worker all threads take part.
    [[nodiscard]] Worker& one_of(Worker* worker) {
        return worker == nullptr ? *workers_[0] : *worker;
    }
    [[nodiscard]] Threads& threads_of(Worker* worker) {
        return worker == nullptr ? threads_ : worker->alone;
    }

    [[nodiscard]] bool is_best_first() const {
        return context_.settings.is_best_first(rows_.size());
    }

    /// The query of a node; none where it is a leaf, whose rows are then in their place.
    std::optional<Found> search(Task& task, const GrownTree& nodes, Worker* worker) {
        context_.cancel.check();
        auto found = context_.settings.use_fast_search ? search_fast(task, nodes, worker)
                                                       : search_exactly(task, nodes);
        if (!found) finish(task, nodes);
        return found;
    }

    std::optional<Found> search_fast(Task& task, const GrownTree& nodes, Worker* worker) {
        const Counts<Statistic>& counts = task.block->counts;
        std::vector<Label> own;
        std::span<const Label> labels;
        if (context_.limits.draw_one)
            labels = task.labels(worker == nullptr ? own : worker->labels, threads_of(worker));
        const Sums sums =
            context_.limits.draw_one ? sums_of_rows(task, labels) : sums_of_bins(task, worker);
        Scores<Criterion> scores;
        scores.enter(sums, counts);
        if (!scores.can_tell()) return look_closer(task, nodes, worker);
        const Node node{*task.block,
                        task.rows,
                        task.histogram,
                        scores,
                        {counts.levels(context_.fixed.view()), nodes[task.node_id].bounds},
                        labels};
        Contest contest(coarse_->n_columns(), worker == nullptr ? workers_.size() : 1,
                        context_.limits.by_ratio);
        run_contest(contest, scores,
                    [&] { search_columns(node, nodes[task.node_id].chance, contest, worker); });
        if (contest.is_empty()) return std::nullopt;
        auto winner = decided<Criterion>(
            contest, context_.fixed, task.may_have_finer_grid(), [&] { return table_rows(task); },
            answers_in(task, worker));
        if (!winner) return look_closer(task, nodes, worker);
        return won(task, std::move(*winner), worker);
    }

    Sums sums_of_bins(Task& task, Worker* worker) {
        if (task.histogram.is_empty()) count(task, worker);
        Sums sums(counts_.n_parts());
        for (std::size_t bin = 0; bin < n_bins; ++bin)
            task.block->counts.accumulate(sums, task.histogram.bin(0, bin));
        return sums;
    }
    Sums sums_of_rows(const Task& task, std::span<const Label> labels) const {
        const Counts<Statistic>& counts = task.block->counts;
        std::vector<typename Statistic::Cell> cells(counts.width());
        for (std::size_t i = 0; i < task.rows.size(); ++i)
            counts.add(cells.data(), &labels[i], task.rows.size());
        Sums sums(counts_.n_parts());
        counts.accumulate(sums, cells.data());
        return sums;
    }

    /// What is asked if it gains enough.
    std::optional<Found> won(const Task& task, Finalist&& winner, Worker* worker) {
        Found found;
        if (context_.settings.min_impurity_decrease > 0 || is_best_first()) {
            const std::vector<Row> rows = table_rows(task);
            Judge<Criterion> judge(context_.fixed, rows, false);
            const Gain gain = judge.gain(winner, answers_in(task, worker));
            if (!context_.decreases_enough(gain)) return std::nullopt;
            found.decrease = context_.decrease(gain);
        }
        found.n_answers = winner.n_answers();
        found.finalist = std::move(winner);
        return found;
    }

    [[nodiscard]] auto answers_in(const Task& task, Worker* worker) {
        const auto& splitter = one_of(worker).splitter;
        return [&task, &splitter](const Finalist& finalist, Answers& answers) {
            splitter.answer(*task.block, task.rows, finalist, answers);
        };
    }
    [[nodiscard]] static std::vector<Row> table_rows(const Task& task) {
        std::vector<Row> rows;
        rows.reserve(task.rows.size());
        for (const LocalRow row : task.rows) rows.push_back(task.block->table_row(row));
        return rows;
    }

    void search_columns(const Node& node, std::uint64_t chance, Contest& contest, Worker* worker) {
        const std::size_t n_columns = coarse_->n_columns();
        if (context_.limits.draw_one) return draw_columns(node, chance, contest, worker);
        if (context_.settings.max_features == 0) {
            std::vector<std::size_t> all(n_columns);
            std::iota(all.begin(), all.end(), 0);
            return search_some(node, all, contest, worker);
        }
        Worker& one = one_of(worker);
        std::vector<std::size_t> fresh;
        std::size_t n_drawn = 0;
        DrawnColumns drawn(context_.settings.column_numbers, n_columns, chance);
        while (!drawn.is_empty()) {
            const std::size_t column = drawn.take();
            if (!one.search.tells_apart(node, column)) continue;
            fresh.push_back(column);
            if (++n_drawn < context_.settings.max_features) continue;
            search_some(node, fresh, contest, worker);
            if (!contest.is_empty()) return;
            fresh.clear();  // what is drawn beyond them is searched one by one
        }
        search_some(node, fresh, contest, worker);
    }

    /// One query about each column that is drawn.
    void draw_columns(const Node& node, std::uint64_t chance, Contest& contest, Worker* worker) {
        const ColumnNumbers& numbers = context_.settings.column_numbers;
        const auto chance_of = [&](std::size_t column) { return numbers.chance(chance, column); };
        const auto look = [&](std::size_t column, std::size_t thread, Worker& one) {
            bool tells_apart = false;
            contest.with_shortlist(column, thread, [&](Shortlist& shortlist) {
                tells_apart = one.drawn.scan(node, column, chance_of(column), shortlist);
            });
            return tells_apart;
        };
        const auto offer = [&](std::size_t column, const auto& act) {
            contest.with_shortlist(column, 0, act);
        };
        Worker& one = one_of(worker);
        const std::size_t most = context_.settings.max_features;
        if (most == 0 && one.drawn.scan_all(node, chance_of, offer)) return;
        if (most == 0) return for_each_index(worker, coarse_->n_columns(), look);
        DrawnColumns(numbers, coarse_->n_columns(), chance)
            .scan_some(
                most, [&](std::size_t column) { return look(column, 0, one); },
                [&] { return !contest.is_empty(); });
    }

    /// Look at cuts between bins first, and inside those where the best may be, of the most
    /// promising columns first.
    void search_some(const Node& node, const std::vector<std::size_t>& columns, Contest& contest,
                     Worker* worker) {
        std::vector<double> most(columns.size());
        for_each_index(worker, columns.size(), [&](std::size_t i, std::size_t thread, Worker& one) {
            contest.with_shortlist(columns[i], thread, [&](Shortlist& shortlist) {
                most[i] = one.search.scan(node, columns[i], shortlist);
            });
        });
        std::vector<std::size_t> alive;
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (most[i] > -std::numeric_limits<double>::infinity() &&
                !is_pruned(most[i], contest.cutoff(columns[i])))
                alive.push_back(i);
        std::ranges::sort(alive, [&](std::size_t a, std::size_t b) {
            return most[a] != most[b] ? most[a] > most[b] : a < b;
        });
        for_each_index(worker, alive.size(), [&](std::size_t i, std::size_t thread, Worker& one) {
            const std::size_t column = columns[alive[i]];
            contest.with_shortlist(column, thread, [&](Shortlist& shortlist) {
                if (!is_pruned(most[alive[i]], shortlist.cutoff()))
                    one.search.refine(node, column, shortlist);
            });
        });
    }

    /// Call `act(i, thread, worker)` for each i, on this thread or on all.
    void for_each_index(Worker* worker, std::size_t count, const auto& act) {
        if (worker != nullptr) {
            for (std::size_t i = 0; i < count; ++i) act(i, 0, *worker);
            return;
        }
        threads_.share_out(workers_.size(), count, [&](std::size_t i, std::size_t thread) {
            act(i, thread, *workers_[thread]);
        });
    }

    /// Where doubles cannot tell, they may on a finer grid; else exact arithmetic does.
    std::optional<Found> look_closer(Task& task, const GrownTree& nodes, Worker* worker) {
        if (!task.may_have_finer_grid()) return search_exactly(task, nodes);
        task.move_to_own_block();
        task.block->fetch_labels(context_.fixed, threads_of(worker));
        task.histogram = {};
        return search_fast(task, nodes, worker);
    }

    std::optional<Found> search_exactly(const Task& task, const GrownTree& nodes) {
        const std::vector<Row> rows = table_rows(task);
        auto exact = exact_search<Criterion>(context_.fixed, context_.raw, rows, context_.limits,
                                             context_.settings, nodes[task.node_id].chance,
                                             nodes[task.node_id].bounds, context_.cancel);
        if (!exact || !context_.decreases_enough(exact->gain)) return std::nullopt;
        Found found;
        found.n_answers = exact->question.n_answers();
        found.decrease = context_.decrease(exact->gain);
        found.question = std::move(exact->question);
        return found;
    }

    /// Put the rows of a node in their place.
    void finish(const Task& task, const GrownTree& nodes) {
        const std::size_t begin = nodes[task.node_id].begin;
        for (std::size_t i = 0; i < task.rows.size(); ++i)
            rows_[begin + i] = task.block->table_row(task.rows[i]);
    }

    std::size_t n_table_rows_;
    ListContext<Criterion> context_;
    std::span<Row> rows_;
    Threads& threads_;
    Counts<Statistic> counts_;  // how labels are counted, but for the grids of their blocks
    HistogramRoom room_;
    std::unique_ptr<CoarseTable> coarse_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace bough
