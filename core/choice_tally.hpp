// Counting the rows of a node by choice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "statistics_of_outputs.hpp"

namespace bough {

/// Cells for every choice of a column. Only those that the last node saw are cleared, so a small
/// node costs no more than its rows.
template <class Statistic>
class ChoiceTally {
  public:
    using Cell = typename Statistic::Cell;

    /// Count rows by code, which is one more than the choice, or 0 for a missing value. The labels
    /// of outputs lie `stride` apart.
    template <class AnyRow, class CodeOf, class LabelOf>
    void count(const Counts<Statistic>& counts, std::size_t n_choices, std::span<const AnyRow> rows,
               const CodeOf& code_of, const LabelOf& label_of, std::size_t stride) {
        clear();
        width_ = counts.width();
        if (seen_.size() <= n_choices) {
            seen_.resize(n_choices + 1);
            cells_.resize((n_choices + 1) * width_);
        }
        for (const AnyRow row : rows) {
            const auto code = static_cast<std::size_t>(code_of(row));
            if (seen_[code] == 0) {
                seen_[code] = 1;
                present_.push_back(code);
            }
            counts.add(cells_.data() + code * width_, label_of(row), stride);
        }
        put_in_order(n_choices);
    }

    /// The codes that were seen, ascending, and the cells of each.
    [[nodiscard]] std::span<const std::size_t> present() const { return present_; }
    [[nodiscard]] const Cell* cells(std::size_t code) const {
        return cells_.data() + code * width_;
    }

  private:
    void put_in_order(std::size_t n_choices) {
        if (8 * present_.size() < n_choices) return std::sort(present_.begin(), present_.end());
        present_.clear();
        for (std::size_t code = 0; code <= n_choices; ++code)
            if (seen_[code] != 0) present_.push_back(code);
    }

    void clear() {
        for (const std::size_t code : present_) {
            seen_[code] = 0;
            std::fill_n(cells_.begin() + static_cast<std::ptrdiff_t>(code * width_), width_,
                        Cell{});
        }
        present_.clear();
    }

    std::size_t width_ = 0;
    std::vector<Cell> cells_;
    std::vector<std::uint8_t> seen_;
    std::vector<std::size_t> present_;
};

}  // namespace bough
