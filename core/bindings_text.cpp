// Text of Python, NumPy and Arrow → a number for each distinct one.
#include <cmath>

#include "arrow.hpp"
#include "python.hpp"
#include "recode.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bough {
namespace {

using Texts = nb::typed<nb::list, nb::str>;
using TextsAndCodes = std::pair<Texts, nb::ndarray<nb::numpy, std::int32_t>>;

/// Cells of a list, a tuple, or an array of objects.
class Cells {
  public:
    explicit Cells(nb::handle cells) : cells_(cells.ptr()) {
        if (PyList_Check(cells_) || PyTuple_Check(cells_)) {
            const Py_ssize_t size = PySequence_Size(cells_);
            if (size < 0) throw nb::python_error();
            size_ = static_cast<std::size_t>(size);
            return;
        }
        if (PyObject_GetBuffer(cells_, &buffer_, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0)
            throw nb::python_error();
        is_array_ = true;
        if (buffer_.ndim != 1 || std::string_view(buffer_.format) != "O") {
            PyBuffer_Release(&buffer_);
            throw std::invalid_argument("cells must be a list, a tuple or an array of objects");
        }
        size_ = static_cast<std::size_t>(buffer_.shape[0]);
    }
    Cells(const Cells&) = delete;
    Cells& operator=(const Cells&) = delete;
    ~Cells() {
        if (is_array_) PyBuffer_Release(&buffer_);
    }

    std::size_t size() const { return size_; }
    PyObject* operator[](std::size_t row) const {
        const auto place = static_cast<Py_ssize_t>(row);
        if (is_array_) {
            PyObject* cell = nullptr;
            std::memcpy(&cell, static_cast<const char*>(buffer_.buf) + place * buffer_.strides[0],
                        sizeof cell);
            return cell == nullptr ? Py_None : cell;  // as NumPy reads it
        }
        PyObject* cell =
            PyList_Check(cells_) ? PyList_GetItem(cells_, place) : PyTuple_GetItem(cells_, place);
        if (cell == nullptr) throw nb::python_error();
        return cell;
    }

  private:
    PyObject* cells_;
    Py_buffer buffer_{};
    bool is_array_ = false;
    std::size_t size_ = 0;
};

/// Texts of Python, numbered in the order in which they first appear.
class ObjectNumbering {
  public:
    static constexpr std::int32_t no_text = -2;

    /// The number of a cell; `no_text` if it is neither text nor missing.
    std::int32_t operator()(PyObject* cell) {
        // Most columns repeat few objects, and an object need not be looked into twice.
        const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(cell));
        const std::size_t place = address * 0x9E3779B97F4A7C15 >> (64 - n_known_bits);
        Known &known = known_[place], &older = known_[place ^ 1];
        if (known.cell == cell) return known.number;
        if (older.cell == cell) return older.number;
        older = known;
        known = {cell, looked_up(cell)};
        return known.number;
    }

    Texts texts() && { return std::move(texts_); }
    bool has_texts() const { return texts_.size() > 0; }

  private:
    struct Known {
        PyObject* cell = nullptr;
        std::int32_t number = 0;
    };
    struct Slot {
        Py_hash_t hash = 0;
        std::int32_t number = -1;
    };
    static constexpr int n_known_bits = 14;  // as many as a cache near the processor holds

    std::int32_t looked_up(PyObject* cell) {
        if (!PyUnicode_CheckExact(cell)) return is_missing(cell) ? missing_choice : no_text;
        const Py_hash_t hash = PyObject_Hash(cell);
        Slot& slot = slots_[slot_of(hash, cell)];
        if (slot.number >= 0) return slot.number;
        const auto number = static_cast<std::int32_t>(texts_.size());
        slot = {hash, number};
        texts_.append(nb::borrow(cell));
        if (2 * texts_.size() > slots_.size()) grow();
        return number;
    }

