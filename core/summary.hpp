// What nodes say of their rows: tally, impurity, guess, gain, all from exact sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "label_order.hpp"
#include "labels.hpp"
#include "score.hpp"
#include "threads.hpp"
#include "tree.hpp"

namespace bough {

/// A huge number is written as the greatest one, never as infinity.
inline double saturated(double value) {
    constexpr double most = std::numeric_limits<double>::max();
    return std::clamp(value, -most, most);
}

/// The sum of squares of integers below 2^126, from the products of their three digits of 42 bits:
/// a digit's product has 84 bits, so sums of many fit 128.
class SquareSum {
  public:
    void add(Int128 value) {
        const auto magnitude = static_cast<Unsigned128>(value < 0 ? -value : value);
        const auto low = static_cast<std::uint64_t>(magnitude) & mask;
        const auto middle = static_cast<std::uint64_t>(magnitude >> bits) & mask;
        const auto high = static_cast<std::uint64_t>(magnitude >> (2 * bits));
        sums_[0] += static_cast<Unsigned128>(low) * low;
        sums_[1] += static_cast<Unsigned128>(low) * (2 * middle);
        sums_[2] += static_cast<Unsigned128>(middle) * middle;
        if (high == 0) return;
        sums_[2] += static_cast<Unsigned128>(low) * (2 * high);
        sums_[3] += static_cast<Unsigned128>(middle) * (2 * high);
        sums_[4] += static_cast<Unsigned128>(high) * high;
    }
    [[nodiscard]] Wide<6> total() const {
        Wide<6> sum;
        for (std::size_t i = sums_.size(); i-- > 0;) {
            sum = sum.shifted_up(bits);
            sum += Wide<6>(static_cast<Int128>(sums_[i]));
        }
        return sum;
    }

  private:
    static constexpr int bits = 42;
    static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;

    std::array<Unsigned128, 5> sums_{};  // of the products of digits 0·0, 0·1, 1·1 + 0·2, 1·2, 2·2
};

/// The least and the greatest of some numbers.
struct Range {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    [[nodiscard]] bool is_point() const { return least == most; }
    void add(double number) {
        least = std::min(least, number);
        most = std::max(most, number);
    }
    Range& operator+=(const Range& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
        return *this;
    }
};

/// What one output of a node's rows adds up to beyond its tally: number labels only.
struct Spread {
    Wide<6> squares;  // of the labels, times weight
    Range given;      // the labels as the user gave them

    Spread& operator+=(const Spread& other) {
        squares += other.squares;
        given += other.given;
        return *this;
    }
};

/// Everything a node says, added up row by row or child by child.
template <class Labels>
struct Summary {
    Tally<typename Labels::Cell> tally;
    std::vector<Spread> spread;  // of each output, number labels only

    explicit Summary(const Labels& labels)
        : tally(labels.n_cells()),
          spread(std::is_same_v<Labels, NumberLabels> ? labels.n_outputs() : 0) {}

    Summary& operator+=(const Summary& other) {
        tally += other.tally;
        for (std::size_t i = 0; i < spread.size(); ++i) spread[i] += other.spread[i];
        return *this;
    }

    void add(const FixedLabels<Labels>& fixed, Row row) {
        const Labels& labels = fixed.view();
        labels.add(tally, row);
        if constexpr (std::is_same_v<Labels, NumberLabels>) {
            for (std::size_t output = 0; output < spread.size(); ++output) {
                const Int128 away = labels.distance(output, row);
                spread[output].squares +=
                    product(product(away, away), Wide<2>(labels.weights[row]));
                spread[output].given.add(fixed.given(output, row));
            }
        }
    }
    void add(const FixedLabels<Labels>& fixed, std::span<const Row> rows) {
        const Labels& labels = fixed.view();
        if (labels.weights.of_row == nullptr && labels.n_outputs() == 1)
            add_plain(fixed, rows);
        else
            for (const Row row : rows) add(fixed, row);
    }

    [[nodiscard]] bool is_pure(const Labels& labels) const {
        for (std::size_t output = 0; output < labels.n_outputs(); ++output)
            if (!is_pure(labels, output)) return false;
        return true;
    }

    /// In units of the labels' grid, for criteria that follow from sums; 0 to the last bit where
    /// all labels are equal.
    template <class Criterion>
    [[nodiscard]] double impurity(const Labels& labels) const {
        Twofold total;
        for (std::size_t output = 0; output < labels.n_outputs(); ++output) {
            if (is_pure(labels, output)) continue;
            if constexpr (std::is_same_v<Labels, ClassLabels>) {
                total += Criterion::template before<Twofold>(cells_of(tally, labels, output));
            } else {
                const Wide<2> weight(tally.weight);
                const Wide<8> scaled_up = product(spread[output].squares, weight) -
                                          product(tally.cells[output], tally.cells[output]);
                total += to_twofold(scaled_up) / to_twofold(weight);
            }
        }
        const auto n_outputs = static_cast<double>(labels.n_outputs());
        return std::max(0.0, rounded(total)) / (to_double(tally.weight) * n_outputs);
    }

