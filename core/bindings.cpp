// The border between Python and the core: plain arrays, numbers and strings.
#include "check_tree.hpp"
#include "python.hpp"
#if defined(BOUGH_CHECK_BOUNDS)
#include "cut_scan.hpp"
#endif
#include "grow_arguments.hpp"
#include "recode.hpp"
#include "spill.hpp"
#include "weakest_links.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bough {
namespace {

/// Codes of an array whose type is known only now.
void use_codes(const AnyColumn& codes, const auto& use) {
    const auto as = [&]<class Code>(const Code* first) {
        use(Strided<Code>{first, codes.stride(0)});
    };
    if (!use_type<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(codes, as))
        throw std::invalid_argument("codes must be integers with a sign");
}

auto occurring_from_python(const AnyColumn& codes, std::size_t n_values) {
    std::vector<std::uint8_t> occurs;
    use_codes(codes, [&](const auto& all) { occurs = occurring(all, codes.shape(0), n_values); });
    return to_python(std::move(occurs));
}

nb::object recode_from_python(const AnyColumn& codes, const AnyColumn& positions) {
    nb::object result;
    use_codes(codes, [&](const auto& all) {
        use_codes(positions, [&](const auto& places) {
            result = nb::cast(to_python(recoded(all, codes.shape(0), places, positions.shape(0))));
        });
    });
    return result;
}

auto pruning_path_from_python(const Vector<std::int32_t>& parents, const Vector<double>& impurities,
                              double slack) {
    if (parents.shape(0) != impurities.shape(0))
        throw std::invalid_argument("there must be an impurity for each node");
    PruningPath path = pruning_path(span_of(parents), span_of(impurities), slack);
    return std::tuple(to_python(std::move(path.alpha_of)), to_python(std::move(path.alphas)),
                      to_python(std::move(path.impurities)));
}

using GrowColumns = std::variant<const LentSparse*, AnyMatrix, std::vector<AnyColumn>>;

/// Give a table its columns; return how many.
std::size_t lend_columns(GrowTable& table, const GrowColumns& columns,
                         std::span<const std::uint8_t> kinds) {
    const auto* sparse = std::get_if<const LentSparse*>(&columns);
    if (sparse == nullptr) {
        const auto* matrix = std::get_if<AnyMatrix>(&columns);
        table.columns =
            raw_columns(matrix != nullptr ? Columns(*matrix)
                                          : Columns(std::get<std::vector<AnyColumn>>(columns)),
                        kinds, table.n_rows);
        return table.columns.size();
    }
    table.sparse = (*sparse)->table();
    const auto number = static_cast<std::uint8_t>(FeatureKind::number);
    require(table.sparse->n_rows == table.n_rows, "columns differ in length");
    require(table.sparse->n_columns == kinds.size() &&
                std::ranges::count(kinds, number) == std::ssize(kinds),
            "sparse columns are numbers, and each has a kind");
    return table.sparse->n_columns;
}

Dict grow_from_python(const GrowColumns& columns, const Vector<std::uint8_t>& kinds,
                      const Vector<std::int32_t>& n_choices, const Dict& labels,
                      const Dict& choices, std::size_t n_threads) {
    const Settings settings = settings_from(choices);
    GrowTable table = labels_from(labels, choices);
    const std::size_t n_columns = lend_columns(table, columns, span_of(kinds));
    require(n_choices.shape(0) == n_columns, "there must be a number of choices for each");
    require(settings.directions.empty() || settings.directions.size() == n_columns,
            "there must be a direction for each column");
    require(settings.grouped.empty() || settings.grouped.size() == n_columns,
            "it must be said of each column whether it is grouped");
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!table.columns[i].is_choice) continue;
        table.columns[i].n_choices = static_cast<std::uint32_t>(n_choices.data()[i]);
        use_choices(table.columns[i], [&](const auto& codes) {
            check_codes(codes, table.n_rows, missing_choice, n_choices.data()[i]);
        });
    }
    constexpr std::size_t few_cells = 2000;
    const bool is_short = table.n_rows * n_columns < few_cells;
    FlatTree tree = interruptibly(
        is_short, [&](const Cancel& cancel) { return grow(table, settings, n_threads, cancel); });
    return arrays_of(std::move(tree), table.n_outputs);
}

