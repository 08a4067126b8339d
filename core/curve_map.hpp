// Bins and steps by a curve, for columns in which values hardly repeat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codes.hpp"

namespace bough {

/// The share of the sample below a value, drawn as straight lines over equally wide cells, is the
/// code of 16 bits: its high byte the bin, its low byte the step.
class CurveMap {
  public:
    /// From a sorted sample of the known values, with two different ones at least.
    explicit CurveMap(std::span<const float> sorted);

    static std::size_t n_used() { return n_bins; }
    void encode(const Tile& values, std::uint8_t* bins, std::uint8_t* steps) const;

  private:
    static constexpr std::size_t n_cells = 1024;

    /// Where values lie: their cells, and how far into them.
    template <std::size_t Count>
    void find_cells(const std::array<float, Count>& values, std::array<std::int32_t, Count>& cells,
                    std::array<float, Count>& shares) const;
    void use_bits(float least, float most);
    std::size_t draw(std::span<const float> sorted);

    bool by_bits_ = false;  // cells equally wide in the float's bits, not in its value
    float first_ = 0;
    float cells_per_unit_ = 0;
    std::uint32_t first_key_ = 0;
    int key_shift_ = 0;
    std::array<float, n_cells + 1> curve_{};  // whole numbers: the code at the start of each cell
};

}  // namespace bough
