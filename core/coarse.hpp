// Coarse codes of compared columns: where a value lies, in two bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "table.hpp"
#include "threads.hpp"

namespace bough {

constexpr std::size_t n_bins = 256;   // bin 0 holds the missing values
constexpr std::size_t n_steps = 256;  // places within a bin

/// How the values of a column map to bins and steps: growing functions of the value, both of them,
/// so that they say where a cut may lie; they never say that two values are equal, except in a bin
/// that is `single`. Edges come from a sample and change the time of growing, never the tree.
class BinMap {
  public:
    /// From a sample of the known values, as floats.
    explicit BinMap(std::vector<float> sample);

    [[nodiscard]] std::size_t n_used() const { return n_edges_ + 2; }
    /// Whether some value was twice in the sample: only then may a bin be single.
    [[nodiscard]] bool has_twins() const { return has_twins_; }

    /// Codes of a tile of values; a missing one is NaN.
    static constexpr std::size_t tile = 64;
    void encode(const std::array<float, tile>& values, std::uint8_t* bins,
                std::uint8_t* steps) const;

  private:
    void place_edges(const std::vector<float>& sorted);
    void place_edges_by_depth(const std::vector<float>& sorted);
    void make_cells();
    void make_cells_by_bits();
    std::size_t count_edges_in_cells();
    [[nodiscard]] std::size_t cell(float value) const;
    template <std::size_t Count>
    void find_cells(const std::array<float, Count>& values,
                    std::array<std::int32_t, Count>& cells) const;
    void find_bins(const std::array<float, tile>& values,
                   std::array<std::int32_t, tile>& below) const;

    // A value's cell in a table of 2048 says the bin up to at most `n_compares_` comparisons.
    static constexpr std::size_t n_cells = 2048;
    std::array<float, n_bins> edges_{};  // a value's bin is 1 + the number of edges below it
    std::size_t n_edges_ = 0;
    bool has_twins_ = false;
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

/// A column of a table in coarse codes, or of choices that have a bin each or, where they are too
/// many, all the same bin.
struct CoarseColumn {
    bool is_choice = false;
    bool has_many_choices = false;
    const std::uint8_t* bins = nullptr;
    const std::uint8_t* steps = nullptr;           // none for choices
    std::array<std::uint8_t, n_bins> is_single{};  // all values in the bin are equal
    std::size_t n_used = n_bins;                   // bins from here on are empty
    bool has_missing = false;
};

/// All columns of a table in coarse codes.
class CoarseTable {
  public:
    CoarseTable(std::span<const RawColumn> raw, std::size_t n_rows, Threads& threads,
                const Cancel& cancel);

    [[nodiscard]] const CoarseColumn& operator[](std::size_t i) const { return columns_[i]; }
    [[nodiscard]] std::size_t n_columns() const { return columns_.size(); }

  private:
    void sample_edges(std::span<const RawColumn> raw, Threads& threads);

    std::size_t n_rows_;
    std::unique_ptr<std::uint8_t[]> codes_;  // bins and steps, column after column
    std::vector<BinMap> maps_;               // empty for choices
    std::vector<CoarseColumn> columns_;
};

/// Whether a column has more choices than bins.
inline bool has_many_choices(const RawColumn& raw) {
    return raw.is_choice && raw.n_choices >= n_bins;
}

}  // namespace bough