/// The links of a tree, and where rows stop, after a look whether all of them lead somewhere.
Shape shape_from(const Vector<std::int32_t>& first_child, const Vector<std::int32_t>& n_children,
                 const Vector<std::int32_t>& stops) {
    const Shape shape{.first_child = span_of(first_child),
                      .n_children = span_of(n_children),
                      .stops = span_of(stops)};
    const auto n_nodes = static_cast<std::int64_t>(shape.first_child.size());
    require(n_children.shape(0) == first_child.shape(0), "arrays of nodes differ in length");
    for (std::int64_t id = 0; id < n_nodes; ++id) {
        const std::int64_t count = shape.n_children[static_cast<std::size_t>(id)];
        const std::int64_t first = shape.first_child[static_cast<std::size_t>(id)];
        require(count == 0 || (count > 0 && first > id && first + count <= n_nodes),
                "a child is no node behind its parent");
    }
    check_codes(Strided<std::int32_t>{stops.data()}, stops.shape(0), 0, n_nodes);
    return shape;
}

Dict refill_from_python(const Vector<std::int32_t>& first_child,
                        const Vector<std::int32_t>& n_children, const Vector<std::int32_t>& stops,
                        const Dict& labels, const Dict& choices, std::size_t n_threads) {
    GrowTable table = labels_from(labels, choices);
    const Settings settings = settings_from(choices);
    table.shape = shape_from(first_child, n_children, stops);
    require(table.shape->stops.size() == table.n_rows, "rows have other labels");
    FlatTree tree = interruptibly(
        false, [&](const Cancel& cancel) { return grow(table, settings, n_threads, cancel); });
    return arrays_of(std::move(tree), table.n_outputs);
}

WholeTree lent_whole(const Dict& arrays, const std::vector<std::int32_t>& n_classes) {
    WholeTree tree;
    static_cast<TreeView&>(tree) = lent_view(arrays);
    const std::size_t n_nodes = tree.size();
    require(n_nodes > 0 && !n_classes.empty(), "a tree has at least one node and one label");
    const auto most = static_cast<std::size_t>(*std::ranges::max_element(n_classes));
    const std::size_t width = most == 0 ? 3 : most;
    tree.tally = lent<double>(arrays, "tally", n_nodes * n_classes.size() * width);
    tree.guess = lent<double>(arrays, "guess", n_nodes * n_classes.size());
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

/// What NumPy asks for memory, as its headers say (NEP 49).
struct Handler {
    char name[127] = "bough";
    std::uint8_t version = 1;
    void* context = nullptr;
    void* (*take)(void*, std::size_t) = [](void*, std::size_t n_bytes) {
        return take_block(n_bytes, alignof(std::max_align_t));
    };
    void* (*zeros)(void*, std::size_t, std::size_t) = [](void*, std::size_t n, std::size_t size) {
        return take_zeros(n * size);  // NumPy has seen that it is no overflow
    };
    void* (*resize)(void*, void*, std::size_t) = [](void*, void* block, std::size_t n_bytes) {
        return resize_block(block, n_bytes);
    };
    void (*give)(void*, void*, std::size_t) = [](void*, void* block, std::size_t) {
        give_back(block);
    };
};

constexpr std::size_t set_handler = 304;  // the place of PyDataMem_SetHandler among its functions

/// Let NumPy use a handler in this context, and return the one before.
nb::object use_handler(const nb::object& functions, nb::handle handler) {
    auto** all = static_cast<void**>(PyCapsule_GetPointer(functions.ptr(), nullptr));
    if (all == nullptr) throw nb::python_error();
    const auto set = reinterpret_cast<PyObject* (*)(PyObject*)>(all[set_handler]);
    PyObject* before = set(handler.ptr());
    if (before == nullptr) throw nb::python_error();
    return nb::steal(before);
}

}  // namespace
}  // namespace bough

