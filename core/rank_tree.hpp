// The rows on one side of a cut by the rank of their labels, whatever their labels and weights are:
// exact, and in a time that grows with the logarithm of the ranks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "label_order.hpp"

namespace bough {

class RankTree {
  public:
    /// Become empty; `labels` are those of each rank, from 1 on.
    void reset(std::span<const LabelWeight> labels) {
        labels_ = labels;
        upto_.assign(labels.size() + 1, {});
        all_ = {};
    }
    /// Take a row in, or put it out.
    void add(std::size_t rank) {
        const LabelWeight& label = labels_[rank - 1];
        change(rank, {label.weight, product(label.point, label.weight)});
    }
    void remove(std::size_t rank) {
        const LabelWeight& label = labels_[rank - 1];
        change(rank, {-label.weight, product(label.point, -label.weight)});
    }

    /// How far labels lie from the first one that reaches a share of their weight.
    [[nodiscard]] Distances<Wide<4>> distances(double share) const {
        const Found found = reaching(share);
        const Int128 point = labels_[found.rank - 1].point;
        return {all_.sum - found.below.sum - product(point, all_.weight - found.below.weight),
                product(point, found.below.weight) - found.below.sum};
    }
    /// The middle between the first label that reaches a share and the first beyond it, within the
    /// error of a double.
    [[nodiscard]] double level(double share) const {
        const auto point = [&](double of) { return labels_[reaching(of).rank - 1].point; };
        return level_of(ExactGuess{point(share - tie_share) + point(share + tie_share), 2});
    }

  private:
    struct Rows {
        Int128 weight = 0;
        Wide<4> sum;  // of weight × label

        Rows& operator+=(const Rows& other) {
            weight += other.weight;
            sum += other.sum;
            return *this;
        }
    };
    /// A rank, and what lies below it.
    struct Found {
        std::size_t rank = 0;
        Rows below;
    };

    void change(std::size_t rank, const Rows& by) {
        all_ += by;
        for (; rank < upto_.size(); rank += rank & (~rank + 1)) upto_[rank] += by;
    }

    [[nodiscard]] Found reaching(double share) const {
        // No row weighs less than 1.
        const double least = std::max(share * to_double(all_.weight), 0.5);
        Found found;
        for (std::size_t step = std::bit_floor(upto_.size()); step > 0; step /= 2) {
            const std::size_t rank = found.rank + step;
            if (rank >= upto_.size()) continue;
            const Int128 weight = found.below.weight + upto_[rank].weight;
            if (weight == all_.weight || to_double(weight) >= least) continue;
            found.below += upto_[rank];
            found.rank = rank;
        }
        ++found.rank;
        return found;
    }

    std::span<const LabelWeight> labels_;
    std::vector<Rows> upto_;  // as in a Fenwick tree
    Rows all_;
};

}  // namespace bough
