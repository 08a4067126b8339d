// The labels of some rows in order, and what follows from it: quantiles, and sums that are the same
// for any order of the rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "candidate.hpp"
#include "criteria.hpp"
#include "fixed_point.hpp"
#include "labels.hpp"
#include "monotonic.hpp"
#include "pivot.hpp"
#include "sort.hpp"
#include "table.hpp"

namespace bough {

/// A label that some rows have, and the weight of these rows.
struct LabelWeight {
    double given = 0;
    Int128 point = 0;  // on the grid
    Int128 weight = 0;
};

inline Int128 weight_of(std::span<const LabelWeight> labels) {
    Int128 weight = 0;
    for (const LabelWeight& label : labels) weight += label.weight;
    return weight;
}

/// The places of some rows in the order of a label.
inline std::vector<std::uint32_t> label_order(const FixedLabels<NumberLabels>& fixed,
                                              std::span<const Row> rows, std::size_t output) {
    std::vector<Keyed<std::uint64_t>> items;
    items.reserve(rows.size());
    std::uint64_t highest = 0;
    bool is_sorted = true;  // as the rows of nodes are, by the first label
    for (const Row row : rows) {
        const std::uint64_t key = order_key(fixed.given(output, row));
        is_sorted = is_sorted && (items.empty() || items.back().key <= key);
        highest = std::max(highest, key);
        items.push_back({key, static_cast<std::uint32_t>(items.size())});
    }
    if (!is_sorted) sort_by_key(items, highest, Cancel{});
    std::vector<std::uint32_t> places;
    places.reserve(items.size());
    for (const auto& item : items) places.push_back(item.row);
    return places;
}

/// The labels of some rows, ascending.
inline std::vector<LabelWeight> ordered_labels(const FixedLabels<NumberLabels>& fixed,
                                               std::span<const Row> rows, std::size_t output) {
    const NumberLabels& labels = fixed.view();
    std::vector<LabelWeight> found;
    for (const std::uint32_t place : label_order(fixed, rows, output)) {
        const Row row = rows[place];
        const double given = fixed.given(output, row);
        if (found.empty() || found.back().given != given)
            found.push_back({given, labels.point(output, given), 0});
        found.back().weight += labels.weights[row];
    }
    return found;
}

/// Labels that cut some rows at a share of their weight, within the error of a double.
struct QuantileLabels {
    const LabelWeight* low;
    const LabelWeight* high;

    /// The first label that reaches the share to 1e-12, and the first that exceeds it.
    QuantileLabels(std::span<const LabelWeight> labels, double share)
        : low(nullptr), high(&labels.back()) {
        const double whole = to_double(weight_of(labels));
        Int128 reached = 0;
        for (const LabelWeight& label : labels) {
            reached += label.weight;
            const double here = to_double(reached);
            if (low == nullptr && here >= (share - tie_share) * whole) low = &label;
            if (here < (share + tie_share) * whole) continue;
            high = &label;
            return;
        }
    }
    [[nodiscard]] double guess() const { return middle(low->given, high->given) + 0.0; }
    /// Twice the guess, on the grid.
    [[nodiscard]] Int128 twice() const { return low->point + high->point; }
    [[nodiscard]] ExactGuess exact_guess() const { return {twice(), 2}; }
};

inline Wide<4> sum_of(std::span<const LabelWeight> labels) {
    Wide<4> sum;
    for (const LabelWeight& label : labels) sum += product(label.point, label.weight);
    return sum;
}

/// Sums of weight × distance from a guess, over the labels above it and over those below it.
template <class Sum>
struct Distances {
    Sum above{};
    Sum below{};

    Distances& operator+=(const Distances& other) {
        above += other.above;
        below += other.below;
        return *this;
    }
    Distances& operator-=(const Distances& other) {
        above -= other.above;
        below -= other.below;
        return *this;
    }
    friend bool operator==(const Distances&, const Distances&) = default;
};

template <class Criterion, class Real, class Sum>
Real cost_by(const Distances<Sum>& distances, double level) {
    return Criterion::template cost<Real>(distances.above, distances.below, level);
}

/// The first label that reaches a share of their weight.
inline std::size_t quantile_place(std::span<const LabelWeight> labels, double share) {
    const double least = share * to_double(weight_of(labels));
    Int128 reached = 0;
    std::size_t place = 0;
    while (to_double(reached += labels[place].weight) < least) ++place;
    return place;
}

/// How far labels lie from the first one that reaches a share of their weight.
inline Distances<Wide<4>> distances_of(std::span<const LabelWeight> labels, double share) {
    const std::size_t guess = quantile_place(labels, share);
    Distances<Wide<4>> found;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const Int128 away = labels[i].point - labels[guess].point;
        if (i < guess)
            found.below -= product(away, labels[i].weight);
        else
            found.above += product(away, labels[i].weight);
    }
    return found;
}

/// What the mean costs rows with these labels, by Poisson deviance.
template <class Real>
Real poisson_cost(std::span<const LabelWeight> labels) {
    if (labels.size() == 1) return Real{};  // their mean may be 0
    const Wide<4> sum = sum_of(labels);
    const Int128 weight = weight_of(labels);
    Real cost{};
    for (const LabelWeight& label : labels)
        cost += Poisson::cost<Real>({&sum, 1, weight}, label.point, label.weight);
    return cost;
}

}  // namespace bough
