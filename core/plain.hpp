// Growing by the plain search: for every setting, and the oracle of the fast one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "draw.hpp"
#include "exact_search.hpp"
#include "frontier.hpp"
#include "raw_rows.hpp"
#include "rows.hpp"

namespace bough {

template <class Criterion>
class PlainGrower {
  public:
    using Labels = typename Criterion::Labels;

    PlainGrower(const GrowTable& table, const Settings& settings, const FixedLabels<Labels>& fixed,
                const Limits& limits, std::span<Row> rows, Threads& threads, const Cancel& cancel)
        : table_(table),
          settings_(settings),
          fixed_(fixed),
          limits_(limits),
          rows_(rows),
          threads_(threads),
          cancel_(cancel),
          frontier_(settings.max_leaf_nodes) {}

    std::vector<Stem> grow() {
        encode_columns();
        stems_.emplace_back();
        stems_[0].end = rows_.size();
        extras_.emplace_back(fixed_.view());
        extras_[0].trail_hash = mixed(settings_.seed, 0);
        for (const std::uint64_t answer : settings_.trail)
            extras_[0].trail_hash = mixed(extras_[0].trail_hash, answer);
        extras_[0].summary.add(fixed_, rows_);
        root_weight_ = to_double(extras_[0].summary.tally.weight);
        frontier_.set_tie(tie_share * impurity_of<Criterion>(fixed_, rows_, extras_[0].summary));
        std::vector<std::size_t> fresh{0};
        while (!fresh.empty()) {
            search(fresh);
            for (const std::size_t id : fresh)
                if (extras_[id].has_query)
                    frontier_.push({id, decrease(id), stems_[id].question->n_answers()});
            fresh = split(frontier_.take());
        }
        return std::move(stems_);
    }

  private:
    /// What a node needs while it waits, beside its stem.
    struct Extra {
        std::uint64_t trail_hash = 0;
        Summary<Labels> summary;
        double gain = 0;
        bool has_query = false;
        Bounds bounds;

        explicit Extra(const Labels& labels) : summary(labels) {}
    };

    void encode_columns() {
        refuse_infinite(table_.columns, table_.n_rows, threads_, cancel_);
        // Codes by the table's rows; those of rows without weight are never read.
        columns_.resize(table_.columns.size());
        std::vector<Row> all(table_.n_rows);
        std::iota(all.begin(), all.end(), Row{0});
        threads_.parallel_for(columns_.size(), [&](std::size_t i) {
            cancel_.check();
            columns_[i] = encoded(table_.columns[i], all, cancel_);
        });
    }

    [[nodiscard]] std::span<const Row> rows_of(std::size_t id) const {
        return rows_.subspan(stems_[id].begin, stems_[id].end - stems_[id].begin);
    }

    [[nodiscard]] bool may_split(std::size_t id) const {
        return settings_.may_split(stems_[id].end - stems_[id].begin, stems_[id].depth) &&
               !extras_[id].summary.is_pure(fixed_.view());
    }

    /// gain × node weight ÷ table weight, in units of the grid.
    [[nodiscard]] double decrease(std::size_t id) const {
        return extras_[id].gain * (to_double(extras_[id].summary.tally.weight) / root_weight_);
    }

    // --- the search ----------------------------------------------------------------------------

    void search(const std::vector<std::size_t>& fresh) {
        std::vector<std::size_t> small;
        for (const std::size_t id : fresh) {
            if (!may_split(id)) continue;
            const std::size_t work = rows_of(id).size() * columns_.size();
            if (work >= large_work && settings_.max_features == 0)
                search_by_column(id);
            else
                small.push_back(id);
        }
        share_out(small.size(), [&](std::size_t first, std::size_t step) {
            ColumnSearch<Criterion> column_search(limits_, cancel_);
            for (std::size_t i = first; i < small.size(); i += step)
                search_whole(small[i], column_search);
        });
    }

    /// Share nodes out over the threads, `work(first, step)` for each; a few are not worth waking
    /// a thread for.
    template <class Work>
    void share_out(std::size_t n_nodes, const Work& work) {
        constexpr std::size_t few = 8;
        const std::size_t n_tasks = n_nodes < few ? 1 : threads_.count() * tasks_per_thread;
        threads_.parallel_for(n_tasks, [&](std::size_t task) { work(task, n_tasks); });
    }

    void search_by_column(std::size_t id) {
        const ExactNode<Criterion> node(fixed_, rows_of(id), extras_[id].summary, extras_[id].bounds);
        std::vector<std::vector<Candidate>> by_column(columns_.size());
        threads_.parallel_for(columns_.size(), [&](std::size_t column) {
            ColumnSearch<Criterion> column_search(limits_, cancel_);
            by_column[column] = search_column(column_search, node, id, column).finalists;
        });
        decide(id, node, std::move(by_column));
    }

