// Counts of every step of a column at a large node, kept for a child that has most of its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "block.hpp"

namespace bough {

/// Where a query parts few rows from many, and the next one again, these few are subtracted, and
/// the many are not counted again. For nodes whose rows lie in one array, a child's among its
/// parent's.
template <class Statistic>
class StepCounts {
  public:
    using Cell = typename Statistic::Cell;

    /// How many bytes the counts of a column take.
    static std::size_t n_bytes(const Statistic& statistic) {
        return n_bins * n_steps * statistic.width() * sizeof(Cell);
    }

    /// The cells of the first step of the first bin; others follow.
    [[nodiscard]] const Cell* cells() const { return cells_.data(); }

    /// Become the counts of a node if they are those of one with few rows more.
    bool follow(const Block<Statistic>& block, std::size_t column, std::span<const LocalRow> rows) {
        constexpr std::size_t few = 8;  // subtracting a row costs more than counting one
        const LocalRow* end = rows.data() + rows.size();
        const LocalRow* end_before = rows_.data() + rows_.size();
        if (cells_.empty() || rows.data() < rows_.data() || end > end_before ||
            few * (rows_.size() - rows.size()) > rows.size())
            return false;
        const std::size_t width = block.statistic.width();
        std::vector<Cell> one(width);
        const auto subtract = [&](const LocalRow* from, const LocalRow* upto) {
            for (; from != upto; ++from) {
                std::fill(one.begin(), one.end(), Cell{});
                Statistic::add(one.data(), block.labels[*from]);
                Cell* cell = cell_of(block, column, *from);
                for (std::size_t k = 0; k < width; ++k) Statistic::subtract(cell[k], one[k]);
            }
        };
        subtract(rows_.data(), rows.data());
        subtract(end, end_before);
        rows_ = rows;
        return true;
    }

    void count(const Block<Statistic>& block, std::size_t column, std::span<const LocalRow> rows) {
        cells_.assign(n_bins * n_steps * block.statistic.width(), Cell{});
        for (const LocalRow row : rows)
            Statistic::add(cell_of(block, column, row), block.labels[row]);
        rows_ = rows;
    }

  private:
    Cell* cell_of(const Block<Statistic>& block, std::size_t column, LocalRow row) {
        const std::size_t step = block.bins[column][row] * n_steps + block.steps[column][row];
        return cells_.data() + step * block.statistic.width();
    }

    std::vector<Cell> cells_;
    std::span<const LocalRow> rows_;  // that are counted
};

}  // namespace bough
