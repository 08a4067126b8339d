// Cells of equal width, in which both maps look values up.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "table.hpp"

namespace bough {

/// Values that are encoded together, as floats that grow with them; a missing one is NaN. Loops run
/// over whole tiles, from copies of what they need, so that the compiler can work on several values
/// side by side.
constexpr std::size_t tile_size = 128;
using Tile = std::array<float, tile_size>;
using Integers = std::array<std::int32_t, tile_size>;

/// Cells over the range of some values, equally wide in value or in the bits of floats.
class Cells {
  public:
    explicit Cells(std::size_t count)
        : count_(count), end_(std::nextafter(static_cast<float>(count), 0.0F)) {}

    /// Lay the cells over sorted items by value or, where more than `enough` then share a cell and
    /// it helps, by bits. Return how many items lie below each cell.
    std::vector<std::uint32_t> lay(std::span<const float> sorted, std::size_t enough) {
        const float scale = static_cast<float>(count_ - 1) / (sorted.back() - sorted.front());
        first_ = sorted.front();
        cells_per_unit_ = std::isfinite(scale) ? scale : 0;
        std::vector<std::uint32_t> below = count(sorted);
        if (fullest_ <= enough) return below;
        Cells other(count_);
        other.lay_by_bits(sorted.front(), sorted.back());
        std::vector<std::uint32_t> below_by_bits = other.count(sorted);
        if (other.fullest_ >= fullest_) return below;
        *this = other;
        return below_by_bits;
    }

    /// How many items the fullest cell holds.
    [[nodiscard]] std::size_t fullest() const { return fullest_; }

    /// Where values lie: the whole part is the cell, the rest how far into it. Places grow with the
    /// values; those outside lie in the cells at the ends, missing ones in any.
    void find(const Tile& values, Tile& places) const {
        const float end = end_;
        const float scale = cells_per_unit_;
        if (by_bits_) {
            const std::uint32_t first = first_key_;
            for (std::size_t i = 0; i < tile_size; ++i) {
                const std::uint32_t key = bit_key(values[i]);
                const auto away = static_cast<std::int32_t>((key < first ? 0 : key - first) >> 1);
                const float place = static_cast<float>(away) * scale;
                places[i] = place < end ? place : end;
            }
            return;
        }
        const float first = first_;
        for (std::size_t i = 0; i < tile_size; ++i) {
            float place = (values[i] - first) * scale;
            place = place > 0 ? place : 0;
            places[i] = place < end ? place : end;
        }
    }

  private:
    void lay_by_bits(float least, float most) {
        by_bits_ = true;
        first_key_ = bit_key(least);
        int shift = 1;
        while (((bit_key(most) - first_key_) >> shift) >= count_) ++shift;
        cells_per_unit_ = std::ldexp(2.0F, -shift);
    }

    std::vector<std::uint32_t> count(std::span<const float> sorted) {
        std::vector<std::uint32_t> below(count_ + 1);
        for (std::size_t begin = 0; begin < sorted.size(); begin += tile_size) {
            const auto part = sorted.subspan(begin, std::min(tile_size, sorted.size() - begin));
            Tile values{};
            Tile places;
            std::copy(part.begin(), part.end(), values.begin());
            find(values, places);
            for (std::size_t i = 0; i < part.size(); ++i)
                ++below[static_cast<std::size_t>(places[i]) + 1];
        }
        fullest_ = *std::max_element(below.begin(), below.end());
        for (std::size_t i = 0; i < count_; ++i) below[i + 1] += below[i];
        return below;
    }

    std::size_t count_;
    float end_;  // the last place
    bool by_bits_ = false;
    float first_ = 0;
    std::uint32_t first_key_ = 0;
    float cells_per_unit_ = 0;  // or to two keys
    std::size_t fullest_ = 0;
};

}  // namespace bough
