// Guesses that go one way along a column: what a query must keep to, and what it leaves to the
// nodes below it.
//
// All is compared as fractions of integers, and the middle of two guesses is such a fraction too.
// So equal guesses are in order whatever their rows are, no order of rows can change what may be
// asked, and the doubles that guesses are rounded to at the end are in the same order (shares of
// classes to their last digit, since weights are rounded before they are divided).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "tally.hpp"

namespace bough {

/// What is guessed for some rows, exactly: sum ÷ weight is the mean or the quantile in units of the
/// labels' grid, or the share of the second of two classes.
struct ExactGuess {
    Wide<4> sum;
    Int128 weight = 1;

    friend bool operator<(const ExactGuess& left, const ExactGuess& right) {
        return product(left.sum, Wide<2>(right.weight)) < product(right.sum, Wide<2>(left.weight));
    }
};

/// The guess for rows with this tally, where it follows from sums.
template <class Labels>
ExactGuess exact_guess(const Labels& labels, const Tally<typename Labels::Cell>& tally) {
    if constexpr (std::is_same_v<Labels, ClassLabels>) {
        return {tally.cells.back(), tally.weight};
    } else {
        Wide<4> sum = product(labels.centre.front(), tally.weight);
        return {sum += tally.cells.front(), tally.weight};
    }
}

/// The number halfway between two guesses, exactly.
class Halfway {
  public:
    Halfway(const ExactGuess& a, const ExactGuess& b)
        : sum_(product(a.sum, Wide<2>(b.weight))),
          weight_(product(a.weight, b.weight).shifted_up(1)) {
        sum_ += product(b.sum, Wide<2>(a.weight));
    }

    friend bool operator<(const ExactGuess& guess, const Halfway& halfway) {
        return product(guess.sum, halfway.weight_) < product(halfway.sum_, Wide<2>(guess.weight));
    }
    friend bool operator<(const Halfway& halfway, const ExactGuess& guess) {
        return product(halfway.sum_, Wide<2>(guess.weight)) < product(guess.sum, halfway.weight_);
    }

  private:
    Wide<6> sum_;
    Wide<4> weight_;
};

/// Whether guesses at both answers of a query go the way they must: 1 up, −1 down, 0 either way.
inline bool are_in_order(int direction, const ExactGuess& first, const ExactGuess& second) {
    return direction == 0 || !(direction > 0 ? second < first : first < second);
}

/// What the guesses of a node and of all nodes below it must lie between.
struct Bounds {
    std::optional<Halfway> least;
    std::optional<Halfway> most;

    [[nodiscard]] bool are_open() const { return !least && !most; }
    [[nodiscard]] bool hold(const ExactGuess& guess) const {
        return !(least && guess < *least) && !(most && *most < guess);
    }

    /// Those of two children, along whose query guesses go one way.
    [[nodiscard]] std::array<Bounds, 2> parted(int direction, const ExactGuess& first,
                                               const ExactGuess& second) const {
        std::array<Bounds, 2> children{*this, *this};
        const Halfway halfway(first, second);
        children[direction > 0 ? 0 : 1].most = halfway;
        children[direction > 0 ? 1 : 0].least = halfway;
        return children;
    }
};

}  // namespace bough
