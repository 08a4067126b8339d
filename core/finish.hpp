// What the nodes of a grown tree say: tally, impurity, guess, gain, all from exact sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "summary.hpp"
#include "threads.hpp"
#include "tree.hpp"

namespace bough {

/// A huge number is written as the greatest one, never as infinity.
inline double saturated(double value) {
    constexpr double most = std::numeric_limits<double>::max();
    return std::clamp(value, -most, most);
}

/// Works out what the nodes of a tree say of their rows.
template <class Criterion>
class Finisher {
  public:
    using Labels = typename Criterion::Labels;

    explicit Finisher(const FixedLabels<Labels>& fixed) : fixed_(fixed), labels_(fixed.view()) {}

    /// Work out what each node says; `places` says where its rows lie, those of children side by
    /// side within those of their parent.
    void finish(FlatTree& flat, std::span<const RowRange> places, std::span<const Row> rows,
                Threads& threads, const Cancel& cancel) {
        places_ = places;
        rows_ = rows;
        sum_up(flat, threads, cancel);
        // Weights whose sum no double holds are given in a larger unit, so that shares stay right.
        const int room = std::numeric_limits<double>::max_exponent - 2;
        const int bits = std::ilogb(to_double(summaries_[0].tally.weight)) + 1;
        weight_exponent_ = std::min(fixed_.weight_exponent(), room - bits);
        const std::size_t n_nodes = places.size();
        flat.n_rows.resize(n_nodes);
        flat.impurity.resize(n_nodes);
        flat.gain.resize(n_nodes);
        costs_.resize(follows_from_sums<Criterion> ? 0 : n_nodes);
        const bool has_guess = std::is_same_v<Labels, NumberLabels>;
        flat.guess.resize(has_guess ? n_nodes * labels_.n_outputs() : 0);
        flat.tally.resize(n_nodes * (has_guess ? 3 * labels_.n_outputs() : labels_.n_cells()));
        share_out(n_nodes, threads, [&](std::size_t id) {
            cancel.check();
            describe(flat, id);
        });
        if constexpr (!follows_from_sums<Criterion>) describe_costs(flat);
    }

  private:
    /// Each row is added to its leaf once; a branch is the sum of its children.
    void sum_up(const FlatTree& flat, Threads& threads, const Cancel& cancel) {
        summaries_.assign(places_.size(), Summary<Labels>(labels_));
        share_out(places_.size(), threads, [&](std::size_t id) {
            if (n_children(flat, id) > 0) return;
            cancel.check();
            summaries_[id].add(fixed_, rows_of(id));
        });
        for (std::size_t id = places_.size(); id-- > 0;)
            for (std::size_t child = 0; child < n_children(flat, id); ++child)
                summaries_[id] += summaries_[first_child(flat, id) + child];
    }

    [[nodiscard]] std::span<const Row> rows_of(std::size_t id) const {
        return rows_.subspan(places_[id].begin, places_[id].end - places_[id].begin);
    }
    static std::size_t n_children(const FlatTree& flat, std::size_t id) {
        return static_cast<std::size_t>(flat.n_children[id]);
    }
    static std::size_t first_child(const FlatTree& flat, std::size_t id) {
        return static_cast<std::size_t>(flat.first_child[id]);
    }

    /// Call `act` for each node, in stretches that are worth waking a thread for.
    template <class Act>
    static void share_out(std::size_t n_nodes, Threads& threads, const Act& act) {
        const std::size_t stretch =
            std::clamp<std::size_t>(n_nodes / (16 * threads.count()), 1, 256);
        threads.parallel_for((n_nodes + stretch - 1) / stretch, [&](std::size_t task) {
            const std::size_t end = std::min(n_nodes, (task + 1) * stretch);
            for (std::size_t id = task * stretch; id < end; ++id) act(id);
        });
    }

    void describe(FlatTree& flat, std::size_t id) {
        const Summary<Labels>& summary = summaries_[id];
        flat.n_rows[id] = summary.tally.rows;
        if constexpr (follows_from_sums<Criterion>) {
            flat.impurity[id] = shown(summary.template impurity<Criterion>(labels_));
            flat.gain[id] = shown(std::max(0.0, rounded(gain(flat, id))));
        } else if (is_ranked<Criterion> || n_children(flat, id) == 0) {
            costs_[id] = cost(flat, id);
        }
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            const std::size_t n_cells = labels_.n_cells();
            for (std::size_t i = 0; i < n_cells; ++i)
                flat.tally[id * n_cells + i] = weight(summary.tally.cells[i]);
        } else {
            for (std::size_t output = 0; output < labels_.n_outputs(); ++output)
                describe_number(flat, id * labels_.n_outputs() + output, summary, output);
        }
    }