NB_MODULE(_core, module) {
    module.doc() = "The compiled core of bough: loops over rows, and nothing else.";
    nb::set_leak_warnings(false);  // trees that caches keep to the end are no news to a user
    module.def(
        "criteria",
        [] {
            nb::typed<nb::dict, nb::str, nb::str> tasks;
            for (const auto& [name, task] : bough::criteria())
                tasks[nb::str(name.data(), name.size())] = nb::str(task.data(), task.size());
            return tasks;
        },
        "Return the criteria by name, each with its task.");
    module.def("occurring", &bough::occurring_from_python, "codes"_a, "n_values"_a,
               "Return 1 for each code from -1 on that is there, and 0 for others.");
    module.def("recode", &bough::recode_from_python, "codes"_a, "positions"_a,
               nb::sig("def recode(codes: numpy.typing.NDArray[typing.Any], "
                       "positions: numpy.typing.NDArray[typing.Any]) -> "
                       "numpy.typing.NDArray[typing.Any]"),
               "Return for each code its position; the first one is that of -1.");
    module.def("pruning_path", &bough::pruning_path_from_python, "parents"_a, "impurities"_a,
               "slack"_a,
               "Return the price at which each node is a leaf, all prices, and impurities.");
    nb::exception<bough::InfiniteNumber>(module, "InfiniteNumber");
    nb::class_<bough::LentSparse>(module, "SparseTable",
                                  "Numbers that are not 0, one row or column after the other.")
        .def(nb::init<std::size_t, std::size_t, bool, bough::Vector<std::int64_t>,
                      bough::Vector<std::uint32_t>, bough::Vector<double>>(),
             "n_rows"_a, "n_columns"_a, "by_row"_a, "starts"_a, "places"_a, "values"_a);
    module.def("grow", &bough::grow_from_python, "columns"_a, "kinds"_a, "n_choices"_a, "labels"_a,
               "settings"_a, "n_threads"_a, "Grow a tree and return its arrays.");
    module.def("refill", &bough::refill_from_python, "first_child"_a, "n_children"_a, "stops"_a,
               "labels"_a, "settings"_a, "n_threads"_a,
               "Return what the nodes of a tree say of rows that stop at these nodes.");
#if defined(BOUGH_CHECK_BOUNDS)
    module.def("checked_bounds", [] {
        const auto& all = bough::CheckedBounds::all();
        return nb::make_tuple(all.checked.load(), all.broken.load());
    });
#endif
    module.def("first_broken", &bough::broken_in<bough::first_broken>, "arrays"_a, "n_classes"_a,
               "Return the first rule that the arrays of a tree break, the node, and the code.");
    module.def("first_broken_shown", &bough::broken_in<bough::first_broken_shown>, "arrays"_a,
               "n_classes"_a,
               "Return the same of the numbers shown in place of pivots, where a tree is valid.");
    module.def(
        "memory_handler",
        []() -> nb::object {
            static bough::Handler handler;
            return nb::capsule(&handler, "mem_handler");
        },
        "Return the handler by which the arrays of NumPy keep to the budget.");
    module.def("use_handler", &bough::use_handler, "functions"_a, "handler"_a,
               "Let NumPy take memory from a handler, and return the one before.");
    module.def(
        "set_budget",
        [](std::int64_t n_bytes, const std::string& folder) {
            bough::set_budget({n_bytes, folder});
        },
        "n_bytes"_a, "folder"_a,
        "Set how many bytes large blocks may take from the heap, below 0 any number.");
    module.def("spill_error", &bough::spill_error,
               "Return why the last file could not be made, as errno says it; 0: there is none.");
    bough::bind_router(module);
    bough::bind_text(module);
    bough::bind_parts(module);
}
