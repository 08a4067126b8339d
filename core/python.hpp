// What every binding needs: arrays of Python as the core reads them, and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>

#include "sparse_columns.hpp"
#include "table.hpp"
#include "threads.hpp"
#include "tree_view.hpp"

namespace bough {

namespace nb = nanobind;

/// An array that Python lends, as it is; signatures only say the type of its values.
template <class Value, int n_dims, class... Order>
struct Lent : nb::ndarray<Value, nb::ndim<n_dims>, nb::device::cpu, Order...> {};
template <class Value>
using Vector = Lent<const Value, 1, nb::c_contig>;
template <class Value>
using Matrix = Lent<const Value, 2, nb::c_contig>;
template <class Value>
using OutMatrix = Lent<Value, 2, nb::c_contig>;
using AnyColumn = Lent<nb::ro, 1>;
using AnyMatrix = Lent<nb::ro, 2>;
using Columns = std::variant<AnyMatrix, std::vector<AnyColumn>>;  // a matrix has one in each line

template <class Value>
std::span<const Value> span_of(const Vector<Value>& array) {
    return {array.data(), array.shape(0)};
}

using Dict = nb::typed<nb::dict, nb::str, nb::any>;

inline void require(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

/// An array that owns the values of a vector.
template <class Value>
nb::ndarray<nb::numpy, Value> to_python(std::vector<Value>&& values,
                                        std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<Value>(std::move(values));
    const nb::capsule owner(
        owned, [](void* vector) noexcept { delete static_cast<std::vector<Value>*>(vector); });
    return {owned->data(), shape, owner};
}

template <class Value>
auto to_python(std::vector<Value>&& values) {
    const std::size_t count = values.size();
    return to_python(std::move(values), {count});
}

/// Do long work on another thread without the GIL, while this one listens for Ctrl-C; short work is
/// over before anybody could press it.
auto interruptibly(bool is_short, const auto& work) {
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

/// Call `use` with an array's values, whose type is known only now; false if it is none of these.
template <class... Values>
bool use_type(const auto& array, const auto& use) {
    const auto is_used = [&]<class Value>(const Value* /*type*/) {
        if (array.dtype() != nb::dtype<Value>()) return false;
        use(static_cast<const Value*>(array.data()));
        return true;
    };
    return (is_used(static_cast<const Values*>(nullptr)) || ...);
}

/// A column of an array, from a value on.
RawColumn raw_column(const auto& array, FeatureKind kind, std::int64_t offset,
                     std::int64_t stride) {
    RawColumn column;
    column.is_choice = kind == FeatureKind::choice;
    const auto as = [&]<class Value>(const Value* first) {
        column.values = Strided<Value>{first + offset, stride};
    };
    bool is_known = false;
    if (kind == FeatureKind::number)
        is_known = use_type<double, float, std::int64_t, std::int32_t, std::int16_t, std::int8_t,
                            std::uint32_t, std::uint16_t, std::uint8_t>(array, as);
    else if (kind == FeatureKind::integer)
        is_known = use_type<std::int64_t>(
            array, [&](const std::int64_t* first) { as(reinterpret_cast<const Whole*>(first)); });
    else
        is_known = use_type<std::int32_t, std::int16_t, std::int8_t>(
            array, [&]<class Position>(const Position* first) {
                using Longer = std::conditional_t<sizeof(Position) == 4, Code32, Code16>;
                using Code = std::conditional_t<sizeof(Position) == 1, Code8, Longer>;
                as(reinterpret_cast<const Code*>(first));
            });
    require(is_known, "a column has a type that its kind does not have");
    return column;
}

inline std::vector<RawColumn> raw_columns(const Columns& given, std::span<const std::uint8_t> kinds,
                                          std::size_t n_rows) {
    std::vector<RawColumn> columns;
    columns.reserve(kinds.size());
    const auto add = [&](const auto& array, std::size_t length, std::int64_t offset,
                         std::int64_t stride) {
        require(columns.size() < kinds.size(), "columns have no kind");
        require(length == n_rows, "columns differ in length");
        const auto kind = static_cast<FeatureKind>(kinds[columns.size()]);
        columns.push_back(raw_column(array, kind, offset, stride));
    };
    if (const auto* matrix = std::get_if<AnyMatrix>(&given))
        for (std::size_t i = 0; i < matrix->shape(0); ++i)
            add(*matrix, matrix->shape(1), static_cast<std::int64_t>(i) * matrix->stride(0),
                matrix->stride(1));
    else
        for (const AnyColumn& array : std::get<std::vector<AnyColumn>>(given))
            add(array, array.shape(0), 0, array.stride(0));
    require(columns.size() == kinds.size(), "columns are missing");
    return columns;
}

/// A sparse table as arrays of Python, after a look whether they are what growing takes them for.
class LentSparse {
  public:
    LentSparse(std::size_t n_rows, std::size_t n_columns, bool by_row, Vector<std::int64_t> starts,
               Vector<std::uint32_t> places, Vector<double> values)
        : n_rows_(n_rows),
          n_columns_(n_columns),
          by_row_(by_row),
          starts_(std::move(starts)),
          places_(std::move(places)),
          values_(std::move(values)) {
        require(starts_.shape(0) == (by_row ? n_rows : n_columns) + 1 && starts_.data()[0] == 0,
                "there must be a start for each line");
        require(places_.shape(0) == values_.shape(0), "there must be a place for each value");
        require(values_.shape(0) < std::numeric_limits<std::uint32_t>::max(), "too many values");
        const SparseTable lent = table();
        require(static_cast<std::size_t>(lent.starts.back()) == values_.shape(0) &&
                    std::ranges::is_sorted(lent.starts),
                "lines do not follow each other");
        for (std::size_t line = 0; line + 1 < lent.starts.size(); ++line) {
            const auto begin = static_cast<std::size_t>(lent.starts[line]);
            const auto end = static_cast<std::size_t>(lent.starts[line + 1]);
            const auto of_line = lent.places.subspan(begin, end - begin);
            require(std::ranges::adjacent_find(of_line, std::greater_equal{}) == of_line.end() &&
                        (of_line.empty() || of_line.back() < (by_row ? n_columns : n_rows)),
                    "the places of a line must ascend, and be there");
        }
    }

    [[nodiscard]] SparseTable table() const {
        return {n_rows_, n_columns_, by_row_, span_of(starts_), span_of(places_), span_of(values_)};
    }

  private:
    std::size_t n_rows_;
    std::size_t n_columns_;
    bool by_row_;
    Vector<std::int64_t> starts_;
    Vector<std::uint32_t> places_;
    Vector<double> values_;
};

/// An array of a tree; `length` is what it must have, if anything.
template <class Value>
std::span<const Value> lent(const Dict& arrays, const char* name,
                            std::optional<std::size_t> length) {
    const nb::object array = arrays[name];
    if (array.is_none()) return {};
    using Cells = nb::ndarray<const Value, nb::c_contig, nb::device::cpu>;  // of any shape
    const auto cells = nb::cast<Cells>(array, false);
    require(!length || cells.size() == *length, "arrays of a tree differ in length");
    return {cells.data(), cells.size()};
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

// What each file of the border adds to the module.
void bind_router(nb::module_& module);
void bind_text(nb::module_& module);
void bind_parts(nb::module_& module);

}  // namespace bough

namespace nanobind::detail {

template <class Scalar, int n_dims, class... Order>
struct type_caster<bough::Lent<Scalar, n_dims, Order...>> {
    using Array = bough::Lent<Scalar, n_dims, Order...>;
    static constexpr auto dtype() {
        if constexpr (std::is_same_v<Scalar, ro>)
            return const_name("typing.Any");
        else
            return const_name("numpy.") + dtype_traits<std::remove_const_t<Scalar>>::name;
    }
    NB_TYPE_CASTER(Array, const_name("numpy.typing.NDArray[") + dtype() + const_name("]"))

    bool from_python(handle given, auto flags, cleanup_list* cleanup) noexcept {
        type_caster<ndarray<Scalar, ndim<n_dims>, device::cpu, Order...>> caster;
        if (!caster.from_python(given, flags & ~cast_flags::convert, cleanup)) return false;
        value = Array{std::move(caster.value)};
        return true;
    }
};

}  // namespace nanobind::detail
