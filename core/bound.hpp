// Gains at the boundaries of a strip, and bounds on the gains of all cuts inside its cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "criteria.hpp"
#include "finalist.hpp"
#include "strip.hpp"

// Every criterion has the same functions, in units of gain × node weight:
//
//     can_tell(node)                     whether doubles are any good here
//     tolerance(node, is_exact)          how near gains must be to be tied, and how wrong they may
//     be gains(strip, moved, node, out)     out[b]: the gain of cutting at boundary b bounds(strip,
//     moved, node, gains, out)
//                                        out[c]: no cut inside cell c gains more
//
// and for queries of many answers `gain_of_all(answers, node)`. `moved` is added to everything
// before a boundary: the missing rows, where they go first.
//
// A cut inside a cell leaves on its first side a tally between those of the cell's two ends, A ≤ L
// ≤ B in every part. The remainder is a concave function of L, so over that box it is least at a
// corner; for two classes the four corners are looked at, otherwise a linear function below the
// remainder is minimised over the box part by part. Superadditivity gives a bound for any impurity:
// what is before A and behind B stays as mixed as it is, and the cell itself becomes pure.

namespace bough {

template <class Criterion>
struct Fast;

/// x log₂ x.
inline double bits_of(double x) { return x > 0 ? x * std::log2(x) : 0; }

template <>
struct Fast<Gini> {
    static Tolerance tolerance(const Sums& node, bool /*is_exact*/) {
        const double whole = impurity(node);
        return {.tie = tie_share * whole,
                .error = 2e-15 * static_cast<double>(node.parts.size()) * whole};
    }
    static bool can_tell(const Sums& /*node*/) { return true; }
    /// impurity × weight
    static double impurity(const Sums& node) {
        double same = 0;
        for (const double part : node.parts) same += part * part;
        return node.rows - same / node.rows;
    }

    // Σ (share before − share in the node)² × …: no difference of large numbers is left over.
    static void gains(const Strip& strip, const Sums& moved, const Sums& node, double* out) {
        const std::size_t n = strip.n_boundaries();
        const double* rows = strip.rows();
        const double all = node.rows;
        std::fill(out, out + n, 0.0);
        // Two classes are off by the same amount, so one of them is enough.
        const bool is_two = strip.n_parts() == 2;
        for (std::size_t k = is_two ? 1 : 0; k < strip.n_parts(); ++k) {
            const double* part = strip.part(k);
            const double total = node.parts[k];
            for (std::size_t b = 0; b < n; ++b) {
                const double away =
                    (part[b] + moved.parts[k]) * all - total * (rows[b] + moved.rows);
                out[b] += away * away;
            }
        }
        const double twice = is_two ? 2 : 1;
        for (std::size_t b = 0; b < n; ++b) {
            const double before = rows[b] + moved.rows;
            const double weight = before * (all - before) * all;
            out[b] = weight > 0 ? twice * out[b] / weight : 0;
        }
    }

    /// The gain of a query with any number of answers.
    static double gain_of_all(std::span<const Sums* const> answers, const Sums& node) {
        double gain = 0;
        for (const Sums* sums : answers) {
            double away = 0;
            for (std::size_t k = 0; k < sums->parts.size(); ++k) {
                const double off = sums->parts[k] * node.rows - node.parts[k] * sums->rows;
                away += off * off;
            }
            gain += away / sums->rows;
        }
        return gain / (node.rows * node.rows);
    }

    static void bounds(const Strip& strip, const Sums& moved, const Sums& node, const double* gains,
                       double* out) {
        if (strip.n_parts() == 2)
            corner_bounds(strip, moved, node, gains, out);
        else
            linear_bounds(strip, moved, node, out);
    }

