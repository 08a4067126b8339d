// Gains and bounds by the share of wrong guesses; the Gini gain decides between equal ones.
#pragma once

#include "gini_bound.hpp"

namespace bough {

/// For weights that are whole numbers: then gains are, and tied only if equal.
template <>
class Fast<Error> {
  public:
    Fast(const Sums& node, const Precision& precision)
        : node_(node),
          precision_(precision),
          gini_(node, precision),
          most_(*std::max_element(node.parts.begin(), node.parts.end())) {}

    [[nodiscard]] const Sums& node() const { return node_; }
    [[nodiscard]] const Precision& precision() const { return precision_; }
    [[nodiscard]] static bool can_tell() { return true; }
    [[nodiscard]] Tolerance tolerance() const {
        if (decides_ties_) return gini_.tolerance();
        // The best gain is wanted, not the cuts that have it: whole numbers must exceed it by one.
        return {.tie = -0.5};
    }

    /// Of the score that is asked for now.
    [[nodiscard]] double impurity(const Sums& of) const {
        if (decides_ties_) return Fast<Gini>::impurity(of);
        return of.weight - *std::max_element(of.parts.begin(), of.parts.end());
    }

    void decide_ties(double best) {
        decides_ties_ = true;
        best_ = best;
    }

    void gains(const Strip& strip, const Sums& moved, double* out) const {
        if (decides_ties_) gini_.gains(strip, moved, out);
        for (std::size_t b = 0; b < strip.n_boundaries(); ++b) {
            double before = 0;
            double behind = 0;
            for (std::size_t k = 0; k < strip.n_parts(); ++k) {
                const double part = strip.part(k)[b] + moved.parts[k];
                before = std::max(before, part);
                behind = std::max(behind, node_.parts[k] - part);
            }
            const double gain = before + behind - most_;
            out[b] = decides_ties_ ? among_ties(gain, out[b]) : gain;
        }
    }

    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        double gain = -most_;
        for (const Sums* sums : answers)
            gain += *std::max_element(sums->parts.begin(), sums->parts.end());
        return decides_ties_ ? among_ties(gain, gini_.gain_of_all(answers)) : gain;
    }

    void bounds(const Strip& strip, const Sums& moved, const double* /*gains*/, double* out) const {
        if (!decides_ties_) return error_bounds(strip, moved, out);
        std::vector<double> gini_gains(strip.n_boundaries());
        std::vector<double> gain_bounds(strip.n_cells);
        gini_.gains(strip, moved, gini_gains.data());
        gini_.bounds(strip, moved, gini_gains.data(), out);
        error_bounds(strip, moved, gain_bounds.data());
        for (std::size_t c = 0; c < strip.n_cells; ++c)
            if (gain_bounds[c] < best_) out[c] = -infinity;
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    [[nodiscard]] double among_ties(double gain, double second) const {
        return gain < best_ ? -infinity : second;
    }

    // If one class has the majority on both sides, nothing is gained; else the first side has no
    // more of its majority than B, and the second no more of another one than is behind A.
    void error_bounds(const Strip& strip, const Sums& moved, double* out) const {
        for (std::size_t c = 0; c < strip.n_cells; ++c) {
            double most = most_;
            double upto = -infinity;  // over the classes so far
            double from = -infinity;
            for (std::size_t k = 0; k < strip.n_parts(); ++k) {
                const double first = strip.part(k)[c + 1] + moved.parts[k];
                const double second = node_.parts[k] - strip.part(k)[c] - moved.parts[k];
                most = std::max({most, first + from, second + upto});
                upto = std::max(upto, first);
                from = std::max(from, second);
            }
            out[c] = most - most_;
        }
    }

    const Sums& node_;
    Precision precision_;
    Fast<Gini> gini_;
    double most_;  // of a class in the node
    bool decides_ties_ = false;
    double best_ = 0;
};

}  // namespace bough
