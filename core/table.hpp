// Views of the arrays that Python lends, ready for growing: columns of codes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
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

/// A column as growing reads it: code 0 is a missing value, other codes count the distinct values
/// in order, and a code's value is at `code - 1` among them.
struct Column {
    bool is_choice = false;
    std::vector<std::uint32_t> codes;
    std::uint32_t highest = 0;
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

/// Encode a compared column: the rank of each value among the distinct ones.
template <class Value>
Column ranked(const Strided<Value>& raw, std::span<const Row> rows, std::size_t n_rows,
              const Cancel& cancel) {
    std::vector<Keyed<std::uint64_t>> items;
    items.reserve(rows.size());
    std::uint64_t highest = 0;
    for (const Row row : rows) {
        if (is_missing(raw[row])) continue;
        items.push_back({order_key(raw[row]), row});
        highest = std::max(highest, items.back().key);
    }
    sort_by_key(items, highest, cancel);
    Column column;
    column.codes.assign(n_rows, missing_code);
    std::vector<Value> values;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i == 0 || items[i].key != items[i - 1].key)
            values.push_back(static_cast<Value>(raw[items[i].row] + Value{}));
        column.codes[items[i].row] = static_cast<std::uint32_t>(values.size());
    }
    column.highest = static_cast<std::uint32_t>(values.size());
    column.values = std::move(values);
    return column;
}

/// Encode a column of choices, whose positions are codes already.
inline Column chosen(const Strided<std::int32_t>& raw, std::size_t n_rows,
                     std::uint32_t n_choices) {
    Column column;
    column.is_choice = true;
    column.highest = n_choices;
    column.codes.resize(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row)
        column.codes[row] = static_cast<std::uint32_t>(raw[row] + 1);  // −1 is missing
    return column;
}

}  // namespace bough