  private:
    static void corner_bounds(const Strip& strip, const Sums& moved, const Sums& node,
                              const double* gains, double* out) {
        const double* first = strip.part(0);
        const double* second = strip.part(1);
        const double all = node.rows;
        const double total = node.parts[1];
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
    static void linear_bounds(const Strip& strip, const Sums& moved, const Sums& node,
                              double* out) {
        const std::size_t n_classes = strip.n_parts();
        const double all = node.rows;
        double same = 0;
        for (const double part : node.parts) same += part * part;
        for (std::size_t c = 0; c < strip.n_cells; ++c) {
            const double a = strip.rows()[c] + moved.rows;
            const double b = strip.rows()[c + 1] + moved.rows;
            const double d = b - a;
            double squares_a = 0;
            double squares_z = 0;
            double most = 0;
            for (std::size_t k = 0; k < n_classes; ++k) {
                const double before = strip.part(k)[c] + moved.parts[k];
                const double upto = strip.part(k)[c + 1] + moved.parts[k];
                const double behind = node.parts[k] - upto;
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
                    const double q = (node.parts[k] - upto) / z;
                    const double slope = 2 * p - p2 - 2 * q + q2;
                    linear += std::max(slope * before, slope * upto) + 2 * q * node.parts[k];
                }
                kept = std::min(kept, linear);
            }
            out[c] = kept - same / all + 1e-13 * all;
        }
    }
};

template <>
struct Fast<Entropy> {
    static Tolerance tolerance(const Sums& node, bool /*is_exact*/) {
        // Each of the terms x log x may be off by its last bits.
        const double terms = 4 * static_cast<double>(node.parts.size() + 2);
        return {.tie = tie_share * impurity(node), .error = 1e-15 * terms * bits_of(node.rows)};
    }
    static bool can_tell(const Sums& /*node*/) { return true; }
    static double impurity(const Sums& node) {
        double bits = bits_of(node.rows);
        for (const double part : node.parts) bits -= bits_of(part);
        return bits;
    }

    static void gains(const Strip& strip, const Sums& moved, const Sums& node, double* out) {
        const double whole = impurity(node);
        for (std::size_t b = 0; b < strip.n_boundaries(); ++b) {
            const double before = strip.rows()[b] + moved.rows;
            double rest = bits_of(before) + bits_of(node.rows - before);
            for (std::size_t k = 0; k < strip.n_parts(); ++k) {
                const double part = strip.part(k)[b] + moved.parts[k];
                rest -= bits_of(part) + bits_of(node.parts[k] - part);
            }
            out[b] = whole - rest;
        }
    }

    static double gain_of_all(std::span<const Sums* const> answers, const Sums& node) {
        double gain = impurity(node);
        for (const Sums* sums : answers) gain -= impurity(*sums);
        return gain;
    }

    // Remainder = Σ u(L) + v(|L|) with u(x) = −f(x) − f(T − x) concave, so above its chord, and
    // v(m) = f(m) + f(n − m) convex, so above its tangent.
    static void bounds(const Strip& strip, const Sums& moved, const Sums& node,
                       const double* /*gains*/, double* out) {
        const double whole = impurity(node);
        const auto u = [](double part, double total) {
            return -bits_of(part) - bits_of(total - part);
        };
        for (std::size_t c = 0; c < strip.n_cells; ++c) {
            const double a = strip.rows()[c] + moved.rows;
            const double b = strip.rows()[c + 1] + moved.rows;
            const double middle = (a + b) / 2;
            if (a == b || middle <= 0 || middle >= node.rows) {
                out[c] = whole;
                continue;
            }
            const double slope = std::log2(middle / (node.rows - middle));
            double least = bits_of(middle) + bits_of(node.rows - middle) + slope * (a - middle);
            for (std::size_t k = 0; k < strip.n_parts(); ++k) {
                const double before = strip.part(k)[c] + moved.parts[k];
                const double upto = strip.part(k)[c + 1] + moved.parts[k];
                const double start = u(before, node.parts[k]);
                least +=
                    start + std::min(0.0, u(upto, node.parts[k]) - start + slope * (upto - before));
            }
            out[c] = whole - least + 1e-13 * node.rows;
        }
    }
};

template <>
struct Fast<LogLoss> : Fast<Entropy> {};

/// Parts: the sum of the labels and the sum of their squares, from any centre.
template <>
struct Fast<SquaredError> {
    static Tolerance tolerance(const Sums& node, bool is_exact) {
        const double whole = impurity(node);
        // Sums lose digits where the labels lie far from the grid's origin for their spread.
        const double far = std::sqrt(node.parts[1] / whole);
        Tolerance tolerance{.tie = tie_share * whole, .error = 2e-15 * whole * (1 + far)};
        // Labels off by half a unit move the distance between two means by a unit at most.
        if (!is_exact) {
            tolerance.error += node.rows / 4;
            tolerance.error_per_root = std::sqrt(node.rows);
        }
        return tolerance;
    }
    /// Whether so much is left of the squares that a double can tell gains apart.
    static bool can_tell(const Sums& node) {
        return impurity(node) > std::max(1e-9 * node.parts[1], 1e3 * node.doubt);
    }
    static double impurity(const Sums& node) {
        return std::max(0.0, node.parts[1] - node.parts[0] * node.parts[0] / node.rows);
    }

