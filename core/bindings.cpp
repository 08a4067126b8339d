// The border between Python and the core: plain arrays, numbers and strings.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <future>

#include "grow.hpp"
#include "pivot.hpp"
#include "predict.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bough {
namespace {

template <class Value>
using Vector = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Value>
using Matrix = nb::ndarray<const Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

/// An array that owns the values of a vector.
template <class Value>
nb::object to_python(std::vector<Value>&& values, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<Value>(std::move(values));
    const nb::capsule owner(
        owned, [](void* vector) noexcept { delete static_cast<std::vector<Value>*>(vector); });
    return nb::cast(nb::ndarray<nb::numpy, Value>(owned->data(), shape, owner));
}

template <class Value>
nb::object to_python(std::vector<Value>&& values) {
    const std::size_t count = values.size();
    return to_python(std::move(values), {count});
}

/// Do long work on another thread without the GIL, while this one listens for Ctrl-C. Work on few
/// cells, however deep the tree, is over before anybody could press it.
template <class Work>
auto interruptibly(std::size_t n_cells, const Work& work) {
    constexpr std::chrono::milliseconds patience(20);
    constexpr std::size_t few_cells = 2000;
    Cancel cancel;
    const nb::gil_scoped_release released;
    if (n_cells < few_cells) return work(cancel);
    auto result = std::async(std::launch::async, [&] { return work(cancel); });
    while (result.wait_for(patience) != std::future_status::ready) {
        const nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() == 0) continue;
        cancel.raise();
        {
            const nb::gil_scoped_release waiting;
            result.wait();
        }
        throw nb::python_error();
    }
    return result.get();
}

RawColumn raw_column(const AnyColumn& array, std::int64_t n_choices) {
    RawColumn column;
    const std::int64_t stride = array.stride(0);
    if (array.dtype() == nb::dtype<double>())
        column.values = Strided<double>{static_cast<const double*>(array.data()), stride};
    else if (array.dtype() == nb::dtype<float>())
        column.values = Strided<float>{static_cast<const float*>(array.data()), stride};
    else if (array.dtype() == nb::dtype<std::int64_t>())
        column.values =
            Strided<std::int64_t>{static_cast<const std::int64_t*>(array.data()), stride};
    else if (array.dtype() == nb::dtype<std::int32_t>())
        column.values =
            Strided<std::int32_t>{static_cast<const std::int32_t*>(array.data()), stride};
    else
        throw std::invalid_argument("a column must hold float64, int64 or int32");
    column.is_choice = n_choices >= 0;
    column.n_choices = static_cast<std::uint32_t>(std::max<std::int64_t>(n_choices, 0));
    return column;
}

/// Columns, and for each the number of its choices, or -1 where it is compared.
std::vector<RawColumn> raw_columns(const std::vector<AnyColumn>& arrays,
                                   const std::vector<std::int64_t>& n_choices, std::size_t n_rows) {
    std::vector<RawColumn> columns;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        if (arrays[i].shape(0) != n_rows) throw std::invalid_argument("columns differ in length");
        columns.push_back(raw_column(arrays[i], n_choices.at(i)));
    }
    return columns;
}

Settings settings_from(const nb::dict& choices) {
    Settings settings;
    settings.criterion = nb::cast<std::string>(choices["criterion"]);
    settings.group_choices = nb::cast<bool>(choices["group_choices"]);
    settings.draw_pivots = nb::cast<bool>(choices["draw_pivots"]);
    settings.max_depth = nb::cast<std::int64_t>(choices["max_depth"]);
    settings.min_samples_split = nb::cast<std::int64_t>(choices["min_samples_split"]);
    settings.min_samples_leaf = nb::cast<std::int64_t>(choices["min_samples_leaf"]);
    settings.min_weight_fraction_leaf = nb::cast<double>(choices["min_weight_fraction_leaf"]);
    settings.min_impurity_decrease = nb::cast<double>(choices["min_impurity_decrease"]);
    settings.max_leaf_nodes = nb::cast<std::size_t>(choices["max_leaf_nodes"]);
    settings.max_features = nb::cast<std::size_t>(choices["max_features"]);
    settings.seed = nb::cast<std::uint64_t>(choices["seed"]);
    if (choices.contains("use_fast_search"))
        settings.use_fast_search = nb::cast<bool>(choices["use_fast_search"]);
    if (choices.contains("use_general_bounds"))
        settings.use_general_bounds = nb::cast<bool>(choices["use_general_bounds"]);
    if (choices.contains("list_rows"))
        settings.list_rows = nb::cast<std::size_t>(choices["list_rows"]);
    if (choices.contains("list_rows_at_root"))
        settings.list_rows_at_root = nb::cast<std::size_t>(choices["list_rows_at_root"]);
    return settings;
}

