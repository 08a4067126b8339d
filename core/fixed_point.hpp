// Fixed point: doubles as integers on a grid of a power of two, wide enough never to show.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>

#include "threads.hpp"
#include "wide_integers.hpp"

namespace bough {

constexpr int mantissa_bits = std::numeric_limits<double>::digits;

/// A double as mantissa × 2^exponent, from its bits.
struct WholeForm {
    std::int64_t mantissa = 0;
    int exponent = 0;

    explicit WholeForm(double value) {
        constexpr int fraction_bits = mantissa_bits - 1;
        constexpr std::uint64_t fraction = (std::uint64_t{1} << fraction_bits) - 1;
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto biased = static_cast<int>((bits >> fraction_bits) & 0x7ff);
        const std::uint64_t hidden = biased == 0 ? 0 : fraction + 1;
        mantissa = static_cast<std::int64_t>((bits & fraction) | hidden);
        exponent = (biased == 0 ? 1 : biased) - 1075;
        if ((bits >> 63) != 0) mantissa = -mantissa;
    }
    /// The exponents of the lowest bit that is set, and of the one above the highest.
    [[nodiscard]] int lowest() const {
        return exponent + std::countr_zero(static_cast<std::uint64_t>(mantissa));
    }
    [[nodiscard]] int highest() const {
        const auto magnitude = static_cast<std::uint64_t>(mantissa < 0 ? -mantissa : mantissa);
        return exponent + static_cast<int>(std::bit_width(magnitude));
    }
};

/// A grid of a power of two for some values.
struct Grid {
    int exponent = 0;
    bool is_exact = true;  // all values lie on it
};

/// The exponents that some values need.
struct Exponents {
    int lowest = std::numeric_limits<int>::max();
    int highest = std::numeric_limits<int>::min();

    void add(double value) {
        if (value == 0) return;
        const WholeForm whole(value);
        lowest = std::min(lowest, whole.lowest());
        highest = std::max(highest, whole.highest());
    }
    Exponents& operator+=(const Exponents& other) {
        lowest = std::min(lowest, other.lowest);
        highest = std::max(highest, other.highest);
        return *this;
    }
    /// The coarsest grid on which all values lie and are below 2^bits; where there is none, the
    /// finest on which they are below 2^bits.
    [[nodiscard]] Grid grid(int bits) const {
        if (highest == std::numeric_limits<int>::min()) return {};
        return {std::max(lowest, highest - bits), lowest >= highest - bits};
    }
};

/// The exponents that the values of rows with weight need.
inline Exponents exponents_of(std::span<const double> values, const double* weights,
                              Threads& threads) {
    Exponents all;
    std::mutex adding;
    threads.for_stretches(values.size(), [&](std::size_t begin, std::size_t end) {
        Exponents mine;
        for (std::size_t i = begin; i < end; ++i)
            if (weights == nullptr || weights[i] > 0) mine.add(values[i]);
        const std::scoped_lock lock(adding);
        all += mine;
    });
    return all;
}

/// The nearest point of the grid.
inline Int128 on_grid(double value, int exponent) {
    const WholeForm whole(value);
    const int shift = whole.exponent - exponent;
    if (shift < -mantissa_bits - 1) return 0;
    if (shift >= 0) return static_cast<Int128>(whole.mantissa) << shift;
    const Int128 half = static_cast<Int128>(1) << (-shift - 1);
    return (static_cast<Int128>(whole.mantissa) + half) >> -shift;
}

}  // namespace bough
