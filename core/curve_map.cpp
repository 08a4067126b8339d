// Bins and steps by a curve, for columns in which values hardly repeat.
#include "curve_map.hpp"

#include <algorithm>
#include <cmath>

#include "table.hpp"

namespace bough {

CurveMap::CurveMap(std::span<const float> sorted) {
    first_ = sorted.front();
    cells_per_unit_ = static_cast<float>(n_cells - 1) / (sorted.back() - first_);
    const bool is_usable = std::isfinite(cells_per_unit_) && cells_per_unit_ > 0;
    const std::size_t by_value = is_usable ? draw(sorted) : sorted.size();
    const std::size_t much = sorted.size() / 64;
    if (by_value <= much) return;
    use_bits(sorted.front(), sorted.back());
    if (draw(sorted) <= by_value) return;
    by_bits_ = false;
    draw(sorted);
}

void CurveMap::use_bits(float least, float most) {
    by_bits_ = true;
    first_key_ = bit_key(least);
    const std::uint32_t width = bit_key(most) - first_key_;
    while ((width >> key_shift_) >= n_cells) ++key_shift_;
}

/// Draw the curve; return how many values of the sample the fullest cell holds.
std::size_t CurveMap::draw(std::span<const float> sorted) {
    constexpr std::size_t first_code = n_steps;  // bin 0 is not for known values
    constexpr std::size_t n_codes = n_bins * n_steps - first_code;
    std::array<std::size_t, n_cells> count{};
    for (const float value : sorted) {
        std::array<std::int32_t, 1> cell{};
        std::array<float, 1> share{};
        find_cells(std::array<float, 1>{value}, cell, share);
        ++count[static_cast<std::size_t>(cell[0])];
    }
    std::size_t below = 0;
    for (std::size_t i = 0; i < n_cells; ++i) {
        curve_[i] = static_cast<float>(first_code + below * (n_codes - 1) / sorted.size());
        below += count[i];
    }
    curve_[n_cells] = static_cast<float>(first_code + n_codes - 1);
    return *std::max_element(count.begin(), count.end());
}

// Loops over a tile, from copies of what they need, so that the compiler can work on several values
// side by side.
template <std::size_t Count>
void CurveMap::find_cells(const std::array<float, Count>& values,
                          std::array<std::int32_t, Count>& cells,
                          std::array<float, Count>& shares) const {
    if (by_bits_) {
        constexpr auto last = static_cast<std::uint32_t>(n_cells - 1);
        const std::uint32_t first = first_key_;
        const int shift = key_shift_;
        const std::uint32_t inside = (std::uint32_t{1} << shift) - 1;
        const float unit = std::ldexp(1.0F, -shift);
        for (std::size_t i = 0; i < Count; ++i) {
            const std::uint32_t key = bit_key(values[i]);
            const std::uint32_t away = key < first ? 0 : key - first;
            const std::uint32_t cell = away >> shift;
            cells[i] = static_cast<std::int32_t>(cell < last ? cell : last);
            shares[i] = cell > last
                            ? 1
                            : static_cast<float>(static_cast<std::int32_t>(away & inside)) * unit;
        }
        return;
    }
    const float end = std::nextafter(static_cast<float>(n_cells), 0.0F);
    const float first = first_;
    const float scale = cells_per_unit_;
    for (std::size_t i = 0; i < Count; ++i) {
        float place = (values[i] - first) * scale;
        place = place > 0 ? place : 0;
        place = place < end ? place : end;
        cells[i] = static_cast<std::int32_t>(place);
        shares[i] = place - static_cast<float>(cells[i]);
    }
}

// Codes grow with the value: within a cell each step of the sum below does, and with a share of at
// most 1 it does not go beyond the next cell's start, which is a whole number.
void CurveMap::encode(const Tile& values, std::uint8_t* bins, std::uint8_t* steps) const {
    std::array<std::int32_t, tile_size> codes;
    std::array<std::int32_t, tile_size> known;
    Tile shares;
    Tile starts;
    Tile ends;
    find_cells(values, codes, shares);
    const float* curve = curve_.data();
    for (std::size_t i = 0; i < tile_size; ++i) {
        starts[i] = curve[codes[i]];
        ends[i] = curve[codes[i] + 1];
    }
    for (std::size_t i = 0; i < tile_size; ++i) known[i] = values[i] == values[i] ? -1 : 0;
    for (std::size_t i = 0; i < tile_size; ++i)
        codes[i] = static_cast<std::int32_t>(starts[i] + shares[i] * (ends[i] - starts[i]));
    for (std::size_t i = 0; i < tile_size; ++i) codes[i] &= known[i];
    for (std::size_t i = 0; i < tile_size; ++i) bins[i] = static_cast<std::uint8_t>(codes[i] >> 8);
    for (std::size_t i = 0; i < tile_size; ++i) steps[i] = static_cast<std::uint8_t>(codes[i]);
}

}  // namespace bough
