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

    /// Whether a query of this gain is worth asking at a node of this weight.
    [[nodiscard]] bool decreases_enough(double gain, double weight) const {
        return settings.decreases_enough(
            scaled(gain * (weight / table_weight), Criterion::degree * fixed.label_exponent()));
    }
};

}  // namespace bough
