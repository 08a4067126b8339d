// Some rows of raw columns for walking down a tree, and whether a number is infinite.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>

#include "rows_down_tree.hpp"
#include "table.hpp"
#include "threads.hpp"

namespace bough {

/// A raw value as a row holds it while it walks down a tree.
template <class Value>
double walked(Value value) {
    if constexpr (std::is_same_v<Value, Whole>) {
        // Every pivot within ±2^53 tells this double from others as it does the integer.
        constexpr std::int64_t limit = std::int64_t{1} << 53;
        const std::int64_t whole = asked(value);
        if (is_missing(whole)) return std::numeric_limits<double>::quiet_NaN();
        if (whole >= limit) return std::numeric_limits<double>::max();
        if (whole < -limit) return std::numeric_limits<double>::lowest();
        return static_cast<double>(whole);
    } else if constexpr (is_code<Value>) {
        return TargetWalk::held(asked(value));
    } else {
        return static_cast<double>(value);
    }
}

/// The columns as they lie in memory, if all of them are of one type and equally far apart.
template <class Value>
std::optional<MatrixView<Value>> matrix_of(std::span<const RawColumn> columns) {
    const auto values = [&](std::size_t i) {
        return std::get_if<Strided<Value>>(&columns[i].values);
    };
    const auto address = [&](std::size_t i) {
        return reinterpret_cast<std::uintptr_t>(values(i)->first);
    };
    constexpr auto size = static_cast<std::int64_t>(sizeof(Value));
    MatrixView<Value> matrix{.column_stride = size};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (values(i) == nullptr) return std::nullopt;
        if (i == 0) matrix.first = address(0);
        if (i == 0) matrix.row_stride = size * values(0)->stride;
        if (i == 1) matrix.column_stride = static_cast<std::int64_t>(address(1) - address(0));
        if (size * values(i)->stride != matrix.row_stride ||
            address(i) != matrix.address(0, static_cast<std::uint32_t>(i)))
            return std::nullopt;
    }
    return columns.empty() ? std::nullopt : std::optional(matrix);
}

/// How many rows are read at once, so that they stay in the cache of one core.
inline std::size_t rows_at_once(std::size_t n_columns) {
    constexpr std::size_t n_bytes = std::size_t{1} << 17;
    return std::clamp<std::size_t>(n_bytes / (sizeof(double) * std::max<std::size_t>(n_columns, 1)),
                                   16, 4096);
}

/// Rows to walk down a tree: where they lie if they are a matrix of floats, or else as copies.
class RawRows {
  public:
    RawRows(std::span<const RawColumn> columns, std::span<const std::uint32_t> is_asked)
        : columns_(columns),
          asked_(is_asked),
          doubles_(matrix_of<double>(columns)),
          floats_(matrix_of<float>(columns)),
          n_copied_(doubles_ || floats_ ? 0 : asked_.size()),
          n_at_once_(n_copied_ == 0 ? 1024 : rows_at_once(n_copied_)) {}

    [[nodiscard]] std::span<const RawColumn> columns() const { return columns_; }
    /// How many values of each row are copied.
    [[nodiscard]] std::size_t n_copied() const { return n_copied_; }
    [[nodiscard]] std::size_t n_at_once() const { return n_at_once_; }
    /// Room for the copies of as many rows.
    [[nodiscard]] std::unique_ptr<double[]> room() const {
        if (n_copied_ == 0) return nullptr;
        return std::make_unique_for_overwrite<double[]>(columns_.size() * pitch());
    }

    /// Call `use` with the rows from one on; `room` is for copies of those before `end`.
    void use_rows(std::size_t begin, std::size_t end, double* room, const auto& use) const {
        if (doubles_) return use(doubles_->from(begin));
        if (floats_) return use(floats_->from(begin));
        for (const std::uint32_t column : asked_) {
            const auto copy = [&](const auto& values) {
                double* place = room + column * pitch();
                if (values.stride == 1)
                    for (std::size_t row = begin; row < end; ++row)
                        *place++ = walked(values.first[row]);
                else
                    for (std::size_t row = begin; row < end; ++row) *place++ = walked(values[row]);
            };
            std::visit(copy, columns_[column].values);
        }
        constexpr auto size = static_cast<std::int64_t>(sizeof(double));
        use(MatrixView<double>{.first = reinterpret_cast<std::uintptr_t>(room),
                               .row_stride = size,
                               .column_stride = size * static_cast<std::int64_t>(pitch())});
    }

  private:
    /// How far columns of copies lie apart: not so that they share the same few lines of a cache.
    [[nodiscard]] std::size_t pitch() const { return n_at_once_ + 8; }

    std::span<const RawColumn> columns_;
    std::span<const std::uint32_t> asked_;
    std::optional<MatrixView<double>> doubles_;
    std::optional<MatrixView<float>> floats_;
    std::size_t n_copied_;
    std::size_t n_at_once_;
};

/// As many threads as are worth the trouble.
inline Threads threads_for(std::size_t n_rows, std::size_t n_columns, std::size_t n_threads) {
    constexpr std::size_t few_cells = 65536;  // are done before another thread has started
    return Threads(std::clamp<std::size_t>(n_rows * n_columns / few_cells, 1, n_threads));
}

/// Call `task(begin, end)` for parts of the rows, each some times `step` long.
void for_parts(std::size_t n_rows, std::size_t step, Threads& threads, const auto& task) {
    const std::size_t part =
        step * std::clamp<std::size_t>(n_rows / (8 * threads.count() * step), 1, 16);
    threads.parallel_for((n_rows + part - 1) / part,
                         [&](std::size_t i) { task(i * part, std::min(n_rows, (i + 1) * part)); });
}

/// Whether one of the numbers from row `begin` to before `end` is infinite.
template <class Value>
bool any_infinite(const Strided<Value>& values, std::size_t begin, std::size_t end) {
    int found = 0;
    if constexpr (std::is_floating_point_v<Value>)
        for (std::size_t row = begin; row < end; ++row)
            found |= std::abs(values[row]) > std::numeric_limits<Value>::max() ? 1 : 0;
    return found != 0;
}

/// For growing that does not encode the whole table, and would not notice.
inline void refuse_infinite(std::span<const RawColumn> columns, std::size_t n_rows,
                            Threads& threads, const Cancel& cancel) {
    const std::size_t step = rows_at_once(columns.size());
    const auto matrix = matrix_of<double>(columns);
    if (matrix && matrix->is_packed(columns.size())) {
        const Strided<double> all{reinterpret_cast<const double*>(matrix->first), 1};
        return for_parts(n_rows * columns.size(), 4096, threads,
                         [&](std::size_t begin, std::size_t end) {
                             if (any_infinite(all, begin, end)) throw InfiniteNumber{};
                         });
    }
    for_parts(n_rows, step, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; row += step) {
            cancel.check();
            for (const RawColumn& column : columns)
                if (std::visit(
                        [&](const auto& values) {
                            return any_infinite(values, row, std::min(end, row + step));
                        },
                        column.values))
                    throw InfiniteNumber{};
        }
    });
}

}  // namespace bough
