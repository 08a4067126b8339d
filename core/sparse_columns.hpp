// Columns most of whose values are 0, as Python lends them.
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

}  // namespace bough
