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

    [[nodiscard]] const Value* place(std::size_t row) const {
        return first + static_cast<std::int64_t>(row) * stride;
    }
    Value operator[](std::size_t row) const { return *place(row); }
};

/// What the values of a feature are, as encode.py numbers it.
enum class FeatureKind : std::uint8_t { number, integer, ordered, choice };

inline bool has_codes(FeatureKind kind) { return kind >= FeatureKind::ordered; }

// What bough numbers itself has types of its own, so that it is told from integers of the user.
/// A position among the choices of a feature, `missing_choice` or `unseen_choice`.
enum class Code8 : std::int8_t {};
enum class Code16 : std::int16_t {};
enum class Code32 : std::int32_t {};
/// An integer that a double may not hold, or `missing_integer`.
enum class Whole : std::int64_t {};

template <class Value>
constexpr bool is_code = std::is_enum_v<Value> && !std::is_same_v<Value, Whole>;

/// A raw column, as Python lends it. Numbers of the user are nan where missing; as integers they
/// are all there, and within ±2^53 in a table to grow from.
struct RawColumn {
    std::variant<Strided<double>, Strided<float>, Strided<std::int64_t>, Strided<std::int32_t>,
                 Strided<std::int16_t>, Strided<std::int8_t>, Strided<std::uint32_t>,
                 Strided<std::uint16_t>, Strided<std::uint8_t>, Strided<Whole>, Strided<Code32>,
                 Strided<Code16>, Strided<Code8>>
        values;
    bool is_choice = false;
    std::uint32_t n_choices = 0;
};

/// A raw value as queries are asked of it: a code in 32 bits, an integer, or a double.
template <class Value>
auto asked(Value value) {
    if constexpr (is_code<Value>)
        return static_cast<std::int32_t>(value);
    else if constexpr (std::is_same_v<Value, Whole>)
        return static_cast<std::int64_t>(value);
    else
        return static_cast<double>(value);
}

/// A float in the order of its column; it need not be the value, only grow with it.
// Beyond the floats it is infinite, and a missing value is NaN.
template <class Value>
float as_float(Value value) {
    if constexpr (std::is_enum_v<Value>)
        if (is_missing(asked(value))) return std::numeric_limits<float>::quiet_NaN();
    return static_cast<float>(value) + 0.0F;
}

/// The values of a column that are compared as doubles, NaN where missing, whatever their type.
class NumberValues {
  public:
    using Value = double;

    explicit NumberValues(const RawColumn& raw) : raw_(&raw) {
        if (const auto* doubles = std::get_if<Strided<double>>(&raw.values)) doubles_ = *doubles;
        if (const auto* shorts = std::get_if<Strided<std::int32_t>>(&raw.values)) shorts_ = *shorts;
    }
    double operator[](std::size_t row) const {
        // The most frequent types.
        if (doubles_.first != nullptr) return doubles_[row];
        if (shorts_.first != nullptr) return shorts_[row];
        return other(row);
    }

  private:
    [[nodiscard, gnu::noinline]] double other(std::size_t row) const {
        if (const auto* floats = std::get_if<Strided<float>>(&raw_->values)) return (*floats)[row];
        return std::visit([row](const auto& values) { return as_double(values[row]); },
                          raw_->values);
    }
    static double as_double(auto value) {
        const auto found = asked(value);
        return is_missing(found) ? std::numeric_limits<double>::quiet_NaN()
                                 : static_cast<double>(found);
    }

    const RawColumn* raw_;
    Strided<double> doubles_;
    Strided<std::int32_t> shorts_;
};

/// The values of a column that are compared as integers.
struct IntegerValues {
    using Value = std::int64_t;
    Strided<Whole> values;
    std::int64_t operator[](std::size_t row) const { return asked(values[row]); }
};

/// Call `use` with the values of a column as growing compares them: of one type or the other.
decltype(auto) use_values(const RawColumn& raw, const auto& use) {
    if (const auto* whole = std::get_if<Strided<Whole>>(&raw.values))
        return use(IntegerValues{*whole});
    return use(NumberValues(raw));
}

/// Call `use` with the positions of a column of choices.
void use_choices(const RawColumn& raw, const auto& use) {
    std::visit(
        [&]<class Value>(const Strided<Value>& values) {
            if constexpr (is_code<Value>) {
                using Position = std::underlying_type_t<Value>;
                use(Strided<Position>{reinterpret_cast<const Position*>(values.first),
                                      values.stride});
            } else {
                throw std::invalid_argument("choices must be integers of 32 bits or fewer");
            }
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

/// The bits of a float as an unsigned number in the same order.
inline std::uint32_t bit_key(float value) {
    constexpr std::uint32_t sign = std::uint32_t{1} << 31;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// Encode the rows of a compared column: the rank of each value among the distinct ones.
template <class Values>
Column ranked(const Values& raw, std::span<const Row> rows, const Cancel& cancel) {
    std::vector<Keyed<std::uint64_t>> items;
    items.reserve(rows.size());
    std::uint64_t highest = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto value = raw[rows[i]];
        if (is_missing(value)) continue;
        items.push_back({order_key(value), static_cast<std::uint32_t>(i)});
        highest = std::max(highest, items.back().key);
    }
    sort_by_key(items, highest, cancel);
    Column column;
    column.codes.assign(rows.size(), missing_code);
    std::vector<typename Values::Value> values;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i == 0 || items[i].key != items[i - 1].key) values.push_back(raw[rows[items[i].row]]);
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
    return use_values(raw, [&](const auto& values) { return ranked(values, rows, cancel); });
}

}  // namespace bough
