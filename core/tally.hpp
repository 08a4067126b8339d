// Labels and weights of rows, and tallies of them: statistics that add and subtract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fixed_point.hpp"

namespace bough {

using Row = std::uint32_t;

/// The labels of a set of rows, summed up: a cell for each output and class, or for each output.
template <class Cell>
struct Tally {
    std::int64_t rows = 0;
    Int128 weight = 0;
    std::vector<Cell> cells;

    explicit Tally(std::size_t n_cells = 0) : cells(n_cells) {}

    void clear() {
        rows = 0;
        weight = 0;
        std::ranges::fill(cells, Cell{});
    }
    Tally& operator+=(const Tally& other) {
        rows += other.rows;
        weight += other.weight;
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] += other.cells[i];
        return *this;
    }
    /// Become what is left of `whole` without `part`.
    void set_difference(const Tally& whole, const Tally& part) {
        rows = whole.rows - part.rows;
        weight = whole.weight - part.weight;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i] = whole.cells[i];
            cells[i] -= part.cells[i];
        }
    }
};

/// Weights in fixed point; where there are none, each row weighs 1.
struct Weights {
    const Int128* of_row = nullptr;

    [[nodiscard]] Int128 operator[](Row row) const { return of_row == nullptr ? 1 : of_row[row]; }
};

/// Labels that are classes: codes, for each output one after the other.
struct ClassLabels {
    using Cell = Int128;

    std::size_t n_rows = 0;
    std::vector<std::size_t> n_classes;  // of each output
    std::size_t most_classes = 0;
    const std::int32_t* codes = nullptr;
    Weights weights;

    // Classes have no unit.
    template <class Real>
    [[nodiscard]] static const Real& in_common_unit(const Real& value, std::size_t /*output*/,
                                                    int /*degree*/) {
        return value;
    }
    [[nodiscard]] static Amount amount(const Twofold& value, std::size_t /*output*/,
                                       int /*degree*/) {
        return {value, 0};
    }
    [[nodiscard]] static int common_unit(int /*degree*/) { return 0; }
    static void set_common_unit(int /*unit*/, int /*degree*/) {}
    [[nodiscard]] std::size_t n_outputs() const { return n_classes.size(); }
    [[nodiscard]] std::size_t n_cells() const { return n_outputs() * most_classes; }

    void add(Tally<Cell>& tally, Row row) const {
        const Int128 weight = weights[row];
        ++tally.rows;
        tally.weight += weight;
        for (std::size_t output = 0; output < n_outputs(); ++output) {
            const auto code = static_cast<std::size_t>(codes[output * n_rows + row]);
            tally.cells[output * most_classes + code] += weight;
        }
    }
};

/// Labels that are numbers: points of a grid, for each output one after the other. They are summed
/// as distances from a centre, which a node puts near their mean: what is left of a sum after
/// taking the mean away then loses no digits.
struct NumberLabels {
    using Cell = Wide<4>;

    std::size_t n_rows = 0;
    std::size_t outputs = 1;
    const double* numbers = nullptr;
    std::vector<int> exponents;  // of the unit of each output's grid
    int exponent = 0;            // of the unit in which outputs are added up: the greatest of those
                                 // that differ, so that each counts as far as it matters
    std::vector<Int128> centre;  // of each output
    double level = 0.5;          // of the quantile that is guessed, where one is
    Weights weights;

    [[nodiscard]] std::size_t n_outputs() const { return outputs; }
    [[nodiscard]] std::size_t n_cells() const { return outputs; }
    [[nodiscard]] Int128 distance(std::size_t output, Row row) const {
        return point(output, numbers[output * n_rows + row]) - centre[output];
    }
    /// A label of an output on its grid.
    [[nodiscard]] Int128 point(std::size_t output, double label) const {
        return on_grid(label, exponents[output]);
    }
    /// What is worth `value` in the unit of an output's grid, taken so many times, in the unit in
    /// which outputs are added up.
    template <class Real>
    [[nodiscard]] Real in_common_unit(const Real& value, std::size_t output, int degree) const {
        const int shift = exponents[output] - exponent;
        return shift == 0 ? value : scaled(value, degree * shift);
    }

    /// The same whatever outputs are added up.
    [[nodiscard]] Amount amount(const Twofold& value, std::size_t output, int degree) const {
        return {value, degree * exponents[output]};
    }
    /// The exponent of the unit in which outputs are added up, taken so many times.
    [[nodiscard]] int common_unit(int degree) const { return degree * exponent; }
    void set_common_unit(int unit, int degree) { exponent = unit / degree; }

    void add(Tally<Cell>& tally, Row row) const {
        const Int128 weight = weights[row];
        ++tally.rows;
        tally.weight += weight;
        for (std::size_t output = 0; output < outputs; ++output) {
            const Int128 away = distance(output, row);
            tally.cells[output] += weight == 1 ? Cell(away) : product(away, weight);
        }
    }
};

}  // namespace bough
