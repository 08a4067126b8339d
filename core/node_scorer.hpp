// The score of a query at a node, from the tallies of its answers: one function for every search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "candidate.hpp"
#include "criteria.hpp"
#include "monotonic.hpp"

namespace bough {

/// The cells of one output of a tally.
template <class Labels>
Cells<typename Labels::Cell> cells_of(const Tally<typename Labels::Cell>& tally,
                                      const Labels& labels, std::size_t output) {
    const std::size_t count = labels.n_cells() / labels.n_outputs();
    return {tally.cells.data() + output * count, count, tally.weight};
}

/// Scores queries at one node.
template <class Criterion>
class NodeScorer {
  public:
    using Labels = typename Criterion::Labels;
    using Cell = typename Labels::Cell;
    using Parts = std::span<const Tally<Cell>* const>;

    /// `impurity` is the node's, in the unit in which outputs are added up: not below 0, as a
    /// difference of logarithms of weights far apart may seem to be.
    NodeScorer(const Labels& labels, const Tally<Cell>& tally, const Twofold& impurity,
               bool by_ratio = false, const LevelBounds& bounds = {})
        : labels_(labels),
          tally_(tally),
          impurity_(impurity.high > 0 ? impurity : Twofold()),
          by_ratio_(by_ratio),
          bounds_(bounds) {}

    [[nodiscard]] const Labels& labels() const { return labels_; }
    [[nodiscard]] const Tally<Cell>& tally() const { return tally_; }
    [[nodiscard]] const LevelBounds& bounds() const { return bounds_; }
    /// The exponent of the unit of gains.
    [[nodiscard]] int unit() const { return labels_.common_unit(Criterion::degree); }
    [[nodiscard]] double tie() const { return tie_share * impurity_.high; }
    /// How far a gain computed in double may be from the exact one, with room to spare.
    [[nodiscard]] double slack() const { return 1e-11 * impurity_.high + 1e-13; }

    template <class Real>
    [[nodiscard]] Real gain(Parts parts) const {
        return gain_by<Criterion, Real>(parts);
    }
    /// Gain × node weight × outputs.
    [[nodiscard]] Amount saving(Parts parts) const {
        Amount total;
        for (std::size_t output = 0; output < labels_.n_outputs(); ++output)
            total += labels_.amount(saving_in<Criterion, Twofold>(parts, output), output,
                                    Criterion::degree);
        return total;
    }

    /// Give a candidate its exact score.
    void score(Candidate& candidate, Parts parts) const {
        candidate.exact_gain = gain<Twofold>(parts);
        candidate.gain = std::max(0.0, candidate.exact_gain.high);
        if constexpr (std::is_same_v<Criterion, Error>)
            candidate.second = rounded(gain_by<Gini, Twofold>(parts));
        if (by_ratio_) candidate.ratio = candidate.gain / answer_entropy(parts);
    }

    /// Whether a query may not be asked: by "poisson" a child of mean 0, whose deviance is
    /// infinite.
    [[nodiscard]] bool is_barred(Parts parts) const {
        if constexpr (std::is_same_v<Criterion, Poisson>)
            for (const auto* part : parts)
                for (const Cell& sum : part->cells)
                    if (sum.is_zero()) return true;
        return false;
    }

    /// The candidate to ask about, from all columns, one after the other; there must be one.
    [[nodiscard]] Candidate choose(std::vector<Candidate>&& all) const {
        if (!by_ratio_) {
            if (!is_at_edge(all, tie())) return first_of_best(std::move(all), tie(), second_tie());
            keep_tied(all, exact_tie_share() * impurity_);
            return first_of_best(std::move(all), all_tied, second_tie());
        }
        std::vector<Candidate> sent;
        for (auto begin = all.begin(), end = begin; begin != all.end(); begin = end) {
            end = std::find_if(begin, all.end(), [column = begin->column](const Candidate& one) {
                return one.column != column;
            });
            sent.push_back(first_of_best({begin, end}, tie(), 0));
        }
        return best_ratio(std::move(sent), tie());
    }

    /// The cells whose means order the values of a choice: for two classes the later one's share,
    /// for more each one's, for numbers each output's mean.
    [[nodiscard]] std::vector<std::size_t> ordering_cells() const {
        std::vector<std::size_t> ordering;
        const std::size_t count = labels_.n_cells() / labels_.n_outputs();
        for (std::size_t output = 0; output < labels_.n_outputs(); ++output) {
            std::vector<std::size_t> present;
            for (std::size_t cell = output * count; cell < (output + 1) * count; ++cell)
                if (count == 1 || tally_.cells[cell] != Cell{}) present.push_back(cell);
            if (std::is_same_v<Labels, ClassLabels> && present.size() == 2)
                present.erase(present.begin());
            ordering.insert(ordering.end(), present.begin(), present.end());
        }
        return ordering;
    }

  private:
    template <class By, class Real>
    [[nodiscard]] Real gain_by(Parts parts) const {
        const Real outputs(static_cast<double>(labels_.n_outputs()));
        Real total{};
        for (std::size_t output = 0; output < labels_.n_outputs(); ++output)
            total += labels_.in_common_unit(saving_in<By, Real>(parts, output), output, By::degree);
        return total / (as_real<Real>(tally_.weight) * outputs);
    }
    template <class By, class Real>
    [[nodiscard]] Real saving_in(Parts parts, std::size_t output) const {
        const auto node = cells_of(tally_, labels_, output);
        if constexpr (std::is_same_v<By, SquaredError> && std::is_same_v<Real, Twofold>)
            if (parts.size() == 2)
                return By::of_two(node, cells_of(*parts[0], labels_, output), parts[1]->weight);
        Real saved = By::template before<Real>(node);
        for (const auto* part : parts)
            saved += By::template after<Real>(node, cells_of(*part, labels_, output));
        return saved;
    }

    [[nodiscard]] double second_tie() const {
        if constexpr (std::is_same_v<Criterion, Error>) {
            Twofold total;
            for (std::size_t output = 0; output < labels_.n_outputs(); ++output)
                total += Gini::total<Twofold>(cells_of(tally_, labels_, output));
            return tie_share * rounded(total) /
                   (to_double(tally_.weight) * static_cast<double>(labels_.n_outputs()));
        } else {
            return 0;
        }
    }

    /// Bits that the answer itself says.
    [[nodiscard]] double answer_entropy(Parts parts) const {
        std::vector<Int128> weights;
        weights.reserve(parts.size());
        for (const auto* part : parts) weights.push_back(part->weight);
        const Cells<Int128> answers{weights.data(), weights.size(), tally_.weight};
        return rounded(Entropy::total<Twofold>(answers)) / to_double(tally_.weight);
    }

    const Labels& labels_;
    const Tally<Cell>& tally_;
    Twofold impurity_;
    bool by_ratio_;
    LevelBounds bounds_;
};

}  // namespace bough