    static void gains(const Strip& strip, const Sums& moved, const Sums& node, double* out) {
        const double* rows = strip.rows();
        const double* sum = strip.part(0);
        const double all = node.rows;
        for (std::size_t b = 0; b < strip.n_boundaries(); ++b) {
            const double before = rows[b] + moved.rows;
            const double away = (sum[b] + moved.parts[0]) * all - node.parts[0] * before;
            const double weight = before * (all - before) * all;
            out[b] = weight > 0 ? away * away / weight : 0;
        }
    }

    static double gain_of_all(std::span<const Sums* const> answers, const Sums& node) {
        double gain = 0;
        for (const Sums* sums : answers) {
            const double away = sums->parts[0] * node.rows - node.parts[0] * sums->rows;
            gain += away * away / sums->rows;
        }
        return gain / (node.rows * node.rows);
    }

    // Inside a cell of m rows with mean μ and squared deviations S, the sum t of any i of them has
    // (t − iμ)² ≤ i (m − i) S / m: an ellipse, over which a linear function above the gain is
    // maximised. All sums are taken from the node's mean.
    static void bounds(const Strip& strip, const Sums& moved, const Sums& node,
                       const double* /*gains*/, double* out) {
        const double all = node.rows;
        const double mean = node.parts[0] / all;
        const double whole = impurity(node);
        for (std::size_t c = 0; c < strip.n_cells; ++c) {
            const double a = strip.rows()[c] + moved.rows;
            const double b = strip.rows()[c + 1] + moved.rows;
            const double z = all - b;
            const double m = b - a;
            if (m == 0) {
                out[c] = 0;
                continue;
            }
            const double sum_a = strip.part(0)[c] + moved.parts[0] - mean * a;
            const double sum_b = strip.part(0)[c + 1] + moved.parts[0] - mean * b;
            const double sum_m = sum_b - sum_a;
            const double center = sum_m / m;
            const double raw_sum = strip.part(0)[c + 1] - strip.part(0)[c];
            const double spread =
                std::max(0.0, strip.part(1)[c + 1] - strip.part(1)[c] - raw_sum * raw_sum / m) +
                node.doubt;
            // The cell becomes pure, the rest stays: gain ≤ between-part spread + the cell's own.
            const double pure = (a > 0 ? sum_a * sum_a / a : 0) + sum_m * center +
                                (z > 0 ? sum_b * sum_b / z : 0) + spread;
            double most = pure;
            if (a > 0 && z > 0) {
                const double before = sum_a / a;
                const double behind = -sum_b / z;
                const double slope_rows = (before - behind) * (2 * center - before - behind);
                const double slope_sum = 2 * (before - behind);
                const double off_before = std::sqrt(m * spread) / 2 + m * std::abs(center - before);
                const double off_behind = std::sqrt(m * spread) / 2 + m * std::abs(center - behind);
                const double linear =
                    before * before * a - 2 * behind * sum_a - behind * behind * (all - a) +
                    m / 2 *
                        (slope_rows +
                         std::sqrt(slope_rows * slope_rows + slope_sum * slope_sum * spread / m)) +
                    off_before * off_before / a + off_behind * off_behind / z;
                most = std::min(most, linear);
            }
            out[c] = most + 1e-9 * whole;
        }
    }
};

}  // namespace bough
