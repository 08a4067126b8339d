// What a node says, from what its rows add up to, in the units of the user.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "summary.hpp"
#include "tree.hpp"

namespace bough {

/// A huge number is written as the greatest one, never as infinity.
inline double saturated(double value) {
    constexpr double most = std::numeric_limits<double>::max();
    return std::clamp(value, -most, most);
}

/// Writes what nodes say into the arrays of a tree.
template <class Criterion>
class NodeWriter {
  public:
    using Labels = typename Criterion::Labels;

    /// `table_weight` is that of all rows.
    NodeWriter(const FixedLabels<Labels>& fixed, double table_weight, std::size_t n_nodes,
               FlatTree& flat)
        : labels_(fixed.view()),
          flat_(flat),
          // Weights whose sum no double holds are given in a larger unit, so that shares stay
          // right.
          weight_exponent_(std::min(fixed.weight_exponent(), most_exponent(table_weight))) {
        constexpr bool has_guess = std::is_same_v<Labels, NumberLabels>;
        const std::size_t n_outputs = labels_.n_outputs();
        flat.n_rows.resize(n_nodes);
        flat.impurity.resize(n_nodes);
        flat.gain.resize(n_nodes);
        flat.guess.resize(has_guess ? n_nodes * n_outputs : 0);
        if (flat.seen.start.empty())
            flat.tally.resize(n_nodes * (has_guess ? 3 * n_outputs : labels_.n_cells()));
    }

    /// Write how mixed the rows of a node are, from what its guess costs and how much of it the
    /// query saves; `units` of weight share them.
    void write_costs(std::size_t id, const Amount& cost, const Amount& saved,
                     const Twofold& units) const {
        flat_.impurity[id] = per_unit(cost, units);
        flat_.gain[id] = per_unit(saved, units);
        if (flat_.saved.empty()) return;
        flat_.saved[id] = saved;
        if (id == 0) flat_.root_cost = cost;
    }
    /// Write the weight of each class of all outputs.
    void write_classes(std::size_t id, const Tally<Int128>& tally) const {
        const std::size_t n_cells = labels_.n_cells();
        SeenClasses& seen = flat_.seen;
        auto next = seen.start.empty() ? 0 : static_cast<std::size_t>(seen.start[id]);
        for (std::size_t i = 0; i < n_cells; ++i) {
            if (tally.cells[i] == 0) continue;
            if (seen.start.empty()) {
                flat_.tally[id * n_cells + i] = weight(tally.cells[i]);
            } else {
                seen.code[next] = static_cast<std::int32_t>(i);
                seen.weight[next++] = weight(tally.cells[i]);
            }
        }
    }
    /// Write the mean of an output, unless something else is guessed, and its sums.
    void write_number(std::size_t id, std::size_t output, const Twofold& sum,
                      const Twofold& squares, const Twofold& heavy, const Range& given) const {
        const std::size_t place = id * labels_.n_outputs() + output;
        const int exponent = labels_.exponents[output];
        if constexpr (!is_ranked<Criterion>)
            flat_.guess[place] = given.is_point()
                                     ? given.least + 0.0  // never -0
                                     : saturated(scaled(rounded_quotient(sum, heavy), exponent));
        double* tally = flat_.tally.data() + 3 * place;
        tally[0] = scaled(heavy.high, weight_exponent_);
        tally[1] = saturated(scaled(sum.high, exponent + weight_exponent_));
        tally[2] = saturated(scaled(rounded(squares), 2 * exponent + weight_exponent_));
    }

  private:
    static int most_exponent(double table_weight) {
        return std::numeric_limits<double>::max_exponent - 3 - std::ilogb(table_weight);
    }
    [[nodiscard]] double weight(const Int128& value) const {
        return scaled(to_twofold(value).high, weight_exponent_);
    }
    [[nodiscard]] static double per_unit(const Amount& cost, const Twofold& units) {
        if (cost.value.high <= 0) return 0;  // as in most leaves
        return saturated(scaled(std::max(0.0, rounded_quotient(cost.value, units)), cost.unit));
    }

    const Labels& labels_;
    FlatTree& flat_;
    int weight_exponent_;
};

}  // namespace bough
