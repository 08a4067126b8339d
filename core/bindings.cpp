// The border between Python and the core: plain arrays, numbers and strings.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <future>

#include "grow.hpp"
#include "pivot.hpp"
#include "predict.hpp"
#include "recode.hpp"
#include "weakest_links.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bough {
namespace {

template <class Value>
using Vector = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Value>
using Matrix = nb::ndarray<const Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class Value>
using OutMatrix = nb::ndarray<Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using AnyMatrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Columns = std::variant<AnyMatrix, std::vector<AnyColumn>>;  // a matrix has one in each line

template <class Value>
std::span<const Value> span_of(const Vector<Value>& array) {
    return {array.data(), array.shape(0)};
}

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

/// Do long work on another thread without the GIL, while this one listens for Ctrl-C; short work is
/// over before anybody could press it.
template <class Work>
auto interruptibly(bool is_short, const Work& work) {
    constexpr std::chrono::milliseconds patience(20);
    Cancel cancel;
    const nb::gil_scoped_release released;
    if (is_short) return work(cancel);
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

/// Codes of an array whose type is known only now.
template <class Use>
void use_codes(const AnyColumn& codes, const Use& use) {
    const auto as = [&]<class Code>(Code /*type*/) {
        use(Strided<Code>{static_cast<const Code*>(codes.data()), codes.stride(0)});
    };
    if (codes.dtype() == nb::dtype<std::int8_t>()) return as(std::int8_t{});
    if (codes.dtype() == nb::dtype<std::int16_t>()) return as(std::int16_t{});
    if (codes.dtype() == nb::dtype<std::int32_t>()) return as(std::int32_t{});
    if (codes.dtype() == nb::dtype<std::int64_t>()) return as(std::int64_t{});
    throw std::invalid_argument("codes must be integers with a sign");
}

nb::object occurring_from_python(const AnyColumn& codes, std::size_t n_values) {
    std::vector<std::uint8_t> occurs;
    use_codes(codes, [&](const auto& all) { occurs = occurring(all, codes.shape(0), n_values); });
    return to_python(std::move(occurs));
}

nb::object recode_from_python(const AnyColumn& codes, const AnyColumn& positions) {
    nb::object result;
    use_codes(codes, [&](const auto& all) {
        use_codes(positions, [&](const auto& places) {
            result = to_python(recoded(all, codes.shape(0), places, positions.shape(0)));
        });
    });
    return result;
}

nb::tuple pruning_path_from_python(const Vector<std::int32_t>& parents,
                                   const Vector<double>& impurities, double slack) {
    if (parents.shape(0) != impurities.shape(0))
        throw std::invalid_argument("there must be an impurity for each node");
    PruningPath path = pruning_path(span_of(parents), span_of(impurities), slack);
    return nb::make_tuple(to_python(std::move(path.alpha_of)), to_python(std::move(path.alphas)),
                          to_python(std::move(path.impurities)));
}

nb::tuple distinct_from_python(const Matrix<std::uint8_t>& values) {
    const nb::gil_scoped_release released;
    Distinct found = distinct(values.data(), values.shape(1), values.shape(0));
    const nb::gil_scoped_acquire held;
    return nb::make_tuple(to_python(std::move(found.first)), to_python(std::move(found.codes)));
}

/// A column of an array whose type is known only now.
template <class Array>
RawColumn raw_column(const Array& array, std::int64_t offset, std::int64_t stride) {
    const auto column_of = [&]<class Value>(Value /*type*/) {
        const auto* first = static_cast<const Value*>(array.data()) + offset;
        return RawColumn{.values = Strided<Value>{first, stride}};
    };
    if (array.dtype() == nb::dtype<double>()) return column_of(double{});
    if (array.dtype() == nb::dtype<float>()) return column_of(float{});
    if (array.dtype() == nb::dtype<std::int64_t>()) return column_of(std::int64_t{});
    if (array.dtype() == nb::dtype<std::int32_t>()) return column_of(std::int32_t{});
    if (array.dtype() == nb::dtype<std::int16_t>()) return column_of(std::int16_t{});
    if (array.dtype() == nb::dtype<std::int8_t>()) return column_of(std::int8_t{});
    throw std::invalid_argument("a column must hold floats, or integers with a sign");
}

std::vector<RawColumn> raw_columns(const Columns& given, std::size_t n_columns,
                                   std::size_t n_rows) {
    std::vector<RawColumn> columns;
    columns.reserve(n_columns);
    const auto check_length = [n_rows](std::size_t length) {
        if (length != n_rows) throw std::invalid_argument("columns differ in length");
    };
    if (const auto* matrix = std::get_if<AnyMatrix>(&given)) {
        check_length(matrix->shape(1));
        for (std::size_t i = 0; i < matrix->shape(0); ++i)
            columns.push_back(raw_column(*matrix, static_cast<std::int64_t>(i) * matrix->stride(0),
                                         matrix->stride(1)));
    } else {
        for (const AnyColumn& array : std::get<std::vector<AnyColumn>>(given)) {
            check_length(array.shape(0));
            columns.push_back(raw_column(array, 0, array.stride(0)));
        }
    }
    if (columns.size() != n_columns) throw std::invalid_argument("columns are missing");
    return columns;
}

/// Set what is chosen; anything else stays as it is.
template <class Value>
void choose(Value& value, const nb::dict& choices, const char* name) {
    if (choices.contains(name)) value = nb::cast<Value>(choices[name]);
}

Settings settings_from(const nb::dict& choices) {
    Settings settings;
    choose(settings.criterion, choices, "criterion");
    choose(settings.quantile, choices, "quantile");
    choose(settings.group_choices, choices, "group_choices");
    choose(settings.draw_pivots, choices, "draw_pivots");
    choose(settings.max_depth, choices, "max_depth");
    choose(settings.min_samples_split, choices, "min_samples_split");
    choose(settings.min_samples_leaf, choices, "min_samples_leaf");
    choose(settings.min_weight_fraction_leaf, choices, "min_weight_fraction_leaf");
    choose(settings.min_impurity_decrease, choices, "min_impurity_decrease");
    choose(settings.max_leaf_nodes, choices, "max_leaf_nodes");
    choose(settings.max_features, choices, "max_features");
    choose(settings.seed, choices, "seed");
    choose(settings.directions, choices, "directions");
    choose(settings.use_fast_search, choices, "use_fast_search");
    choose(settings.use_general_bounds, choices, "use_general_bounds");
    choose(settings.list_rows, choices, "list_rows");
    choose(settings.list_rows_at_root, choices, "list_rows_at_root");
    choose(settings.kept_bytes, choices, "kept_bytes");
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

nb::dict grow_from_python(const Columns& columns, const std::vector<std::int64_t>& n_choices,
                          const std::optional<Matrix<std::int32_t>>& classes,
                          const std::vector<std::size_t>& n_classes,
                          const std::optional<Matrix<double>>& numbers,
                          const std::optional<Vector<double>>& weights, const nb::dict& choices,
                          std::size_t n_threads) {
    GrowTable table;
    table.n_outputs = classes ? classes->shape(0) : numbers->shape(0);
    table.n_rows = classes ? classes->shape(1) : numbers->shape(1);
    table.columns = raw_columns(columns, n_choices.size(), table.n_rows);
    for (std::size_t i = 0; i < n_choices.size(); ++i) {
        table.columns[i].is_choice = n_choices[i] >= 0;
        table.columns[i].n_choices =
            static_cast<std::uint32_t>(std::max<std::int64_t>(n_choices[i], 0));
    }
    table.n_classes = n_classes;
    table.classes = classes ? classes->data() : nullptr;
    table.numbers = numbers ? numbers->data() : nullptr;
    table.weights = weights ? weights->data() : nullptr;
    const Settings settings = settings_from(choices);
    constexpr std::size_t few_cells = 2000;
    const bool is_short = table.n_rows * table.columns.size() < few_cells;
    try {
        FlatTree tree = interruptibly(is_short, [&](const Cancel& cancel) {
            return grow(table, settings, n_threads, cancel);
        });
        return arrays_of(std::move(tree), table.n_outputs);
    } catch (const InfiniteNumber&) {
        return {};
    }
}

/// A router, and the arrays of its tree, which it reads.
class PythonRouter {
  public:
    PythonRouter(Vector<std::int32_t> feature, Vector<std::uint8_t> query_kind,
                 Vector<double> pivot, std::optional<Vector<std::int64_t>> pivot_int,
                 Vector<std::int32_t> codes, Vector<std::int32_t> answers,
                 Vector<std::int32_t> codes_start, Vector<std::int32_t> first_child,
                 Vector<std::int32_t> n_children, Vector<std::int32_t> missing_child,
                 Vector<std::int32_t> n_choices)
        : arrays_(feature, query_kind, pivot, pivot_int, codes, answers, codes_start, first_child,
                  n_children, missing_child, n_choices),
          router_({
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
              .n_choices = span_of(n_choices),
          }) {}

    bool look_up(const Columns& columns, const Matrix<std::uint8_t>& of_nodes,
                 const OutMatrix<std::uint8_t>& of_rows, std::size_t n_threads) const {
        if (of_nodes.shape(0) != router_.n_nodes() || of_nodes.shape(1) != of_rows.shape(1))
            throw std::invalid_argument("entries of nodes and rows differ");
        const std::size_t n_rows = of_rows.shape(0);
        const auto raw = raw_columns(columns, router_.n_features(), n_rows);
        const Entries entries{
            .of_nodes = of_nodes.data(), .of_rows = of_rows.data(), .size = of_nodes.shape(1)};
        return interruptibly(is_short(n_rows), [&](const Cancel& cancel) {
            return router_.look_up(raw, n_rows, entries, n_threads, cancel);
        });
    }

    nb::object unseen(const Columns& columns, std::size_t n_rows) const {
        const auto raw = raw_columns(columns, router_.n_features(), n_rows);
        return to_python(interruptibly(is_short(n_rows), [&](const Cancel& cancel) {
            return router_.unseen(raw, n_rows, cancel);
        }));
    }

    nb::object answers(const Columns& columns, std::size_t n_rows, std::size_t row) const {
        if (row >= n_rows) throw std::invalid_argument("there is no such row");
        return to_python(router_.answers(raw_columns(columns, router_.n_features(), n_rows), row));
    }

  private:
    [[nodiscard]] bool is_short(std::size_t n_rows) const {
        constexpr std::size_t few_steps = 2'000'000;
        return router_.n_steps(n_rows) < few_steps;
    }

    std::tuple<Vector<std::int32_t>, Vector<std::uint8_t>, Vector<double>,
               std::optional<Vector<std::int64_t>>, Vector<std::int32_t>, Vector<std::int32_t>,
               Vector<std::int32_t>, Vector<std::int32_t>, Vector<std::int32_t>,
               Vector<std::int32_t>, Vector<std::int32_t>>
        arrays_;
    Router router_;
};

}  // namespace
}  // namespace bough

NB_MODULE(_core, module) {
    using Whole = bough::Vector<std::int32_t>;
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
    module.def("occurring", &bough::occurring_from_python, "codes"_a.noconvert(), "n_values"_a,
               nb::sig("def occurring(codes: numpy.typing.NDArray[typing.Any], n_values: int) -> "
                       "numpy.typing.NDArray[numpy.uint8]"),
               "Return 1 for each code from -1 on that is there, and 0 for others.");
    module.def("recode", &bough::recode_from_python, "codes"_a.noconvert(),
               "positions"_a.noconvert(),
               nb::sig("def recode(codes: numpy.typing.NDArray[typing.Any], "
                       "positions: numpy.typing.NDArray[typing.Any]) -> "
                       "numpy.typing.NDArray[typing.Any]"),
               "Return for each code its position; the first one is that of -1.");
    module.def("distinct", &bough::distinct_from_python, "values"_a.noconvert(),
               nb::sig("def distinct(values: numpy.typing.NDArray[numpy.uint8]) -> "
                       "tuple[numpy.typing.NDArray[numpy.int64], "
                       "numpy.typing.NDArray[numpy.int32]]"),
               "Return the first row of each distinct value, and the number of each row's value.");
    module.def("pruning_path", &bough::pruning_path_from_python, "parents"_a.noconvert(),
               "impurities"_a.noconvert(), "slack"_a,
               nb::sig("def pruning_path(parents: numpy.typing.NDArray[numpy.int32], impurities: "
                       "numpy.typing.NDArray[numpy.float64], slack: float) -> "
                       "tuple[numpy.typing.NDArray[numpy.float64], ...]"),
               "Return the price at which each node is a leaf, all prices, and impurities.");
    module.def("grow", &bough::grow_from_python, "columns"_a.noconvert(), "n_choices"_a,
               "classes"_a.noconvert().none(), "n_classes"_a, "numbers"_a.noconvert().none(),
               "weights"_a.noconvert().none(), "settings"_a, "n_threads"_a,
               nb::sig("def grow(columns: numpy.typing.NDArray[typing.Any] | "
                       "collections.abc.Sequence[numpy.typing.NDArray[typing.Any]], n_choices: "
                       "collections.abc.Sequence[int], "
                       "classes: numpy.typing.NDArray[numpy.int32] | None, "
                       "n_classes: collections.abc.Sequence[int], "
                       "numbers: numpy.typing.NDArray[numpy.float64] | None, "
                       "weights: numpy.typing.NDArray[numpy.float64] | None, "
                       "settings: dict[str, typing.Any], n_threads: int) -> "
                       "dict[str, typing.Any]"),
               "Grow a tree and return its arrays; nothing if a number is infinite.");
    nb::class_<bough::PythonRouter>(module, "Router", "A tree made ready to lead rows down.")
        .def(nb::init<Whole, bough::Vector<std::uint8_t>, bough::Vector<double>,
                      std::optional<bough::Vector<std::int64_t>>, Whole, Whole, Whole, Whole, Whole,
                      Whole, Whole>(),
             "feature"_a.noconvert(), "query_kind"_a.noconvert(), "pivot"_a.noconvert(),
             "pivot_int"_a.noconvert().none(), "codes"_a.noconvert(), "answers"_a.noconvert(),
             "codes_start"_a.noconvert(), "first_child"_a.noconvert(), "n_children"_a.noconvert(),
             "missing_child"_a.noconvert(), "n_choices"_a.noconvert(),
             nb::sig("def __init__(self, feature: numpy.typing.NDArray[numpy.int32], "
                     "query_kind: numpy.typing.NDArray[numpy.uint8], "
                     "pivot: numpy.typing.NDArray[numpy.float64], "
                     "pivot_int: numpy.typing.NDArray[numpy.int64] | None, "
                     "codes: numpy.typing.NDArray[numpy.int32], "
                     "answers: numpy.typing.NDArray[numpy.int32], "
                     "codes_start: numpy.typing.NDArray[numpy.int32], "
                     "first_child: numpy.typing.NDArray[numpy.int32], "
                     "n_children: numpy.typing.NDArray[numpy.int32], "
                     "missing_child: numpy.typing.NDArray[numpy.int32], "
                     "n_choices: numpy.typing.NDArray[numpy.int32]) -> None"))
        .def("look_up", &bough::PythonRouter::look_up, "columns"_a.noconvert(),
             "of_nodes"_a.noconvert(), "of_rows"_a.noconvert(), "n_threads"_a,
             nb::sig("def look_up(self, columns: numpy.typing.NDArray[typing.Any] | "
                     "collections.abc.Sequence[numpy.typing.NDArray[typing.Any]], "
                     "of_nodes: numpy.typing.NDArray[numpy.uint8], "
                     "of_rows: numpy.typing.NDArray[numpy.uint8], n_threads: int) -> bool"),
             "Copy to each row what stands at the node where it stops. "
             "Return False if a value is infinite.")
        .def("unseen", &bough::PythonRouter::unseen, "columns"_a.noconvert(), "n_rows"_a,
             nb::sig("def unseen(self, columns: numpy.typing.NDArray[typing.Any] | "
                     "collections.abc.Sequence[numpy.typing.NDArray[typing.Any]], n_rows: int) -> "
                     "numpy.typing.NDArray[numpy.int64]"),
             "Return for each feature how many rows stop at a value unseen there; "
             "nothing if a value is infinite.")
        .def("answers", &bough::PythonRouter::answers, "columns"_a.noconvert(), "n_rows"_a, "row"_a,
             nb::sig("def answers(self, columns: numpy.typing.NDArray[typing.Any] | "
                     "collections.abc.Sequence[numpy.typing.NDArray[typing.Any]], n_rows: int, "
                     "row: int) "
                     "-> "
                     "numpy.typing.NDArray[numpy.int32]"),
             "Return for each node the child that a row would go to from there; -1 if to none.");
}
