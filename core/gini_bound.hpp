// Gains and bounds by Gini impurity.
#pragma once

#include "bound.hpp"

namespace bough {

template <>
class Fast<Gini> {
  public:
    Fast(const Sums& node, const Precision& precision) : node_(node), precision_(precision) {}

    [[nodiscard]] const Sums& node() const { return node_; }
    [[nodiscard]] const Precision& precision() const { return precision_; }
    [[nodiscard]] Tolerance tolerance() const {
        const double whole = impurity(node_);
        // Where sums are rounded, they are off by a share of themselves.
        const double lost = precision_.is_whole ? whole : node_.weight;
        // x²/|x| changes by at most twice what x does.
        return {.tie = tie_share * whole,
                .error = 2e-15 * static_cast<double>(node_.parts.size()) * lost +
                         2 * precision_.of_weights(node_)};
    }
    [[nodiscard]] static bool can_tell() { return true; }
    /// impurity × weight
    static double impurity(const Sums& of) {
        double same = 0;
        for (const double part : of.parts) same += part * part;
        return of.weight - same / of.weight;
    }

    // Σ (share before − share in the node)² × …: no difference of large numbers is left over.
    void gains(const Strip& strip, const Sums& moved, double* out) const {
        const std::size_t n = strip.n_boundaries();
        const double* weights = strip.weight();
        const double all = node_.weight;
        std::fill(out, out + n, 0.0);
        // Two classes are off by the same amount, so one of them is enough.
        const bool is_two = strip.n_parts() == 2;
        for (std::size_t k = is_two ? 1 : 0; k < strip.n_parts(); ++k) {
            const double* part = strip.part(k);
            const double total = node_.parts[k];
            for (std::size_t b = 0; b < n; ++b) {
                const double away =
                    (part[b] + moved.parts[k]) * all - total * (weights[b] + moved.weight);
                out[b] += away * away;
            }
        }
        const double twice = is_two ? 2 : 1;
        for (std::size_t b = 0; b < n; ++b) {
            const double before = weights[b] + moved.weight;
            const double weight = before * (all - before) * all;
            out[b] = weight > 0 ? twice * out[b] / weight : 0;
        }
    }

    /// The gain of a query with any number of answers.
    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        Twofold gain;  // of many small terms
        for (const Sums* sums : answers) {
            double away = 0;
            for (std::size_t k = 0; k < sums->parts.size(); ++k) {
                const double off = sums->parts[k] * node_.weight - node_.parts[k] * sums->weight;
                away += off * off;
            }
            gain += Twofold(away / sums->weight);
        }
        return gain.high / (node_.weight * node_.weight);
    }

    void bounds(const Strip& strip, const Sums& moved, const double* gains, double* out) const {
        if (strip.n_parts() == 2)
            corner_bounds(strip, moved, gains, out);
        else
            linear_bounds(strip, moved, out);
    }

  private:
    void corner_bounds(const Strip& strip, const Sums& moved, const double* gains,
                       double* out) const {
        const double* first = strip.part(0);
        const double* second = strip.part(1);
        const double all = node_.weight;
        const double total = node_.parts[1];
        const auto corner = [&](double zeros, double ones) {
            const double before = zeros + ones;
            const double away = ones * all - total * before;
            const double weight = before * (all - before) * all;
            return weight > 0 ? 2 * away * away / weight : 0;
        };
        for (std::size_t c = 0; c < strip.n_cells; ++c) {
            const double one = corner(first[c] + moved.parts[0], second[c + 1] + moved.parts[1]);
            const double other = corner(first[c + 1] + moved.parts[0], second[c] + moved.parts[1]);
            const double ends = gains[c] > gains[c + 1] ? gains[c] : gains[c + 1];
            const double corners = one > other ? one : other;
            out[c] = ends > corners ? ends : corners;
        }
    }

    // With p, q the shares before A and behind B, d the rows in the cell and P = Σ p², Q = Σ q²:
    // Σ L²/|L| = 2 p·L − P|L| + Σ (L − p|L|)²/|L|, and the last term is at most
    // d (D + P d) / |B|, D the largest class of the cell; likewise behind.
    void linear_bounds(const Strip& strip, const Sums& moved, double* out) const {
        const std::size_t n_classes = strip.n_parts();
        const double all = node_.weight;
        double same = 0;
        for (const double part : node_.parts) same += part * part;
        for (std::size_t c = 0; c < strip.n_cells; ++c) {
            const double a = strip.weight()[c] + moved.weight;
            const double b = strip.weight()[c + 1] + moved.weight;
            const double d = b - a;
            double squares_a = 0;
            double squares_z = 0;
            double most = 0;
            for (std::size_t k = 0; k < n_classes; ++k) {
                const double before = strip.part(k)[c] + moved.parts[k];
                const double upto = strip.part(k)[c + 1] + moved.parts[k];
                const double behind = node_.parts[k] - upto;
                squares_a += before * before;
                squares_z += behind * behind;
                most = std::max(most, upto - before);
            }
            const double z = all - b;
            const double pure = d + (a > 0 ? squares_a / a : 0) + (z > 0 ? squares_z / z : 0);
            double kept = pure;
            if (a > 0 && z > 0) {
                const double p2 = squares_a / (a * a);
                const double q2 = squares_z / (z * z);
                double linear =
                    -q2 * all + d * (most + p2 * d) / b + d * (most + q2 * d) / (all - a);
                for (std::size_t k = 0; k < n_classes; ++k) {
                    const double before = strip.part(k)[c] + moved.parts[k];
                    const double upto = strip.part(k)[c + 1] + moved.parts[k];
                    const double p = before / a;
                    const double q = (node_.parts[k] - upto) / z;
                    const double slope = 2 * p - p2 - 2 * q + q2;
                    linear += std::max(slope * before, slope * upto) + 2 * q * node_.parts[k];
                }
                kept = std::min(kept, linear);
            }
            out[c] = kept - same / all + 1e-13 * all;
        }
    }

    const Sums& node_;
    Precision precision_;
};

}  // namespace bough
