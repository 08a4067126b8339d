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

    // For the fast search, which counts in doubles:

    /// The rows that an answer must have.
    [[nodiscard]] double least_rows() const { return std::max(static_cast<double>(min_rows), 1.0); }
    [[nodiscard]] bool reach(double rows, double weight) const {
        return rows >= least_rows() && weight >= min_weight;
    }
    /// Whether both sides of a cut have rows and weight enough.
    [[nodiscard]] bool admit(double rows, double weight, const Sums& node) const {
        return reach(rows, weight) && reach(node.rows - rows, node.weight - weight);
    }
};

}  // namespace bough
