// The values of sparse columns as numbers of cells: a row is the short list of the cells it is in.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sort.hpp"
#include "sparse_columns.hpp"
#include "threads.hpp"

namespace bough {

/// The cells of a column: a missing value, if any, then its values in order without 0.
struct CellRange {
    std::uint32_t first = 0;
    std::uint32_t known = 0;  // no longer missing
    std::uint32_t zero = 0;   // here a cell of 0 would be
    std::uint32_t end = 0;

    [[nodiscard]] bool is_missing(std::uint32_t cell) const { return cell < known; }
};

// All cells are numbered through, one column after the other, so that a node is counted by walking
// over the lists of its rows. What it has of 0 is what the other cells of a column leave.
class SparseCells {
  public:
    // Not inlined, as each kind of search would compile it again.
    [[gnu::noinline]] SparseCells(const SparseTable& table, Threads& threads, const Cancel& cancel)
        : ranges_(table.n_columns), starts_(table.n_rows + 1) {
        table.for_each([&](std::size_t row, std::size_t /*column*/, double value) {
            if (value != 0) ++starts_[row + 1];
        });
        std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
        lists_.resize(starts_.back());
        values_.reserve(starts_.back());  // what is not written takes no memory
        std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
        table.for_each_stretch([&](std::size_t first, const SparseColumns& columns) {
            add(columns, std::span(ranges_).subspan(first, columns.size()), next, threads, cancel);
        });
    }

    /// How many columns there are.
    [[nodiscard]] std::size_t size() const { return ranges_.size(); }
    [[nodiscard]] std::size_t n_cells() const { return values_.size(); }
    [[nodiscard]] const CellRange& range(std::size_t column) const { return ranges_[column]; }
    /// The column of a cell; `from` is one at or before it, and best a near one.
    [[nodiscard]] std::size_t column_of(std::uint32_t cell, std::size_t from) const {
        std::size_t step = 1;
        for (; from + step < size() && ranges_[from + step - 1].end <= cell; step *= 2)
            from += step;
        const auto begin = ranges_.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end =
            ranges_.begin() + static_cast<std::ptrdiff_t>(std::min(from + step, size()));
        const auto found =
            std::upper_bound(begin, end, cell,
                             [](std::uint32_t c, const CellRange& range) { return c < range.end; });
        return static_cast<std::size_t>(found - ranges_.begin());
    }
    [[nodiscard]] double value(std::uint32_t cell) const { return values_[cell]; }
    /// The cells that a row is in, ascending.
    [[nodiscard]] std::span<const std::uint32_t> of_row(Row row) const {
        return {lists_.data() + starts_[row], starts_[row + 1] - starts_[row]};
    }
    [[nodiscard]] double value_at(Row row, const CellRange& range) const {
        const auto cells = of_row(row);
        const auto found = std::ranges::lower_bound(cells, range.first);
        return found == cells.end() || *found >= range.end ? 0 : values_[*found];
    }

    /// The values of a column, for the exact search.
    struct OneColumn {
        using Value = double;

        const SparseCells& cells;
        const CellRange& range;

        double operator[](Row row) const { return cells.value_at(row, range); }
    };
    [[nodiscard]] OneColumn operator[](std::size_t column) const {
        return {*this, ranges_[column]};
    }

  private:
    static constexpr std::uint32_t no_cell = std::numeric_limits<std::uint32_t>::max();

    /// Number the values of a stretch of columns, and append them to the lists of their rows.
    void add(const SparseColumns& columns, std::span<CellRange> ranges,
             std::vector<std::size_t>& next, Threads& threads, const Cancel& cancel) {
        std::vector<std::uint32_t> cell_of(columns.rows.size());
        std::vector<double> values(columns.rows.size());  // those of a column begin where it does
        threads.parallel_for(columns.size(), [&](std::size_t column) {
            cancel.check();
            ranges[column] = rank(columns, column, cell_of, values.data() + columns.begin(column));
        });
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const auto first = static_cast<std::uint32_t>(values_.size());
            CellRange& range = ranges[column];
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(columns.begin(column));
            values_.insert(values_.end(), begin, begin + range.end);
            range = {first, first + range.known, first + range.zero, first + range.end};
            for (std::size_t i = columns.begin(column); i < columns.end(column); ++i)
                if (cell_of[i] != no_cell) lists_[next[columns.rows[i]]++] = first + cell_of[i];
        }
    }

    /// Number the values of a column from 0 on, and write them in order.
    static CellRange rank(const SparseColumns& columns, std::size_t column,
                          std::vector<std::uint32_t>& cell_of, double* values) {
        const std::size_t begin = columns.begin(column);
        std::vector<Keyed<std::uint64_t>> items;
        items.reserve(columns.end(column) - begin);
        for (std::size_t i = begin; i < columns.end(column); ++i) {
            const double value = columns.values[i];
            if (std::isinf(value)) throw InfiniteNumber{};
            cell_of[i] = no_cell;
            if (value != 0)
                items.push_back({std::isnan(value) ? 0 : order_key(value),
                                 static_cast<std::uint32_t>(i - begin)});
        }
        sort_by_key(items, std::numeric_limits<std::uint64_t>::max(), Cancel{});
        CellRange range;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const std::size_t place = begin + items[i].row;
            if (i == 0 || items[i].key != items[i - 1].key) {
                const double value = columns.values[place];
                values[range.end++] = value;
                range.known += std::isnan(value) ? 1 : 0;
                range.zero += std::isnan(value) || value < 0 ? 1 : 0;
            }
            cell_of[place] = range.end - 1;
        }
        return range;
    }

    std::vector<CellRange> ranges_;    // of each column
    std::vector<double> values_;       // of each cell
    std::vector<std::size_t> starts_;  // of each row's list, and the end
    std::vector<std::uint32_t> lists_;
};

inline Column encoded(const SparseCells::OneColumn& column, std::span<const Row> rows,
                      const Cancel& cancel) {
    return ranked(column, rows, cancel);
}

}  // namespace bough
