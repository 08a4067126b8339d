// Counting the rows of a node by choice, where a column has more choices than bins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "block.hpp"

namespace bough {

/// Cells for every choice of a column. Only those that the last node saw are cleared, so a small
/// node costs no more than its rows.
template <class Statistic>
class ChoiceTally {
  public:
    using Cell = typename Statistic::Cell;

    /// Count the known values of these rows; `values` are the table's.
    void count(const Block<Statistic>& block, std::span<const LocalRow> rows,
               const Strided<std::int32_t>& values, std::size_t n_choices) {
        const std::size_t width = block.statistic.width();
        clear(width);
        if (seen_.size() < n_choices) {
            seen_.resize(n_choices);
            cells_.resize(n_choices * width);
        }
        for (const LocalRow row : rows) {
            const std::int32_t choice = values[block.table_row(row)];
            if (is_missing(choice)) continue;
            const auto place = static_cast<std::size_t>(choice);
            if (seen_[place] == 0) {
                seen_[place] = 1;
                present_.push_back(choice);
            }
            Statistic::add(cells_.data() + place * width, block.labels[row]);
        }
        std::sort(present_.begin(), present_.end());
    }

    /// The choices that were seen, ascending, and the cells of each.
    [[nodiscard]] std::span<const std::int32_t> present() const { return present_; }
    [[nodiscard]] const Cell* cells(const Statistic& statistic, std::int32_t choice) const {
        return cells_.data() + static_cast<std::size_t>(choice) * statistic.width();
    }

  private:
    void clear(std::size_t width) {
        for (const std::int32_t choice : present_) {
            const auto place = static_cast<std::size_t>(choice);
            seen_[place] = 0;
            std::fill_n(cells_.begin() + static_cast<std::ptrdiff_t>(place * width), width, Cell{});
        }
        present_.clear();
    }

    std::vector<Cell> cells_;
    std::vector<std::uint8_t> seen_;
    std::vector<std::int32_t> present_;
};

}  // namespace bough
