// Rows of numbers down a tree, many side by side.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "table.hpp"
#include "tree_view.hpp"

namespace bough {

/// A node, laid out for walking. A row stays where it is at a leaf, and where it has no answer.
struct Step {
    std::uint64_t pivot = 0;   // the bits of a double, or how many codes have a target of their own
    std::uint32_t column = 0;  // `is_coded` is set where the column holds codes
    std::uint32_t next = 0;    // the first child, or where the node's targets begin

    static constexpr std::uint32_t is_coded = std::uint32_t{1} << 31;
};

/// Numbers in rows and columns, in either order. Columns may be arrays of their own, so places are
/// reckoned in addresses.
template <class Value>
struct MatrixView {
    std::uintptr_t first = 0;
    std::int64_t row_stride = 0;  // in bytes
    std::int64_t column_stride = sizeof(Value);

    [[nodiscard]] std::uintptr_t address(std::size_t row, std::uint32_t column) const {
        return first + static_cast<std::uintptr_t>(static_cast<std::int64_t>(row) * row_stride +
                                                   column * column_stride);
    }
    /// Whether the values of so many columns lie one row after the other.
    [[nodiscard]] bool is_packed(std::size_t n_columns) const {
        return column_stride == sizeof(Value) &&
               row_stride == column_stride * static_cast<std::int64_t>(n_columns);
    }
    [[nodiscard]] MatrixView from(std::size_t row) const {
        return {address(row, 0), row_stride, column_stride};
    }
};

/// Take rows down a tree: `next(node, value_of, seen)` says where a row at a node goes, and sets
/// the first bit of `seen` if there is something special about its value. `redo(row, count)` is
/// called for rows some of which met such a value.
template <bool is_row_after_row, class Value>
void walk_in_order(const MatrixView<Value>& rows, std::span<std::uint32_t> nodes, std::size_t depth,
                   const auto& next, const auto& redo) {
    // Steps of different rows do not wait for each other's memory.
    constexpr std::size_t n_side_by_side = 16;
    constexpr std::size_t n_steps_at_once = 4;  // before a look whether all rows have stopped
    const auto descend = [&]<std::size_t... k>(std::size_t row, std::index_sequence<k...>) {
        std::array<std::uint32_t, sizeof...(k)> at{};
        const std::uintptr_t first = rows.address(row, 0);
        const auto value_of = [&](std::size_t i, std::uint32_t column) -> double {
            const std::uintptr_t start =
                first + static_cast<std::uintptr_t>(static_cast<std::int64_t>(i) * rows.row_stride);
            if constexpr (is_row_after_row)
                return reinterpret_cast<const Value*>(start)[column];
            else
                return *reinterpret_cast<const Value*>(
                    start + static_cast<std::uintptr_t>(column * rows.column_stride));
        };
        std::uint64_t seen = 0;
        const auto step = [&] {
            ((at[k] = next(
                  at[k], [&](std::uint32_t column) { return value_of(k, column); }, seen)),
             ...);
        };
        for (std::size_t level = 0; level < depth; level += n_steps_at_once) {
            for (std::size_t i = 1; i < n_steps_at_once; ++i) step();
            const auto before = at;
            step();
            if (((at[k] ^ before[k]) | ...) == 0) break;
        }
        ((nodes[row + k] = at[k]), ...);
        if ((seen >> 63) != 0) redo(row, sizeof...(k));
    };
    std::size_t row = 0;
    for (; row + n_side_by_side <= nodes.size(); row += n_side_by_side)
        descend(row, std::make_index_sequence<n_side_by_side>{});
    for (; row < nodes.size(); ++row) descend(row, std::make_index_sequence<1>{});
}

template <class Value>
void walk(const MatrixView<Value>& rows, std::span<std::uint32_t> nodes, std::size_t depth,
          const auto& next, const auto& redo) {
    if (rows.column_stride == sizeof(Value))
        walk_in_order<true>(rows, nodes, depth, next, redo);
    else
        walk_in_order<false>(rows, nodes, depth, next, redo);
}

constexpr double largest_number = std::numeric_limits<double>::max();

/// Bits whose first one is set for an infinite number, with nothing behind it, and for NaN, with
/// something: this needs fewer instructions than comparisons, and no branch.
inline std::uint64_t lifted(double value) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    constexpr auto infinite = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
    return (std::bit_cast<std::uint64_t>(value) & ~sign) + (sign - infinite);
}

/// A tree that asks about pivots of numbers only, for rows that meet no missing value.
class PivotWalk {
  public:
    static std::optional<PivotWalk> make(const TreeView& tree) {
        PivotWalk result;
        result.depth_ = tree.depth();
        const std::vector<std::uint32_t> met = tree.last_asked();
        for (std::size_t id = 0; id < tree.size(); ++id) {
            Step step;
            step.column = met[id];
            if (tree.is_leaf(id)) {
                // No number is as large, so a row stays.
                step.pivot = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
                step.next = static_cast<std::uint32_t>(id);
            } else {
                if (tree.kind(id) != Kind::below || tree.is_coded(id) || tree.is_beyond_doubles(id))
                    return std::nullopt;
                step.pivot = std::bit_cast<std::uint64_t>(tree.pivot[id]);
                step.next = static_cast<std::uint32_t>(tree.first_child[id]);
            }
            result.steps_.push_back(step);
        }
        return result;
    }

