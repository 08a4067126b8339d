// What every answer of a query must have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sums.hpp"

namespace bough {

struct Limits {
    std::int64_t min_rows = 1;  // of an answer
    double min_weight = 0;      // of an answer, in units of the weights' grid; 0 where rows say it
    bool draw_one = false;      // one query by chance for each column
    bool by_ratio = false;      // gains are divided by what the answers say
    std::span<const std::uint8_t> grouped;    // columns asked about by groups; empty: none
    std::span<const std::int8_t> directions;  // in which guesses go along each column; empty: any

    template <class Column>
    [[nodiscard]] int direction(Column column) const {
        return directions.empty() ? 0 : directions[static_cast<std::size_t>(column)];
    }

    /// Whether the values of a column of choices are asked about by groups, not each by itself.
    template <class Column>
    [[nodiscard]] bool groups(Column column) const {
        return !grouped.empty() && grouped[static_cast<std::size_t>(column)] != 0;
    }

    // For the fast search, which counts in doubles, on a grid of a node's own where weights must be
    // rounded:

    /// Weights are on this grid from now on.
    void use_grid(const Precision& precision) {
        least_weight = min_weight / precision.weight_unit;
        weight_error = precision.weights_are_exact ? 0 : 1;
    }
    /// The rows that an answer must have.
    [[nodiscard]] double least_rows() const { return std::max(static_cast<double>(min_rows), 1.0); }
    /// Whether an answer may have rows and weight enough, and whether it surely has the weight.
    [[nodiscard]] bool reach(double rows, double weight) const {
        return rows >= least_rows() && weight + weight_error * (rows + 1) >= least_weight;
    }
    [[nodiscard]] bool surely_weighs(double rows, double weight) const {
        return min_weight <= 0 || weight - weight_error * (rows + 1) >= least_weight;
    }
    /// The same of both sides of a cut.
    [[nodiscard]] bool admit(double rows, double weight, const Sums& node) const {
        return reach(rows, weight) && reach(node.rows - rows, node.weight - weight);
    }
    [[nodiscard]] bool surely_weigh(double rows, double weight, const Sums& node) const {
        return surely_weighs(rows, weight) && surely_weighs(node.rows - rows, node.weight - weight);
    }

    double least_weight = 0;  // of an answer, on the node's grid
    double weight_error = 0;  // of a row there
};

}  // namespace bough
