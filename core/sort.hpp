// Rows in the order of a column.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "threads.hpp"

namespace bough {

/// A key to sort by, and the row it belongs to.
template <class Key>
struct Keyed {
    Key key;
    std::uint32_t row;
};

/// Sort by one digit, keeping the order of items that have the same; true if any has another.
template <int Bits, class Key>
bool sort_by_digit(const std::vector<Keyed<Key>>& items, std::vector<Keyed<Key>>& sorted,
                   int shift) {
    constexpr std::size_t n_digits = std::size_t{1} << Bits;
    const auto digit = [shift](const Keyed<Key>& item) {
        return static_cast<std::size_t>(item.key >> shift) & (n_digits - 1);
    };
    std::array<std::uint32_t, n_digits> place{};
    for (const auto& item : items) ++place[digit(item)];
    if (place[digit(items.front())] == items.size()) return false;
    std::uint32_t next = 0;
    for (auto& count : place) next += std::exchange(count, next);
    for (const auto& item : items) sorted[place[digit(item)]++] = item;
    return true;
}

/// Sort by one digit after the other, the lowest first.
template <int Bits, class Key>
void sort_by_digits(std::vector<Keyed<Key>>& items, std::vector<Keyed<Key>>& other, Key highest,
                    const Cancel& cancel) {
    other.resize(items.size());
    for (int shift = 0; shift < static_cast<int>(8 * sizeof(Key)); shift += Bits) {
        if ((highest >> shift) == 0) break;
        cancel.check();
        if (sort_by_digit<Bits>(items, other, shift)) items.swap(other);
    }
}

/// Sort by key, rows of equal keys in their old order. `highest` is no lower than any key; `other`
/// is room for as many items.
template <class Key>
void sort_by_key(std::vector<Keyed<Key>>& items, std::vector<Keyed<Key>>& other, Key highest,
                 const Cancel& cancel) {
    constexpr std::size_t few = 64;
    constexpr std::size_t many = 1024;
    if (items.size() < few) {
        std::ranges::stable_sort(items, [](const auto& a, const auto& b) { return a.key < b.key; });
    } else if (items.size() < many) {
        sort_by_digits<8>(items, other, highest, cancel);
    } else {
        sort_by_digits<11>(items, other, highest, cancel);
    }
}

template <class Key>
void sort_by_key(std::vector<Keyed<Key>>& items, Key highest, const Cancel& cancel) {
    std::vector<Keyed<Key>> other;
    sort_by_key(items, other, highest, cancel);
}

}  // namespace bough
