// Some rows of raw columns as rows of doubles, and whether one of their values is infinite.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>

#include "table.hpp"
#include "threads.hpp"
#include "walk.hpp"

namespace bough {

/// What is special about some numbers.
struct Special {
    bool any_infinite = false;
    bool any_missing = false;
};

/// Look at floats or doubles, as fast as they can be read.
template <class Value>
Special special(const Strided<Value>& values, std::size_t count) {
    using Bits = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
    constexpr Bits sign = Bits{1} << (8 * sizeof(Value) - 1);
    constexpr Bits infinite = std::bit_cast<Bits>(std::numeric_limits<Value>::infinity());
    // Sums of bits, since these need no branch: what is infinite becomes `sign`, and a missing
    // value more than that.
    const auto lifted = [](Value value) {
        return (std::bit_cast<Bits>(value) & ~sign) + (sign - infinite);
    };
    const auto any = [&](const auto& bits) {
        Bits all = 0;
        if (values.stride == 1)
            for (std::size_t i = 0; i < count; ++i) all |= bits(values.first[i]);
        else
            for (std::size_t i = 0; i < count; ++i) all |= bits(values[i]);
        return (all & sign) != 0;
    };
    if (!any(lifted)) return {};
    return {.any_infinite = any([&](Value value) { return lifted(value) & ~(lifted(value) - 1); }),
            .any_missing = any([&](Value value) { return lifted(value) - 1; })};
}
inline Special special(const Strided<std::int64_t>& values, std::size_t count) {
    Special found;
    for (std::size_t i = 0; i < count; ++i) found.any_missing |= is_missing(values[i]);
    return found;
}
/// Codes are no numbers.
inline Special special(const Strided<std::int32_t>& /*values*/, std::size_t /*count*/) {
    return {};
}

/// A number as a double that every pivot within ±2^53 tells from others as the number itself.
inline double as_double(double value) { return value; }
inline double as_double(float value) { return value; }
inline double as_double(std::int64_t value) {
    constexpr std::int64_t limit = std::int64_t{1} << 53;
    if (is_missing(value)) return std::numeric_limits<double>::quiet_NaN();
    if (value >= limit) return std::numeric_limits<double>::infinity();
    if (value < -limit) return -std::numeric_limits<double>::infinity();
    return static_cast<double>(value);
}
inline double as_double(std::int32_t code) { return TargetWalk::held(code); }

/// Raw columns, read a few rows at a time.
class RawRows {
  public:
    explicit RawRows(std::span<const RawColumn> columns)
        : columns_(columns), is_matrix_(is_matrix_of<double>() || is_matrix_of<float>()) {}

    [[nodiscard]] std::span<const RawColumn> columns() const { return columns_; }

    /// The rows from one on as they lie in memory, if they are rows of doubles.
    [[nodiscard]] std::optional<Strided<double>> in_place(std::size_t row) const {
        if (!is_matrix_) return std::nullopt;
        const auto* first = std::get_if<Strided<double>>(&columns_[0].values);
        return first == nullptr ? std::nullopt : std::optional(from(*first, row));
    }

    /// Write some columns of some rows as doubles, row after row.
    void copy(std::size_t begin, std::size_t end, std::span<const std::uint32_t> columns,
              double* rows) const {
        for (const std::uint32_t column : columns)
            std::visit(
                [&](const auto& values) {
                    double* place = rows + column;
                    for (std::size_t row = begin; row < end; ++row, place += columns_.size())
                        *place = as_double(values[row]);
                },
                columns_[column].values);
    }

    /// Look at all numbers of some rows.
    [[nodiscard]] Special special(std::size_t begin, std::size_t end) const {
        Special found;
        const auto look_at = [&found](const auto& values, std::size_t count) {
            const Special here = bough::special(values, count);
            found.any_infinite |= here.any_infinite;
            found.any_missing |= here.any_missing;
        };
        if (!is_matrix_) {
            for (const RawColumn& column : columns_)
                std::visit([&](const auto& values) { look_at(from(values, begin), end - begin); },
                           column.values);
            return found;
        }
        std::visit(
            [&]<class Value>(const Strided<Value>& first) {
                if (first.stride ==
                    static_cast<std::int64_t>(columns_.size()))  // no gap between rows
                    look_at(Strided<Value>{&first.first[begin * columns_.size()], 1},
                            (end - begin) * columns_.size());
                else
                    for (std::size_t row = begin; row < end; ++row)
                        look_at(Strided<Value>{from(first, row).first, 1}, columns_.size());
            },
            columns_[0].values);
        return found;
    }

  private:
    template <class Value>
    static Strided<Value> from(const Strided<Value>& values, std::size_t row) {
        return {values.first + static_cast<std::int64_t>(row) * values.stride, values.stride};
    }

    /// Whether the values of a row lie side by side.
    template <class Value>
    [[nodiscard]] bool is_matrix_of() const {
        if (columns_.empty()) return false;
        const auto* first = std::get_if<Strided<Value>>(&columns_[0].values);
        if (first == nullptr) return false;
        for (std::size_t i = 1; i < columns_.size(); ++i) {
            const auto* values = std::get_if<Strided<Value>>(&columns_[i].values);
            if (values == nullptr || values->first != first->first + i ||
                values->stride != first->stride)
                return false;
        }
        return true;
    }

    std::span<const RawColumn> columns_;
    bool is_matrix_;
};

/// How many rows are read at once, so that they stay in the cache of one core.
inline std::size_t rows_at_once(std::size_t n_columns) {
    constexpr std::size_t n_bytes = std::size_t{1} << 17;
    return std::clamp<std::size_t>(n_bytes / (sizeof(double) * std::max<std::size_t>(n_columns, 1)),
                                   16, 4096);
}

/// Call `task(begin, end)` for parts of the rows, each worth the trouble.
template <class Task>
void for_parts(std::size_t n_rows, std::size_t n_columns, std::size_t n_threads, const Task& task) {
    constexpr std::size_t few_cells = 65536;  // are done before another thread has started
    Threads threads(std::clamp<std::size_t>(n_rows * n_columns / few_cells, 1, n_threads));
    const std::size_t step = rows_at_once(n_columns);
    const std::size_t part =
        step * std::clamp<std::size_t>(n_rows / (8 * threads.count() * step), 1, 16);
    threads.parallel_for((n_rows + part - 1) / part,
                         [&](std::size_t i) { task(i * part, std::min(n_rows, (i + 1) * part)); });
}

/// Whether some number of a table is infinite.
inline bool any_infinite(std::span<const RawColumn> columns, std::size_t n_rows,
                         std::size_t n_threads, const Cancel& cancel) {
    const RawRows raw(columns);
    const std::size_t step = rows_at_once(columns.size());
    std::atomic<bool> found{false};
    for_parts(n_rows, columns.size(), n_threads, [&](std::size_t begin, std::size_t end) {
        cancel.check();
        for (std::size_t row = begin; row < end && !found; row += step)
            if (raw.special(row, std::min(end, row + step)).any_infinite) found = true;
    });
    return found;
}

}  // namespace bough
