// The pivot between two neighbouring values: halfway, and nowhere else.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "fixed_point.hpp"

namespace bough {

/// A pivot; a whole number where `is_integer`.
struct Pivot {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::int64_t integer = 0;
    bool is_integer = false;
    // The values between which it lies: whole numbers where `is_integer`, else the bits of doubles.
    std::int64_t low = 0;
    std::int64_t high = 0;

    /// The least whole number that is not below the pivot: integers compare with it alike.
    [[nodiscard]] std::int64_t whole() const {
        // A pivot that is no integer lies within ±2^53 where integers are asked about.
        constexpr double limit = 9007199254740992.0;
        if (is_integer || std::isnan(value)) return integer;
        return static_cast<std::int64_t>(std::ceil(std::clamp(value, -limit, limit)));
    }
};

/// The exact midpoint, rounded once.
inline double middle(double low, double high) {
    // Halving a sum is exact unless the sum overflows, and then halving its terms is.
    const double sum = low + high;
    return std::isinf(sum) ? low / 2 + high / 2 : sum / 2;
}

/// The exact midpoint rounded once, never −0; where that is not above `low`, `high`.
inline Pivot pivot_between(double low, double high) {
    const double halfway = middle(low, high);
    return {.value = (halfway > low ? halfway : high) + 0.0,
            .low = std::bit_cast<std::int64_t>(low),
            .high = std::bit_cast<std::int64_t>(high)};
}

/// As for doubles; beyond ±2^53 the upper middle integer.
inline Pivot pivot_between(std::int64_t low, std::int64_t high) {
    constexpr std::int64_t limit = std::int64_t{1} << 53;
    const Int128 sum = static_cast<Int128>(low) + high;
    if (low < -limit || high > limit) {
        const Int128 upper = (sum >> 1) + (sum & 1);
        return {.integer = static_cast<std::int64_t>(upper),
                .is_integer = true,
                .low = low,
                .high = high};
    }
    return pivot_between(static_cast<double>(low), static_cast<double>(high));
}

}  // namespace bough
