// What every binding needs: arrays of Python as the core reads them, and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <future>

#include "table.hpp"
#include "threads.hpp"

namespace bough {

namespace nb = nanobind;

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

inline std::vector<RawColumn> raw_columns(const Columns& given, std::size_t n_columns,
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

}  // namespace bough
