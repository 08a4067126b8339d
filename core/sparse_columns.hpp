// Tables most of whose values are 0, as Python lends them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "table.hpp"

namespace bough {

/// Numbers of some columns that are not 0, one column after the other, those of a column by row; a
/// stored 0 is as good as none. NaN is missing.
struct SparseColumns {
    std::span<const std::int64_t> starts;  // of each column, and the end, from any first
    std::span<const Row> rows;
    std::span<const double> values;

    [[nodiscard]] std::size_t size() const { return starts.size() - 1; }
    [[nodiscard]] std::size_t begin(std::size_t column) const {
        return static_cast<std::size_t>(starts[column] - starts[0]);
    }
    [[nodiscard]] std::size_t end(std::size_t column) const { return begin(column + 1); }
};

/// A table to grow from: its numbers that are not 0, one line after the other.
struct SparseTable {
    std::size_t n_rows = 0;
    std::size_t n_columns = 0;
    bool by_row = false;                    // lines are rows, else columns
    std::span<const std::int64_t> starts;   // of each line among the values, and the end
    std::span<const std::uint32_t> places;  // in its line, ascending
    std::span<const double> values;

    /// Call `use(row, column, value)` for each value that is stored, those of a column by row.
    void for_each(const auto& use) const {
        for (std::size_t line = 0; line + 1 < starts.size(); ++line) {
            const auto end = static_cast<std::size_t>(starts[line + 1]);
            for (auto i = static_cast<std::size_t>(starts[line]); i < end; ++i)
                by_row ? use(line, places[i], values[i]) : use(places[i], line, values[i]);
        }
    }

    /// Call `use(first, columns)` for one stretch of columns after the other. Where lines are rows,
    /// only a stretch at a time is copied.
    void for_each_stretch(const auto& use) const {
        const Starts counted = by_row ? starts_of_columns() : Starts{};
        const std::span<const std::int64_t> of_columns = by_row ? counted : starts;
        const auto most = static_cast<std::int64_t>(std::max(least_copied, values.size() / 16));
        Starts next(starts.begin(), by_row ? starts.end() - 1 : starts.begin());
        for (std::size_t first = 0, end = 0; first < n_columns; first = end) {
            end = first + 1;
            while (end < n_columns && of_columns[end + 1] - of_columns[first] <= most) ++end;
            const auto here = of_columns.subspan(first, end - first + 1);
            if (by_row)
                use_copied(first, here, next, use);
            else
                use(first, SparseColumns{here, places.subspan(begin_of(here), size_of(here)),
                                         values.subspan(begin_of(here), size_of(here))});
        }
    }

  private:
    using Starts = std::vector<std::int64_t>;
    static constexpr std::size_t least_copied = 1 << 18;

    static std::size_t begin_of(std::span<const std::int64_t> stretch) {
        return static_cast<std::size_t>(stretch.front());
    }
    static std::size_t size_of(std::span<const std::int64_t> stretch) {
        return static_cast<std::size_t>(stretch.back() - stretch.front());
    }
    [[nodiscard]] Starts starts_of_columns() const {
        Starts found(n_columns + 1);
        for (const std::uint32_t column : places) ++found[column + 1U];
        std::partial_sum(found.begin(), found.end(), found.begin());
        return found;
    }
    /// Copy the columns of a stretch; `next` is where each row goes on, and is moved behind it.
    void use_copied(std::size_t first, std::span<const std::int64_t> here, Starts& next,
                    const auto& use) const {
        std::vector<Row> rows(size_of(here));
        std::vector<double> found(size_of(here));
        Starts free(here.begin(), here.end() - 1);
        const std::size_t last = first + free.size();
        for (std::size_t row = 0; row < n_rows; ++row) {
            for (auto i = static_cast<std::size_t>(next[row]);
                 next[row] < starts[row + 1] && places[i] < last; ++i, ++next[row]) {
                const auto to = static_cast<std::size_t>(free[places[i] - first]++ - here[0]);
                rows[to] = static_cast<Row>(row);
                found[to] = values[i];
            }
        }
        use(first, SparseColumns{here, rows, found});
    }
};

/// The numbers of rows to be predicted, one row after the other; of their columns only some are
/// looked at.
struct SparseRows {
    std::span<const std::int64_t> starts;  // of each row among the values, and the end
    std::span<const std::int32_t> columns;
    std::span<const double> values;
    std::span<const std::int32_t> places;  // of each column among those looked at; -1: it is none

    [[nodiscard]] std::size_t size() const { return starts.size() - 1; }
    /// Call `use(place, value)` for each value of a row that is looked at.
    void for_each(std::size_t row, const auto& use) const {
        const auto end = static_cast<std::size_t>(starts[row + 1]);
        for (auto i = static_cast<std::size_t>(starts[row]); i < end; ++i)
            if (const std::int32_t place = places[static_cast<std::size_t>(columns[i])]; place >= 0)
                use(static_cast<std::size_t>(place), values[i]);
    }
};

}  // namespace bough
