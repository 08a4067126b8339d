// Tables most of whose values are 0, as Python lends them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "table.hpp"

namespace bough {

/// Numbers of columns that are not 0, one column after the other, those of a column by row; a
/// stored 0 is as good as none. NaN is missing.
struct SparseColumns {
    std::size_t n_rows = 0;
    std::span<const std::int64_t> starts;  // of each column among the values, and the end
    std::span<const Row> rows;
    std::span<const double> values;

    [[nodiscard]] std::size_t size() const { return starts.size() - 1; }
    [[nodiscard]] std::size_t begin(std::size_t column) const {
        return static_cast<std::size_t>(starts[column]);
    }
    [[nodiscard]] std::size_t end(std::size_t column) const { return begin(column + 1); }
};

/// The same one row after the other, to be predicted; of its columns only some are looked at.
struct SparseRows {
    std::span<const std::int64_t> starts;  // of each row among the values, and the end
    std::span<const std::int32_t> columns;
    std::span<const double> values;
    std::span<const std::int32_t> places;  // of each column among those looked at; -1: it is none

    [[nodiscard]] std::size_t size() const { return starts.size() - 1; }
    /// Call `use(place, value)` for each value of a row that is looked at.
    template <class Use>
    void for_each(std::size_t row, const Use& use) const {
        const auto end = static_cast<std::size_t>(starts[row + 1]);
        for (auto i = static_cast<std::size_t>(starts[row]); i < end; ++i)
            if (const std::int32_t place = places[static_cast<std::size_t>(columns[i])]; place >= 0)
                use(static_cast<std::size_t>(place), values[i]);
    }
};

}  // namespace bough