    std::size_t slot_of(Py_hash_t hash, PyObject* cell) const {
        auto slot = static_cast<std::size_t>(hash) & (slots_.size() - 1);
        const auto is_other = [&](const Slot& held) {
            if (held.number < 0) return false;
            PyObject* text = held.hash == hash ? text_of(held.number) : nullptr;
            return text == nullptr || (text != cell && PyUnicode_Compare(text, cell) != 0);
        };
        while (is_other(slots_[slot])) slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }

    PyObject* text_of(std::int32_t number) const { return PyList_GetItem(texts_.ptr(), number); }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.number >= 0) slots_[slot_of(slot.hash, text_of(slot.number))] = slot;
    }

    /// None, a float that is nan, or one of pandas' and numpy.ma's, which need not be loaded.
    bool is_missing(PyObject* cell) {
        if (cell == Py_None || Py_TYPE(cell) == missing_type_) return true;
        if (PyFloat_Check(cell)) return std::isnan(PyFloat_AsDouble(cell));
        const auto name = nb::cast<std::string>(nb::handle(cell).type().attr("__name__"));
        if (name != "NAType" && name != "NaTType" && name != "MaskedConstant") return false;
        missing_type_ = Py_TYPE(cell);
        return true;
    }

    std::vector<Known> known_ = std::vector<Known>(std::size_t{1} << n_known_bits);
    std::vector<Slot> slots_ = std::vector<Slot>(64);  // twice as many as texts, or more
    Texts texts_;
    const PyTypeObject* missing_type_ = nullptr;
};

std::optional<TextsAndCodes> number_objects(nb::handle given) {
    const Cells cells(given);
    ObjectNumbering number;
    std::vector<std::int32_t> codes(cells.size());
    for (std::size_t row = 0; row < cells.size(); ++row) {
        codes[row] = number(cells[row]);
        if (codes[row] == ObjectNumbering::no_text) return std::nullopt;
    }
    if (!number.has_texts()) return std::nullopt;
    return TextsAndCodes(std::move(number).texts(), to_python(std::move(codes)));
}

std::optional<TextsAndCodes> number_arrow(nb::handle series) {
    const nb::object capsule = series.attr("__arrow_c_stream__")();
    auto* stream =
        static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
    if (stream == nullptr) throw nb::python_error();
    const ArrowChunks chunks(*stream);
    if (!chunks.is_text()) return std::nullopt;
    Numbering number;
    std::vector<std::int32_t> codes;
    {
        const nb::gil_scoped_release released;
        codes = number_chunks(chunks, number);
    }
    Texts texts;
    for (const std::string_view text : number.texts())
        texts.append(nb::str(text.data(), text.size()));
    return TextsAndCodes(std::move(texts), to_python(std::move(codes)));
}

auto number_bytes(const Lent<const std::uint8_t, 2>& values) {
    if (values.shape(1) > 1 && values.stride(1) != 1)
        throw std::invalid_argument("the bytes of a value must stand together");
    std::vector<std::int32_t> codes(values.shape(0));
    std::vector<std::int64_t> first;
    {
        const nb::gil_scoped_release released;
        Numbering number;
        const char* value = reinterpret_cast<const char*>(values.data());
        for (std::size_t row = 0; row < codes.size(); ++row, value += values.stride(0)) {
            codes[row] = number({value, values.shape(1)});
            if (static_cast<std::size_t>(codes[row]) == first.size())
                first.push_back(static_cast<std::int64_t>(row));
        }
    }
    return std::pair(to_python(std::move(first)), to_python(std::move(codes)));
}

}  // namespace

void bind_text(nb::module_& module) {
    module.def("number_objects", &number_objects, "cells"_a,
               "Return the distinct texts, and the number of each row's, -1 where it is missing; "
               "None where there is no text, or anything else.");
    module.def("number_arrow", &number_arrow, "series"_a,
               "Return the same for what shares its text by Arrow; None if it shares no text.");
    module.def("distinct", &number_bytes, "values"_a,
               "Return the first row of each distinct value, and the number of each row's value.");
}

}  // namespace bough
