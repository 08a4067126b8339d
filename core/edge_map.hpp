// Bins and steps by edges, for columns in which values repeat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codes.hpp"

namespace bough {

/// A value that is frequent in the sample gets a bin of its own, which need not be looked into.
class EdgeMap {
  public:
    /// From a sorted sample of the known values.
    explicit EdgeMap(std::span<const float> sorted);

    [[nodiscard]] std::size_t n_used() const { return n_edges_ + 2; }
    void encode(const Tile& values, std::uint8_t* bins, std::uint8_t* steps) const;

  private:
    void place_edges(std::span<const float> sorted);
    void place_edges_by_depth(std::span<const float> sorted);
    void make_cells();
    void make_cells_by_bits();
    std::size_t count_edges_in_cells();
    [[nodiscard]] std::size_t cell(float value) const;
    template <std::size_t Count>
    void find_cells(const std::array<float, Count>& values,
                    std::array<std::int32_t, Count>& cells) const;
    void find_bins(const Tile& values, std::array<std::int32_t, tile_size>& below) const;

    // A value's cell in a table of 2048 says the bin up to at most `n_compares_` comparisons.
    static constexpr std::size_t n_cells = 2048;
    std::array<float, n_bins> edges_{};  // a value's bin is 1 + the number of edges below it
    std::size_t n_edges_ = 0;
    bool by_bits_ = false;  // cells equally wide in the float's bits, not in its value
    float first_ = 0;
    float cells_per_unit_ = 0;
    std::uint32_t first_key_ = 0;
    int key_shift_ = 0;
    std::size_t n_compares_ = n_bins;
    std::array<std::uint8_t, n_cells> start_{};  // edges below each cell
    std::array<float, n_bins> bin_first_{};
    std::array<float, n_bins> steps_per_unit_{};
};

}  // namespace bough
