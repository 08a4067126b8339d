// Coarse codes of compared columns: where a value lies, in two bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "table.hpp"
#include "threads.hpp"

namespace bough {

// A map gives each value of a column its codes. Both grow with the value, so they say where a cut
// may lie; they never say that two values are equal, except in a bin known to be single. Maps come
// from a sample: they change the time of growing, never the tree.

constexpr std::size_t n_bins = 256;   // bin 0 holds the missing values
constexpr std::size_t n_steps = 256;  // places within a bin

/// A column of a table in coarse codes, or of choices that have a bin each or, where they are too
/// many, all the same bin.
struct CoarseColumn {
    bool is_choice = false;
    bool has_many_choices = false;
    const std::uint8_t* bins = nullptr;
    const std::uint8_t* steps = nullptr;           // none for choices
    std::array<std::uint8_t, n_bins> is_single{};  // all values in the bin are equal
    std::size_t n_used = n_bins;                   // bins from here on are empty
};

/// All columns of a table in coarse codes.
class CoarseTable {
  public:
    CoarseTable(std::span<const RawColumn> raw, std::size_t n_rows, Threads& threads,
                const Cancel& cancel);

    [[nodiscard]] const CoarseColumn& operator[](std::size_t i) const { return columns_[i]; }
    [[nodiscard]] std::size_t n_columns() const { return columns_.size(); }
    /// Bin and step, in one number, that a value of a compared column would have.
    [[nodiscard]] std::uint16_t code_of(std::size_t column, float value) const;

  private:
    struct Encoder;

    void make_maps(std::size_t n_rows, Threads& threads);
    void encode(std::size_t n_rows, Threads& threads, const Cancel& cancel);

    std::unique_ptr<std::uint8_t[]> codes_;
    std::vector<CoarseColumn> columns_;
    std::shared_ptr<std::vector<Encoder>> encoders_;  // of each column
};

/// Whether a column has more choices than bins.
inline bool has_many_choices(const RawColumn& raw) {
    return raw.is_choice && raw.n_choices >= n_bins;
}

}  // namespace bough
