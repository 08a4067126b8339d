// Some rows of raw columns as rows of doubles, and whether one of their values is infinite.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
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

/// What is most special among some numbers.
enum class Special : std::uint8_t { nothing, missing, infinite };

/// Look at floats or doubles, as fast as they can be read.
template <std::floating_point Value>
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
    if (!any(lifted)) return Special::nothing;
    const bool any_infinite =
        any([&](Value value) { return lifted(value) & ~(lifted(value) - 1); });
    return any_infinite ? Special::infinite : Special::missing;
}
inline Special special(const Strided<std::int64_t>& values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (is_missing(values[i])) return Special::missing;
    return Special::nothing;
}
/// Codes are no numbers.
template <std::integral Value>
Special special(const Strided<Value>& /*values*/, std::size_t /*count*/) {
    return Special::nothing;
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
        : columns_(columns),
          double_distance_(distance<double>()),
          is_row_after_row_(double_distance_ == 1 || distance<float>() == 1) {}

    [[nodiscard]] std::span<const RawColumn> columns() const { return columns_; }

    /// The rows from one on as they lie in memory, if they are a matrix of doubles.
    [[nodiscard]] std::optional<Doubles> in_place(std::size_t row) const {
        if (!double_distance_) return std::nullopt;
        const auto first = from(std::get<Strided<double>>(columns_[0].values), row);
        return Doubles{first.first, first.stride, *double_distance_};
    }

    /// Write some columns of some rows as doubles, `pitch` apart from column to column.
    Doubles copy(std::size_t begin, std::size_t end, std::span<const std::uint32_t> columns,
                 double* copied, std::size_t pitch) const {
        for (const std::uint32_t column : columns)
            std::visit(
                [&](const auto& values) {
                    double* place = copied + column * pitch;
                    if (values.stride == 1)
                        for (std::size_t row = begin; row < end; ++row)
                            *place++ = as_double(values.first[row]);
                    else
                        for (std::size_t row = begin; row < end; ++row)
                            *place++ = as_double(values[row]);
                },
                columns_[column].values);
        return {copied, 1, static_cast<std::int64_t>(pitch)};
    }

    /// Look at all numbers of some rows.
    [[nodiscard]] Special special(std::size_t begin, std::size_t end) const {
        Special found = Special::nothing;
        const auto look_at = [&found](const auto& values, std::size_t count) {
            found = std::max(found, bough::special(values, count));
        };
        if (!is_row_after_row_) {
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

    /// How far a column lies from the one before, if they are a matrix.
    template <class Value>
    [[nodiscard]] std::optional<std::int64_t> distance() const {
        const auto values = [&](std::size_t i) {
            return std::get_if<Strided<Value>>(&columns_[i].values);
        };
        std::int64_t distance = 1;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (values(i) == nullptr || values(i)->stride != values(0)->stride) return std::nullopt;
            if (i == 1) distance = values(1)->first - values(0)->first;
            if (values(i)->first != values(0)->first + static_cast<std::int64_t>(i) * distance)
                return std::nullopt;
        }
        return columns_.empty() ? std::nullopt : std::optional(distance);
    }

    std::span<const RawColumn> columns_;
    std::optional<std::int64_t> double_distance_;  // between columns, if they are a matrix
    bool is_row_after_row_;
};

/// How many rows are read at once, so that they stay in the cache of one core.
inline std::size_t rows_at_once(std::size_t n_columns) {
    constexpr std::size_t n_bytes = std::size_t{1} << 17;
    return std::clamp<std::size_t>(n_bytes / (sizeof(double) * std::max<std::size_t>(n_columns, 1)),
                                   16, 4096);
}

/// As many threads as are worth the trouble.
inline Threads threads_for(std::size_t n_rows, std::size_t n_columns, std::size_t n_threads) {
    constexpr std::size_t few_cells = 65536;  // are done before another thread has started
    return Threads(std::clamp<std::size_t>(n_rows * n_columns / few_cells, 1, n_threads));
}

/// Call `task(begin, end)` for parts of the rows.
template <class Task>
void for_parts(std::size_t n_rows, std::size_t n_columns, Threads& threads, const Task& task) {
    const std::size_t step = rows_at_once(n_columns);
    const std::size_t part =
        step * std::clamp<std::size_t>(n_rows / (8 * threads.count() * step), 1, 16);
    threads.parallel_for((n_rows + part - 1) / part,
                         [&](std::size_t i) { task(i * part, std::min(n_rows, (i + 1) * part)); });
}

/// Whether some number of a table is infinite.
inline bool any_infinite(std::span<const RawColumn> columns, std::size_t n_rows, Threads& threads,
                         const Cancel& cancel) {
    const RawRows raw(columns);
    const std::size_t step = rows_at_once(columns.size());
    std::atomic<bool> found{false};
    for_parts(n_rows, columns.size(), threads, [&](std::size_t begin, std::size_t end) {
        cancel.check();
        for (std::size_t row = begin; row < end && !found; row += step)
            if (raw.special(row, std::min(end, row + step)) == Special::infinite) found = true;
    });
    return found;
}

/// For growing that does not encode the whole table, and would not notice.
inline void refuse_infinite(std::span<const RawColumn> columns, std::size_t n_rows,
                            Threads& threads, const Cancel& cancel) {
    if (any_infinite(columns, n_rows, threads, cancel)) throw InfiniteNumber{};
}

}  // namespace bough
