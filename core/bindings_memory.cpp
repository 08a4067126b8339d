// Where the arrays of NumPy and the vectors of the core lie.
#include <nanobind/stl/string.h>

#include "python.hpp"
#include "spill.hpp"

namespace bough {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

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

void bind_memory(nb::module_& module) {
    module.def(
        "memory_handler",
        []() -> nb::object {
            static Handler handler;
            return nb::capsule(&handler, "mem_handler");
        },
        "Return the handler by which the arrays of NumPy keep to the budget.");
    module.def("use_handler", &use_handler, "functions"_a, "handler"_a,
               "Let NumPy take memory from a handler, and return the one before.");
    module.def(
        "set_budget",
        [](std::int64_t n_bytes, const std::string& folder) { set_budget({n_bytes, folder}); },
        "n_bytes"_a, "folder"_a,
        "Set how many bytes large blocks may take from the heap, below 0 any number.");
    module.def("spill_error", &spill_error,
               "Return why the last file could not be made, as errno says it; 0: there is none.");
}

}  // namespace bough