nb::dict arrays_of(FlatTree&& tree, std::size_t n_outputs) {
    const std::size_t n_nodes = tree.feature.size();
    const std::size_t n_cells = tree.tally.size() / (n_nodes * n_outputs);
    nb::dict arrays;
    arrays["feature"] = to_python(std::move(tree.feature));
    arrays["query_kind"] = to_python(std::move(tree.query_kind));
    arrays["pivot"] = to_python(std::move(tree.pivot));
    arrays["pivot_int"] = to_python(std::move(tree.pivot_int));
    arrays["codes"] = to_python(std::move(tree.codes));
    arrays["answers"] = to_python(std::move(tree.answers));
    arrays["codes_start"] = to_python(std::move(tree.codes_start));
    arrays["first_child"] = to_python(std::move(tree.first_child));
    arrays["n_children"] = to_python(std::move(tree.n_children));
    arrays["missing_child"] = to_python(std::move(tree.missing_child));
    arrays["tally"] = to_python(std::move(tree.tally), {n_nodes, n_outputs, n_cells});
    const bool has_guess = !tree.guess.empty();
    arrays["guess"] =
        has_guess ? to_python(std::move(tree.guess), {n_nodes, n_outputs}) : nb::none();
    arrays["n_rows"] = to_python(std::move(tree.n_rows));
    arrays["impurity"] = to_python(std::move(tree.impurity));
    arrays["gain"] = to_python(std::move(tree.gain));
    return arrays;
}

nb::dict grow_from_python(const std::vector<AnyColumn>& columns,
                          const std::vector<std::int64_t>& n_choices,
                          const std::optional<Matrix<std::int32_t>>& classes,
                          const std::vector<std::size_t>& n_classes,
                          const std::optional<Matrix<double>>& numbers,
                          const std::optional<Vector<double>>& weights, const nb::dict& choices,
                          std::size_t n_threads) {
    GrowTable table;
    table.n_outputs = classes ? classes->shape(0) : numbers->shape(0);
    table.n_rows = classes ? classes->shape(1) : numbers->shape(1);
    table.columns = raw_columns(columns, n_choices, table.n_rows);
    table.n_classes = n_classes;
    table.classes = classes ? classes->data() : nullptr;
    table.numbers = numbers ? numbers->data() : nullptr;
    table.weights = weights ? weights->data() : nullptr;
    const Settings settings = settings_from(choices);
    FlatTree tree = interruptibly(table.n_rows * columns.size(), [&](const Cancel& cancel) {
        return grow(table, settings, n_threads, cancel);
    });
    return arrays_of(std::move(tree), table.n_outputs);
}

template <class Value>
std::span<const Value> span_of(const Vector<Value>& array) {
    return {array.data(), array.shape(0)};
}

