// What must be true of a tree's arrays, so that nothing that reads them can go wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tree_view.hpp"

namespace bough {

/// All arrays of a tree, as tree.py names them; their lengths fit each other.
struct WholeTree : TreeView {
    std::span<const double> tally;
    std::span<const double> guess;  // empty: labels have classes
    std::span<const double> share;  // empty, as those below, where a tree has none
    std::span<const std::int64_t> n_rows;
    std::span<const double> impurity;
    std::span<const double> gain;
    std::span<const double> relevance;
    std::span<const double> shown;
    std::span<const std::int32_t> n_classes;  // of each output
    std::span<const std::uint8_t> are_dates;  // of each feature
};

/// A rule that is broken, by the name that check.py has for it; empty: none is.
struct Broken {
    std::string_view rule;
    std::size_t node = 0;
    std::size_t at = 0;  // among the codes, where the rule is about one
};

/// The first rule that the arrays break. All take time and memory linear in the arrays.
Broken first_broken(const WholeTree& tree);

/// The first number shown in place of a pivot of a valid tree that may not stand for it.
///
/// Such a number is made by rounding a pivot within the gap between two values of the node's rows.
/// A file does not tell the gap, but what any such gap implies can be checked: the number is its
/// pivot rounded somewhere, and rows that one query sends one way are, by the words as by the
/// pivots, on the same side in all that is asked of them below.
Broken first_broken_shown(const WholeTree& tree);

}  // namespace bough
