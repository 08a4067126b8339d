// What growing takes and gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "random_draws.hpp"
#include "sparse_columns.hpp"
#include "table.hpp"
#include "threads.hpp"
#include "tree.hpp"

namespace bough {

/// The settings of a growth, checked and resolved to numbers in Python.
struct Settings {
    std::string criterion;
    double quantile = 0.5;
    bool draw_pivots = false;
    std::int64_t max_depth = -1;  // -1: no limit
    std::int64_t min_samples_split = 2;
    std::int64_t min_samples_leaf = 1;
    double min_weight_fraction_leaf = 0;
    double min_impurity_decrease = 0;
    std::size_t max_leaf_nodes = 0;  // 0: no limit
    std::size_t max_features = 0;    // 0: all
    std::uint64_t seed = 0;
    ColumnNumbers column_numbers;
    std::vector<std::uint8_t> grouped;  // 1 for columns whose choices are grouped; empty: none
    // Of each column: 1 where guesses may not fall along it, −1 where they may not rise, 0 where
    // they may do both; empty: no column says anything.
    std::vector<std::int8_t> directions;
    std::vector<std::uint64_t> trail;  // answers that lead to the root, if it is part of a tree
    // Where to search how: these change the time of growing, never the tree.
    bool use_fast_search = true;            // else every cut is looked at in exact arithmetic
    std::size_t list_rows = 1024;           // nodes up to here are grown from sorted lists
    std::size_t list_rows_at_root = 16384;  // and whole tables up to here

    /// Whether a node of so many rows may be split at all.
    [[nodiscard]] bool may_split(std::size_t n_rows, std::int64_t depth) const;
    /// Whether a limit on leaves is so low that the tree is grown best first. Where it is not, all
    /// of the tree is grown, and cut back to the limit afterwards.
    [[nodiscard]] bool is_best_first(std::size_t n_rows) const {
        constexpr std::size_t many_rows = 64;  // for a leaf
        return max_leaf_nodes > 0 && max_leaf_nodes * many_rows < n_rows;
    }
    /// Whether a query decreases the impurity of the tree enough, in units of the user.
    [[nodiscard]] bool decreases_enough(double decrease) const;
};

/// The node_id that a tree of so many rows grows from.
inline GrownNode root_node(const Settings& settings, std::size_t n_rows) {
    GrownNode root;
    root.end = static_cast<std::uint32_t>(n_rows);
    root.chance = mixed(settings.seed, 0);
    for (const std::uint64_t answer : settings.trail) root.chance = mixed(root.chance, answer);
    return root;
}

/// What rows must know of the whole table that they are a part of.
struct WholeTable {
    int weight_exponent = 0;           // of the grid of weights
    std::vector<int> label_exponents;  // of the grid of each output's labels, if they are numbers
    double weight = 0;                 // in units of its grid
};

/// The links of a tree, and the node where each row stops.
struct Shape {
    std::span<const std::int32_t> first_child;
    std::span<const std::int32_t> n_children;
    std::span<const std::int32_t> stops;

    [[nodiscard]] bool is_leaf(std::size_t id) const { return n_children[id] == 0; }
    [[nodiscard]] std::size_t stop_of(Row row) const {
        return static_cast<std::size_t>(stops[row]);
    }
    void for_each_child(std::size_t id, const auto& act) const {
        const auto first = static_cast<std::size_t>(first_child[id]);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n_children[id]); ++i) act(first + i);
    }
};

/// A table to grow from. Exactly one of `classes` and `numbers` is there.
struct GrowTable {
    std::size_t n_rows = 0;
    std::vector<RawColumn> columns;
    std::optional<SparseTable> sparse;  // instead of them
    std::size_t n_outputs = 1;
    std::vector<std::size_t> n_classes;     // of each output
    const std::int32_t* classes = nullptr;  // (outputs, rows)
    const double* numbers = nullptr;        // (outputs, rows)
    const double* weights = nullptr;        // none: all 1
    std::optional<WholeTable> whole;        // none: this is the whole table
    std::optional<Shape> shape;             // of a grown tree, instead of columns
};

/// Grow a tree; or say what the nodes of a grown one say of these rows: tally, rows, guess,
/// impurity, gain. Rows that stop at a branch then take no part, so that it stays the sum of its
/// children; every leaf must have rows.
FlatTree grow(const GrowTable& table, const Settings& settings, std::size_t n_threads,
              const Cancel& cancel);

/// The criteria by name, each with its task.
std::vector<std::pair<std::string_view, std::string_view>> criteria();

}  // namespace bough
