// The arrays of a tree as Python lends them.
#pragma once

#include "python.hpp"
#include "tree_view.hpp"

namespace bough {

/// An array of a tree; `length` is what it must have, if anything.
template <class Value>
std::span<const Value> lent(const Dict& arrays, const char* name,
                            std::optional<std::size_t> length) {
    const nb::object array = arrays[name];
    if (array.is_none()) return {};
    const auto values = span_of(nb::cast<Vector<Value>>(array, false));
    if (length && values.size() != *length)
        throw std::invalid_argument("arrays of a tree differ in length");
    return values;
}

/// Those that lead a row down, as long as nobody drops them.
inline TreeView lent_view(const Dict& arrays) {
    TreeView tree;
    tree.feature = lent<std::int32_t>(arrays, "feature", {});
    const std::size_t n_nodes = tree.feature.size();
    tree.query_kind = lent<std::uint8_t>(arrays, "query_kind", n_nodes);
    tree.pivot = lent<double>(arrays, "pivot", n_nodes);
    tree.pivot_int = lent<std::int64_t>(arrays, "pivot_int", n_nodes);
    tree.codes = lent<std::int32_t>(arrays, "codes", {});
    tree.answers = lent<std::int32_t>(arrays, "answers", tree.codes.size());
    tree.codes_start = lent<std::int32_t>(arrays, "codes_start", n_nodes + 1);
    tree.first_child = lent<std::int32_t>(arrays, "first_child", n_nodes);
    tree.n_children = lent<std::int32_t>(arrays, "n_children", n_nodes);
    tree.missing_child = lent<std::int32_t>(arrays, "missing_child", n_nodes);
    tree.kinds = lent<std::uint8_t>(arrays, "kinds", {});
    tree.n_choices = lent<std::int32_t>(arrays, "n_choices", tree.kinds.size());
    return tree;
}

}  // namespace bough
