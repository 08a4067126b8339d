// Weights and sums of labels by the rank of the label, while rows come and go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
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

/// A rank, and what lies below it.
template <class Numbers>
struct RankFound {
    std::size_t rank = 0;
    typename Numbers::Weight weight{};
    typename Numbers::Sum sum{};
};

/// The weight of each rank, of each 64 ranks, each 4096, …, and the sums of their labels. Adding to
/// a rank and finding a share of the weight take a time that grows with the logarithm of the ranks.
template <class Numbers>
class RankSums {
  public:
    using Weight = typename Numbers::Weight;
    using Sum = typename Numbers::Sum;
    using Found = RankFound<Numbers>;

    /// Become empty; there is a rank for each label in `points`.
    void reset(std::span<const Int128> points) {
        points_ = points;
        starts_.clear();
        std::size_t size = 0;
        for (std::size_t n = points.size();; n = (n + fan - 1) / fan) {
            starts_.push_back(size);
            size += (n + fan - 1) / fan * fan;  // whole groups, so that no search leaves its own
            if (n <= fan) break;
        }
        weights_.assign(size, Weight{});
        sums_.assign(size - (starts_.size() > 1 ? starts_[1] : size), Sum{});
        weight_ = Weight{};
        sum_ = Sum{};
    }

    /// Add rows of one rank; `sum` is that of their labels times weight.
    void add(std::size_t rank, const Weight& weight, const Sum& sum) {
        weight_ += weight;
        sum_ += sum;
        weights_[rank] += weight;
        for (std::size_t level = 1; level < starts_.size(); ++level) {
            rank /= fan;
            weights_[starts_[level] + rank] += weight;
            sums_[starts_[level] + rank - starts_[1]] += sum;
        }
    }

    [[nodiscard]] const Weight& weight() const { return weight_; }
    [[nodiscard]] const Sum& sum() const { return sum_; }
    [[nodiscard]] Int128 point(std::size_t rank) const { return points_[rank]; }
    /// Weight × label of a rank; most are empty while few rows are there.
    [[nodiscard]] Sum product(std::size_t rank, const Weight& weight) const {
        return weight == 0 ? Sum{} : Numbers::product(points_[rank], weight);
    }

    /// Move to the first rank up to which the weight reaches a share of the whole. From where
    /// `found` is it is mostly not far.
    void find(double share, Found& found) const {
        find_in(
            least(share, weight_), found, [this](std::size_t i) { return weights_[i]; },
            [this](std::size_t i) { return sums_[i]; });
    }
    /// The same for what is left without `part`.
    void find_without(const RankSums& part, double share, Found& found) const {
        find_in(
            least(share, weight_ - part.weight_), found,
            [&](std::size_t i) { return static_cast<Weight>(weights_[i] - part.weights_[i]); },
            [&](std::size_t i) { return sums_[i] - part.sums_[i]; });
    }

  private:
    static constexpr std::size_t fan = 64;
    static constexpr int near =
        24;  // ranks to step over before a search from above takes less time

    static Weight least(double share, const Weight& whole) {
        const double exact = share * static_cast<double>(whole);
        auto weight = static_cast<Weight>(exact);
        if (static_cast<double>(weight) < exact) ++weight;
        return std::clamp(weight, Weight{1}, whole);
    }

    template <class WeightAt, class SumAt>
    void find_in(const Weight& least, Found& found, const WeightAt& weight_at,
                 const SumAt& sum_at) const {
        for (int step = 0; step < near; ++step) {
            const bool is_beyond = found.weight >= least;
            if (is_beyond) --found.rank;
            const Weight weight = weight_at(found.rank);
            if (is_beyond) {
                found.weight -= weight;
                found.sum -= product(found.rank, weight);
            } else if (found.weight + weight >= least) {
                return;
            } else {
                found.weight += weight;
                found.sum += product(found.rank, weight);
                ++found.rank;
            }
        }
        find_from_above(least, found, weight_at, sum_at);
    }

    template <class WeightAt, class SumAt>
    void find_from_above(const Weight& least, Found& found, const WeightAt& weight_at,
                         const SumAt& sum_at) const {
        found = {};
        for (std::size_t level = starts_.size(); level-- > 0;) {
            found.rank *= fan;
            for (std::size_t i = starts_[level] + found.rank;; ++i, ++found.rank) {
                const Weight weight = weight_at(i);
                if (found.weight + weight >= least) break;
                found.weight += weight;
                found.sum += level > 0 ? sum_at(i - starts_[1]) : product(found.rank, weight);
            }
        }
    }

    std::span<const Int128> points_;
    std::vector<std::size_t> starts_;  // of each level, the ranks themselves first
    std::vector<Weight> weights_;
    std::vector<Sum> sums_;  // of all levels but the ranks themselves
    Weight weight_{};
    Sum sum_{};
};

}  // namespace bough
