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

/// What the guess of some rows costs them, and what it is.
struct CostTally {
    struct Output {
        double cost = 0;  // in units of weights and labels
        Int128 twice_guess = 0;
        Wide<4> sum;
    };
    std::int64_t rows = 0;
    Int128 weight = 0;
    std::vector<Output> outputs;
};

template <class Criterion>
class RankedNode {
  public:
    using Numbers = typename NumbersOf<Criterion>::type;
    using Weight = typename Numbers::Weight;
    using Sum = typename Numbers::Sum;
    using Sums = RankSums<Numbers>;
    using Parts = std::span<const CostTally* const>;

    /// One label of all rows.
    struct Output {
        std::vector<std::uint32_t> rank;  // of each row's label
        std::vector<Int128> points;       // the label of each rank
        Sums sums;
        double cost = 0;
    };

    RankedNode(const FixedLabels<NumberLabels>& fixed, std::span<const Row> rows,
               const Summary<NumberLabels>& summary)
        : fixed_(fixed), rows_(rows), weight_(summary.tally.weight) {
        for (std::size_t output = 0; output < fixed.view().n_outputs(); ++output) {
            outputs_.push_back(ranked(output));
            cost_ += outputs_.back().cost;
        }
        units_ = to_double(weight_) * static_cast<double>(outputs_.size());
    }

    [[nodiscard]] const RankedNode& scorer() const { return *this; }
    [[nodiscard]] const FixedLabels<NumberLabels>& fixed() const { return fixed_; }
    [[nodiscard]] std::span<const Row> rows() const { return rows_; }
    [[nodiscard]] Int128 weight() const { return weight_; }
    [[nodiscard]] Weight weight_at(std::size_t place) const {
        return static_cast<Weight>(fixed_.view().weights[rows_[place]]);
    }
    [[nodiscard]] const std::vector<Output>& outputs() const { return outputs_; }
    [[nodiscard]] double level() const { return fixed_.view().level; }

    [[nodiscard]] double tie() const { return tie_share * cost_ / units_; }
    /// Costs come from exact sums, so that their doubles are scores already.
    [[nodiscard]] static double slack() { return 0; }

    template <class Real>
    [[nodiscard]] double gain(Parts parts) const {
        double left = 0;
        for (const CostTally* part : parts)
            for (const auto& output : part->outputs) left += output.cost;
        return (cost_ - left) / units_;
    }
    void score(Candidate& candidate, Parts parts) const {
        candidate.gain = std::max(0.0, gain<double>(parts));
    }
    [[nodiscard]] static bool is_barred(Parts /*parts*/) { return false; }
    [[nodiscard]] Candidate choose(std::vector<std::vector<Candidate>>&& by_column) const {
        return first_of_best(joined(std::move(by_column)), tie(), 0);
    }

    /// What the rows of `found` and around it cost, `weight` and `sum` being those of all rows.
    [[nodiscard]] double cost(std::size_t output, const typename Sums::Found& found,
                              const Weight& weight, const Sum& sum) const {
        const Int128 guess = outputs_[output].points[found.rank];
        const Sum above = sum - found.sum - Numbers::product(guess, weight - found.weight);
        const Sum below = Numbers::product(guess, found.weight) - found.sum;
        return Criterion::cost(to_double(above), to_double(below), level());
    }

  private:
    [[nodiscard]] Output ranked(std::size_t output) const {
        Output found;
        found.rank.resize(rows_.size());
        const auto labels =
            ordered_labels(fixed_, rows_, output, [&](std::size_t place, std::size_t rank) {
                found.rank[place] = static_cast<std::uint32_t>(rank);
            });
        found.sums.reset(labels.size());
        for (std::size_t rank = 0; rank < labels.size(); ++rank) {
            const auto weight = static_cast<Weight>(labels[rank].weight);
            found.points.push_back(labels[rank].point);
            found.sums.add(rank, weight, Numbers::product(labels[rank].point, weight));
        }
        found.cost = quantile_cost<Criterion>(labels, level());
        return found;
    }

    const FixedLabels<NumberLabels>& fixed_;
    std::span<const Row> rows_;
    Int128 weight_;
    std::vector<Output> outputs_;
    double cost_ = 0;
    double units_ = 1;
};

}  // namespace bough
