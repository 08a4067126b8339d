// Coarse codes of compared columns: where a value lies, in two bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "curve_map.hpp"
#include "edge_map.hpp"
#include "pages.hpp"
#include "table.hpp"
#include "threads.hpp"

namespace bough {

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

/// How the values of a column get their codes; nothing for choices, which are codes.
using CodeMap = std::variant<std::monostate, EdgeMap, CurveMap>;

/// All columns of a table in coarse codes.
class CoarseTable {
  public:
    CoarseTable(std::span<const RawColumn> raw, std::size_t n_rows, Threads& threads,
                const Cancel& cancel);

    [[nodiscard]] const CoarseColumn& operator[](std::size_t i) const { return columns_[i]; }
    [[nodiscard]] std::size_t n_columns() const { return columns_.size(); }

  private:
    struct Singles;

    void make_maps(std::span<const RawColumn> raw, std::span<const Row> sample, Threads& threads);
    void encode_tile(const RawColumn& raw, std::size_t column, std::size_t row, Singles& singles);

    std::size_t n_rows_;
    std::size_t stride_;               // from column to column
    std::vector<std::size_t> places_;  // where the bins of each column begin; steps lie behind them
    Pages codes_;
    std::vector<CodeMap> maps_;
    std::vector<CoarseColumn> columns_;
};

/// Whether a column has more choices than bins.
inline bool has_many_choices(const RawColumn& raw) {
    return raw.is_choice && raw.n_choices >= n_bins;
}

}  // namespace bough
