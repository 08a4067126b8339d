// What the nodes of a grown tree say: tally, impurity, guess, gain, all from exact sums.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "node_writer.hpp"
#include "number_sums.hpp"
#include "summary.hpp"
#include "threads.hpp"
#include "tree.hpp"

namespace bough {

/// Works out what the nodes of a tree say of their rows.
template <class Criterion>
class Finisher {
  public:
    using Labels = typename Criterion::Labels;

    /// Along columns that have a direction (1, −1), guesses are kept within bounds.
    explicit Finisher(const FixedLabels<Labels>& fixed,
                      std::span<const std::int8_t> directions = {})
        : fixed_(fixed), labels_(fixed.view()), directions_(directions) {}

    /// Work out what each node says; `places` says where its rows lie, those of children side by
    /// side within those of their parent.
    void finish(FlatTree& flat, std::span<const RowRange> places, std::span<const Row> rows,
                Threads& threads, const Cancel& cancel) {
        if constexpr (std::is_same_v<Labels, NumberLabels> && !is_ranked<Criterion>) {
            flat_ = &flat;
            levels_ = finish_numbers<Criterion>(fixed_, flat, places, rows, !directions_.empty(),
                                                threads, cancel);
            if (!directions_.empty()) keep_within_bounds(flat);
            return;
        }
        places_ = places;
        rows_ = rows;
        make_room(flat, places.size(), fixed_.weight_of(rows));
        const std::vector<std::size_t> apart = subtrees(threads.count());
        levels_.resize(directions_.empty() ? 0 : places.size());
        threads.parallel_for(apart.size(), [&](std::size_t i) {
            done_[apart[i]] = std::make_unique<Summary<Labels>>(summed_up(apart[i], cancel));
        });
        summed_up(0, cancel);
        if (!directions_.empty()) keep_within_bounds(flat);
    }

    /// The same from what the rows of each leaf add up to; `weight` is that of all.
    void finish(FlatTree& flat, std::span<const Summary<Labels>> leaves, double weight,
                const Cancel& cancel) {
        leaves_ = leaves;
        make_room(flat, leaves.size(), weight);
        summed_up(0, cancel);
    }

  private:
    void make_room(FlatTree& flat, std::size_t n_nodes, double table_weight) {
        flat_ = &flat;
        writer_.emplace(fixed_, table_weight, n_nodes, flat);
        costs_.resize(n_nodes);
        done_.resize(n_nodes);
    }
    /// The roots of subtrees that threads can work on apart.
    [[nodiscard]] std::vector<std::size_t> subtrees(std::size_t n_threads) const {
        std::vector<std::size_t> roots;
        if (n_threads == 1) return roots;
        const std::size_t most = rows_.size() / (8 * n_threads);
        std::vector<std::size_t> waiting{0};
        while (!waiting.empty()) {
            const std::size_t id = waiting.back();
            waiting.pop_back();
            if (rows_of(id).size() <= most)
                roots.push_back(id);
            else
                for (std::size_t i = 0; i < n_children(id); ++i)
                    waiting.push_back(first_child(id) + i);
        }
        return roots;
    }

    /// Add each row to its leaf once; a branch is the sum of its children, which are then
    /// forgotten, so that few sums are kept at a time. All nodes on the way are described.
    Summary<Labels> summed_up(std::size_t root, const Cancel& cancel) {
        struct Open {
            std::size_t id = 0;
            std::size_t n_done = 0;
            std::vector<Summary<Labels>> children;  // room for them, used again
        };
        std::vector<Open> open(1);
        open[0].id = root;
        Summary<Labels> summary(labels_);
        for (std::size_t depth = 0;;) {
            const std::size_t id = open[depth].id;
            const std::size_t n_done = open[depth].n_done;
            if (n_done < n_children(id) && !done_[id]) {
                if (open.size() == ++depth) open.emplace_back();
                open[depth].id = first_child(id) + n_done;
                open[depth].n_done = 0;
                continue;
            }
            cancel.check();
            if (done_[id]) {
                std::swap(summary, *done_[id]);
                done_[id] = nullptr;
            } else {
                const auto children = std::span(open[depth].children).first(n_done);
                summary.clear();
                if (children.empty() && !leaves_.empty())
                    summary += leaves_[id];
                else if (children.empty())
                    summary.add(fixed_, rows_of(id));
                for (const auto& child : children) summary += child;
                describe(id, summary, children);
            }
            if (depth == 0) return summary;
            Open& parent = open[--depth];
            if (parent.children.size() == parent.n_done) parent.children.emplace_back(labels_);
            std::swap(parent.children[parent.n_done++], summary);
        }
    }

    [[nodiscard]] std::span<const Row> rows_of(std::size_t id) const {
        return rows_.subspan(places_[id].begin, places_[id].end - places_[id].begin);
    }
    [[nodiscard]] std::size_t n_children(std::size_t id) const {
        return static_cast<std::size_t>(flat_->n_children[id]);
    }
    [[nodiscard]] std::size_t first_child(std::size_t id) const {
        return static_cast<std::size_t>(flat_->first_child[id]);
    }