  private:
    /// The same for one output of rows that all weigh 1, in fewer steps.
    void add_plain(const FixedLabels<Labels>& fixed, std::span<const Row> rows) {
        const Labels& labels = fixed.view();
        tally.rows += static_cast<std::int64_t>(rows.size());
        tally.weight += static_cast<Int128>(rows.size());
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            std::vector<std::int64_t> counts(labels.n_cells());
            for (const Row row : rows) ++counts[static_cast<std::size_t>(labels.codes[row])];
            for (std::size_t i = 0; i < counts.size(); ++i) tally.cells[i] += counts[i];
        } else {
            SquareSum squares;
            // Fetched some at a time, so that the processor waits for many of them at once.
            std::array<double, 64> numbers;
            for (std::size_t begin = 0; begin < rows.size(); begin += numbers.size()) {
                const auto some =
                    rows.subspan(begin, std::min(numbers.size(), rows.size() - begin));
                for (std::size_t i = 0; i < some.size(); ++i) numbers[i] = fixed.given(0, some[i]);
                for (std::size_t i = 0; i < some.size(); ++i) {
                    const Int128 point = on_grid(numbers[i], labels.exponent);
                    tally.cells[0] += Wide<4>(point);
                    squares.add(point);
                    spread[0].given.add(numbers[i]);
                }
            }
            spread[0].squares += squares.total();
        }
    }

    [[nodiscard]] bool is_pure(const Labels& labels, std::size_t output) const {
        if constexpr (std::is_same_v<Labels, NumberLabels>) {
            return spread[output].given.is_point();
        } else {
            const auto cells = cells_of(tally, labels, output);
            const auto n_absent = std::count(cells.begin(), cells.end(), Int128{0});
            return static_cast<std::size_t>(n_absent) + 1 >= cells.count;
        }
    }
};

template <class Criterion>
constexpr bool follows_from_sums = !is_ranked<Criterion> && !std::is_same_v<Criterion, Poisson>;

/// What the guess costs rows with these labels, in units of weights and labels.
template <class Criterion>
double cost_of(std::span<const LabelWeight> labels, double level) {
    if constexpr (is_ranked<Criterion>)
        return rounded(
            cost_by<Criterion, Twofold>(distances_of<WideNumbers>(labels, level), level));
    else
        return poisson_cost(labels);
}

/// How mixed the rows of a node are, in units of the labels' grid.
template <class Criterion>
double impurity_of(const FixedLabels<typename Criterion::Labels>& fixed, std::span<const Row> rows,
                   const Summary<typename Criterion::Labels>& summary) {
    const auto& labels = fixed.view();
    if constexpr (follows_from_sums<Criterion>) {
        return summary.template impurity<Criterion>(labels);
    } else {
        double cost = 0;
        for (std::size_t output = 0; output < labels.n_outputs(); ++output)
            cost += cost_of<Criterion>(ordered_labels(fixed, rows, output), labels.level);
        return cost / (to_double(summary.tally.weight) * static_cast<double>(labels.n_outputs()));
    }
}

/// Turns the stems of a grown tree into its arrays.
template <class Criterion>
class Finisher {
  public:
    using Labels = typename Criterion::Labels;

    explicit Finisher(const FixedLabels<Labels>& fixed) : fixed_(fixed), labels_(fixed.view()) {}

    FlatTree finish(const std::vector<Stem>& stems, std::span<const Row> rows, Threads& threads,
                    const Cancel& cancel) {
        number_breadth_first(stems);
        FlatTree flat;
        std::size_t next_child = 1;
        for (const Stem* stem : order_) {
            if (stem->is_leaf()) {
                flat.add_leaf();
            } else {
                flat.add_question(*stem->question, next_child);
                next_child += stem->question->n_answers();
            }
        }
        rows_ = rows;
        sum_up(flat, threads, cancel);
        // Weights whose sum no double holds are given in a larger unit, so that shares stay right.
        const int room = std::numeric_limits<double>::max_exponent - 2;
        const int bits = std::ilogb(to_double(summaries_[0].tally.weight)) + 1;
        weight_exponent_ = std::min(fixed_.weight_exponent(), room - bits);
        const std::size_t n_nodes = order_.size();
        flat.n_rows.resize(n_nodes);
        flat.impurity.resize(n_nodes);
        flat.gain.resize(n_nodes);
        distances_.resize(is_ranked<Criterion> ? n_nodes * labels_.n_outputs() : 0);
        const bool has_guess = std::is_same_v<Labels, NumberLabels>;
        flat.guess.resize(has_guess ? n_nodes * labels_.n_outputs() : 0);
        flat.tally.resize(n_nodes * (has_guess ? 3 * labels_.n_outputs() : labels_.n_cells()));
        share_out(n_nodes, threads, [&](std::size_t id) {
            cancel.check();
            describe(flat, id);
        });
        if constexpr (is_ranked<Criterion>) set_gains(flat);
        return flat;
    }