nb::tuple stops_from_python(
    const Vector<std::int32_t>& feature, const Vector<std::uint8_t>& query_kind,
    const Vector<double>& pivot, const std::optional<Vector<std::int64_t>>& pivot_int,
    const Vector<std::int32_t>& codes, const Vector<std::int32_t>& answers,
    const Vector<std::int32_t>& codes_start, const Vector<std::int32_t>& first_child,
    const Vector<std::int32_t>& n_children, const Vector<std::int32_t>& missing_child,
    const std::vector<AnyColumn>& columns, const std::vector<std::int64_t>& n_choices,
    std::size_t n_rows, std::size_t n_threads) {
    const TreeView tree{
        .feature = span_of(feature),
        .query_kind = span_of(query_kind),
        .pivot = span_of(pivot),
        .pivot_int = pivot_int ? span_of(*pivot_int) : std::span<const std::int64_t>{},
        .codes = span_of(codes),
        .answers = span_of(answers),
        .codes_start = span_of(codes_start),
        .first_child = span_of(first_child),
        .n_children = span_of(n_children),
        .missing_child = span_of(missing_child),
    };
    const std::vector<RawColumn> raw = raw_columns(columns, n_choices, n_rows);
    Stops result = interruptibly(n_rows * columns.size(), [&](const Cancel& cancel) {
        return stops(tree, raw, n_rows, n_threads, cancel);
    });
    return nb::make_tuple(to_python(std::move(result.node)), to_python(std::move(result.unseen)));
}

}  // namespace
}  // namespace bough

NB_MODULE(_core, module) {
    module.doc() = "The compiled core of bough: loops over rows, and nothing else.";
    module.def(
        "criteria",
        [] {
            nb::dict tasks;
            for (const auto& [name, task] : bough::criteria())
                tasks[nb::str(name.data(), name.size())] = nb::str(task.data(), task.size());
            return tasks;
        },
        nb::sig("def criteria() -> dict[str, str]"),
        "Return the criteria by name, each with its task.");
    module.def("grow", &bough::grow_from_python, "columns"_a.noconvert(), "n_choices"_a,
               "classes"_a.noconvert().none(), "n_classes"_a, "numbers"_a.noconvert().none(),
               "weights"_a.noconvert().none(), "settings"_a, "n_threads"_a,
               nb::sig("def grow(columns: collections.abc.Sequence[numpy.typing.NDArray["
                       "typing.Any]], n_choices: collections.abc.Sequence[int], "
                       "classes: numpy.typing.NDArray[numpy.int32] | None, "
                       "n_classes: collections.abc.Sequence[int], "
                       "numbers: numpy.typing.NDArray[numpy.float64] | None, "
                       "weights: numpy.typing.NDArray[numpy.float64] | None, "
                       "settings: dict[str, typing.Any], n_threads: int) -> "
                       "dict[str, typing.Any]"),
               "Grow a tree and return its arrays.");
    module.def("stops", &bough::stops_from_python, "feature"_a.noconvert(),
               "query_kind"_a.noconvert(), "pivot"_a.noconvert(), "pivot_int"_a.noconvert().none(),
               "codes"_a.noconvert(), "answers"_a.noconvert(), "codes_start"_a.noconvert(),
               "first_child"_a.noconvert(), "n_children"_a.noconvert(),
               "missing_child"_a.noconvert(), "columns"_a.noconvert(), "n_choices"_a, "n_rows"_a,
               "n_threads"_a,
               nb::sig("def stops(feature: numpy.typing.NDArray[numpy.int32], "
                       "query_kind: numpy.typing.NDArray[numpy.uint8], "
                       "pivot: numpy.typing.NDArray[numpy.float64], "
                       "pivot_int: numpy.typing.NDArray[numpy.int64] | None, "
                       "codes: numpy.typing.NDArray[numpy.int32], "
                       "answers: numpy.typing.NDArray[numpy.int32], "
                       "codes_start: numpy.typing.NDArray[numpy.int32], "
                       "first_child: numpy.typing.NDArray[numpy.int32], "
                       "n_children: numpy.typing.NDArray[numpy.int32], "
                       "missing_child: numpy.typing.NDArray[numpy.int32], "
                       "columns: collections.abc.Sequence[numpy.typing.NDArray[typing.Any]], "
                       "n_choices: collections.abc.Sequence[int], n_rows: int, n_threads: int) -> "
                       "tuple[numpy.typing.NDArray[numpy.int32], "
                       "numpy.typing.NDArray[numpy.int64]]"),
               "Return the node where each row stops, and for each feature the rows that stop at "
               "a value unseen there.");
}
