// Views of the arrays that Python lends, ready for growing: columns of codes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <variant>
#include <vector>

#include "query.hpp"
#include "sort.hpp"
#include "tally.hpp"
#include "threads.hpp"

namespace bough {

/// A column of raw values, any stride apart.
template <class Value>
struct Strided {
    const Value* first = nullptr;
    std::int64_t stride = 1;  // in values

    Value operator[](std::size_t row) const {
        return first[static_cast<std::int64_t>(row) * stride];
    }
};

/// A raw column, as Python lends it.
struct RawColumn {
    std::variant<Strided<double>, Strided<float>, Strided<std::int64_t>, Strided<std::int32_t>,
                 Strided<std::int16_t>, Strided<std::int8_t>>
        values;
    bool is_choice = false;
    std::uint32_t n_choices = 0;
};

/// Call `use` with the positions of a column of choices, which have 32 bits or fewer.
template <class Use>
void use_choices(const RawColumn& raw, const Use& use) {
    std::visit(
        [&]<class Value>(const Strided<Value>& values) {
            if constexpr (std::is_integral_v<Value> && sizeof(Value) <= sizeof(std::int32_t))
                use(values);
            else
                throw std::invalid_argument("choices must be integers of 32 bits or fewer");
        },
        raw.values);
}

/// Thrown where growing meets a number that is infinite.
struct InfiniteNumber : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "infinite"; }
};

/// A column as the exact search reads it: code 0 is a missing value, other codes count the distinct
/// values in order, and a code's value is at `code - 1` among them.
struct Column {
    bool is_choice = false;
    std::vector<std::uint32_t> codes;
    std::variant<std::vector<double>, std::vector<std::int64_t>> values;  // none for a choice
};

/// An unsigned key in the order of the values, −0 and 0 alike.
inline std::uint64_t order_key(double value) {
    constexpr auto sign = std::uint64_t{1} << 63;
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}
inline std::uint64_t order_key(std::int64_t value) {
    return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}

/// A float in the order of its column; it need not be the value, only grow with it.
// Beyond the floats it is infinite, and NaN stays NaN.
inline float as_float(double value) { return static_cast<float>(value) + 0.0F; }
inline float as_float(float value) { return value + 0.0F; }
inline float as_float(std::int64_t value) {
    return is_missing(value) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
}
inline float as_float(std::int32_t value) {
    return is_missing(value) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
}

/// The bits of a float as an unsigned number in the same order.
inline std::uint32_t bit_key(float value) {
    constexpr std::uint32_t sign = std::uint32_t{1} << 31;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// How a value is kept for pivots.
inline double kept(double value) { return value + 0.0; }
inline double kept(float value) { return static_cast<double>(value) + 0.0; }
inline double kept(std::int32_t position) { return position; }
inline std::int64_t kept(std::int64_t value) { return value; }

/// Encode the rows of a compared column: the rank of each value among the distinct ones.
template <class Value>
Column ranked(const Strided<Value>& raw, std::span<const Row> rows, const Cancel& cancel) {
    std::vector<Keyed<std::uint64_t>> items;
    items.reserve(rows.size());
    std::uint64_t highest = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Value value = raw[rows[i]];
        if (is_missing(value)) continue;
        items.push_back({order_key(kept(value)), static_cast<std::uint32_t>(i)});
        highest = std::max(highest, items.back().key);
    }
    sort_by_key(items, highest, cancel);
    Column column;
    column.codes.assign(rows.size(), missing_code);
    std::vector<decltype(kept(Value{}))> values;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i == 0 || items[i].key != items[i - 1].key)
            values.push_back(kept(raw[rows[items[i].row]]));
        column.codes[items[i].row] = static_cast<std::uint32_t>(values.size());
    }
    column.values = std::move(values);
    return column;
}

/// Encode the rows of a column of choices, whose positions are codes already.
inline Column chosen(const RawColumn& raw, std::span<const Row> rows) {
    Column column;
    column.is_choice = true;
    column.codes.reserve(rows.size());
    use_choices(raw, [&](const auto& choices) {
        for (const Row row : rows)
            column.codes.push_back(static_cast<std::uint32_t>(choices[row] + 1));  // −1 is missing
    });
    return column;
}

/// Encode some rows of any column.
inline Column encoded(const RawColumn& raw, std::span<const Row> rows, const Cancel& cancel) {
    if (raw.is_choice) return chosen(raw, rows);
    return std::visit([&](const auto& values) { return ranked(values, rows, cancel); }, raw.values);
}

}  // namespace bough
