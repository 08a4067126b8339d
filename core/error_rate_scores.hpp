// Gains and bounds by the share of wrong guesses; the Gini gain decides between equal ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "gini_scores.hpp"

namespace bough {

// Where weights are rounded, a side's majority is sure only if it leads by a unit for each row.
// Gains are therefore those that the side would have if other classes had a unit more for each of
// its rows than counted: 0 exactly where one class is sure to have the majority on both sides, and
// off by at most three units for each row of the node.
template <>
class OutputScores<Error> {
  public:
    explicit OutputScores(const OutputSums& output)
        : of_(output),
          per_row_(output.precision.weights_are_exact ? 0 : 1),
          majority_(majority()),
          most_(of_.part(majority_)) {}

    [[nodiscard]] const OutputSums& sums() const { return of_; }
    [[nodiscard]] double impurity(const Sums& sums) const { return sums.weight - most(sums, 0); }

    void gains(const RunningSums& running, const Sums& ahead, double* out) const {
        for (std::size_t b = 0; b < running.n_boundaries(); ++b) {
            const double rows = running.rows()[b] + ahead.rows;
            double before = 0;
            double behind = 0;
            for (std::size_t k = 0; k < of_.count; ++k) {
                const double part = of_.part(running, k)[b] + of_.part(ahead, k);
                before = std::max(before, part + unsure(k, rows));
                behind = std::max(behind, of_.part(k) - part + unsure(k, of_.node().rows - rows));
            }
            out[b] = before + behind - most_;
        }
    }
    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        double gain = -most_;
        for (const Sums* sums : answers) gain += most(*sums, sums->rows);
        return gain;
    }

    // If one class has the majority on both sides, nothing is gained; else the first side has no
    // more of its majority than B, and the second no more of another one than is behind A.
    void bounds(const RunningSums& running, const Sums& ahead, const double* /*gains*/,
                double* out) const {
        for (std::size_t c = 0; c < running.n_cells; ++c) {
            const double rows_upto = running.rows()[c + 1] + ahead.rows;
            const double rows_from = of_.node().rows - running.rows()[c] - ahead.rows;
            double most = most_;
            double upto = -std::numeric_limits<double>::infinity();  // over the classes so far
            double from = -std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < of_.count; ++k) {
                const double first =
                    of_.part(running, k)[c + 1] + of_.part(ahead, k) + unsure(k, rows_upto);
                const double second = of_.part(k) - of_.part(running, k)[c] - of_.part(ahead, k) +
                                      unsure(k, rows_from);
                // Where it is another class than the node's, it may be unsure on both sides.
                most = std::max({most, first + from, second + upto,
                                 k == majority_ ? 0 : of_.part(k) + per_row_ * of_.node().rows});
                upto = std::max(upto, first);
                from = std::max(from, second);
            }
            out[c] = most - most_;
        }
    }
    [[nodiscard]] Tolerance tolerance() const {
        return {.tie = tie_share * impurity(of_.node()), .error = 3 * per_row_ * of_.node().rows};
    }

  private:
    [[nodiscard]] std::size_t majority() const {
        std::size_t most = 0;
        for (std::size_t k = 1; k < of_.count; ++k)
            if (of_.part(k) > of_.part(most)) most = k;
        return most;
    }
    /// Of a class in these sums, of which so many rows are unsure.
    [[nodiscard]] double most(const Sums& sums, double rows) const {
        double found = 0;
        for (std::size_t k = 0; k < of_.count; ++k)
            found = std::max(found, of_.part(sums, k) + unsure(k, rows));
        return found;
    }
    [[nodiscard]] double unsure(std::size_t k, double rows) const {
        return k == majority_ ? 0 : per_row_ * rows;
    }

    OutputSums of_;
    double per_row_;  // by how much a weight may be off
    std::size_t majority_;
    double most_;  // of the majority in the node
};

/// A first search finds the best gain. Where weights are whole, gains are tied only if equal: from
/// `decide_ties` on, gains and bounds are those of the Gini gain, of the cuts whose gain is the
/// best. They are the same of all cuts where nothing can be gained. Elsewhere a second search finds
/// those that may be tied with the best, for exact arithmetic to choose from.
template <>
class Scores<Error> : public AddedScores<Error> {
  public:
    template <class Statistic>
    void enter(const Sums& node, const Counts<Statistic>& counts) {
        AddedScores::enter(node, counts);
        gini_.enter(node, counts);
        search_ = Search::best_gain;
        const Tolerance own = AddedScores::tolerance();
        is_whole_ = own.error == 0 && own.tie < 1;
    }
    [[nodiscard]] Tolerance tolerance() const {
        switch (search_) {
            case Search::best_gain:  // not the cuts that have it; whole numbers exceed it by one
                return {.tie = -0.5};
            case Search::may_be_tied: {
                // No cut may be dropped for one that precedes it: the Gini gain decides before.
                Tolerance wide = AddedScores::tolerance();
                wide.error += wide.tie;
                return wide;
            }
            default:
                return gini_.tolerance();
        }
    }
    /// From the best gain; return what is known of the best in the search that follows.
    double decide_ties(double best) {
        best_ = best;
        search_ = is_whole_ || best <= 0 ? Search::second_score : Search::may_be_tied;
        return search_ == Search::may_be_tied ? best : -std::numeric_limits<double>::infinity();
    }

    void gains(const RunningSums& running, const Sums& ahead, double* out) const {
        AddedScores::gains(running, ahead, out);
        if (search_ != Search::second_score) return;
        std::vector<double> second(running.n_boundaries());
        gini_.gains(running, ahead, second.data());
        leave_ties(second, running.n_boundaries(), out);
    }
    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        double gain = AddedScores::gain_of_all(answers);
        if (search_ == Search::second_score) leave_ties({gini_.gain_of_all(answers)}, 1, &gain);
        return gain;
    }
    void bounds(const RunningSums& running, const Sums& ahead, const double* gains,
                double* out) const {
        AddedScores::bounds(running, ahead, gains, out);
        if (search_ != Search::second_score) return;
        std::vector<double> second(running.n_boundaries());
        std::vector<double> bounds(running.n_boundaries());
        gini_.gains(running, ahead, second.data());
        gini_.bounds(running, ahead, second.data(), bounds.data());
        leave_ties(bounds, running.n_cells, out);
    }

  private:
    enum class Search : std::uint8_t { best_gain, may_be_tied, second_score };

    /// Put the second score in the place of the best gain, and let nothing else win.
    void leave_ties(const std::vector<double>& second, std::size_t count, double* out) const {
        for (std::size_t i = 0; i < count; ++i)
            out[i] = out[i] < best_ ? -std::numeric_limits<double>::infinity() : second[i];
    }

    Scores<Gini> gini_;
    Search search_ = Search::best_gain;
    bool is_whole_ = true;  // weights are, and gains that differ are not tied
    double best_ = 0;
};

}  // namespace bough
