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

/// Sort by key, rows of equal keys in their old order. `highest` is the highest key.
template <class Key>
void sort_by_key(std::vector<Keyed<Key>>& items, Key highest, const Cancel& cancel) {
    constexpr int bits = 11;
    constexpr std::size_t few = 256;
    if (items.size() < few) {
        std::stable_sort(items.begin(), items.end(),
                         [](const auto& a, const auto& b) { return a.key < b.key; });
        return;
    }
    std::vector<Keyed<Key>> other(items.size());
    for (int shift = 0; shift < static_cast<int>(8 * sizeof(Key)); shift += bits) {
        if ((highest >> shift) == 0) break;
        cancel.check();
        const auto digit = [shift](const Keyed<Key>& item) {
            return static_cast<std::size_t>(item.key >> shift) & ((1U << bits) - 1);
        };
        std::array<std::size_t, (1U << bits)> place{};
        for (const auto& item : items) ++place[digit(item)];
        if (place[digit(items.front())] == items.size()) continue;  // all alike
        std::size_t next = 0;
        for (auto& count : place) next += std::exchange(count, next);
        cancel.check();
        for (const auto& item : items) other[place[digit(item)]++] = item;
        items.swap(other);
    }
}

}  // namespace bough