    void search_whole(std::size_t id, ColumnSearch<Criterion>& column_search) {
        const ExactNode<Criterion> node(fixed_, rows_of(id), extras_[id].summary, extras_[id].bounds);
        std::vector<std::vector<Candidate>> by_column;
        std::size_t n_drawn = 0;
        bool any = false;
        for (const std::size_t column : column_order(id)) {
            cancel_.check();
            auto result = search_column(column_search, node, id, column);
            if (!result.tells_apart) continue;
            any = any || !result.finalists.empty();
            by_column.push_back(std::move(result.finalists));
            if (++n_drawn >= settings_.max_features && settings_.max_features > 0 && any) break;
        }
        decide(id, node, std::move(by_column));
    }

    /// The columns in the order in which they are drawn: their own, or by chance.
    [[nodiscard]] std::vector<std::size_t> column_order(std::size_t id) const {
        std::vector<std::size_t> order(columns_.size());
        std::iota(order.begin(), order.end(), 0);
        const std::uint64_t trail_hash = extras_[id].trail_hash;
        if (settings_.max_features > 0)
            std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return mixed(trail_hash, a) < mixed(trail_hash, b);
            });
        return order;
    }

    typename ColumnSearch<Criterion>::Result search_column(ColumnSearch<Criterion>& column_search,
                                                           const ExactNode<Criterion>& node,
                                                           std::size_t id,
                                                           std::size_t column) const {
        return column_search.run(columns_[column].at(rows_of(id)),
                                 static_cast<std::int32_t>(column), node.scorer(), rows_of(id),
                                 mixed(~extras_[id].trail_hash, column));
    }

    void decide(std::size_t id, const ExactNode<Criterion>& node,
                std::vector<std::vector<Candidate>>&& by_column) {
        if (std::all_of(by_column.begin(), by_column.end(),
                        [](const auto& finalists) { return finalists.empty(); }))
            return;
        Candidate best = node.scorer().choose(std::move(by_column));
        extras_[id].gain = best.gain;
        const Column& column = columns_[static_cast<std::size_t>(best.column)];
        stems_[id].question = std::make_unique<Question>(question_of(std::move(best), column));
        extras_[id].has_query = settings_.decreases_enough(
            scaled(decrease(id), Criterion::degree * fixed_.label_exponent()));
    }

    // --- splitting -----------------------------------------------------------------------------

    std::vector<std::size_t> split(const std::vector<std::size_t>& parents) {
        std::vector<std::size_t> children;
        for (const std::size_t id : parents) {
            const std::size_t n_answers = stems_[id].question->n_answers();
            stems_[id].first_child = stems_.size();
            for (std::size_t i = 0; i < n_answers; ++i) {
                children.push_back(stems_.size());
                stems_.emplace_back();
                extras_.emplace_back(fixed_.view());
            }
        }
        share_out(parents.size(), [&](std::size_t first, std::size_t step) {
            for (std::size_t i = first; i < parents.size(); i += step) split_one(parents[i]);
        });
        return children;
    }

    void split_one(std::size_t id) {
        cancel_.check();
        const Stem& parent = stems_[id];
        const RawColumn& raw = table_.columns[static_cast<std::size_t>(parent.question->column)];
        const auto bounds =
            put_in_order(rows_.subspan(parent.begin, parent.end - parent.begin),
                         answers(rows_of(id), *parent.question, raw), parent.question->n_answers());
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
            const std::size_t child = parent.first_child + i;
            stems_[child].begin = parent.begin + bounds[i];
            stems_[child].end = parent.begin + bounds[i + 1];
            stems_[child].depth = parent.depth + 1;
            extras_[child].trail_hash = mixed(extras_[id].trail_hash, i);
            extras_[child].summary.add(fixed_, rows_of(child));
            extras_[child].bounds = extras_[id].bounds;
        }
        part_bounds(id);
    }

    /// Where a query goes one way, the guesses below its answers are kept apart.
    void part_bounds(std::size_t id) {
        const Question& question = *stems_[id].question;
        const int direction = limits_.direction(question.column);
        if (direction == 0 || question.kind != Kind::below) return;
        const auto guess = [this](std::size_t child) {
            return exact_guess(fixed_.view(), extras_[child].summary.tally);
        };
        const std::size_t first = stems_[id].first_child;
        const auto bounds = extras_[id].bounds.parted(direction, guess(first), guess(first + 1));
        for (std::size_t i = 0; i < bounds.size(); ++i) extras_[first + i].bounds = bounds[i];
    }

    static constexpr std::size_t large_work = 100'000;
    static constexpr std::size_t tasks_per_thread = 8;

    const GrowTable& table_;
    const Settings& settings_;
    const FixedLabels<Labels>& fixed_;
    Limits limits_;
    std::span<Row> rows_;
    Threads& threads_;
    const Cancel& cancel_;
    Frontier frontier_;
    std::vector<Column> columns_;
    std::vector<Stem> stems_;
    std::vector<Extra> extras_;
    double root_weight_ = 0;
};

}  // namespace bough
