// Offering the cuts of a strip.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bound.hpp"
#include "finalist.hpp"
#include "limits.hpp"

namespace bough {

/// Offers the cuts of strips of one column of one node. Buffers are kept from node to node.
template <class Criterion>
class CutScan {
  public:
    explicit CutScan(const Limits& limits) : limits_(limits) {}

    void enter(const Fast<Criterion>& scores, std::size_t column) {
        scores_ = &scores;
        column_ = column;
    }

    /// The gains at the boundaries of the strip that was scored last.
    [[nodiscard]] const double* gains() const { return gains_.data(); }

    void score(const Strip& strip, const Sums& moved) {
        gains_.resize(std::max(gains_.size(), strip.n_boundaries()));
        scores_->gains(strip, moved, gains_.data());
    }

    /// Offer the cuts after cells that hold rows, but for those at `from` and `upto` known rows,
    /// where other strips have theirs; missing rows that are `moved` answer `side`.
    template <class MakeCut>
    void offer(const Strip& strip, const Sums& moved, std::int32_t side, double from, double upto,
               Podium& podium, const MakeCut& make_cut) {
        score(strip, moved);
        const Sums& all = scores_->node();
        double least = podium.cutoff();
        for (std::size_t b = 1; b < strip.n_boundaries(); ++b) {
            if (gains_[b] < least) continue;
            const double place = strip.rows()[b];
            const double weight = strip.weight()[b] + moved.weight;
            if (place == from || place == upto || strip.is_empty(b - 1) ||
                !limits_.admit(place + moved.rows, weight, all))
                continue;
            Finalist found =
                two_way<Criterion>(column_, Kind::below, side, gains_[b], weight, all.weight);
            found.place = place;
            found.cut = make_cut(b - 1);
            podium.offer(std::move(found));
            least = podium.cutoff();
        }
    }

  private:
    Limits limits_;
    const Fast<Criterion>* scores_ = nullptr;
    std::size_t column_ = 0;
    std::vector<double> gains_;
};

}  // namespace bough