    void describe(std::size_t id, const Summary<Labels>& summary,
                  std::span<const Summary<Labels>> children) {
        FlatTree& flat = *flat_;
        flat.n_rows[id] = summary.tally.rows;
        if (!directions_.empty()) levels_[id] = level_of<Criterion>(fixed_, rows_of(id), summary);
        const Twofold units = summary.units(labels_);
        const Amount saved = settle_cost(id, summary, children);
        writer_->write_costs(id, costs_[id], saved, units);
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            writer_->write_classes(id, summary.tally);
        } else {
            const Twofold heavy = to_twofold(summary.tally.weight);
            for (std::size_t output = 0; output < labels_.n_outputs(); ++output)
                writer_->write_number(id, output, to_twofold(summary.tally.cells[output]),
                                      to_twofold(summary.spread[output].squares), heavy,
                                      summary.spread[output].given);
        }
    }

    /// Note what the guess of a node costs its rows; return how much of it the query saves. By sums
    /// of numbers a branch costs what its children cost and what is saved: neither is negative, so
    /// that no digits are lost, and neither depends on the other. By others each node's cost is
    /// worked out, and what is saved follows.
    Amount settle_cost(std::size_t id, const Summary<Labels>& summary,
                       std::span<const Summary<Labels>> children) {
        constexpr bool adds_up = std::is_same_v<Labels, NumberLabels> && !is_ranked<Criterion>;
        Amount below;
        for (std::size_t i = 0; i < children.size(); ++i) below += costs_[first_child(id) + i];
        if (children.empty() || !adds_up) {
            if constexpr (follows_from_sums<Criterion>)
                costs_[id] = summary.template exact_cost<Criterion>(labels_);
            else
                costs_[id] = cost(id);
        }
        if (children.empty()) return {};
        if constexpr (adds_up) {
            const Amount saved = saving(summary, children);
            costs_[id] = below + saved;
            return saved;
        }
        return costs_[id] - below;
    }

    [[nodiscard]] Amount saving(const Summary<Labels>& summary,
                                std::span<const Summary<Labels>> children) const {
        using Part = Tally<typename Labels::Cell>;
        const NodeScorer<Criterion> scorer(labels_, summary.tally, Twofold());
        if (children.size() == 2) {
            const std::array<const Part*, 2> two{&children[0].tally, &children[1].tally};
            return scorer.saving(two);
        }
        std::vector<const Part*> parts;
        for (const auto& child : children) parts.push_back(&child.tally);
        return scorer.saving(parts);
    }

    /// What the guess of a node costs its rows; a quantile is set as the guess.
    [[nodiscard]] Amount cost(std::size_t id) const {
        Amount sum;
        for (std::size_t output = 0; output < labels_.n_outputs(); ++output) {
            const auto labels = ordered_labels(fixed_, rows_of(id), output);
            if constexpr (is_ranked<Criterion>) {
                const double level = labels_.level;
                flat_->guess[id * labels_.n_outputs() + output] =
                    QuantileLabels(labels, level).guess();
                sum +=
                    labels_.amount(cost_by<Criterion, Twofold>(distances_of(labels, level), level),
                                   output, Criterion::degree);
            } else {
                sum += labels_.amount(poisson_cost<Twofold>(labels), output, Criterion::degree);
            }
        }
        return sum;
    }

    /// Clip what nodes guess into the bounds that queries above them set.
    void keep_within_bounds(FlatTree& flat) {
        std::vector<double> levels = std::move(levels_);
        std::vector<LevelBounds> bounds(levels.size());
        for (std::size_t id = 0; id < levels.size(); ++id) {
            const std::size_t n = n_children(id);
            if (n == 0) continue;
            const std::size_t first = first_child(id);
            std::fill_n(bounds.begin() + static_cast<std::ptrdiff_t>(first), n, bounds[id]);
            const int direction = directions_[static_cast<std::size_t>(flat.feature[id])];
            if (direction == 0 || flat.query_kind[id] != static_cast<std::uint8_t>(Kind::below))
                continue;
            const auto parted = bounds[id].parted(direction, levels[first], levels[first + 1]);
            std::copy(parted.begin(), parted.end(),
                      bounds.begin() + static_cast<std::ptrdiff_t>(first));
        }
        for (std::size_t id = 0; id < levels.size(); ++id)
            levels[id] = bounds[id].clipped(levels[id]) + 0.0;  // never -0
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            if (labels_.n_cells() == 2) flat.share = std::move(levels);
        } else {
            for (std::size_t id = 0; id < levels.size(); ++id)
                flat.guess[id] = saturated(scaled(levels[id], fixed_.label_exponent()));
        }
    }

    const FixedLabels<Labels>& fixed_;
    const Labels& labels_;
    std::span<const std::int8_t> directions_;  // of each column; empty: none has one
    std::span<const RowRange> places_;
    std::span<const Row> rows_;
    std::span<const Summary<Labels>> leaves_;  // instead of them
    FlatTree* flat_ = nullptr;
    std::optional<NodeWriter<Criterion>> writer_;
    std::vector<std::unique_ptr<Summary<Labels>>> done_;  // of subtrees that are worked out
    std::vector<double> levels_;  // of each node, where guesses are kept in order
    std::vector<Amount> costs_;   // of the guess of each node
};

}  // namespace bough
