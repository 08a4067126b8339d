// Gains and bounds by squared error.
#pragma once

#include "gains_and_bounds.hpp"

namespace bough {

/// Parts: the sum of the labels and the sum of their squares, from any origin.
template <>
class OutputScores<SquaredError> {
  public:
    explicit OutputScores(const OutputSums& output)
        : of_(output),
          total_(output.part(0)),
          squares_(output.part(1)),
          whole_(impurity(output.node())) {}

    [[nodiscard]] const OutputSums& sums() const { return of_; }
    // Labels of sum S and weight w have |S| ≤ √(w Q), Q the sum of all squares. So S × all − total
    // × w is off by 4u × all × √(w Q), and the gain, its square over w (all − w) all, by 2^4 u
    // √(gain × Q × all ÷ the smaller side); no side is lighter than a row.
    [[nodiscard]] Tolerance tolerance() const {
        const Sums& node = of_.node();
        const Precision& precision = of_.precision;
        const double uneven = node.weight / precision.lightest;
        Tolerance found{.tie = tie_share * whole_,
                        .error = 0x1p-50 * (whole_ + of_.precision.moments)};
        found.scan_error_per_root = 0x1p-49 * std::sqrt(squares_ * uneven);
        if (!precision.is_whole) found.error_per_root += found.scan_error_per_root;
        // Products of label and weight off by half a unit move the mean of any rows by no more
        // than half a unit for each unit of the least weight.
        if (!precision.labels_are_exact) {
            const double rows = node.rows / precision.lightest;
            found.error += rows / 2;
            found.error_per_root += 1.5 * std::sqrt(rows);
        }
        // A row's weight off by a unit changes the gain by m (2y − m) at most, its label y and the
        // mean m of its side taken from the node's mean: over all rows, |m y| and m² add up to no
        // more than the impurity ÷ the least weight, whose rounding may double them.
        if (!precision.weights_are_exact) {
            const double away = of_.most_label + std::abs(total_) / node.weight + 1;
            found.error += std::min(4 * node.rows * away * away,
                                    8 * (whole_ + of_.precision.moments) / precision.lightest);
        }
        return found;
    }
    [[nodiscard]] double whole() const { return whole_; }
    [[nodiscard]] double lost() const {
        return std::max(0x1p-30 * squares_, 0x1p10 * of_.precision.moments);
    }
    [[nodiscard]] double impurity(const Sums& sums) const {
        const double sum = of_.part(sums, 0);
        return std::max(0.0, of_.part(sums, 1) - sum * sum / sums.weight);
    }

    void gains(const RunningSums& running, const Sums& ahead, double* out) const {
        const double* weights = running.weight();
        const double* sum = of_.part(running, 0);
        const double sum_ahead = of_.part(ahead, 0);
        const double all = of_.node().weight;
        for (std::size_t b = 0; b < running.n_boundaries(); ++b) {
            const double before = weights[b] + ahead.weight;
            const double away = (sum[b] + sum_ahead) * all - total_ * before;
            const double weight = before * (all - before) * all;
            out[b] = weight > 0 ? away * away / weight : 0;
        }
    }
    /// From exact products, where doubles hold the sums.
    [[nodiscard]] double offered(const RunningSums& running, std::size_t b,
                                 const Sums& ahead) const {
        const double all = of_.node().weight;
        const double before = running.weight()[b] + ahead.weight;
        const double sum = of_.part(running, 0)[b] + of_.part(ahead, 0);
        Twofold away = Twofold::product(sum, all);
        away -= Twofold::product(total_, before);
        return away.high * away.high / (before * (all - before) * all);
    }

    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        Twofold gain;  // of many small terms
        for (const Sums* sums : answers) {
            Twofold away = Twofold::product(of_.part(*sums, 0), of_.node().weight);
            away -= Twofold::product(total_, sums->weight);
            gain += Twofold(away.high * away.high / sums->weight);
        }
        return gain.high / (of_.node().weight * of_.node().weight);
    }

    // Inside a cell of m rows with mean μ and squared deviations S, the sum t of any i of them has
    // (t − iμ)² ≤ i (m − i) S / m: an ellipse, over which a linear function above the gain is
    // maximised. All sums are taken from the node's mean, and off by at most 4u √(all × Q) =
    // `sum_error`; each term is off by 2^3 u of itself.
    void bounds(const RunningSums& running, const Sums& ahead, const double* /*gains*/,
                double* out) const {
        const double all = of_.node().weight;
        const double mean = total_ / all;
        const double sum_error = 0x1p-51 * std::sqrt(all * squares_);
        const double* sums = of_.part(running, 0);
        const double* squares = of_.part(running, 1);
        const double sum_ahead = of_.part(ahead, 0);
        for (std::size_t c = 0; c < running.n_cells; ++c) {
            const double a = running.weight()[c] + ahead.weight;
            const double b = running.weight()[c + 1] + ahead.weight;
            const double z = all - b;
            const double m = b - a;
            // Where a part is empty its sum is 0, and so may its share be: no branch is needed.
            // Divisions cost most here: there are three, and each is used again.
            const double per_m = 1 / (m > 0 ? m : 1);
            const double per_a = 1 / (a > 0 ? a : 1);
            const double per_z = 1 / (z > 0 ? z : 1);
            const double sum_a = sums[c] + sum_ahead - mean * a;
            const double sum_b = sums[c + 1] + sum_ahead - mean * b;
            const double sum_m = sum_b - sum_a;
            const double center = sum_m * per_m;
            const double raw_sum = sums[c + 1] - sums[c];
            const double own = squares[c + 1] - squares[c] - raw_sum * raw_sum * per_m;
            const double spread = (own > 0 ? own : 0) + of_.precision.moments;
            const double before = a > 0 ? sum_a * per_a : 0;
            const double behind = z > 0 ? -sum_b * per_z : 0;
            // The cell becomes pure, the rest stays: gain ≤ between-part spread + the cell's own.
            const double pure = sum_a * before + sum_m * center - sum_b * behind + spread;
            const double slope_rows = (before - behind) * (2 * center - before - behind);
            const double slope_sum = 2 * (before - behind);
            const double half = std::sqrt(m * spread) / 2;
            const double off_before = half + m * std::abs(center - before);
            const double off_behind = half + m * std::abs(center - behind);
            const double start_before = before * before * a;
            const double start_behind = behind * behind * (all - a);
            const double rise = m / 2 *
                                (slope_rows + std::sqrt(slope_rows * slope_rows +
                                                        slope_sum * slope_sum * spread * per_m));
            const double off = off_before * off_before * per_a + off_behind * off_behind * per_z;
            const double linear = start_before - 2 * behind * sum_a - start_behind + rise + off;
            const double size = std::abs(before) + std::abs(behind) + std::abs(center);
            const double terms =
                start_before + start_behind + std::abs(rise) + off + 2 * std::abs(behind * sum_a);
            const double linear_slack = 0x1p-49 * terms + 8 * sum_error * size;
            const double pure_slack = 0x1p-49 * pure + 8 * sum_error * size;
            const bool is_inner = a > 0 && z > 0;
            const double by_line = linear + linear_slack;
            const double by_purity = pure + pure_slack;
            const double most = is_inner && by_line < by_purity ? by_line : by_purity;
            out[c] = m > 0 ? most : 0;
        }
    }

  private:
    OutputSums of_;
    double total_;
    double squares_;
    double whole_;
};

}  // namespace bough
