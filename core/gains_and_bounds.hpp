// Gains at the boundaries of a running, and bounds on the gains of all cuts inside its cells: what
// every criterion must say, and how the outputs of a tree add up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "candidate.hpp"
#include "criteria.hpp"
#include "statistics_of_outputs.hpp"
#include "sums.hpp"

// `OutputScores<Criterion>` is made for one output of a node. Every criterion has the same
// functions, in units of gain × node weight:
//
//     tolerance()                        how near gains must be to be tied, how wrong they may be
//     whole(), lost()                    where digits are lost: the impurity must exceed this
//     gains(running, ahead, out)         out[b]: the gain of cutting at boundary b
//     bounds(running, ahead, gains, out) out[c]: no cut inside cell c gains more, but for the error
//     gain_of_all(answers)               the gain of a query with any number of answers
//     impurity(sums)                     how mixed rows are, × their weight
//
// `ahead` is added to everything before a boundary: the missing rows, where they go first.
//
// A cut inside a cell leaves on its first side a tally between those of the cell's two ends, A ≤ L
// ≤ B in every part. The remainder is a concave function of L, so over that box it is least at a
// corner; where there are few corners they are looked at, otherwise a linear function below the
// remainder is minimised over the box part by part. Superadditivity gives a bound for any impurity:
// what is before A and behind B stays as mixed as it is, and the cell itself becomes pure.
//
// The unit of rounding, half the last place of 1, is u = 2^-53 in all derivations.

namespace bough {

/// How near gains must be to be tied, and how far from the truth they may be.
struct Tolerance {
    double tie = 0;
    double error = 0;                // of any gain that is offered
    double error_per_root = 0;       // and this for each square root of the gain
    double scan_error_per_root = 0;  // and this, before a gain is worked out again to be offered

    /// Gains below this can neither be the best nor be tied with it.
    [[nodiscard]] double cutoff(double best) const {
        return best - tie - 2 * error_at(best) - 2 * scan_error_per_root * root(best);
    }
    [[nodiscard]] double error_at(double best) const { return error + error_per_root * root(best); }
    /// By how much a gain must be greater to be surely no smaller.
    [[nodiscard]] double margin(double best) const { return 2 * error_at(best); }

  private:
    static double root(double best) { return std::sqrt(std::max(best, 0.0)); }
};

/// One output of a node: its parts among those of the node's sums.
struct OutputSums {
    const Sums* node_sums;
    std::size_t first;
    std::size_t count;
    Precision precision;
    double most_label;

    [[nodiscard]] const Sums& node() const { return *node_sums; }
    [[nodiscard]] double part(std::size_t k) const { return node().parts[first + k]; }
    [[nodiscard]] double part(const Sums& of, std::size_t k) const { return of.parts[first + k]; }
    [[nodiscard]] const double* part(const RunningSums& of, std::size_t k) const {
        return of.part(first + k);
    }
};

template <class Criterion>
class OutputScores;

/// The scores of a node: those of its outputs, in a common unit, added up.
template <class Criterion>
class AddedScores {
  public:
    /// Score the queries of a node from now on.
    template <class Statistic>
    void enter(const Sums& node, const Counts<Statistic>& counts) {
        node_ = &node;
        outputs_.clear();
        factors_.clear();
        int exponent = std::numeric_limits<int>::min();
        for (std::size_t o = 0; o < counts.n_outputs(); ++o)
            if (!counts[o].is_constant()) exponent = std::max(exponent, counts[o].unit_exponent());
        for (std::size_t o = 0; o < counts.n_outputs(); ++o) {
            double most_label = 0;
            if constexpr (requires { counts[o].reach; }) most_label = counts[o].reach;
            outputs_.emplace_back(OutputSums{&node, counts.first_part(o), counts[o].n_parts(),
                                             counts[o].precision, most_label});
            factors_.push_back(
                counts[o].is_constant()
                    ? 0
                    : scaled(1, Criterion::degree * (counts[o].unit_exponent() - exponent)));
        }
    }

