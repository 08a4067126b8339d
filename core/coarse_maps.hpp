// How the values of a column get their bins and steps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "cells.hpp"
#include "coarse_codes.hpp"

namespace bough {

/// For columns in which values hardly repeat. The share of the sample below a value, drawn as a
/// straight line over each cell, is the code of 16 bits: its high byte the bin, its low byte the
/// step.
class CurveMap {
  public:
    /// From a sorted sample of the known values.
    explicit CurveMap(std::span<const float> sorted);

    static std::size_t n_used() { return n_bins; }
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
