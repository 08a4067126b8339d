// Gains and bounds by the share of wrong guesses; the Gini gain decides between equal ones.
#pragma once

#include <limits>

#include "gini_scores.hpp"

namespace bough {

template <>
class OutputScores<Error> {
  public:
    explicit OutputScores(const OutputSums& output) : of_(output), most_(most(output.node())) {}

    [[nodiscard]] const OutputSums& sums() const { return of_; }
    [[nodiscard]] double impurity(const Sums& sums) const { return sums.weight - most(sums); }

    void gains(const RunningSums& running, const Sums& ahead, double* out) const {
        for (std::size_t b = 0; b < running.n_boundaries(); ++b) {
            double before = 0;
            double behind = 0;
            for (std::size_t k = 0; k < of_.count; ++k) {
                const double part = of_.part(running, k)[b] + of_.part(ahead, k);
                before = std::max(before, part);
                behind = std::max(behind, of_.part(k) - part);
            }
            out[b] = before + behind - most_;
        }
    }
    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        double gain = -most_;
        for (const Sums* sums : answers) gain += most(*sums);
        return gain;
    }

    // If one class has the majority on both sides, nothing is gained; else the first side has no
    // more of its majority than B, and the second no more of another one than is behind A.
    void bounds(const RunningSums& running, const Sums& ahead, const double* /*gains*/,
                double* out) const {
        for (std::size_t c = 0; c < running.n_cells; ++c) {
            double most = most_;
            double upto = -std::numeric_limits<double>::infinity();  // over the classes so far
            double from = -std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < of_.count; ++k) {
                const double first = of_.part(running, k)[c + 1] + of_.part(ahead, k);
                const double second = of_.part(k) - of_.part(running, k)[c] - of_.part(ahead, k);
                most = std::max({most, first + from, second + upto});
                upto = std::max(upto, first);
                from = std::max(from, second);
            }
            out[c] = most - most_;
        }
    }
    [[nodiscard]] static Tolerance tolerance() { return {}; }

  private:
    [[nodiscard]] double most(const Sums& sums) const {
        double found = 0;
        for (std::size_t k = 0; k < of_.count; ++k) found = std::max(found, of_.part(sums, k));
        return found;
    }

    OutputSums of_;
    double most_;  // of a class in the node
};

/// For weights that are whole numbers: then gains are, and tied only if equal. A first search finds
/// the best gain; from `decide_ties` on, gains and bounds are those of the Gini gain, of the cuts
/// whose gain is the best.
template <>
class Scores<Error> : public AddedScores<Error> {
  public:
    template <class Statistic>
    void enter(const Sums& node, const Counts<Statistic>& counts) {
        AddedScores::enter(node, counts);
        gini_.enter(node, counts);
        decides_ties_ = false;
    }
    [[nodiscard]] Tolerance tolerance() const {
        if (decides_ties_) return gini_.tolerance();
        // The best gain is wanted, not the cuts that have it: whole numbers must exceed it by one.
        return {.tie = -0.5};
    }
    void decide_ties(double best) {
        decides_ties_ = true;
        best_ = best;
    }

    void gains(const RunningSums& running, const Sums& ahead, double* out) const {
        AddedScores::gains(running, ahead, out);
        if (!decides_ties_) return;
        std::vector<double> second(running.n_boundaries());
        gini_.gains(running, ahead, second.data());
        leave_ties(second, running.n_boundaries(), out);
    }
    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        double gain = AddedScores::gain_of_all(answers);
        if (decides_ties_) leave_ties({gini_.gain_of_all(answers)}, 1, &gain);
        return gain;
    }
    void bounds(const RunningSums& running, const Sums& ahead, const double* gains,
                double* out) const {
        AddedScores::bounds(running, ahead, gains, out);
        if (!decides_ties_) return;
        std::vector<double> second(running.n_boundaries());
        std::vector<double> bounds(running.n_boundaries());
        gini_.gains(running, ahead, second.data());
        gini_.bounds(running, ahead, second.data(), bounds.data());
        leave_ties(bounds, running.n_cells, out);
    }

  private:
    /// Put the second score in the place of the best gain, and let nothing else win.
    void leave_ties(const std::vector<double>& second, std::size_t count, double* out) const {
        for (std::size_t i = 0; i < count; ++i)
            out[i] = out[i] < best_ ? -std::numeric_limits<double>::infinity() : second[i];
    }

    Scores<Gini> gini_;
    bool decides_ties_ = false;
    double best_ = 0;
};

}  // namespace bough
