// The labels and weights of a table in fixed point.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "fixed_point.hpp"
#include "grow.hpp"
#include "tally.hpp"

namespace bough {

constexpr int exact_bits = 126;  // a sum of weights stays below 2^126

/// The grids that the labels and the weights of a table have, by the exponents that they need.
inline Grid label_grid(const Exponents& exponents) { return exponents.grid(exact_bits - 1); }
inline Grid weight_grid(const Exponents& exponents, std::size_t n_rows) {
    return exponents.grid(exact_bits - static_cast<int>(std::bit_width(n_rows)));
}

/// Labels on their grid, and what a unit of it is worth. They are lent to searches by reference.
template <class Labels>
class FixedLabels {
  public:
    /// `level` is that of the quantile that is guessed, where one is.
    FixedLabels(const GrowTable& table, double level, Threads& threads) : numbers_(table.numbers) {
        if (table.whole) table_weight_ = table.whole->weight;
        fix_weights(table, threads);
        view_.n_rows = table.n_rows;
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            view_.codes = table.classes;
            view_.n_classes = table.n_classes;
            view_.most_classes = *std::ranges::max_element(table.n_classes);
        } else {
            view_.outputs = table.n_outputs;
            view_.numbers = table.numbers;
            view_.centre.assign(table.n_outputs, 0);
            view_.level = level;
            for (std::size_t output = 0; output < table.n_outputs; ++output)
                fix_numbers(table, output, threads);
            view_.exponent = common_exponent();
        }
    }
    FixedLabels(const FixedLabels&) = delete;
    FixedLabels& operator=(const FixedLabels&) = delete;

    [[nodiscard]] const Labels& view() const { return view_; }
    /// The exponents of two that a unit of a weight and of a label stand for.
    [[nodiscard]] int weight_exponent() const { return weight_exponent_; }
    [[nodiscard]] int label_exponent() const { return view_.common_unit(1); }
    /// Number labels as they are on the grid: the user's, but for those more than 73 binary orders
    /// below the largest.
    [[nodiscard]] const double* numbers() const {
        return rounded_.empty() ? numbers_ : rounded_.data();
    }
    /// Bits of the largest label on its grid; none where some labels are only near their point.
    [[nodiscard]] std::optional<int> label_bits() const {
        return rounded_.empty() ? std::optional(label_bits_) : std::nullopt;
    }
    /// The weight of some rows, in units of its grid.
    [[nodiscard]] double weight_of(std::span<const Row> rows) const {
        if (weights_.empty()) return static_cast<double>(rows.size());
        Int128 total = 0;
        for (const Row row : rows) total += weights_[row];
        return to_double(total);
    }
    /// The weight of the whole table, of which all rows or some are here.
    [[nodiscard]] double table_weight(std::span<const Row> rows) const {
        return table_weight_ > 0 ? table_weight_ : weight_of(rows);
    }
    /// Take labels for given as they are on the grid, so that guesses are in the same order on it.
    void give_rounded() {
        if (!rounded_.empty()) numbers_ = rounded_.data();
    }
    /// A label as the user gave it.
    [[nodiscard]] double given(std::size_t output, Row row) const {
        return numbers_[output * view_.n_rows + row];
    }

  private:
    void fix_weights(const GrowTable& table, Threads& threads) {
        if (table.whole) weight_exponent_ = table.whole->weight_exponent;
        if (table.weights == nullptr) return;
        const std::span<const double> weights(table.weights, table.n_rows);
        if (!table.whole)
            weight_exponent_ =
                weight_grid(exponents_of(weights, nullptr, threads), table.n_rows).exponent;
        weights_.reserve(weights.size());
        for (const double weight : weights) {
            const Int128 point = on_grid(weight, weight_exponent_);
            // A row that takes part weighs something, however light it is beside the others.
            weights_.push_back(weight > 0 && point == 0 ? 1 : point);
        }
        view_.weights.of_row = weights_.data();
    }

    /// Give the labels of an output their grid. Rows without weight have no say in it.
    void fix_numbers(const GrowTable& table, std::size_t output, Threads& threads) {
        const std::span<const double> numbers(table.numbers + output * table.n_rows, table.n_rows);
        const Exponents needed = exponents_of(numbers, table.weights, threads);
        Grid grid = label_grid(needed);
        if (table.whole) {
            const int exponent = table.whole->label_exponents[output];
            grid = {exponent, needed.lowest >= exponent};
        }
        view_.exponents.push_back(grid.exponent);
        if (needed.lowest <= needed.highest)
            label_bits_ = std::max(label_bits_, needed.highest - grid.exponent);
        if (grid.is_exact) return;
        if (rounded_.empty())
            rounded_.assign(table.numbers, table.numbers + table.n_rows * table.n_outputs);
        for (std::size_t row = 0; row < table.n_rows; ++row)
            if (table.weights == nullptr || table.weights[row] > 0)
                rounded_[output * table.n_rows + row] =
                    scaled(to_double(on_grid(numbers[row], grid.exponent)), grid.exponent);
    }

    /// The greatest exponent of outputs of which two rows differ; of all where none does.
    [[nodiscard]] int common_exponent() const {
        const std::vector<int>& exponents = view_.exponents;
        std::optional<int> found;
        for (std::size_t output = 0; exponents.size() > 1 && output < exponents.size(); ++output)
            if (exponents[output] > found.value_or(exponents[output] - 1) && differs(output))
                found = exponents[output];
        return found ? *found : *std::ranges::max_element(exponents);
    }
    /// Whether two rows that take part have different labels of an output on its grid.
    [[nodiscard]] bool differs(std::size_t output) const {
        const double* labels = numbers() + output * view_.n_rows;
        const double* first = nullptr;
        for (std::size_t row = 0; row < view_.n_rows; ++row) {
            if (view_.weights[static_cast<Row>(row)] == 0) continue;
            if (first == nullptr) first = labels + row;
            if (labels[row] != *first) return true;
        }
        return false;
    }

    Labels view_;
    const double* numbers_;
    std::vector<double> rounded_;  // empty: all labels lie on the grid
    std::vector<Int128> weights_;  // empty: all 1
    int label_bits_ = 0;
    int weight_exponent_ = 0;
    double table_weight_ = 0;  // 0: that of all rows
};

/// Whether two rows differ in any label.
template <class Labels>
bool labels_differ(const FixedLabels<Labels>& fixed, Row a, Row b) {
    const Labels& labels = fixed.view();
    for (std::size_t output = 0; output < labels.n_outputs(); ++output) {
        if constexpr (std::is_same_v<Labels, NumberLabels>) {
            if (fixed.given(output, a) != fixed.given(output, b)) return true;
        } else {
            const std::int32_t* codes = labels.codes + output * labels.n_rows;
            if (codes[a] != codes[b]) return true;
        }
    }
    return false;
}

}  // namespace bough