    /// In units of the labels' grid, from tallies.
    [[nodiscard]] Twofold gain(const FlatTree& flat, std::size_t id) const {
        if (n_children(flat, id) == 0) return {};
        std::vector<const Tally<typename Labels::Cell>*> parts;
        for (std::size_t child = 0; child < n_children(flat, id); ++child)
            parts.push_back(&summaries_[first_child(flat, id) + child].tally);
        const NodeScorer<Criterion> scorer(labels_, summaries_[id].tally, 0);
        return scorer.template gain<Twofold>(parts);
    }

    // Where costs do not follow from sums, those of quantiles are worked out for each node, and
    // gains follow. Poisson deviances are for leaves only: a branch costs what its children cost
    // and what its query gains.

    /// What the guess of a node costs its rows; a quantile is set as the guess.
    Twofold cost(FlatTree& flat, std::size_t id) const {
        Twofold sum;
        for (std::size_t output = 0; output < labels_.n_outputs(); ++output) {
            const auto labels = ordered_labels(fixed_, rows_of(id), output);
            if constexpr (is_ranked<Criterion>) {
                const double level = labels_.level;
                flat.guess[id * labels_.n_outputs() + output] =
                    QuantileLabels(labels, level).guess();
                sum += cost_by<Criterion, Twofold>(distances_of(labels, level), level);
            } else {
                sum += poisson_cost<Twofold>(labels);
            }
        }
        return sum;
    }
    void describe_costs(FlatTree& flat) {
        for (std::size_t id = places_.size(); id-- > 0;) {
            const Twofold units = to_twofold(summaries_[id].tally.weight) *
                                  Twofold(static_cast<double>(labels_.n_outputs()));
            Twofold below;
            for (std::size_t child = 0; child < n_children(flat, id); ++child)
                below += costs_[first_child(flat, id) + child];
            Twofold gained;
            if constexpr (is_ranked<Criterion>) {
                if (n_children(flat, id) > 0) gained = (costs_[id] - below) / units;
            } else {
                gained = gain(flat, id);
                if (n_children(flat, id) > 0) costs_[id] = below + gained * units;
            }
            flat.impurity[id] = shown(rounded(costs_[id] / units));
            flat.gain[id] = shown(std::max(0.0, rounded(gained)));
        }
    }

    /// An impurity or a gain in units of the user.
    [[nodiscard]] double shown(double value) const {
        return saturated(scaled(value, Criterion::degree * fixed_.label_exponent()));
    }

    [[nodiscard]] double weight(const Int128& value) const {
        return scaled(to_twofold(value).high, weight_exponent_);
    }

    void describe_number(FlatTree& flat, std::size_t place, const Summary<Labels>& summary,
                         std::size_t output) const {
        const Twofold sum = to_twofold(summary.tally.cells[output]);
        const Spread& spread = summary.spread[output];
        if constexpr (!is_ranked<Criterion>) {
            const double mean = rounded(sum / to_twofold(summary.tally.weight));
            flat.guess[place] = spread.given.is_point()
                                    ? spread.given.least + 0.0  // never -0
                                    : saturated(scaled(mean, fixed_.label_exponent()));
        }
        const int sum_unit = fixed_.label_exponent() + weight_exponent_;
        double* tally = flat.tally.data() + 3 * place;
        tally[0] = weight(summary.tally.weight);
        tally[1] = saturated(scaled(sum.high, sum_unit));
        tally[2] = saturated(
            scaled(rounded(to_twofold(spread.squares)), sum_unit + fixed_.label_exponent()));
    }

    const FixedLabels<Labels>& fixed_;
    const Labels& labels_;
    std::span<const RowRange> places_;
    std::span<const Row> rows_;
    int weight_exponent_ = 0;
    std::vector<Summary<Labels>> summaries_;
    std::vector<Twofold> costs_;  // of each node, in units of the grids
};

}  // namespace bough
