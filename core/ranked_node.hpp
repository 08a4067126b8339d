// A node whose guess is a quantile: its rows by the rank of their labels, and scores of queries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "candidate.hpp"
#include "label_order.hpp"
#include "rank_sums.hpp"
#include "summary.hpp"

namespace bough {

/// A criterion whose sums need more bits than the machine's integers have.
template <class Criterion>
struct Widened : Criterion {};

template <class Criterion>
struct NumbersOf {
    using type = NarrowNumbers;
};
template <class Criterion>
struct NumbersOf<Widened<Criterion>> {
    using type = WideNumbers;
};

/// Some rows, and for each output how far their labels lie from the quantile that is guessed.
template <class Sum>
struct RankedTally {
    /// What orders the values of a choice.
    struct Centre {
        Int128 twice_guess = 0;
        Wide<4> sum;
    };
    std::int64_t rows = 0;
    Int128 weight = 0;
    std::vector<Distances<Sum>> outputs;
    std::vector<Centre> centres;  // of a value only
};

template <class Criterion>
class RankedNode {
  public:
    using Numbers = typename NumbersOf<Criterion>::type;
    using Weight = typename Numbers::Weight;
    using Sum = typename Numbers::Sum;
    using Sums = RankSums<Numbers>;
    using Part = RankedTally<Sum>;
    using Parts = std::span<const Part* const>;

    /// One label of all rows.
    struct Output {
        std::vector<std::uint32_t> rank;  // of each row's label
        std::vector<Int128> points;       // the label of each rank
        std::vector<Sum> products;        // weight × label of each row; empty: the label itself
        Sums sums;
        Distances<Sum> distances;
    };

    RankedNode(const FixedLabels<NumberLabels>& fixed, std::span<const Row> rows,
               const Summary<NumberLabels>& summary, bool /*by_ratio*/ = false,
               const Bounds& bounds = {})
        : fixed_(fixed), rows_(rows), weight_(summary.tally.weight), bounds_(bounds) {
        outputs_.resize(fixed.view().n_outputs());
        double cost = 0;
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            rank(i, outputs_[i]);
            cost += in_common_unit(cost_by<Criterion, double>(outputs_[i].distances, level()), i);
        }
        units_ = to_double(weight_) * static_cast<double>(outputs_.size());
        impurity_ = cost / units_;
    }
    RankedNode(const RankedNode&) = delete;  // its sums look at its points
    RankedNode& operator=(const RankedNode&) = delete;

    [[nodiscard]] const RankedNode& scorer() const { return *this; }
    [[nodiscard]] const FixedLabels<NumberLabels>& fixed() const { return fixed_; }
    [[nodiscard]] std::span<const Row> rows() const { return rows_; }
    [[nodiscard]] Int128 weight() const { return weight_; }
    [[nodiscard]] const Bounds& bounds() const { return bounds_; }
    [[nodiscard]] Weight weight_at(std::size_t place) const {
        const Weights& weights = fixed_.view().weights;
        return weights.of_row == nullptr ? 1 : static_cast<Weight>(weights[rows_[place]]);
    }
    [[nodiscard]] Sum product_at(std::size_t output, std::size_t place) const {
        const Output& of = outputs_[output];
        return of.products.empty() ? Sum(of.points[of.rank[place]]) : of.products[place];
    }
    [[nodiscard]] const std::vector<Output>& outputs() const { return outputs_; }
    [[nodiscard]] double level() const { return fixed_.view().level; }

    [[nodiscard]] double tie() const { return tie_share * impurity_; }
    /// How far a gain computed in double may be from the exact one, with room to spare.
    [[nodiscard]] double slack() const { return 1e-14 * impurity_; }

    template <class Real>
    [[nodiscard]] Real gain(Parts parts) const {
        Real gained{};
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            Distances<Sum> less = outputs_[i].distances;
            for (const Part* part : parts) less -= part->outputs[i];
            gained += in_common_unit(cost_by<Criterion, Real>(less, level()), i);
        }
        return gained / Real(units_);
    }
    void score(Candidate& candidate, Parts parts) const {
        candidate.gain = std::max(0.0, rounded(gain<Twofold>(parts)));
    }
    [[nodiscard]] static bool is_barred(Parts /*parts*/) { return false; }
    [[nodiscard]] Candidate choose(std::vector<std::vector<Candidate>>&& by_column) const {
        return first_of_best(joined(std::move(by_column)), tie(), 0);
    }

  private:
    template <class Real>
    [[nodiscard]] Real in_common_unit(const Real& cost, std::size_t output) const {
        return fixed_.view().in_common_unit(cost, output, Criterion::degree);
    }

    void rank(std::size_t number, Output& output) const {
        output.rank.resize(rows_.size());
        const auto labels =
            ordered_labels(fixed_, rows_, number, [&](std::size_t place, std::size_t rank) {
                output.rank[place] = static_cast<std::uint32_t>(rank);
            });
        output.points.reserve(labels.size());
        for (const LabelWeight& label : labels) output.points.push_back(label.point);
        output.sums.reset(output.points);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const auto weight = static_cast<Weight>(labels[i].weight);
            output.sums.add(i, weight, output.sums.product(i, weight));
        }
        if (fixed_.view().weights.of_row != nullptr)
            for (std::size_t place = 0; place < rows_.size(); ++place)
                output.products.push_back(
                    output.sums.product(output.rank[place], weight_at(place)));
        output.distances = distances_of<Numbers>(labels, level());
    }

    const FixedLabels<NumberLabels>& fixed_;
    std::span<const Row> rows_;
    Int128 weight_;
    Bounds bounds_;
    std::vector<Output> outputs_;
    double units_ = 1;
    double impurity_ = 0;
};

}  // namespace bough
