// The labels and weights of a table in fixed point.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "grid.hpp"
#include "grow.hpp"
#include "tally.hpp"

namespace bough {

/// Labels on their grid, and what a unit of it is worth. They are lent to searches by reference.
template <class Labels>
class FixedLabels {
  public:
    /// `level` is that of the quantile that is guessed, where one is.
    FixedLabels(const GrowTable& table, double level, Threads& threads) : numbers_(table.numbers) {
        fix_weights(table, threads);
        view_.n_rows = table.n_rows;
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            view_.codes = table.classes;
            view_.n_classes = table.n_classes;
            view_.most_classes = *std::max_element(table.n_classes.begin(), table.n_classes.end());
        } else {
            const std::span<const double> numbers(table.numbers, table.n_rows * table.n_outputs);
            const Grid grid = grid_for(numbers, sum_bits - 1, threads);
            label_exponent_ = grid.exponent;
            if (!grid.is_exact) round_numbers(numbers);
            view_.outputs = table.n_outputs;
            view_.numbers = table.numbers;
            view_.exponent = grid.exponent;
            view_.centre.assign(table.n_outputs, 0);
            view_.level = level;
        }
    }
    FixedLabels(const FixedLabels&) = delete;
    FixedLabels& operator=(const FixedLabels&) = delete;

    [[nodiscard]] const Labels& view() const { return view_; }
    /// The exponents of two that a unit of a weight and of a label stand for.
    [[nodiscard]] int weight_exponent() const { return weight_exponent_; }
    [[nodiscard]] int label_exponent() const { return label_exponent_; }
    /// Number labels as they are on the grid: the user's, but for those more than 73 binary orders
    /// below the largest.
    [[nodiscard]] const double* numbers() const {
        return rounded_.empty() ? numbers_ : rounded_.data();
    }
    /// The weight of some rows, in units of its grid.
    [[nodiscard]] double weight_of(std::span<const Row> rows) const {
        if (weights_.empty()) return static_cast<double>(rows.size());
        Int128 total = 0;
        for (const Row row : rows) total += weights_[row];
        return to_double(total);
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
    static constexpr int sum_bits = 126;  // a sum of weights stays below 2^126

    void fix_weights(const GrowTable& table, Threads& threads) {
        if (table.weights == nullptr) return;
        const std::span<const double> weights(table.weights, table.n_rows);
        const int row_bits = static_cast<int>(std::bit_width(table.n_rows));
        weight_exponent_ = grid_for(weights, sum_bits - row_bits, threads).exponent;
        weights_.reserve(weights.size());
        for (const double weight : weights) {
            const Int128 point = on_grid(weight, weight_exponent_);
            // A row that takes part weighs something, however light it is beside the others.
            weights_.push_back(weight > 0 && point == 0 ? 1 : point);
        }
        view_.weights.of_row = weights_.data();
    }

    void round_numbers(std::span<const double> numbers) {
        rounded_.reserve(numbers.size());
        for (const double number : numbers)
            rounded_.push_back(
                scaled(to_double(on_grid(number, label_exponent_)), label_exponent_));
    }

    Labels view_;
    const double* numbers_;
    std::vector<double> rounded_;  // empty: all labels lie on the grid
    std::vector<Int128> weights_;  // empty: all 1
    int weight_exponent_ = 0;
    int label_exponent_ = 0;
};

}  // namespace bough
