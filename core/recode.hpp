// Values as codes: which codes occur, other codes in their place, and codes for any values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "table.hpp"

namespace bough {

/// The place of a code in a list whose first entry is for missing values.
template <class Code>
std::size_t place_of(Code code, std::size_t size) {
    const auto place = static_cast<std::size_t>(std::int64_t{code} - missing_choice);
    if (place >= size) throw std::invalid_argument("a code has no place");
    return place;
}

/// Refuse codes below the least or not below the end, in one pass.
template <class Code>
void check_codes(const Strided<Code>& codes, std::size_t count, std::int64_t least,
                 std::int64_t end) {
    std::int64_t lowest = least;
    std::int64_t highest = end - 1;
    const auto look_at = [&](Code code) {
        lowest = std::min<std::int64_t>(lowest, code);
        highest = std::max<std::int64_t>(highest, code);
    };
    if (codes.stride == 1)  // which needs fewer instructions
        for (std::size_t i = 0; i < count; ++i) look_at(codes.first[i]);
    else
        for (std::size_t i = 0; i < count; ++i) look_at(codes[i]);
    if (lowest < least || highest >= end) throw std::invalid_argument("a code is out of range");
}

/// Whether missing values, and each of the codes from 0 on, are there.
template <class Code>
std::vector<std::uint8_t> occurring(const Strided<Code>& codes, std::size_t count, std::size_t n) {
    std::vector<std::uint8_t> occurs(n + 1);
    for (std::size_t i = 0; i < count; ++i) occurs[place_of(codes[i], n + 1)] = 1;
    return occurs;
}

/// For each code its entry in `positions`, the first of `n` of which is for missing values.
template <class Code, class Position>
std::vector<Position> recoded(const Strided<Code>& codes, std::size_t count,
                              const Strided<Position>& positions, std::size_t n) {
    std::vector<Position> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = positions[place_of(codes[i], n)];
    return all;
}

/// Values of some bytes each, numbered in the order in which they first appear.
struct Distinct {
    std::vector<std::int32_t> codes;
    std::vector<std::int64_t> first;  // row of each value
};

inline Distinct distinct(const std::uint8_t* values, std::size_t size, std::size_t count) {
    const auto value = [&](std::size_t row) {
        return std::string_view(reinterpret_cast<const char*>(values + row * size), size);
    };
    Distinct found;
    found.codes.resize(count);
    std::vector<std::int32_t> slots(64, -1);  // twice as many as values, or more
    const auto slot_of = [&](std::string_view wanted) {
        std::size_t slot = std::hash<std::string_view>{}(wanted) & (slots.size() - 1);
        while (slots[slot] >= 0 &&
               value(static_cast<std::size_t>(
                   found.first[static_cast<std::size_t>(slots[slot])])) != wanted)
            slot = (slot + 1) & (slots.size() - 1);
        return slot;
    };
    for (std::size_t row = 0; row < count; ++row) {
        const std::size_t slot = slot_of(value(row));
        if (slots[slot] < 0) {
            slots[slot] = static_cast<std::int32_t>(found.first.size());
            found.first.push_back(static_cast<std::int64_t>(row));
        }
        found.codes[row] = slots[slot];
        if (2 * found.first.size() > slots.size()) {
            slots.assign(2 * slots.size(), -1);
            for (std::size_t code = 0; code < found.first.size(); ++code)
                slots[slot_of(value(static_cast<std::size_t>(found.first[code])))] =
                    static_cast<std::int32_t>(code);
        }
    }
    return found;
}

}  // namespace bough
