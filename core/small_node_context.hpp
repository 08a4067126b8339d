// What growing below a small node needs to know of the table and of a node.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "exact_query.hpp"
#include "query_limits.hpp"

namespace bough {

/// Where the entries of a node lie in every list, and on which grid its labels are.
struct ListSegment {
    std::size_t begin;
    std::size_t end;
    std::size_t node_id;
    std::size_t grid;
    std::size_t n_rows_of_grid;
    bool is_loose;  // only one list is in order

    [[nodiscard]] std::size_t n_rows() const { return end - begin; }
};

/// What an answer gets of the rows of a node that is split.
struct ListSide {
    std::size_t n_rows = 0;
    std::size_t first_row = 0;
    std::size_t next = 0;   // where the next row goes, if they are left
    bool is_mixed = false;  // labels differ
    bool goes_on = false;   // rows are split further
};

template <class Criterion>
struct ListContext {
    std::span<const RawColumn> raw;
    const Settings& settings;
    const FixedLabels<typename Criterion::Labels>& fixed;
    const Limits& limits;
    double table_weight;  // in units of the weights' grid
    const Cancel& cancel;

    /// Whether gains follow from sums of numbers: of labels, or of two classes as 0 and 1.
    [[nodiscard]] bool sums_numbers() const {
        if constexpr (std::is_same_v<Criterion, Gini>)
            return fixed.view().most_classes <= 2;
        else
            return std::is_same_v<Criterion, SquaredError>;
    }
    [[nodiscard]] bool has_choices() const {
        return std::any_of(raw.begin(), raw.end(),
                           [](const RawColumn& one) { return one.is_choice; });
    }
    /// Keep the guesses below both answers of a node's query apart, where they go one way;
    /// `rows_of` gives the rows of each.
    template <class RowsOf>
    void part_bounds(GrownTree& nodes, std::size_t parent, const RowsOf& rows_of) const {
        if (limits.directions.empty()) return;
        const Question question = nodes.question(nodes[parent]);
        const int direction = limits.direction(question.column);
        if (direction == 0 || question.kind != Kind::below) return;
        std::array<double, 2> levels{};
        for (std::size_t i = 0; i < 2; ++i) levels[i] = level_of<Criterion>(fixed, rows_of(i));
        const auto parted = nodes[parent].bounds.parted(direction, levels[0], levels[1]);
        for (std::size_t i = 0; i < 2; ++i) nodes[nodes[parent].first_child + i].bounds = parted[i];
    }

    /// By how much a query decreases the impurity of the tree, in units of this exponent.
    [[nodiscard]] double decrease(const Gain& gain, int unit) const {
        return scaled(gain.value * (gain.weight / table_weight), gain.unit - unit);
    }
    /// The same in a unit that is the table's: no double may hold it in that of the user.
    [[nodiscard]] double decrease(const Gain& gain) const {
        return decrease(gain, fixed.view().common_unit(Criterion::degree));
    }
    /// Whether a query of this gain is worth asking.
    [[nodiscard]] bool decreases_enough(const Gain& gain) const {
        return settings.decreases_enough(decrease(gain, 0));
    }
};

}  // namespace bough
