// Weights and labels by rank: how much lies below any share of the weight, while rows come and go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wide.hpp"

namespace bough {

/// Sums that fit integers of the machine.
struct NarrowNumbers {
    using Weight = std::int64_t;
    using Sum = Int128;

    static constexpr int weight_bits = 62;
    static constexpr int sum_bits = 124;  // a distance has one more bit than a label
    static Sum product(Int128 point, Weight weight) { return point * weight; }
};

/// Sums of any labels and weights.
struct WideNumbers {
    using Weight = Int128;
    using Sum = Wide<4>;

    static Sum product(Int128 point, Weight weight) { return bough::product(point, weight); }
};

/// A weight and a sum of labels for each rank, and for each 16 ranks, each 256, … Adding to a rank
/// and finding a share of the weight both take a time that grows with the logarithm of the ranks.
template <class Numbers>
class RankSums {
  public:
    using Weight = typename Numbers::Weight;
    using Sum = typename Numbers::Sum;

    /// A rank, and what lies below it.
    struct Found {
        std::size_t rank = 0;
        Weight weight{};
        Sum sum{};
    };

    /// Become empty, with so many ranks.
    void reset(std::size_t n_ranks) {
        starts_.clear();
        std::size_t size = 0;
        for (std::size_t n = n_ranks;; n = (n + fan - 1) / fan) {
            starts_.push_back(size);
            size += (n + fan - 1) / fan * fan;  // whole groups, so that no search leaves its own
            if (n <= fan) break;
        }
        weights_.assign(size, Weight{});
        sums_.assign(size, Sum{});
        weight_ = Weight{};
        sum_ = Sum{};
    }

    void add(std::size_t rank, const Weight& weight, const Sum& sum) {
        weight_ += weight;
        sum_ += sum;
        for (const std::size_t start : starts_) {
            weights_[start + rank] += weight;
            sums_[start + rank] += sum;
            rank /= fan;
        }
    }

    [[nodiscard]] const Weight& weight() const { return weight_; }
    [[nodiscard]] const Sum& sum() const { return sum_; }

    /// The first rank up to which the weight reaches a share of the whole.
    [[nodiscard]] Found find(double share) const {
        return find_in(
            target(share, weight_), [this](std::size_t i) { return weights_[i]; },
            [this](std::size_t i) { return sums_[i]; });
    }
    /// The same for what is left without `part`.
    [[nodiscard]] Found find_without(const RankSums& part, double share) const {
        return find_in(
            target(share, weight_ - part.weight_),
            [&](std::size_t i) { return static_cast<Weight>(weights_[i] - part.weights_[i]); },
            [&](std::size_t i) { return sums_[i] - part.sums_[i]; });
    }

  private:
    static constexpr std::size_t fan = 16;

    static Weight target(double share, const Weight& whole) {
        const auto least = static_cast<Weight>(std::ceil(share * static_cast<double>(whole)));
        return std::clamp(least, Weight{1}, whole);
    }

    template <class WeightAt, class SumAt>
    Found find_in(const Weight& least, const WeightAt& weight_at, const SumAt& sum_at) const {
        Found found;
        for (std::size_t level = starts_.size(); level-- > 0;) {
            found.rank *= fan;
            for (std::size_t i = starts_[level] + found.rank;; ++i, ++found.rank) {
                const Weight reached = found.weight + weight_at(i);
                if (reached >= least) break;
                found.weight = reached;
                found.sum += sum_at(i);
            }
        }
        return found;
    }

    std::vector<std::size_t> starts_;  // of each level, the ranks themselves first
    std::vector<Weight> weights_;
    std::vector<Sum> sums_;
    Weight weight_{};
    Sum sum_{};
};

}  // namespace bough
