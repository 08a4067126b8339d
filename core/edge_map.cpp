// Bins and steps by edges, for columns in which values repeat.
#include "edge_map.hpp"

#include <algorithm>
#include <cmath>

#include "table.hpp"

namespace bough {

EdgeMap::EdgeMap(std::span<const float> sorted) {
    edges_.fill(std::numeric_limits<float>::infinity());
    if (!sorted.empty()) place_edges(sorted);
    make_cells();
}

void EdgeMap::place_edges(std::span<const float> sorted) {
    constexpr std::size_t most = n_bins - 1;  // bins of known values
    std::size_t n_distinct = 1;
    for (std::size_t i = 1; i < sorted.size(); ++i)
        n_distinct += sorted[i] != sorted[i - 1] ? 1 : 0;
    if (n_distinct <= most) {
        for (std::size_t i = 0; i + 1 < sorted.size(); ++i)
            if (sorted[i] != sorted[i + 1]) edges_[n_edges_++] = sorted[i];
    } else {
        place_edges_by_depth(sorted);
    }
    for (std::size_t bin = 0; bin <= n_edges_; ++bin) {
        const float low = bin == 0 ? sorted.front() : edges_[bin - 1];
        const float high = bin < n_edges_ ? edges_[bin] : sorted.back();
        const float scale = static_cast<float>(n_steps) / (high - low);
        bin_first_[bin] = low;
        steps_per_unit_[bin] = high > low && std::isfinite(scale) ? scale : 0;
    }
}

/// Bins of about equal numbers of rows; a value with as many rows as a bin gets one of its own.
void EdgeMap::place_edges_by_depth(std::span<const float> sorted) {
    constexpr std::size_t most = n_bins - 2;  // edges
    constexpr std::size_t few = 8;
    std::size_t in_bin = 0;
    std::size_t left = sorted.size();
    for (std::size_t i = 0; i < sorted.size() && n_edges_ < most;) {
        std::size_t end = i;
        while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
        const std::size_t count = end - i;
        const std::size_t target = (left + in_bin) / (most + 1 - n_edges_);
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

// The cells are found tile by tile, from copies of what they need, so that the compiler can work
// on several values side by side.
template <std::size_t Count>
void EdgeMap::find_cells(const std::array<float, Count>& values,
                         std::array<std::int32_t, Count>& cells) const {
    constexpr auto last = static_cast<std::int32_t>(n_cells - 1);
    if (by_bits_) {
        const std::uint32_t first = first_key_;
        const int shift = key_shift_;
        for (std::size_t i = 0; i < Count; ++i) {
            const std::uint32_t key = bit_key(values[i]);
            const std::uint32_t away = (key - first) >> shift;
            const auto place = away < static_cast<std::uint32_t>(last)
                                   ? static_cast<std::int32_t>(away) + 1
                                   : last;
            cells[i] = key < first ? 0 : place;
        }
        return;
    }
    const float first = first_;
    const float scale = cells_per_unit_;
    for (std::size_t i = 0; i < Count; ++i) {
        float place = (values[i] - first) * scale + 1;
        place = place > 0 ? place : 0;
        place = place < static_cast<float>(last) ? place : static_cast<float>(last);
        cells[i] = static_cast<std::int32_t>(place);
    }
}

std::size_t EdgeMap::cell(float value) const {
    std::array<std::int32_t, 1> found{};
    find_cells(std::array<float, 1>{value}, found);
    return static_cast<std::size_t>(found[0]);
}

std::size_t EdgeMap::count_edges_in_cells() {
    std::array<std::size_t, n_cells> count{};
    for (std::size_t i = 0; i < n_edges_; ++i) ++count[cell(edges_[i])];
    std::size_t below = 0;
    for (std::size_t i = 0; i < n_cells; ++i) {
        start_[i] = static_cast<std::uint8_t>(below);
        below += count[i];
    }
    return *std::max_element(count.begin(), count.end());
}

void EdgeMap::make_cells() {
    constexpr auto inner = static_cast<float>(n_cells - 3);
    constexpr std::size_t enough = 2;
    if (n_edges_ == 0) {
        n_compares_ = 0;
        return;
    }
    first_ = edges_[0];
    const float scale = inner / (edges_[n_edges_ - 1] - first_);
    cells_per_unit_ = std::isfinite(scale) ? scale : 0;
    n_compares_ = count_edges_in_cells();
    if (n_compares_ > enough) make_cells_by_bits();
}

void EdgeMap::make_cells_by_bits() {
    const std::size_t by_value = n_compares_;
    by_bits_ = true;
    first_key_ = bit_key(first_);
    const std::uint32_t width = bit_key(edges_[n_edges_ - 1]) - first_key_;
    while ((width >> key_shift_) > n_cells - 3) ++key_shift_;
    n_compares_ = count_edges_in_cells();
    if (n_compares_ < by_value) return;
    by_bits_ = false;
    n_compares_ = count_edges_in_cells();
}

void EdgeMap::find_bins(const Tile& values, std::array<std::int32_t, tile_size>& below) const {
    constexpr std::size_t few = 4;
    if (n_compares_ > few) {
        for (std::size_t i = 0; i < tile_size; ++i)
            below[i] = static_cast<std::int32_t>(
                std::lower_bound(edges_.begin(), edges_.begin() + n_edges_, values[i]) -
                edges_.begin());
        return;
    }
    find_cells(values, below);
    const std::uint8_t* start = start_.data();
    const float* edges = edges_.data();
    for (std::size_t i = 0; i < tile_size; ++i) below[i] = start[below[i]];
    for (std::size_t step = 0; step < n_compares_; ++step)
        for (std::size_t i = 0; i < tile_size; ++i) below[i] += edges[below[i]] < values[i] ? 1 : 0;
}

void EdgeMap::encode(const Tile& values, std::uint8_t* bins, std::uint8_t* steps) const {
    constexpr auto last = static_cast<float>(n_steps - 1);
    std::array<std::int32_t, tile_size> below;
    std::array<std::int32_t, tile_size> step;
    find_bins(values, below);
    const float* first = bin_first_.data();
    const float* scale = steps_per_unit_.data();
    for (std::size_t i = 0; i < tile_size; ++i) {
        float place = (values[i] - first[below[i]]) * scale[below[i]];
        place = place > 0 ? place : 0;
        step[i] = static_cast<std::int32_t>(place < last ? place : last);
    }
    for (std::size_t i = 0; i < tile_size; ++i) steps[i] = static_cast<std::uint8_t>(step[i]);
    for (std::size_t i = 0; i < tile_size; ++i)
        bins[i] = static_cast<std::uint8_t>(values[i] == values[i] ? below[i] + 1 : 0);
}

}  // namespace bough
