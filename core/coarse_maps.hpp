// How the values of a column get their coarse codes: a bin, and a step within it, of a byte each.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "coarse_table.hpp"

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

/// For columns in which values hardly repeat. The share of the sample below a value, drawn as a
/// straight line over each cell, is the code of 16 bits: its high byte the bin, its low byte the
/// step.
class CurveMap {
  public:
    /// From a sorted sample of the known values.
    explicit CurveMap(std::span<const float> sorted);

    void encode(const Tile& values, std::uint8_t* bins, std::uint8_t* steps) const;

  private:
    static constexpr std::size_t n_cells = 1024;
    Cells cells_{n_cells};
    std::array<std::uint32_t, n_cells> lines_{};  // low half: code at the start; high half: rise
};

/// For columns in which values repeat. One that is frequent in the sample gets a bin of its own,
/// which need not be looked into.
class EdgeMap {
  public:
    /// From a sorted sample of the known values, which have so many distinct ones.
    EdgeMap(std::span<const float> sorted, std::size_t n_distinct);

    [[nodiscard]] std::size_t n_used() const { return n_edges_ + 2; }
    void encode(const Tile& values, std::uint8_t* bins, std::uint8_t* steps) const;

  private:
    /// Where the steps of a bin begin, and how dense they are.
    struct Scale {
        float first;
        float steps_per_unit;
    };

    void place_edges(std::span<const float> sorted, std::size_t n_distinct);
    void find_bins(const Tile& values, Integers& below) const;

    static constexpr std::size_t n_cells = 2048;
    std::array<float, n_bins> edges_{};  // a value's bin is 1 + the number of edges below it
    std::size_t n_edges_ = 0;
    Cells cells_{n_cells};
    std::array<std::uint8_t, n_cells> start_{};  // edges below each cell
    std::array<Scale, n_bins> scales_{};
};

/// The map of a column; nothing for choices, which are codes.
using ValueMap = std::variant<std::monostate, EdgeMap, CurveMap>;

/// The map that suits a sorted sample of the known values.
ValueMap map_for(std::span<const float> sorted);

}  // namespace bough
