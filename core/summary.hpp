// What rows add up to: their tally, and what follows from it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "label_order.hpp"
#include "labels.hpp"
#include "node_scorer.hpp"

namespace bough {

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
    Summary(const FixedLabels<Labels>& fixed, std::span<const Row> rows) : Summary(fixed.view()) {
        add(fixed, rows);
    }

    void clear() {
        tally.clear();
        std::fill(spread.begin(), spread.end(), Spread{});
    }
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

    /// How many times the impurity is what the guess costs all rows and outputs.
    [[nodiscard]] Twofold units(const Labels& labels) const {
        return to_twofold(tally.weight) * Twofold(static_cast<double>(labels.n_outputs()));
    }
    /// What the guess costs, for criteria that follow from sums; 0 to the last bit where all labels
    /// are equal.
    template <class Criterion>
    [[nodiscard]] Amount exact_cost(const Labels& labels) const {
        Amount total;
        for (std::size_t output = 0; output < labels.n_outputs(); ++output) {
            if (is_pure(labels, output)) continue;
            if constexpr (std::is_same_v<Labels, ClassLabels>) {
                total += labels.amount(
                    Criterion::template before<Twofold>(cells_of(tally, labels, output)), output,
                    Criterion::degree);
            } else {
                const Wide<2> weight(tally.weight);
                const Wide<8> scaled_up = product(spread[output].squares, weight) -
                                          product(tally.cells[output], tally.cells[output]);
                total += labels.amount(to_twofold(scaled_up) / to_twofold(weight), output,
                                       Criterion::degree);
            }
        }
        return total;
    }

  private:
    static constexpr std::size_t few_rows = 4;  // whose squares are as soon added one by one

    /// The same for one output of rows that all weigh 1, in fewer steps.
    void add_plain(const FixedLabels<Labels>& fixed, std::span<const Row> rows) {
        const Labels& labels = fixed.view();
        tally.rows += static_cast<std::int64_t>(rows.size());
        tally.weight += static_cast<Int128>(rows.size());
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            if (rows.size() < labels.n_cells()) {
                for (const Row row : rows)
                    ++tally.cells[static_cast<std::size_t>(labels.codes[row])];
                return;
            }
            std::vector<std::int64_t> counts(labels.n_cells());
            for (const Row row : rows) ++counts[static_cast<std::size_t>(labels.codes[row])];
            for (std::size_t i = 0; i < counts.size(); ++i) tally.cells[i] += counts[i];
        } else {
            SquareSum squares;
            if (rows.size() <= few_rows) {
                for (const Row row : rows) {
                    const double number = fixed.given(0, row);
                    const Int128 point = labels.point(0, number);
                    tally.cells[0] += Wide<4>(point);
                    spread[0].squares += Wide<6>(product(point, point));
                    spread[0].given.add(number);
                }
                return;
            }
            // Fetched some at a time, so that the processor waits for many of them at once.
            std::array<double, 64> numbers;
            for (std::size_t begin = 0; begin < rows.size(); begin += numbers.size()) {
                const auto some =
                    rows.subspan(begin, std::min(numbers.size(), rows.size() - begin));
                for (std::size_t i = 0; i < some.size(); ++i) numbers[i] = fixed.given(0, some[i]);
                for (std::size_t i = 0; i < some.size(); ++i) {
                    const Int128 point = labels.point(0, numbers[i]);
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

/// How mixed the rows of a node are; to the last digits of a double where it does not follow from
/// sums.
template <class Criterion>
Amount impurity_of(const FixedLabels<typename Criterion::Labels>& fixed, std::span<const Row> rows,
                   const Summary<typename Criterion::Labels>& summary) {
    const auto& labels = fixed.view();
    Amount cost;
    if constexpr (follows_from_sums<Criterion>) {
        cost = summary.template exact_cost<Criterion>(labels);
    } else {
        for (std::size_t output = 0; output < labels.n_outputs(); ++output) {
            const auto ordered = ordered_labels(fixed, rows, output);
            cost +=
                labels.amount(Twofold(poisson_cost<double>(ordered)), output, Criterion::degree);
        }
    }
    return {cost.value / summary.units(labels), cost.unit};
}

/// The double nearest to what is guessed for some rows.
template <class Criterion>
double level_of(const FixedLabels<typename Criterion::Labels>& fixed, std::span<const Row> rows,
                const Summary<typename Criterion::Labels>& summary) {
    if constexpr (is_ranked<Criterion>)
        return level_of(
            QuantileLabels(ordered_labels(fixed, rows, 0), fixed.view().level).exact_guess());
    else
        return level_of(exact_guess(fixed.view(), summary.tally));
}
/// The same where nothing else is asked of the rows.
template <class Criterion>
double level_of(const FixedLabels<typename Criterion::Labels>& fixed, std::span<const Row> rows) {
    if constexpr (!is_ranked<Criterion> && std::is_same_v<typename Criterion::Labels, NumberLabels>)
        if (rows.size() == 1) return to_double(fixed.view().point(0, fixed.given(0, rows[0])));
    Summary<typename Criterion::Labels> summary(fixed.view());
    if constexpr (!is_ranked<Criterion>)
        for (const Row row : rows) fixed.view().add(summary.tally, row);
    return level_of<Criterion>(fixed, rows, summary);
}

}  // namespace bough
