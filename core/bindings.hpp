// What each file of the border adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace bough {

void bind_check(nanobind::module_& module);
void bind_memory(nanobind::module_& module);
void bind_router(nanobind::module_& module);
void bind_text(nanobind::module_& module);
void bind_parts(nanobind::module_& module);

}  // namespace bough