  private:
    void number_breadth_first(const std::vector<Stem>& stems) {
        order_.reserve(stems.size());
        order_.push_back(&stems[0]);
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (order_[i]->is_leaf()) continue;
            for (std::size_t child = 0; child < order_[i]->question->n_answers(); ++child)
                order_.push_back(&stems[order_[i]->first_child + child]);
        }
    }

    /// Each row is added to its leaf once; a branch is the sum of its children.
    void sum_up(const FlatTree& flat, Threads& threads, const Cancel& cancel) {
        summaries_.assign(order_.size(), Summary<Labels>(labels_));
        share_out(order_.size(), threads, [&](std::size_t id) {
            if (!order_[id]->is_leaf()) return;
            cancel.check();
            summaries_[id].add(fixed_, rows_of(id));
        });
        for (std::size_t id = order_.size(); id-- > 0;)
            for (std::size_t child = 0; child < n_children(flat, id); ++child)
                summaries_[id] += summaries_[first_child(flat, id) + child];
    }

    [[nodiscard]] std::span<const Row> rows_of(std::size_t id) const {
        return rows_.subspan(order_[id]->begin, order_[id]->end - order_[id]->begin);
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
        const int unit = Criterion::degree * fixed_.label_exponent();
        flat.n_rows[id] = summary.tally.rows;
        if constexpr (is_ranked<Criterion>) {
            flat.impurity[id] = saturated(scaled(rank(flat, id), unit));
        } else {
            const double impurity = impurity_of<Criterion>(fixed_, rows_of(id), summary);
            flat.impurity[id] = saturated(scaled(impurity, unit));
            flat.gain[id] = saturated(scaled(gain(flat, id), unit));
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

    [[nodiscard]] double gain(const FlatTree& flat, std::size_t id) const {
        if (n_children(flat, id) == 0) return 0;
        std::vector<const Tally<typename Labels::Cell>*> parts;
        for (std::size_t child = 0; child < n_children(flat, id); ++child)
            parts.push_back(&summaries_[first_child(flat, id) + child].tally);
        const NodeScorer<Criterion> scorer(labels_, summaries_[id].tally, 0);
        return std::max(0.0, rounded(scorer.template gain<Twofold>(parts)));
    }

    /// Guess quantiles, and return the impurity that is left.
    double rank(FlatTree& flat, std::size_t id) {
        Twofold cost;
        for (std::size_t output = 0; output < labels_.n_outputs(); ++output) {
            const std::size_t place = id * labels_.n_outputs() + output;
            const auto labels = ordered_labels(fixed_, rows_of(id), output);
            flat.guess[place] = QuantileLabels(labels, labels_.level).guess();
            distances_[place] = distances_of<WideNumbers>(labels, labels_.level);
            cost += cost_by<Criterion, Twofold>(distances_[place], labels_.level);
        }
        return rounded(cost) / units(id);
    }
    /// The gains of queries whose children are ranked.
    void set_gains(FlatTree& flat) const {
        const int unit = Criterion::degree * fixed_.label_exponent();
        const std::size_t n_outputs = labels_.n_outputs();
        for (std::size_t id = 0; id < order_.size(); ++id) {
            Twofold gained;
            for (std::size_t output = 0; output < n_outputs; ++output) {
                Distances<Wide<4>> less = distances_[id * n_outputs + output];
                for (std::size_t child = 0; child < n_children(flat, id); ++child)
                    less -= distances_[(first_child(flat, id) + child) * n_outputs + output];
                gained += cost_by<Criterion, Twofold>(less, labels_.level);
            }
            const double gain = n_children(flat, id) == 0 ? 0 : std::max(0.0, rounded(gained));
            flat.gain[id] = saturated(scaled(gain / units(id), unit));
        }
    }
    [[nodiscard]] double units(std::size_t id) const {
        return to_double(summaries_[id].tally.weight) * static_cast<double>(labels_.n_outputs());
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
    std::span<const Row> rows_;
    int weight_exponent_ = 0;
    std::vector<const Stem*> order_;
    std::vector<Summary<Labels>> summaries_;
    std::vector<Distances<Wide<4>>> distances_;  // of guesses that are quantiles
};

}  // namespace bough
