// What a node says of its rows: tally, impurity, guess.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "grid.hpp"
#include "score.hpp"
#include "tree.hpp"

namespace bough {

/// Labels and weights of a table in fixed point, with their grids.
struct FixedLabels {
    std::vector<Int128> weights;  // empty: all 1
    std::vector<Int128> points;   // number labels
    int weight_exponent = 0;
    int label_exponent = 0;
};

/// A huge number is written as the greatest one, never as infinity.
inline double saturated(double value) {
    constexpr double most = std::numeric_limits<double>::max();
    return std::clamp(value, -most, most);
}

template <class Criterion>
void summarise(Node<Int128>& node, const ClassLabels& labels, const FixedLabels& /*fixed*/,
               const double* /*numbers*/, std::span<const Row> rows) {
    node.tally = Tally<Int128>(labels.n_cells());
    for (const Row row : rows) labels.add(node.tally, row);
    Twofold total;
    node.is_pure = true;
    for (std::size_t output = 0; output < labels.n_outputs(); ++output) {
        const auto cells = cells_of(node.tally, labels, output);
        const auto n_present = cells.count - static_cast<std::size_t>(
                                                 std::count(cells.begin(), cells.end(), Int128{0}));
        if (n_present < 2) continue;  // the impurity is 0, to the last bit
        node.is_pure = false;
        total += Criterion::template before<Twofold>(cells);
    }
    const double weight = to_double(node.tally.weight);
    node.impurity = rounded(total) / (weight * static_cast<double>(labels.n_outputs()));
}

template <class Criterion>
void summarise(Node<Wide<4>>& node, const NumberLabels& labels, const FixedLabels& fixed,
               const double* numbers, std::span<const Row> rows) {
    node.tally = Tally<Wide<4>>(labels.n_cells());
    for (const Row row : rows) labels.add(node.tally, row);
    const Wide<2> weight(node.tally.weight);
    Twofold total;
    node.is_pure = true;
    for (std::size_t output = 0; output < labels.n_outputs(); ++output) {
        Wide<6> squares;
        double least = std::numeric_limits<double>::infinity();
        double most = -least;
        for (const Row row : rows) {
            const Int128 away = labels.distance(output, row);
            squares += product(product(away, away), Wide<2>(labels.weights[row]));
            least = std::min(least, numbers[output * labels.n_rows + row]);
            most = std::max(most, numbers[output * labels.n_rows + row]);
        }
        const Wide<4>& sum = node.tally.cells[output];
        Twofold mean = to_twofold(sum) / to_twofold(weight);
        node.guess.push_back(least == most ? least : saturated(scaled(rounded(mean), fixed.label_exponent)));
        node.squares.push_back(saturated(scaled(rounded(to_twofold(squares)),
                                                2 * fixed.label_exponent + fixed.weight_exponent)));
        if (least == most) continue;
        node.is_pure = false;
        const Wide<8> spread = Wide<8>(product(squares, weight)) - product(sum, sum);
        total += to_twofold(spread) / to_twofold(weight);
    }
    node.impurity = std::max(0.0, rounded(total)) /
                    (to_double(node.tally.weight) * static_cast<double>(labels.n_outputs()));
}

}  // namespace bough
