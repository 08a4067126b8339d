// One tally for each bin of each column at a node.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "block.hpp"

namespace bough {

template <class Statistic>
class Histogram {
  public:
    using Cell = typename Statistic::Cell;
    using Label = typename Statistic::Label;

    Histogram() = default;
    Histogram(const Statistic& statistic, std::size_t n_columns)
        : statistic_(statistic), cells_(n_columns * n_bins * statistic.width()) {}

    [[nodiscard]] bool is_empty() const { return cells_.empty(); }
    [[nodiscard]] const Cell* bin(std::size_t column, std::size_t number) const {
        return cells_.data() + (column * n_bins + number) * statistic_.width();
    }

    /// Count the columns from `first` up to `last` of the rows; `labels` are theirs, in the same
    /// order.
    void count(const Block<Statistic>& block, std::span<const LocalRow> rows,
               std::span<const Label> labels, std::size_t first, std::size_t last) {
        const std::size_t size = n_bins * statistic_.width();
        std::fill(cells_.begin() + static_cast<std::ptrdiff_t>(first * size),
                  cells_.begin() + static_cast<std::ptrdiff_t>(last * size), Cell{});
        std::size_t column = first;
        if constexpr (std::is_same_v<Statistic, ClassCounts>) {
            constexpr std::size_t many = 2048;
            if (statistic_.width() == 2 && rows.size() >= many)
                for (; column < last; ++column)
                    count_pairs(block.bins[column], rows, labels, cells_.data() + column * size);
        }
        // Two columns at a time read each label once.
        for (; column + 1 < last; column += 2) count_columns<2>(block, rows, labels, column);
        if (column < last) count_columns<1>(block, rows, labels, column);
    }

    /// Become the histogram of a node without one of its two children.
    void subtract(const Histogram& part) {
        for (std::size_t i = 0; i < cells_.size(); ++i)
            Statistic::subtract(cells_[i], part.cells_[i]);
    }

  private:
    template <std::size_t Count>
    void count_columns(const Block<Statistic>& block, std::span<const LocalRow> rows,
                       std::span<const Label> labels, std::size_t column) {
        const std::size_t width = statistic_.width();
        std::array<Cell*, Count> cells;
        std::array<const std::uint8_t*, Count> bins;
        for (std::size_t k = 0; k < Count; ++k) {
            cells[k] = cells_.data() + (column + k) * n_bins * width;
            bins[k] = block.bins[column + k];
        }
        const bool are_all = rows.size() == block.n_rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::size_t row = are_all ? i : rows[i];
            const Label label = labels[i];
            for (std::size_t k = 0; k < Count; ++k)
                Statistic::add(cells[k] + bins[k][row] * width, label);
        }
    }

    /// Two classes into two tables in turn: rows of the same bin that follow each other need not
    /// wait for each other's sum.
    static void count_pairs(const std::uint8_t* bins, std::span<const LocalRow> rows,
                            std::span<const Label> labels, Cell* cells)
        requires std::is_same_v<Statistic, ClassCounts>
    {
        std::array<Cell, 2 * n_bins> other{};
        std::size_t i = 0;
        for (; i + 4 <= rows.size(); i += 4) {
            ++cells[2 * bins[rows[i]] + labels[i]];
            ++other[2U * bins[rows[i + 1]] + labels[i + 1]];
            ++cells[2 * bins[rows[i + 2]] + labels[i + 2]];
            ++other[2U * bins[rows[i + 3]] + labels[i + 3]];
        }
        for (; i < rows.size(); ++i) ++cells[2 * bins[rows[i]] + labels[i]];
        for (std::size_t k = 0; k < other.size(); ++k) cells[k] += other[k];
    }

    Statistic statistic_;
    std::vector<Cell> cells_;
};

}  // namespace bough
