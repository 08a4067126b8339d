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
class Scores<Error> {
  public:
    template <class Statistic>
    void enter(const Sums& node, const Counts<Statistic>& counts) {
        gini_.enter(node, counts);
        outputs_.clear();
        decides_ties_ = false;
        for (std::size_t o = 0; o < counts.n_outputs(); ++o)
            outputs_.emplace_back(OutputSums{&node, counts.first_part(o), counts[o].n_parts(),
                                             counts[o].precision, 0});
    }

    [[nodiscard]] const Sums& node() const { return gini_.node(); }
    [[nodiscard]] std::size_t n_outputs() const { return outputs_.size(); }
    [[nodiscard]] const OutputScores<Error>& output(std::size_t o) const { return outputs_[o]; }
    [[nodiscard]] static bool can_tell() { return true; }
    [[nodiscard]] static bool bars(const RunningSums& /*running*/, std::size_t /*boundary*/,
                                   const Sums& /*ahead*/) {
        return false;
    }
    [[nodiscard]] static bool bars(const Sums& /*answer*/) { return false; }
    [[nodiscard]] static double offered(const RunningSums& /*running*/, std::size_t /*boundary*/,
                                        const Sums& /*ahead*/, double gain) {
        return gain;
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
        std::vector<double> errors =
            added(running, [&](const auto& one, double* room) { one.gains(running, ahead, room); });
        if (decides_ties_) gini_.gains(running, ahead, out);
        for (std::size_t b = 0; b < running.n_boundaries(); ++b)
            out[b] = decides_ties_ ? among_ties(errors[b], out[b]) : errors[b];
    }
    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        double gain = 0;
        for (const auto& one : outputs_) gain += one.gain_of_all(answers);
        return decides_ties_ ? among_ties(gain, gini_.gain_of_all(answers)) : gain;
    }
    void bounds(const RunningSums& running, const Sums& ahead, const double* /*gains*/,
                double* out) const {
        const std::vector<double> errors = added(running, [&](const auto& one, double* room) {
            one.bounds(running, ahead, nullptr, room);
        });
        if (!decides_ties_) {
            std::copy_n(errors.begin(), running.n_cells, out);
            return;
        }
        std::vector<double> gains(running.n_boundaries());
        gini_.gains(running, ahead, gains.data());
        gini_.bounds(running, ahead, gains.data(), out);
        for (std::size_t c = 0; c < running.n_cells; ++c) out[c] = among_ties(errors[c], out[c]);
    }

  private:
    [[nodiscard]] double among_ties(double gain, double second) const {
        return gain < best_ ? -std::numeric_limits<double>::infinity() : second;
    }
    template <class Put>
    [[nodiscard]] std::vector<double> added(const RunningSums& running, const Put& put) const {
        std::vector<double> sum(running.n_boundaries());
        std::vector<double> room(running.n_boundaries());
        for (const auto& one : outputs_) {
            put(one, room.data());
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += room[i];
        }
        return sum;
    }

    Scores<Gini> gini_;
    std::vector<OutputScores<Error>> outputs_;
    bool decides_ties_ = false;
    double best_ = 0;
};

}  // namespace bough
