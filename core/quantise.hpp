// Number labels as 64-bit integers on a grid fit for the rows at hand.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "threads.hpp"
#include "twofold.hpp"

namespace bough {

/// Put numbers on a grid around their mean, so fine that the sum of all still fits 64 bits; return
/// whether every number lies on it. `number(i)` is the i-th.
template <class Number>
bool quantise(std::size_t count, const Number& number, std::vector<std::int64_t>& out,
              Threads& threads) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    double mean = 0;  // about; each term is divided first, so that none overflows
    const double share = 1 / static_cast<double>(count);
    std::mutex merging;
    threads.for_stretches(count, [&](std::size_t begin, std::size_t end) {
        double low = number(begin);
        double high = low;
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            low = std::min(low, number(i));
            high = std::max(high, number(i));
            sum += number(i) * share;
        }
        const std::scoped_lock lock(merging);
        least = std::min(least, low);
        most = std::max(most, high);
        mean += sum;
    });
    const double middle = std::clamp(mean, least, most);
    const double reach = std::max(most - middle, middle - least);
    out.resize(count);
    if (!std::isfinite(reach)) {
        std::fill(out.begin(), out.end(), 0);
        return false;
    }
    const int bits = 61 - static_cast<int>(std::bit_width(count));
    const int exponent = reach > 0 ? bits - (std::ilogb(reach) + 1) : 0;
    const double factor = scaled(1, std::min(exponent, 1023));
    const double rest = scaled(1, exponent - std::min(exponent, 1023));
    std::atomic<bool> is_exact = true;
    threads.for_stretches(count, [&](std::size_t begin, std::size_t end) {
        bool all = true;
        for (std::size_t i = begin; i < end; ++i) {
            const Twofold away = Twofold::sum(number(i), -middle);
            const double place = away.high * factor * rest;
            out[i] = static_cast<std::int64_t>(place + (place < 0 ? -0.5 : 0.5));
            all = all && static_cast<double>(out[i]) == place && away.low == 0;
        }
        if (!all) is_exact = false;
    });
    return is_exact;
}

}  // namespace bough
