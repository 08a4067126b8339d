// Gives values their two-byte codes, a bin and a step within it: by a curve through the values, or
// by edges between them.
#include "coarse_maps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// Compiled twice: where the processor has wide instructions, those are chosen when the module is
// loaded, before sanitizers are ready. (The curve waits for memory: there they do not help.)
#if defined(__x86_64__) && defined(__gnu_linux__) && __GNUC__ >= 12 && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BOUGH_WIDE __attribute__((target_clones("arch=x86-64-v4", "default")))
#else
#define BOUGH_WIDE
#endif

namespace bough {

ValueMap map_for(std::span<const float> sorted) {
    constexpr std::size_t often = 8;
    std::size_t n_distinct = sorted.empty() ? 0 : 1;
    std::size_t longest = n_distinct;
    std::size_t run = 1;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        run = sorted[i] == sorted[i - 1] ? run + 1 : 1;
        n_distinct += run == 1 ? 1 : 0;
        longest = std::max(longest, run);
    }
    if (n_distinct < n_bins || longest > often) return EdgeMap(sorted, n_distinct);
    return CurveMap(sorted);
}

CurveMap::CurveMap(std::span<const float> sorted) {
    constexpr std::size_t first_code = n_steps;  // bin 0 is not for known values
    constexpr std::size_t last_code = n_bins * n_steps - 1;
    const auto below = cells_.lay(sorted, sorted.size() / 64);
    const auto code = [&](std::size_t cell) {
        return first_code + below[cell] * (last_code - first_code) / sorted.size();
    };
    for (std::size_t i = 0; i < n_cells; ++i)
        lines_[i] = static_cast<std::uint32_t>(code(i) | (code(i + 1) - code(i)) << 16);
}

// Codes grow with the value: within a cell each step of the sum below does, and as a value is less
// than a whole cell into its cell, it does not go beyond the next cell's start, a whole number.
void CurveMap::encode(const Tile& values, std::uint8_t* bins, std::uint8_t* steps) const {
    Tile places;
    Integers codes;
    std::array<std::uint32_t, tile_size> found;
    cells_.find(values, places);
    for (std::size_t i = 0; i < tile_size; ++i) codes[i] = static_cast<std::int32_t>(places[i]);
    const std::uint32_t* lines = lines_.data();
    for (std::size_t i = 0; i < tile_size; ++i) found[i] = lines[codes[i]];
    for (std::size_t i = 0; i < tile_size; ++i) {
        const float share = places[i] - static_cast<float>(codes[i]);
        const auto start = static_cast<float>(static_cast<std::int32_t>(found[i] & 0xffff));
        const auto rise = static_cast<float>(static_cast<std::int32_t>(found[i] >> 16));
        codes[i] = static_cast<std::int32_t>(start + share * rise);
    }
    for (std::size_t i = 0; i < tile_size; ++i) bins[i] = static_cast<std::uint8_t>(codes[i] >> 8);
    for (std::size_t i = 0; i < tile_size; ++i) steps[i] = static_cast<std::uint8_t>(codes[i]);
}

EdgeMap::EdgeMap(std::span<const float> sorted, std::size_t n_distinct) {
    edges_.fill(std::numeric_limits<float>::infinity());
    if (sorted.empty()) return;
    place_edges(sorted, n_distinct);
    for (std::size_t bin = 0; bin <= n_edges_; ++bin) {
        const float low = bin == 0 ? sorted.front() : edges_[bin - 1];
        const float high = bin < n_edges_ ? edges_[bin] : sorted.back();
        const float scale = static_cast<float>(n_steps) / (high - low);
        scales_[bin] = {low, high > low && std::isfinite(scale) ? scale : 0};
    }
    if (n_edges_ == 0) return;
    constexpr std::size_t enough = 2;
    const auto below = cells_.lay(std::span(edges_).first(n_edges_), enough);
    for (std::size_t i = 0; i < n_cells; ++i) start_[i] = static_cast<std::uint8_t>(below[i]);
}

/// A bin for each value if they suffice, else bins of about equal numbers of rows; a value with as
/// many rows as a bin gets one of its own.
void EdgeMap::place_edges(std::span<const float> sorted, std::size_t n_distinct) {
    constexpr std::size_t most = n_bins - 2;  // edges
    constexpr std::size_t few = 8;
    std::size_t in_bin = 0;
    std::size_t left = sorted.size();
    for (std::size_t i = 0; i < sorted.size() && n_edges_ < most;) {
        std::size_t end = i;
        while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
        const std::size_t count = end - i;
        const std::size_t target =
            n_distinct < n_bins ? 1 : (left + in_bin) / (most + 1 - n_edges_);
        const bool is_heavy = count > few && count >= target;
        if (is_heavy && in_bin > 0) {
            edges_[n_edges_++] = sorted[i - 1];
            in_bin = 0;
        }
        in_bin += count;
        left -= count;
        if (in_bin >= target && end < sorted.size() && n_edges_ < most) {
            edges_[n_edges_++] = sorted[i];
            in_bin = 0;
        }
        i = end;
    }
}

void EdgeMap::find_bins(const Tile& values, Integers& below) const {
    constexpr std::size_t few = 4;
    const float* edges = edges_.data();
    const std::size_t n_compares = cells_.fullest();
    if (n_compares > few) {
        for (std::size_t i = 0; i < tile_size; ++i)
            below[i] = static_cast<std::int32_t>(
                std::lower_bound(edges, edges + n_edges_, values[i]) - edges);
        return;
    }
    Tile places;
    cells_.find(values, places);
    for (std::size_t i = 0; i < tile_size; ++i) below[i] = static_cast<std::int32_t>(places[i]);
    const std::uint8_t* start = start_.data();
    for (std::size_t i = 0; i < tile_size; ++i) below[i] = start[below[i]];
    for (std::size_t compare = 0; compare < n_compares; ++compare)
        for (std::size_t i = 0; i < tile_size; ++i) below[i] += edges[below[i]] < values[i] ? 1 : 0;
}

BOUGH_WIDE void EdgeMap::encode(const Tile& values, std::uint8_t* bins, std::uint8_t* steps) const {
    constexpr auto last = static_cast<float>(n_steps - 1);
    Integers below;
    Tile places;
    std::array<Scale, tile_size> found;
    find_bins(values, below);
    const Scale* scales = scales_.data();
    for (std::size_t i = 0; i < tile_size; ++i) found[i] = scales[below[i]];
    for (std::size_t i = 0; i < tile_size; ++i) bins[i] = static_cast<std::uint8_t>(below[i] + 1);
    for (std::size_t i = 0; i < tile_size; ++i) {
        float place = (values[i] - found[i].first) * found[i].steps_per_unit;
        place = place > 0 ? place : 0;
        places[i] = place < last ? place : last;
    }
    for (std::size_t i = 0; i < tile_size; ++i) below[i] = static_cast<std::int32_t>(places[i]);
    for (std::size_t i = 0; i < tile_size; ++i) steps[i] = static_cast<std::uint8_t>(below[i]);
}

}  // namespace bough
