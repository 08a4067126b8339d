// Fixed point: doubles as integers on a grid of a power of two, wide enough never to show.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "wide.hpp"

namespace bough {

constexpr int mantissa_bits = std::numeric_limits<double>::digits;

/// A double as mantissa × 2^exponent with an odd mantissa (0 has none).
struct OddForm {
    std::int64_t mantissa = 0;
    int exponent = 0;

    explicit OddForm(double value) {
        const double fraction = std::frexp(value, &exponent);
        mantissa = static_cast<std::int64_t>(scaled(fraction, mantissa_bits));
        if (mantissa == 0) return;
        const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
        mantissa >>= zeros;
        exponent += zeros - mantissa_bits;
    }
};

/// The exponent of the coarsest grid on which all values lie and are below 2^bits; where there is
/// none, of the finest grid on which they are below 2^bits.
inline int grid_exponent(std::span<const double> values, int bits) {
    int lowest = std::numeric_limits<int>::max();
    int highest = std::numeric_limits<int>::min();
    for (const double value : values) {
        if (value == 0) continue;
        lowest = std::min(lowest, OddForm(value).exponent);
        highest = std::max(highest, std::ilogb(value) + 1);
    }
    if (highest == std::numeric_limits<int>::min()) return 0;
    return std::max(lowest, highest - bits);
}

/// The nearest point of the grid.
inline Int128 on_grid(double value, int exponent) {
    const OddForm odd(value);
    const int shift = odd.exponent - exponent;
    if (odd.mantissa == 0 || shift < -mantissa_bits - 1) return 0;
    if (shift >= 0) return static_cast<Int128>(odd.mantissa) << shift;
    const Int128 half = static_cast<Int128>(1) << (-shift - 1);
    return (static_cast<Int128>(odd.mantissa) + half) >> -shift;
}

}  // namespace bough
