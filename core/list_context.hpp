// What growing a small node needs to know of the table.
#pragma once

#include <span>

#include "exact_search.hpp"
#include "limits.hpp"

namespace bough {

template <class Criterion>
struct ListContext {
    std::span<const RawColumn> raw;
    const Settings& settings;
    const FixedLabels<typename Criterion::Labels>& fixed;
    const Limits& limits;
    double table_weight;  // in units of the weights' grid
    const Cancel& cancel;

    [[nodiscard]] bool decreases_enough(const Found& found) const {
        const double share = found.weight / table_weight;
        return settings.decreases_enough(
            scaled(found.gain * share, Criterion::degree * fixed.label_exponent()));
    }
};

}  // namespace bough
