// Gains and bounds by squared error.
#pragma once

#include "bound.hpp"

namespace bough {

/// Parts: the sum of the labels and the sum of their squares, from any centre.
template <>
class Fast<SquaredError> {
  public:
    Fast(const Sums& node, const Precision& precision) : node_(node), precision_(precision) {}

    [[nodiscard]] const Sums& node() const { return node_; }
    [[nodiscard]] const Precision& precision() const { return precision_; }
    [[nodiscard]] Tolerance tolerance() const {
        const double whole = impurity(node_);
        // Sums lose digits where the labels lie far from the grid's origin for their spread, and
        // more of them where a light row is told from heavy ones.
        const double uneven = node_.weight / (node_.rows * precision_.lightest);
        const double far = std::sqrt(uneven * node_.parts[1] / whole);
        Tolerance tolerance{.tie = tie_share * whole, .error = 2e-15 * whole * (1 + far)};
        // Products of label and weight off by half a unit move the mean of any rows by no more
        // than half a unit for each unit of the least weight.
        if (!precision_.labels_are_exact) {
            const double rows = node_.rows / precision_.lightest;
            tolerance.error += rows / 2;
            tolerance.error_per_root += 1.5 * std::sqrt(rows);
        }
        // Weights off by a unit move it by a share of itself.
        if (!precision_.weights_are_exact) {
            const double share = 1 / precision_.lightest;
            const double mean = std::abs(node_.parts[0]) / node_.weight;
            tolerance.error += 4 * share * whole;
            tolerance.error_per_root += 4 * share * mean * std::sqrt(node_.weight);
        }
        return tolerance;
    }
    /// Whether so much is left of the squares that a double can tell gains apart.
    [[nodiscard]] bool can_tell() const {
        return impurity(node_) > std::max(1e-9 * node_.parts[1], 1e3 * precision_.squares);
    }
    static double impurity(const Sums& of) {
        return std::max(0.0, of.parts[1] - of.parts[0] * of.parts[0] / of.weight);
    }

    void gains(const Strip& strip, const Sums& moved, double* out) const {
        const double* weights = strip.weight();
        const double* sum = strip.part(0);
        const double all = node_.weight;
        for (std::size_t b = 0; b < strip.n_boundaries(); ++b) {
            const double before = weights[b] + moved.weight;
            const double away = (sum[b] + moved.parts[0]) * all - node_.parts[0] * before;
            const double weight = before * (all - before) * all;
            out[b] = weight > 0 ? away * away / weight : 0;
        }
    }

    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        Twofold gain;  // of many small terms
        for (const Sums* sums : answers) {
            const double away = sums->parts[0] * node_.weight - node_.parts[0] * sums->weight;
            gain += Twofold(away * away / sums->weight);
        }
        return gain.high / (node_.weight * node_.weight);
    }

    // Inside a cell of m rows with mean μ and squared deviations S, the sum t of any i of them has
    // (t − iμ)² ≤ i (m − i) S / m: an ellipse, over which a linear function above the gain is
    // maximised. All sums are taken from the node's mean.
    void bounds(const Strip& strip, const Sums& moved, const double* /*gains*/, double* out) const {
        const double all = node_.weight;
        const double mean = node_.parts[0] / all;
        const double whole = impurity(node_);
        for (std::size_t c = 0; c < strip.n_cells; ++c) {
            const double a = strip.weight()[c] + moved.weight;
            const double b = strip.weight()[c + 1] + moved.weight;
            const double z = all - b;
            const double m = b - a;
            // Where a part is empty its sum is 0, and so may its share be: no branch is needed.
            // Divisions cost most here: there are three, and each is used again.
            const double per_m = 1 / (m > 0 ? m : 1);
            const double per_a = 1 / (a > 0 ? a : 1);
            const double per_z = 1 / (z > 0 ? z : 1);
            const double sum_a = strip.part(0)[c] + moved.parts[0] - mean * a;
            const double sum_b = strip.part(0)[c + 1] + moved.parts[0] - mean * b;
            const double sum_m = sum_b - sum_a;
            const double center = sum_m * per_m;
            const double raw_sum = strip.part(0)[c + 1] - strip.part(0)[c];
            const double own = strip.part(1)[c + 1] - strip.part(1)[c] - raw_sum * raw_sum * per_m;
            const double spread = (own > 0 ? own : 0) + precision_.squares;
            const double before = a > 0 ? sum_a * per_a : 0;
            const double behind = z > 0 ? -sum_b * per_z : 0;
            // The cell becomes pure, the rest stays: gain ≤ between-part spread + the cell's own.
            const double pure = sum_a * before + sum_m * center - sum_b * behind + spread;
            const double slope_rows = (before - behind) * (2 * center - before - behind);
            const double slope_sum = 2 * (before - behind);
            const double half = std::sqrt(m * spread) / 2;
            const double off_before = half + m * std::abs(center - before);
            const double off_behind = half + m * std::abs(center - behind);
            const double linear =
                before * before * a - 2 * behind * sum_a - behind * behind * (all - a) +
                m / 2 *
                    (slope_rows +
                     std::sqrt(slope_rows * slope_rows + slope_sum * slope_sum * spread * per_m)) +
                off_before * off_before * per_a + off_behind * off_behind * per_z;
            const bool is_inner = a > 0 && z > 0;
            const double most = is_inner && linear < pure ? linear : pure;
            out[c] = m > 0 ? most + 1e-9 * whole : 0;
        }
    }

  private:
    const Sums& node_;
    Precision precision_;
};

}  // namespace bough
