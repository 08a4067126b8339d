// The border between Python and the core: plain arrays, numbers and strings.
#include "python.hpp"
#if defined(BOUGH_CHECK_BOUNDS)
#include "cut_scan.hpp"
#endif
#include "grow_arguments.hpp"
#include "recode.hpp"
#include "weakest_links.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bough {
namespace {

/// Codes of an array whose type is known only now.
template <class Use>
void use_codes(const AnyColumn& codes, const Use& use) {
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
                std::count(kinds.begin(), kinds.end(), number) == std::ssize(kinds),
            "sparse columns are numbers, and each has a kind");
    return table.sparse->n_columns;
}

Dict grow_from_python(const GrowColumns& columns, const Vector<std::uint8_t>& kinds,
                      const Vector<std::int32_t>& n_choices, const LentClasses& classes,
                      const std::vector<std::size_t>& n_classes, const LentNumbers& numbers,
                      const LentWeights& weights, const Dict& choices, std::size_t n_threads) {
    const Settings settings = settings_from(choices);
    GrowTable table = labels_from(classes, n_classes, numbers, weights, settings.criterion);
    table.whole = whole_from(choices);
    require(!table.whole || !numbers || table.whole->label_exponents.size() == table.n_outputs,
            "there must be a grid for each output");
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
                        const LentClasses& classes, const std::vector<std::size_t>& n_classes,
                        const LentNumbers& numbers, const LentWeights& weights,
                        const std::string& criterion, double quantile, std::size_t n_threads) {
    const GrowTable table = labels_from(classes, n_classes, numbers, weights, criterion);
    const Shape shape = shape_from(first_child, n_children, stops);
    require(shape.stops.size() == table.n_rows, "rows have other labels");
    Settings settings;
    settings.criterion = criterion;
    settings.quantile = quantile;
    FlatTree tree = interruptibly(false, [&](const Cancel& cancel) {
        return refilled(table, settings, shape, n_threads, cancel);
    });
    return arrays_of(std::move(tree), table.n_outputs);
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
    module.def("occurring", &bough::occurring_from_python, "codes"_a.noconvert(), "n_values"_a,
               "Return 1 for each code from -1 on that is there, and 0 for others.");
    module.def("recode", &bough::recode_from_python, "codes"_a.noconvert(),
               "positions"_a.noconvert(),
               nb::sig("def recode(codes: numpy.typing.NDArray[typing.Any], "
                       "positions: numpy.typing.NDArray[typing.Any]) -> "
                       "numpy.typing.NDArray[typing.Any]"),
               "Return for each code its position; the first one is that of -1.");
    module.def("pruning_path", &bough::pruning_path_from_python, "parents"_a.noconvert(),
               "impurities"_a.noconvert(), "slack"_a,
               "Return the price at which each node is a leaf, all prices, and impurities.");
    nb::exception<bough::InfiniteNumber>(module, "InfiniteNumber");
    nb::class_<bough::LentSparse>(module, "SparseTable",
                                  "Numbers that are not 0, one row or column after the other.")
        .def(nb::init<std::size_t, std::size_t, bool, bough::Vector<std::int64_t>,
                      bough::Vector<std::uint32_t>, bough::Vector<double>>(),
             "n_rows"_a, "n_columns"_a, "by_row"_a, "starts"_a.noconvert(), "places"_a.noconvert(),
             "values"_a.noconvert());
    module.def("grow", &bough::grow_from_python, "columns"_a.noconvert(), "kinds"_a.noconvert(),
               "n_choices"_a.noconvert(), "classes"_a.noconvert().none(), "n_classes"_a,
               "numbers"_a.noconvert().none(), "weights"_a.noconvert().none(), "settings"_a,
               "n_threads"_a, "Grow a tree and return its arrays.");
    module.def("refill", &bough::refill_from_python, "first_child"_a.noconvert(),
               "n_children"_a.noconvert(), "stops"_a.noconvert(), "classes"_a.noconvert().none(),
               "n_classes"_a, "numbers"_a.noconvert().none(), "weights"_a.noconvert().none(),
               "criterion"_a, "quantile"_a, "n_threads"_a,
               "Return what the nodes of a tree say of rows that stop at these nodes.");
#if defined(BOUGH_CHECK_BOUNDS)
    module.def("checked_bounds", [] {
        const auto& all = bough::CheckedBounds::all();
        return nb::make_tuple(all.checked.load(), all.broken.load());
    });
#endif
    bough::bind_check(module);
    bough::bind_memory(module);
    bough::bind_router(module);
    bough::bind_text(module);
    bough::bind_parts(module);
}
