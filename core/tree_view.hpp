// The arrays of a tree that lead a row down, as tree.py names them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "pivot.hpp"
#include "query.hpp"
#include "table.hpp"

namespace bough {

struct TreeView {
    std::span<const std::int32_t> feature;
    std::span<const std::uint8_t> query_kind;
    std::span<const double> pivot;
    std::span<const std::int64_t> pivot_int;  // empty: no pivot is beyond ±2^53
    std::span<const std::int32_t> codes;
    std::span<const std::int32_t> answers;
    std::span<const std::int32_t> codes_start;
    std::span<const std::int32_t> first_child;
    std::span<const std::int32_t> n_children;
    std::span<const std::int32_t> missing_child;
    std::span<const std::uint8_t> kinds;      // of each feature
    std::span<const std::int32_t> n_choices;  // of each feature; 0 if it has no codes

    [[nodiscard]] std::size_t size() const { return feature.size(); }
    [[nodiscard]] bool is_leaf(std::size_t id) const { return n_children[id] == 0; }
    [[nodiscard]] Kind kind(std::size_t id) const { return static_cast<Kind>(query_kind[id]); }
    [[nodiscard]] std::size_t asked(std::size_t id) const {
        return static_cast<std::size_t>(feature[id]);
    }
    /// Whether a branch asks about a column of codes.
    [[nodiscard]] bool is_coded(std::size_t id) const {
        return has_codes(static_cast<FeatureKind>(kinds[asked(id)]));
    }
    /// Whether the pivot of a branch stands in `pivot_int`.
    [[nodiscard]] bool is_beyond_doubles(std::size_t id) const {
        return kind(id) == Kind::below && std::isnan(pivot[id]);
    }

    template <class Value>
    [[nodiscard]] Query<Value> query(std::size_t id) const {
        Query<Value> query;
        query.kind = kind(id);
        if (missing_child[id] >= 0) query.missing = missing_child[id] - first_child[id];
        if constexpr (std::is_same_v<Value, double>) {
            query.pivot = pivot[id];
        } else {
            Pivot whole{.value = pivot[id]};
            if (!pivot_int.empty()) whole.integer = pivot_int[id];
            query.pivot = static_cast<Value>(whole.whole());
        }
        const auto begin = static_cast<std::size_t>(codes_start[id]);
        const auto count = static_cast<std::size_t>(codes_start[id + 1]) - begin;
        query.choices = codes.subspan(begin, count);
        query.answers = answers.subspan(begin, count);
        return query;
    }

    /// For each node, the column of its query, or at a leaf that of its parent's.
    [[nodiscard]] std::vector<std::uint32_t> last_asked() const {
        std::vector<std::uint32_t> columns(size());
        for (std::size_t id = 0; id < size(); ++id) {  // a child comes after its parent
            if (is_leaf(id)) continue;
            columns[id] = static_cast<std::uint32_t>(feature[id]);
            for (std::int32_t answer = 0; answer < n_children[id]; ++answer)
                columns[static_cast<std::size_t>(first_child[id] + answer)] = columns[id];
        }
        return columns;
    }

    /// How many queries the longest trail has.
    [[nodiscard]] std::size_t depth() const {
        std::vector<std::size_t> depths(size());
        for (std::size_t id = 0; id < size(); ++id)  // a child comes after its parent
            for (std::int32_t answer = 0; answer < n_children[id]; ++answer)
                depths[static_cast<std::size_t>(first_child[id] + answer)] = depths[id] + 1;
        return *std::ranges::max_element(depths);
    }
};

}  // namespace bough
