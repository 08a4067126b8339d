// How mixed a tally is: one struct for each criterion, and their list.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tally.hpp"

// A criterion says, for one output, in any kind of number (double while searching, Twofold for the
// candidates near the best):
//
//     before(node)         and
//     after(node, part)    such that before + Σ after over all parts is gain × node weight;
//     degree               how often the unit of the labels is a factor of it.
//
// Criteria whose guess is a quantile say what distances cost instead; see `Ranked`.

namespace bough {

/// What a criterion sees: the cells of one output.
template <class Cell>
struct Cells {
    const Cell* first;
    std::size_t count;
    Int128 weight;

    [[nodiscard]] const Cell* begin() const { return first; }
    [[nodiscard]] const Cell* end() const { return first + count; }
};

/// The impurity of the node minus the remainder, for impurities that need the tally alone.
template <class Impurity>
struct Classification {
    using Labels = ClassLabels;
    static constexpr std::string_view task = "classification";
    static constexpr int degree = 0;

    template <class Real>
    static Real before(const Cells<Int128>& node) {
        return Impurity::template total<Real>(node);
    }
    template <class Real>
    static Real after(const Cells<Int128>& /*node*/, const Cells<Int128>& part) {
        return -Impurity::template total<Real>(part);
    }
};

/// Share of the rows that the majority guess gets wrong.
struct Error : Classification<Error> {
    static constexpr std::string_view name = "error";

    template <class Real>
    static Real total(const Cells<Int128>& tally) {
        return as_real<Real>(tally.weight - *std::ranges::max_element(tally));
    }
};

/// Chance that two rows, drawn with replacement, differ in label.
struct Gini : Classification<Gini> {
    static constexpr std::string_view name = "gini";

    template <class Real>
    static Real total(const Cells<Int128>& tally) {
        Wide<4> same;
        for (const Int128 cell : tally)
            if (cell != 0) same += product(cell, cell);
        return as_real<Real>(product(tally.weight, tally.weight) - same) /
               as_real<Real>(tally.weight);
    }
};

/// Bits that a label says on average, −Σ p log₂ p.
struct Entropy : Classification<Entropy> {
    static constexpr std::string_view name = "entropy";

    template <class Real>
    static Real total(const Cells<Int128>& tally) {
        Real bits = times_log(as_real<Real>(tally.weight));
        for (const Int128 cell : tally)
            if (cell != 0) bits -= times_log(as_real<Real>(cell));
        return bits;
    }
    template <class Real>
    static Real times_log(const Real& value) {
        return value * log_2(value);
    }
};

/// Another name for entropy.
struct LogLoss : Entropy {
    static constexpr std::string_view name = "log_loss";
};

/// Entropy gain for each bit that the answer itself says (C4.5): the search by entropy, with
/// another choice at its end.
struct GainRatio : Entropy {
    static constexpr std::string_view name = "gain_ratio";
};

/// Variance: the mean squared distance from the mean.
struct SquaredError {
    using Labels = NumberLabels;
    static constexpr std::string_view task = "regression";
    static constexpr std::string_view name = "squared_error";
    static constexpr int degree = 2;

    template <class Real, class Cell>
    static Real before(const Cells<Cell>& /*node*/) {
        return Real{};
    }
    /// weight of the part × (its mean − the node's mean)²
    template <class Real, class Cell>
    static Real after(const Cells<Cell>& node, const Cells<Cell>& part) {
        const Real away = distance<Real>(node, part);
        return away * away / as_real<Real>(part.weight);
    }
    /// Both parts of two, which lie equally far from the node's mean, on either side of it.
    template <class Cell>
    static Twofold of_two(const Cells<Cell>& node, const Cells<Cell>& first, Int128 second) {
        const Twofold away = to_twofold(exact_distance(node, first));
        return away * away /
               (to_twofold(first.weight) * to_twofold(second) * to_twofold(node.weight));
    }
    /// Sum over the part's rows of weight × (label − the node's mean).
    template <class Real, class Cell>
    static Real distance(const Cells<Cell>& node, const Cells<Cell>& part) {
        if constexpr (std::is_same_v<Real, double>) {
            const double mean = to_double(*node.first) / to_double(node.weight);
            return to_double(*part.first) - mean * to_double(part.weight);
        } else {
            return to_twofold(exact_distance(node, part)) / to_twofold(node.weight);
        }
    }
    /// The same times the node's weight.
    static Wide<6> exact_distance(const Cells<Wide<4>>& node, const Cells<Wide<4>>& part) {
        return product(*part.first, Wide<2>(node.weight)) -
               product(*node.first, Wide<2>(part.weight));
    }
    static Int128 exact_distance(const Cells<Int128>& node, const Cells<Int128>& part) {
        return *part.first * node.weight - *node.first * part.weight;
    }
};

/// Half the mean Poisson deviance from the mean.
struct Poisson {
    using Labels = NumberLabels;  // about no centre: the deviance is not one of distances
    static constexpr std::string_view task = "regression";
    static constexpr std::string_view name = "poisson";
    static constexpr int degree = 1;