    /// The nodes where rows stop; `redo(row, count)` is called for rows some of which meet a value
    /// that is missing or infinite.
    template <class Value>
    void stops(const MatrixView<Value>& rows, std::span<std::uint32_t> nodes,
               const auto& redo) const {
        const Step* steps = steps_.data();
        const auto next = [steps](std::uint32_t node, const auto& value_of, std::uint64_t& seen) {
            const Step& step = steps[node];
            const double value = value_of(step.column);
            seen |= lifted(value);
            return step.next + (value >= std::bit_cast<double>(step.pivot) ? 1U : 0U);
        };
        walk(rows, nodes, depth_, next, redo);
    }

  private:
    std::vector<Step> steps_;
    std::size_t depth_ = 0;
};

/// Any tree. Each node has a list of targets: those of a number are where it goes below the pivot,
/// from the pivot on, and if it is missing; those of a code where it goes if it is missing, for
/// each code, and for all others.
class TargetWalk {
  public:
    /// None where the lists would be too long, or a pivot is no double.
    static std::optional<TargetWalk> make(const TreeView& tree) {
        TargetWalk result;
        result.depth_ = tree.depth();
        const std::vector<std::uint32_t> met = tree.last_asked();
        for (std::size_t id = 0; id < tree.size(); ++id) {
            if (!tree.is_leaf(id) && tree.is_beyond_doubles(id)) return std::nullopt;
            if (result.targets_.size() + n_codes(tree, id) > most_targets) return std::nullopt;
            result.add(tree, id, met[id]);
        }
        return result;
    }

    /// The nodes where rows stop; an infinite number on the way is refused.
    template <class Value>
    void stops(const MatrixView<Value>& rows, std::span<std::uint32_t> nodes) const {
        const Step* steps = steps_.data();
        const std::uint32_t* targets = targets_.data();
        const auto next = [steps, targets](std::uint32_t node, const auto& value_of,
                                           std::uint64_t& seen) {
            const Step& step = steps[node];
            const double value = value_of(step.column & ~Step::is_coded);
            seen |= lifted(value) & ~(lifted(value) - 1);  // which a missing value does not set
            const auto is_from_pivot_on = value >= std::bit_cast<double>(step.pivot) ? 1U : 0U;
            const auto is_nan = value != value ? 2U : 0U;
            const std::uint32_t of_number = is_from_pivot_on + is_nan;
            const std::uint32_t of_code =
                std::min(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value)),
                         static_cast<std::uint32_t>(step.pivot));
            const std::uint32_t choose_code = 0U - (step.column >> 31);
            return targets[step.next + ((of_code & choose_code) | (of_number & ~choose_code))];
        };
        walk(rows, nodes, depth_, next, [](std::size_t, std::size_t) { throw InfiniteNumber{}; });
    }

    /// A code as rows hold it: 0 is missing, and an unseen value larger than any other.
    static double held(std::int32_t code) {
        return std::bit_cast<double>(
            std::uint64_t{static_cast<std::uint32_t>(code) + std::uint32_t{1}});
    }

  private:
    static constexpr std::size_t most_targets = std::size_t{1} << 22;

    /// How many codes need a target of their own.
    static std::size_t n_codes(const TreeView& tree, std::size_t id) {
        if (tree.is_leaf(id) || tree.kind(id) == Kind::is_missing) return 0;
        if (tree.kind(id) == Kind::below)
            return static_cast<std::size_t>(std::max(tree.n_choices[tree.asked(id)], 0));
        const auto choices = tree.query<std::int32_t>(id).choices;
        return choices.empty() ? 0 : static_cast<std::size_t>(choices.back()) + 1;
    }

    /// `met` is the column whose value a row met last.
    void add(const TreeView& tree, std::size_t id, std::uint32_t met) {
        Step step;
        step.column = met;
        step.next = static_cast<std::uint32_t>(targets_.size());
        const auto add_target = [&](std::int32_t given) {
            const std::int32_t node =
                given == stop ? static_cast<std::int32_t>(id) : tree.first_child[id] + given;
            targets_.push_back(static_cast<std::uint32_t>(node));
        };
        if (tree.is_leaf(id)) {
            step.column |= Step::is_coded;
            add_target(stop);
        } else if (tree.is_coded(id)) {
            step.column |= Step::is_coded;
            step.pivot = n_codes(tree, id) + 1;
            const Query<std::int32_t> query = tree.query<std::int32_t>(id);
            add_target(answer(query, missing_choice));
            for (std::size_t code = 0; code < n_codes(tree, id); ++code)
                add_target(answer(query, static_cast<std::int32_t>(code)));
            add_target(answer(query, unseen_choice));
        } else {
            step.pivot = std::bit_cast<std::uint64_t>(tree.pivot[id]);
            const Query<double> query = tree.query<double>(id);
            for (const double value :
                 {-largest_number, largest_number, std::numeric_limits<double>::quiet_NaN()})
                add_target(answer(query, value));
        }
        steps_.push_back(step);
    }

    std::vector<Step> steps_;
    std::vector<std::uint32_t> targets_;
    std::size_t depth_ = 0;
};

}  // namespace bough