    [[nodiscard]] const Sums& node() const { return *node_; }
    [[nodiscard]] std::size_t n_outputs() const { return outputs_.size(); }
    [[nodiscard]] const OutputScores<Criterion>& output(std::size_t o) const { return outputs_[o]; }
    /// What a gain of an output counts in the common unit; nothing where it has one label only.
    [[nodiscard]] double factor(std::size_t o) const { return factors_[o]; }

    [[nodiscard]] Tolerance tolerance() const {
        Tolerance all;
        for (std::size_t o = 0; o < n_outputs(); ++o) {
            const Tolerance one = outputs_[o].tolerance();
            all.tie += factors_[o] * one.tie;
            all.error += factors_[o] * one.error;
            all.error_per_root += std::sqrt(factors_[o]) * one.error_per_root;
            all.scan_error_per_root += std::sqrt(factors_[o]) * one.scan_error_per_root;
        }
        return all;
    }
    /// Whether so much is left of what labels were summed up to that doubles can tell gains apart.
    [[nodiscard]] bool can_tell() const {
        if constexpr (requires { outputs_[0].whole(); })
            return sum([](const auto& one) { return one.whole(); }) >
                   sum([](const auto& one) { return one.lost(); });
        return true;
    }
    [[nodiscard]] double impurity(const Sums& of) const {
        return sum([&](const auto& one) { return one.impurity(of); });
    }
    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        return sum([&](const auto& one) { return one.gain_of_all(answers); });
    }
    void gains(const RunningSums& running, const Sums& ahead, double* out) const {
        add_up(running.n_boundaries(), out,
               [&](const auto& one, double* room) { one.gains(running, ahead, room); });
    }
    /// `gains` are those of the running.
    void bounds(const RunningSums& running, const Sums& ahead, const double* gains,
                double* out) const {
        if (n_outputs() == 1) return outputs_[0].bounds(running, ahead, gains, out);
        std::vector<double> own(running.n_boundaries());
        add_up(running.n_cells, out, [&](const auto& one, double* room) {
            one.gains(running, ahead, own.data());
            one.bounds(running, ahead, own.data(), room);
        });
    }
    /// The gain at a boundary once more, where that is better than `gain`.
    [[nodiscard]] double offered(const RunningSums& running, std::size_t boundary,
                                 const Sums& ahead, double gain) const {
        if constexpr (requires { outputs_[0].offered(running, boundary, ahead); })
            return sum([&](const auto& one) { return one.offered(running, boundary, ahead); });
        else
            return gain;
    }
    /// Whether a query may not be asked that cuts here, or that has such an answer.
    [[nodiscard]] bool bars(const RunningSums& running, std::size_t boundary,
                            const Sums& ahead) const {
        if constexpr (requires { outputs_[0].bars(ahead); })
            return std::any_of(outputs_.begin(), outputs_.end(),
                               [&](const auto& one) { return one.bars(running, boundary, ahead); });
        return false;
    }
    [[nodiscard]] bool bars(const Sums& answer) const {
        if constexpr (requires { outputs_[0].bars(answer); })
            return std::any_of(outputs_.begin(), outputs_.end(),
                               [&](const auto& one) { return one.bars(answer); });
        return false;
    }

  private:
    template <class Of>
    [[nodiscard]] double sum(const Of& of) const {
        double all = 0;
        for (std::size_t o = 0; o < n_outputs(); ++o) all += factors_[o] * of(outputs_[o]);
        return all;
    }
    template <class Put>
    void add_up(std::size_t count, double* out, const Put& put) const {
        put(outputs_[0], out);
        if (n_outputs() == 1) return;
        std::vector<double> room(count + 1);
        for (std::size_t i = 0; i < count; ++i) out[i] *= factors_[0];
        for (std::size_t o = 1; o < n_outputs(); ++o) {
            put(outputs_[o], room.data());
            for (std::size_t i = 0; i < count; ++i) out[i] += factors_[o] * room[i];
        }
    }

    const Sums* node_ = nullptr;
    std::vector<OutputScores<Criterion>> outputs_;
    std::vector<double> factors_;
};

/// What searches use.
template <class Criterion>
class Scores : public AddedScores<Criterion> {};

}  // namespace bough
