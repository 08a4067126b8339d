// Guesses that go one way along a column: what a query must keep to, and what it leaves to the
// nodes below it.
//
// The level of some rows is the double nearest to what is guessed for them. Only levels are
// compared, bounds are levels or the middle of two, rounded once, and a level clipped into the
// bounds of its node is what the node says. So what is in order here is in order for the user, and
// no order of rows can change what may be asked.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tally.hpp"

namespace bough {

/// What is guessed for some rows, exactly: sum ÷ weight is the mean or the quantile in units of the
/// labels' grid, or the share of the second of two classes.
struct ExactGuess {
    Wide<4> sum;
    Int128 weight = 1;
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

/// The double nearest to a guess, of two equally near the even one: the quotient's upper part where
/// the lower one, off by 2^-100 of it, cannot change it, else by long division.
inline double level_of(const ExactGuess& guess) {
    const Twofold quotient = to_twofold(guess.sum) / to_twofold(guess.weight);
    const double unsure = 0x1p-95 * std::abs(quotient.high);
    if (quotient.high + (quotient.low - unsure) == quotient.high + (quotient.low + unsure))
        return quotient.high + quotient.low;
    constexpr std::uint64_t whole = std::uint64_t{1} << std::numeric_limits<double>::digits;
    const auto weight = static_cast<Unsigned128>(guess.weight);
    const Wide<4> sum = guess.sum.magnitude();
    int place = 256;  // of the bit of the sum that comes next
    while (place > 0 && sum.limb(static_cast<std::size_t>(place - 1) / 64) == 0) place -= 64;
    std::uint64_t digits = 0;  // of the quotient: those of a double, and at least one more
    Unsigned128 rest = 0;
    for (; digits < 2 * whole && (place > 0 || rest != 0); --place) {
        const auto at = static_cast<std::size_t>(std::max(place - 1, 0));
        const std::uint64_t bit = place > 0 ? (sum.limb(at / 64) >> (at % 64)) & 1 : 0;
        rest = 2 * rest + bit;
        digits = 2 * digits + (rest >= weight ? 1 : 0);
        if (rest >= weight) rest -= weight;
    }
    bool is_more = rest != 0;  // than the digits say
    for (int at = 0; at < place; ++at)
        is_more = is_more || ((sum.limb(static_cast<std::size_t>(at) / 64) >> (at % 64)) & 1) != 0;
    const double nearest = static_cast<double>(2 * digits + (is_more ? 1 : 0));
    return scaled(guess.sum.is_negative() ? -nearest : nearest, place - 1);
}

/// What all that a node and the nodes below it say lies between.
struct LevelBounds {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();

    [[nodiscard]] double clipped(double level) const { return std::clamp(level, least, most); }

    /// Those of two children, along whose query levels go one way: apart halfway between them.
    [[nodiscard]] std::array<LevelBounds, 2> parted(int direction, double first,
                                                    double second) const {
        std::array<LevelBounds, 2> children{*this, *this};
        const double halfway = (clipped(first) + clipped(second)) / 2;
        children[direction > 0 ? 0 : 1].most = halfway;
        children[direction > 0 ? 1 : 0].least = halfway;
        return children;
    }
};

/// Whether the levels of both answers go the way they must where a node has these bounds: 1 up,
/// −1 down, 0 either way.
inline bool are_in_order(int direction, const LevelBounds& bounds, double first, double second) {
    const double ahead = bounds.clipped(second) - bounds.clipped(first);
    return direction > 0 ? ahead >= 0 : direction == 0 || ahead <= 0;
}

enum class Order : std::uint8_t { kept, broken, unclear };

/// The same of levels that are known to within an error only.
inline Order order_of(int direction, const LevelBounds& bounds, double first, double second,
                      double error) {
    if (!std::isfinite(error)) return Order::unclear;
    const double away = direction > 0 ? error : -error;
    if (are_in_order(direction, bounds, first + away, second - away)) return Order::kept;
    return are_in_order(direction, bounds, first - away, second + away) ? Order::unclear
                                                                        : Order::broken;
}

/// Labels × weight as whole numbers on a grid of a node's own, and what of it bears on levels.
struct LevelGrid {
    double origin = 0;        // what labels are counted from
    double unit = 1;          // how many of the grid are one of the labels
    double reach = 0;         // how far any label is from the origin
    double lightest = 1;      // weight of a row
    double weight_error = 0;  // of weights, as a share of them
    int exponent = 0;         // of the grid on which bounds are

    /// Whether levels go the way they must, by the means of both answers on the grid.
    // A sum is off by 2 units a row. No label is farther from the origin than `reach`, and so far
    // as weights are off, so is a level of that. What is too small for a double counts as the
    // least.
    [[nodiscard]] Order order(int direction, const LevelBounds& bounds, double first,
                              double second) const {
        const double error = 0x1p-50 * (std::abs(origin) + reach) + 2 / unit / lightest +
                             weight_error * reach + 4 * std::numeric_limits<double>::denorm_min();
        const auto level = [&](double mean) { return scaled(origin + mean / unit, -exponent); };
        return order_of(direction, bounds, level(first), level(second), scaled(error, -exponent));
    }
};

}  // namespace bough
