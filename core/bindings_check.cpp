// The border between Python and the core, for checking trees.
#include "check_tree.hpp"
#include "python.hpp"

using namespace nanobind::literals;

namespace bough {
namespace {

/// The entries of an array of any shape that has so many for each node.
std::span<const double> lent_cells(const Dict& arrays, const char* name, std::size_t length) {
    using Cells = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
    const nb::object array = arrays[name];
    if (array.is_none()) return {};
    const auto cells = nb::cast<Cells>(array, false);
    require(cells.size() == length, "arrays of a tree differ in length");
    return {cells.data(), length};
}

WholeTree lent_whole(const Dict& arrays, const std::vector<std::int32_t>& n_classes) {
    WholeTree tree;
    static_cast<TreeView&>(tree) = lent_view(arrays);
    const std::size_t n_nodes = tree.size();
    require(n_nodes > 0 && !n_classes.empty(), "a tree has at least one node and one label");
    const auto most =
        static_cast<std::size_t>(*std::max_element(n_classes.begin(), n_classes.end()));
    const std::size_t width = most == 0 ? 3 : most;
    tree.tally = lent_cells(arrays, "tally", n_nodes * n_classes.size() * width);
    tree.guess = lent_cells(arrays, "guess", n_nodes * n_classes.size());
    require(tree.guess.empty() != (most == 0), "numbers are guessed, and classes counted");
    tree.share = lent<double>(arrays, "share", n_nodes);
    tree.n_rows = lent<std::int64_t>(arrays, "n_rows", n_nodes);
    tree.impurity = lent<double>(arrays, "impurity", n_nodes);
    tree.gain = lent<double>(arrays, "gain", n_nodes);
    tree.relevance = lent<double>(arrays, "relevance", n_nodes);
    tree.shown = lent<double>(arrays, "shown", n_nodes);
    tree.n_classes = n_classes;
    tree.are_dates = lent<std::uint8_t>(arrays, "are_dates", tree.kinds.size());
    return tree;
}

template <auto Check>
std::optional<std::tuple<std::string_view, std::size_t, std::size_t>> broken_in(
    const Dict& arrays, const std::vector<std::int32_t>& n_classes) {
    const Broken found = Check(lent_whole(arrays, n_classes));
    if (found.rule.empty()) return std::nullopt;
    return std::tuple(found.rule, found.node, found.at);
}

}  // namespace

void bind_check(nb::module_& module) {
    module.def("first_broken", &broken_in<first_broken>, "arrays"_a, "n_classes"_a,
               "Return the first rule that the arrays of a tree break, the node, and the code.");
    module.def("first_broken_shown", &broken_in<first_broken_shown>, "arrays"_a, "n_classes"_a,
               "Return the same of the numbers shown in place of pivots, where a tree is valid.");
}

}  // namespace bough
