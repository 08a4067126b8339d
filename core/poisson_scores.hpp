// Gains and bounds by Poisson deviance.
#pragma once

#include "gains_and_bounds.hpp"

namespace bough {

/// Parts: the sum S of the labels, the sum of y ln y, and how many labels are not 0.
template <>
class OutputScores<Poisson> {
  public:
    explicit OutputScores(const OutputSums& output)
        : of_(output), total_(output.part(0)), whole_(impurity(output.node())) {}

    [[nodiscard]] const OutputSums& sums() const { return of_; }
    [[nodiscard]] Tolerance tolerance() const {
        // A term is w ×what the node's mean costs; where it is small it changes by u × what is
        // expected of the side, and never by more than 2^5 u of all labels.
        Tolerance found{.tie = tie_share * whole_, .error = 0x1p-48 * total_};
        // A label off by a unit changes S ln(S/W) of its side by a logarithm of means, of a side
        // and of the node, whose ratio lies between 1/S and the weight of all, of 53 bits. Doubles
        // that do not hold sums round them once for each of 2^9 cells.
        constexpr double most_log = 64;
        if (!of_.precision.labels_are_exact) found.error += most_log * of_.node().rows;
        if (!of_.precision.is_whole) found.error += most_log * 0x1p-44 * total_;
        // A weight off by a unit changes it by y ln(m/μ) − (m − μ), of the label and the means of
        // the side and of the node. None of them exceeds the greatest label, and each added up over
        // rows is no more than all labels × weight ÷ the least weight.
        if (!of_.precision.weights_are_exact)
            found.error +=
                (most_log + 2) * std::min(of_.node().rows * (1 + of_.most_label),
                                          of_.node().rows + total_ / of_.precision.lightest);
        return found;
    }
    [[nodiscard]] double whole() const { return whole_; }
    [[nodiscard]] double lost() const {
        return std::max(0x1p-30 * total_, 0x1p10 * of_.precision.moments);
    }
    [[nodiscard]] double impurity(const Sums& sums) const {
        return std::max(0.0, of_.part(sums, 1) - times_log(of_.part(sums, 0), sums.weight));
    }
    /// A child of mean 0 has no deviance.
    [[nodiscard]] bool bars(const Sums& answer) const { return of_.part(answer, 2) == 0; }
    [[nodiscard]] bool bars(const RunningSums& running, std::size_t b, const Sums& ahead) const {
        const double n_positive = of_.part(running, 2)[b] + of_.part(ahead, 2);
        return n_positive == 0 || n_positive == of_.part(2);
    }

    void gains(const RunningSums& running, const Sums& ahead, double* out) const {
        const double* sum = of_.part(running, 0);
        for (std::size_t b = 0; b < running.n_boundaries(); ++b)
            out[b] = gain(sum[b] + of_.part(ahead, 0), running.weight()[b] + ahead.weight);
    }
    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        Twofold all;  // of many small terms
        for (const Sums* sums : answers) all += Twofold(cost(of_.part(*sums, 0), sums->weight));
        return all.high;
    }

    // S ln(S/W) is jointly convex in S and W, so over a region of them the gain is greatest at a
    // corner. Inside a cell both grow, S by no more than the greatest label × the weight:
    //
    //     S_b        o-------o         corners: both ends, S_b with the least weight that brings
    //               /       /          it, and S_a with the most that can be had without it
    //     S_a      o-------o
    //              W_a     W_b
    //
    // Or the cell becomes pure, and what is before and behind stays.
    void bounds(const RunningSums& running, const Sums& ahead, const double* gains,
                double* out) const {
        const double* sum = of_.part(running, 0);
        const double* logs = of_.part(running, 1);
        const double slack = 0x1p-42 * total_ + 2 * of_.precision.moments;
        const double base = times_log(total_, of_.node().weight);
        for (std::size_t c = 0; c < running.n_cells; ++c) {
            const double w_a = running.weight()[c] + ahead.weight;
            const double w_b = running.weight()[c + 1] + ahead.weight;
            const double s_a = sum[c] + of_.part(ahead, 0);
            const double s_b = sum[c + 1] + of_.part(ahead, 0);
            if (w_a == w_b) {
                out[c] = 0;
                continue;
            }
            const double least =
                of_.most_label > 0 ? (s_b - s_a) / of_.most_label * (1 - 0x1p-40) : 0;
            double corners = std::max(gain(s_b, w_a + least), gain(s_a, w_b - least));
            corners = std::max({corners, gains[c], gains[c + 1]});
            const double pure = times_log(s_a, w_a) + (logs[c + 1] - logs[c]) +
                                times_log(total_ - s_b, of_.node().weight - w_b) - base;
            out[c] = std::min(corners, pure) + slack;
        }
    }

  private:
    [[nodiscard]] static double times_log(double sum, double weight) {
        return sum > 0 && weight > 0 ? sum * std::log(sum / weight) : 0;
    }
    /// What the node's mean costs rows beyond their own mean.
    [[nodiscard]] double cost(double sum, double weight) const {
        const double expected = total_ / of_.node().weight * weight;
        if (weight <= 0 || expected <= 0) return 0;
        return expected * half_deviance((sum - expected) / expected);
    }
    [[nodiscard]] double gain(double sum, double weight) const {
        return cost(sum, weight) + cost(std::max(0.0, total_ - sum), of_.node().weight - weight);
    }

    OutputSums of_;
    double total_;
    double whole_;
};

}  // namespace bough
