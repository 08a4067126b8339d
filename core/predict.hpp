// Raw values → the node where each row stops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grow.hpp"
#include "threads.hpp"

namespace bough {

/// The arrays of a tree that lead a row down, as tree.py names them.
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
};

/// Where rows stop, and for each feature how many stopped at a value that their node never saw.
struct Stops {
    std::vector<std::int32_t> node;
    std::vector<std::int64_t> unseen;
};

Stops stops(const TreeView& tree, std::span<const RawColumn> columns, std::size_t n_rows,
            std::size_t n_threads, const Cancel& cancel);

}  // namespace bough
