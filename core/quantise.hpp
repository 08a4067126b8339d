// Number labels as 64-bit integers on a grid fit for the rows at hand.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "grid.hpp"
#include "threads.hpp"
#include "twofold.hpp"

namespace bough {

/// How good a grid is for some numbers.
struct Quantised {
    bool is_exact = false;  // every number lies on it
    bool is_whole = false;  // doubles hold every sum
};

/// Put numbers on a grid around their mean, each times its weight, so fine that the sum of all
/// still fits 64 bits, but no finer than they need. `number(i)` is the i-th, `total` the sum of the
/// weights.
template <class Number, class Weight>
Quantised quantise(std::size_t count, const Number& number, const Weight& weight,
                   std::int64_t total, std::vector<std::int64_t>& out, Threads& threads) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    double mean = 0;  // about; each term is divided first, so that none overflows
    const double share = 1 / static_cast<double>(count);
    std::mutex merging;
    out.resize(count);
    threads.for_stretches(count, [&](std::size_t begin, std::size_t end) {
        double low = number(begin);
        double high = low;
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double value = number(i);
            low = std::min(low, value);
            high = std::max(high, value);
            sum += value * share;
            out[i] = std::bit_cast<std::int64_t>(value);  // numbers may lie far apart: read once
        }
        const std::scoped_lock lock(merging);
        least = std::min(least, low);
        most = std::max(most, high);
        mean += sum;
    });
    const double middle = std::clamp(mean, least, most);
    const double reach = std::max(most - middle, middle - least);
    if (!std::isfinite(reach)) {
        std::fill(out.begin(), out.end(), 0);
        return {};
    }
    const int bits = 61 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(total)));
    const int exponent = reach > 0 ? bits - (std::ilogb(reach) + 1) : 0;
    const double factor = scaled(1, std::min(exponent, 1023));
    const double rest = scaled(1, exponent - std::min(exponent, 1023));
    bool is_exact = true;
    std::uint64_t bits_in_use = 0;
    std::uint64_t magnitude = 0;
    threads.for_stretches(count, [&](std::size_t begin, std::size_t end) {
        bool all = true;
        std::uint64_t seen = 0;
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const Twofold away = Twofold::sum(std::bit_cast<double>(out[i]), -middle);
            const double place = away.high * factor * rest;
            const auto whole = static_cast<std::int64_t>(place + (place < 0 ? -0.5 : 0.5));
            const bool is_on_grid = static_cast<double>(whole) == place && away.low == 0;
            const double product = place * static_cast<double>(weight(i));
            out[i] = is_on_grid ? whole * weight(i)
                                : static_cast<std::int64_t>(product + (product < 0 ? -0.5 : 0.5));
            all = all && is_on_grid;
            const auto size = static_cast<std::uint64_t>(out[i] < 0 ? -out[i] : out[i]);
            seen |= size;
            sum += size;
        }
        const std::scoped_lock lock(merging);
        is_exact = is_exact && all;
        bits_in_use |= seen;
        magnitude += sum;
    });
    if (is_exact && bits_in_use != 0) {
        const int shift = std::countr_zero(bits_in_use);
        magnitude >>= shift;
        threads.for_stretches(count, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) out[i] >>= shift;
        });
    }
    return {is_exact, magnitude < std::uint64_t{1} << mantissa_bits};
}

}  // namespace bough
