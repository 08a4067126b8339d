// Number labels and weights as 64-bit integers on grids fit for the rows at hand.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fixed_point.hpp"
#include "threads.hpp"
#include "twofold.hpp"

namespace bough {

/// The weights of some rows as integers of which no sum has more than `sum_bits` bits: those of the
/// table's grid, or that many bits fewer.
class GridWeights {
  public:
    /// `weight(i)` is the i-th on the table's grid.
    template <class Weight>
    GridWeights(std::size_t count, const Weight& weight, int sum_bits) {
        Int128 total = 0;
        Int128 most = 0;
        for (std::size_t i = 0; i < count; ++i) {
            total += weight(i);
            most = std::max<Int128>(most, weight(i));
        }
        // A weight that is raised to 1 may add as much again as all rows.
        total += static_cast<Int128>(count);
        shift_ = std::max({0, bits_of(total) + 1 - sum_bits, bits_of(most) - row_bits});
        total_ = static_cast<std::int64_t>(total >> shift_);
    }

    static constexpr int row_bits = 47;  // of one row's weight

    [[nodiscard]] std::int64_t total() const { return total_; }
    /// Of the grid, in units of the table's.
    [[nodiscard]] double unit() const { return scaled(1, shift_); }
    [[nodiscard]] bool is_exact() const { return shift_ == 0; }
    /// Whether doubles hold all sums.
    [[nodiscard]] bool is_whole() const { return total_ < std::int64_t{1} << 52; }

    /// A weight on this grid; one that takes part weighs something.
    [[nodiscard]] std::int64_t operator()(Int128 weight) const {
        if (shift_ == 0) return static_cast<std::int64_t>(weight);
        const Int128 half = static_cast<Int128>(1) << (shift_ - 1);
        const auto point = static_cast<std::int64_t>((weight + half) >> shift_);
        return weight > 0 ? std::max<std::int64_t>(point, 1) : 0;
    }

  private:
    int shift_ = 0;
    std::int64_t total_ = 0;
};

/// How good a grid is for some numbers.
struct Quantised {
    bool is_exact = false;  // every number lies on it
    bool is_whole = false;  // doubles hold every sum
    int exponent = 0;       // of the grid's unit
    double origin = 0;      // what the numbers are counted from
    bool is_constant = false;
};

/// The range of some numbers, and about their mean.
struct NumberRange {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    double mean = 0;

    NumberRange& operator+=(const NumberRange& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
        mean += other.mean;
        return *this;
    }
};

/// Which bits some integers use, whether their numbers lie on the grid, and the sum of their sizes.
struct BitsInUse {
    bool are_exact = true;
    std::uint64_t bits = 0;
    std::uint64_t magnitude = 0;

    BitsInUse& operator+=(const BitsInUse& other) {
        are_exact = are_exact && other.are_exact;
        bits |= other.bits;
        magnitude += other.magnitude;
        return *this;
    }
};

/// What numbers are counted from. Counted from zero, only zero itself becomes 0.
enum class Origin : std::uint8_t { mean, zero };

/// Put numbers on a grid, each times its weight, so fine that the sum of all still fits
/// `sum_bits`, but no finer than they need. `number(i)` is the i-th, `total` the sum of the
/// weights; rows that weigh nothing have no say. All numbers lie on the grid of `table_exponent`,
/// and so does the origin, so that whole numbers stay whole.
template <class Number, class Weight>
Quantised quantise(std::size_t count, const Number& number, const Weight& weight,
                   std::int64_t total, int table_exponent, Origin origin, int sum_bits,
                   std::vector<std::int64_t>& out, Threads& threads) {
    out.resize(count);
    const double share = 1 / static_cast<double>(count);
    const auto range =
        over_stretches<NumberRange>(count, threads, [&](std::size_t begin, std::size_t end) {
            NumberRange mine;
            for (std::size_t i = begin; i < end; ++i) {
                const double value = number(i);
                out[i] = std::bit_cast<std::int64_t>(value);  // they may lie far apart: read once
                if (weight(i) == 0) continue;
                mine += {value, value, value * share};  // divided first, so that none overflows
            }
            return mine;
        });
    const double mean =
        origin == Origin::zero ? 0 : std::clamp(range.mean, range.least, range.most);
    const double middle = scaled(to_double(on_grid(mean, table_exponent)), table_exponent);
    const double reach = std::max(range.most - middle, middle - range.least);
    if (!std::isfinite(reach)) {  // on a grid so coarse that all products with weights round to 0
        std::fill(out.begin(), out.end(), 0);
        const auto weight_bits = std::bit_width(static_cast<std::uint64_t>(total));
        return {.exponent =
                    std::numeric_limits<double>::max_exponent + 1 + static_cast<int>(weight_bits)};
    }
    // |place| ≤ 2^bits, so the sum of all < 2^(sum_bits − 1); rounding adds a unit a row at most.
    const int bits =
        sum_bits - 1 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(total)));
    const int exponent = reach > 0 ? bits - (std::ilogb(reach) + 1) : 0;
    const double factor = scaled(1, std::min(exponent, 1023));
    const double rest = scaled(1, exponent - std::min(exponent, 1023));
    const auto used =
        over_stretches<BitsInUse>(count, threads, [&](std::size_t begin, std::size_t end) {
            BitsInUse mine;
            for (std::size_t i = begin; i < end; ++i) {
                if (weight(i) == 0) {
                    out[i] = 0;
                    continue;
                }
                const Twofold away = Twofold::sum(std::bit_cast<double>(out[i]), -middle);
                const double place = away.high * factor * rest;
                const auto whole = static_cast<std::int64_t>(place + (place < 0 ? -0.5 : 0.5));
                const bool is_on_grid = static_cast<double>(whole) == place && away.low == 0;
                const double product = place * static_cast<double>(weight(i));
                out[i] = is_on_grid
                             ? whole * weight(i)
                             : static_cast<std::int64_t>(product + (product < 0 ? -0.5 : 0.5));
                if (origin == Origin::zero && place > 0) out[i] = std::max<std::int64_t>(out[i], 1);
                const auto size = static_cast<std::uint64_t>(out[i] < 0 ? -out[i] : out[i]);
                mine += {is_on_grid, size, size};
            }
            return mine;
        });
    const int shift = used.are_exact && used.bits != 0 ? std::countr_zero(used.bits) : 0;
    if (shift > 0)
        threads.for_stretches(count, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) out[i] >>= shift;
        });
    return {.is_exact = used.are_exact,
            .is_whole = used.magnitude >> shift < std::uint64_t{1} << mantissa_bits,
            .exponent = shift - exponent,
            .origin = middle,
            .is_constant = range.least == range.most};
}

}  // namespace bough
