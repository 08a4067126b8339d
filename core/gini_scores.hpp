// Gains and bounds by Gini impurity.
#pragma once

#include "gains_and_bounds.hpp"

namespace bough {

template <>
class OutputScores<Gini> {
  public:
    explicit OutputScores(const OutputSums& output) : of_(output) {}

    [[nodiscard]] const OutputSums& sums() const { return of_; }
    [[nodiscard]] Tolerance tolerance() const {
        // Where products of weights are exact, what is off is each square and each addition: (K +
        // 6) u of the gain. Elsewhere part × all and total × weight are off by 2u of all × the
        // smaller side, Σ|away| is at most twice that, and so the gain is off by 2^4 u × all.
        // x²/|x| changes by at most twice what a weight x is off.
        const double all = of_.node().weight;
        const auto terms = static_cast<double>(of_.count + 6);
        return {.tie = tie_share * impurity(of_.node()),
                .error = terms * 0x1p-53 * impurity(of_.node()) +
                         (all * all < 0x1p53 ? 0 : 0x1p-49 * all) +
                         2 * of_.precision.of_weights(of_.node())};
    }
    [[nodiscard]] double impurity(const Sums& sums) const {
        double same = 0;
        for (std::size_t k = 0; k < of_.count; ++k) same += of_.part(sums, k) * of_.part(sums, k);
        return sums.weight - same / sums.weight;
    }

    // Σ (share before − share in the node)² × …: no difference of large numbers is left over.
    void gains(const RunningSums& running, const Sums& ahead, double* out) const {
        const std::size_t n = running.n_boundaries();
        const double* weights = running.weight();
        const double all = of_.node().weight;
        std::fill(out, out + n, 0.0);
        // Two classes are off by the same amount, so one of them is enough.
        const bool is_two = of_.count == 2;
        for (std::size_t k = is_two ? 1 : 0; k < of_.count; ++k) {
            const double* part = of_.part(running, k);
            const double total = of_.part(k);
            const double before = of_.part(ahead, k);
            for (std::size_t b = 0; b < n; ++b) {
                const double away = (part[b] + before) * all - total * (weights[b] + ahead.weight);
                out[b] += away * away;
            }
        }
        const double twice = is_two ? 2 : 1;
        for (std::size_t b = 0; b < n; ++b) {
            const double before = weights[b] + ahead.weight;
            const double weight = before * (all - before) * all;
            out[b] = weight > 0 ? twice * out[b] / weight : 0;
        }
    }

    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        Twofold gain;  // of many small terms
        for (const Sums* sums : answers) {
            double away = 0;
            for (std::size_t k = 0; k < of_.count; ++k) {
                const double off =
                    of_.part(*sums, k) * of_.node().weight - of_.part(k) * sums->weight;
                away += off * off;
            }
            gain += Twofold(away / sums->weight);
        }
        return gain.high / (of_.node().weight * of_.node().weight);
    }

    void bounds(const RunningSums& running, const Sums& ahead, const double* gains,
                double* out) const {
        if (of_.count == 2)
            corner_bounds(running, ahead, gains, out);
        else
            linear_bounds(running, ahead, out);
    }

  private:
    void corner_bounds(const RunningSums& running, const Sums& ahead, const double* gains,
                       double* out) const {
        const double* first = of_.part(running, 0);
        const double* second = of_.part(running, 1);
        const double zeros_ahead = of_.part(ahead, 0);
        const double ones_ahead = of_.part(ahead, 1);
        const double all = of_.node().weight;
        const double total = of_.part(1);
        const auto corner = [&](double zeros, double ones) {
            const double before = zeros + ones;
            const double away = ones * all - total * before;
            const double weight = before * (all - before) * all;
            return weight > 0 ? 2 * away * away / weight : 0;
        };
        for (std::size_t c = 0; c < running.n_cells; ++c) {
            const double one = corner(first[c] + zeros_ahead, second[c + 1] + ones_ahead);
            const double other = corner(first[c + 1] + zeros_ahead, second[c] + ones_ahead);
            const double ends = gains[c] > gains[c + 1] ? gains[c] : gains[c + 1];
            const double corners = one > other ? one : other;
            out[c] = ends > corners ? ends : corners;
        }
    }

    // With p, q the shares before A and behind B, d the rows in the cell and P = Σ p², Q = Σ q²:
    // Σ L²/|L| = 2 p·L − P|L| + Σ (L − p|L|)²/|L|, and the last term is at most
    // d (D + P d) / |B|, D the largest class of the cell; likewise behind.
    // Each of K classes adds a term to sums of at most 4 × all: off by (8K + 64) u × all.
    void linear_bounds(const RunningSums& running, const Sums& ahead, double* out) const {
        const double all = of_.node().weight;
        const double slack = static_cast<double>(8 * of_.count + 64) * 0x1p-53 * all;
        double same = 0;
        for (std::size_t k = 0; k < of_.count; ++k) same += of_.part(k) * of_.part(k);
        for (std::size_t c = 0; c < running.n_cells; ++c) {
            const double a = running.weight()[c] + ahead.weight;
            const double b = running.weight()[c + 1] + ahead.weight;
            const double d = b - a;
            if (d == 0) {  // no cut
                out[c] = 0;
                continue;
            }
            double squares_a = 0;
            double squares_z = 0;
            double most = 0;
            for (std::size_t k = 0; k < of_.count; ++k) {
                const double before = of_.part(running, k)[c] + of_.part(ahead, k);
                const double upto = of_.part(running, k)[c + 1] + of_.part(ahead, k);
                const double behind = of_.part(k) - upto;
                squares_a += before * before;
                squares_z += behind * behind;
                most = std::max(most, upto - before);
            }
            const double z = all - b;
            double kept = d + (a > 0 ? squares_a / a : 0) + (z > 0 ? squares_z / z : 0);
            if (a > 0 && z > 0) {
                const double p2 = squares_a / (a * a);
                const double q2 = squares_z / (z * z);
                double linear =
                    -q2 * all + d * (most + p2 * d) / b + d * (most + q2 * d) / (all - a);
                for (std::size_t k = 0; k < of_.count; ++k) {
                    const double before = of_.part(running, k)[c] + of_.part(ahead, k);
                    const double upto = of_.part(running, k)[c + 1] + of_.part(ahead, k);
                    const double p = before / a;
                    const double q = (of_.part(k) - upto) / z;
                    const double slope = 2 * p - p2 - 2 * q + q2;
                    linear += std::max(slope * before, slope * upto) + 2 * q * of_.part(k);
                }
                kept = std::min(kept, linear);
            }
            out[c] = kept - same / all + slack;
        }
    }

    OutputSums of_;
};

}  // namespace bough