    template <class Real, class Cell>
    static Real before(const Cells<Cell>& /*node*/) {
        return Real{};
    }
    /// What the node's mean costs the part beyond its own mean. None is negative, so the sum over
    /// all parts loses no digits.
    template <class Real, class Cell>
    static Real after(const Cells<Cell>& node, const Cells<Cell>& part) {
        if constexpr (std::is_same_v<Real, double>) {
            // Doubles will do, unless nearly all digits of sum and expectation are the same.
            const double unit =
                to_double(*node.first) / to_double(node.weight) * to_double(part.weight);
            const double away = to_double(*part.first) - unit;
            if (std::abs(away) > 1e-4 * unit) return unit * half_deviance(away / unit);
        }
        const auto expected = times(*node.first, part.weight);  // × the node's weight
        const auto away = times(*part.first, node.weight) - expected;
        const Real unit = as_real<Real>(expected);
        return unit / as_real<Real>(node.weight) * half_deviance(as_real<Real>(away) / unit);
    }
    /// What the mean of all labels costs some that are equal, each `point` and together `weight`.
    template <class Real>
    static Real cost(const Cells<Wide<4>>& node, Int128 point, Int128 weight) {
        const Wide<4> sum = product(point, weight);
        return after<Real>(node, Cells<Wide<4>>{&sum, 1, weight});
    }

  private:
    static Wide<6> times(const Wide<4>& sum, Int128 weight) {
        return product(sum, Wide<2>(weight));
    }
    static Int128 times(Int128 sum, Int128 weight) { return sum * weight; }
};

/// Criteria whose guess is a quantile. What rows cost does not follow from sums of theirs, so these
/// bring a scan of their own, and say
///
///     cost(above, below, level)
///
/// of the sums of weight × distance from the guess, over labels above it and over labels below it;
/// `level` is the share of the weight that is to lie below the guess.
struct Ranked {
    using Labels = NumberLabels;
    static constexpr std::string_view task = "regression";
    static constexpr int degree = 1;
};

/// Mean distance from the median.
struct AbsoluteError : Ranked {
    static constexpr std::string_view name = "absolute_error";

    template <class Real, class Sum>
    static Real cost(Sum above, const Sum& below, double /*level*/) {
        return as_real<Real>(above += below);
    }
};

/// Mean pinball loss.
struct Quantile : Ranked {
    static constexpr std::string_view name = "quantile";

    template <class Real, class Sum>
    static Real cost(const Sum& above, const Sum& below, double level) {
        return as_real<Real>(above) * Real(level) + as_real<Real>(below) * (Real(1) - Real(level));
    }
};

template <class Criterion>
constexpr bool is_ranked = std::is_base_of_v<Ranked, Criterion>;

/// Every criterion that can be asked for by name. To add one, write its struct above and name it
/// here; CONTRIBUTING.md says in which files it is compiled.
using Criteria = std::tuple<Error, Gini, Entropy, LogLoss, GainRatio, SquaredError, AbsoluteError,
                            Poisson, Quantile>;

/// Call `use` with each criterion.
void for_each_criterion(const auto& use) {
    std::apply([&](auto... each) { (use(each), ...); }, Criteria{});
}

/// What `use` makes of the criterion of this name, or of the one it is another name for.
auto use_criterion(std::string_view name, const auto& use) {
    std::optional<decltype(use(Error{}))> made;
    for_each_criterion([&]<class Criterion>(Criterion /*kind*/) {
        using Same = std::conditional_t<std::is_base_of_v<Entropy, Criterion>, Entropy, Criterion>;
        if (Criterion::name == name) made = use(Same{});
    });
    if (!made) throw std::invalid_argument("unknown criterion");
    return std::move(*made);
}

}  // namespace bough
