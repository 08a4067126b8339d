// The rows on one side of a cut: linked in the order of their labels, with their quantile; and by
// rank, whatever their labels and weights are.
//
// Rows leave the list of the second side one by one, and a row that has left the list of the first
// still knows its neighbours: if rows come back in the reverse order, each takes one step, and the
// quantile is never far from where it was.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "label_order.hpp"

namespace bough {

/// The labels of a node by rank, from 1; at either end there is one without weight. Distances from
/// the node's guess and weights are scaled so that all sums fit.
struct RankedLabels {
    std::vector<Int128> points;
    std::vector<Int128> sums;           // weight × point; empty: all weigh 1
    std::vector<std::int64_t> weights;  // empty: all weigh 1
    std::int64_t weight = 0;            // of all
    Int128 sum = 0;
    // The rank that is guessed, and what lies below it.
    std::uint32_t guess = 0;
    std::int64_t below = 0;
    Int128 sum_below = 0;

    [[nodiscard]] std::size_t size() const { return points.size() - 2; }
    /// How far all lie from the guess.
    [[nodiscard]] Distances<Int128> distances() const {
        const Int128 point = points[guess];
        return {sum - sum_below - point * (weight - below), point * below - sum_below};
    }
};

/// The least whole weight that reaches a share of the whole.
inline std::int64_t least_weight(double share, std::int64_t whole) {
    const double exact = share * static_cast<double>(whole);
    auto weight = static_cast<std::int64_t>(exact);
    weight += static_cast<double>(weight) < exact ? 1 : 0;
    return weight < 1 ? 1 : weight > whole ? whole : weight;
}

/// The neighbours of a row on each side that it is on.
struct Links {
    struct Link {
        std::uint32_t before;
        std::uint32_t behind;
    };
    Link first;
    Link second;
};

/// Sides are copied freely: they only look at links and labels.
template <bool HasWeights, Links::Link Links::* Which>
class LinkedSide {
  public:
    /// Take all rows.
    void fill(const RankedLabels& labels, double level, Links* links) {
        links_ = links;
        points_ = labels.points.data();
        sums_ = HasWeights ? labels.sums.data() : points_;
        weights_ = labels.weights.data();
        end_ = static_cast<std::uint32_t>(labels.size()) + 1;
        level_ = level;
        at_ = labels.guess;
        weight_ = labels.weight;
        below_ = labels.below;
        sum_below_ = labels.sum_below;
        n_steps_ = 0;
    }
    /// Be without rows once all have been taken out of the list.
    void empty() {
        at_ = end_;
        weight_ = below_ = 0;
        sum_below_ = 0;
    }
    /// Take a row out of the list only.
    void unlink(std::uint32_t rank) {
        const Links::Link link = links_[rank].*Which;
        (links_[link.before].*Which).behind = link.behind;
        (links_[link.behind].*Which).before = link.before;
    }
    void remove(std::uint32_t rank) {
        unlink(rank);
        const std::int64_t is_below = rank < at_ ? -1 : 0;
        at_ = rank == at_ ? (links_[rank].*Which).behind : at_;
        change(rank, -1, is_below);
    }
    /// Take back a row: of those out of the list, the last that left it.
    void add(std::uint32_t rank) {
        const Links::Link link = links_[rank].*Which;
        (links_[link.before].*Which).behind = rank;
        (links_[link.behind].*Which).before = rank;
        change(rank, 1, rank < at_ ? 1 : 0);
    }

    [[nodiscard]] std::int64_t weight() const { return weight_; }
    /// Weight × guess.
    [[nodiscard]] Int128 guessed() const { return points_[at_] * weight_; }
    /// How far labels below the guess lie from it.
    [[nodiscard]] Int128 below() const { return points_[at_] * below_ - sum_below_; }
    /// The ranks around the guess: where half a row is below it, there are two.
    [[nodiscard]] std::array<std::uint32_t, 2> guesses(double slack) const {
        const auto whole = static_cast<double>(weight_);
        const Links::Link link = links_[at_].*Which;
        const bool is_low = below_ > 0 && static_cast<double>(below_) >= (level_ - slack) * whole;
        const bool is_high =
            below_ + 1 < weight_ && static_cast<double>(below_ + 1) < (level_ + slack) * whole;
        return {is_low ? link.before : at_, is_high ? link.behind : at_};
    }
    /// How many rows the guess has moved over, where they have weights.
    [[nodiscard]] std::size_t n_steps() const { return n_steps_; }

  private:
    [[nodiscard]] std::int64_t weight_at(std::uint32_t rank) const {
        return HasWeights ? weights_[rank] : 1;
    }

    /// Count a row that has come or gone, and move to the quantile.
    void change(std::uint32_t rank, std::int64_t sign, std::int64_t below_sign) {
        const std::int64_t weight = weight_at(rank);
        weight_ += sign * weight;
        below_ += below_sign * weight;
        // Nobody could guess these branches, so there are none.
        const Int128 sum = below_sign == 0 ? Int128{0} : sums_[rank];
        sum_below_ += below_sign < 0 ? -sum : sum;
        const std::int64_t least = least_weight(level_, weight_);
        if constexpr (!HasWeights) step(least - 1);
        while (below_ >= least && below_ > 0) {
            ++n_steps_;
            at_ = (links_[at_].*Which).before;
            below_ -= weight_at(at_);
            sum_below_ -= sums_[at_];
        }
        while (below_ + weight_at(at_) < least) {
            ++n_steps_;
            below_ += weight_at(at_);
            sum_below_ += sums_[at_];
            at_ = (links_[at_].*Which).behind;
        }
    }
    /// Rows that weigh 1 need one step mostly.
    void step(std::int64_t below) {
        const Links::Link link = links_[at_].*Which;
        const bool is_up = below_ < below;
        const bool is_down = below_ > below;
        const std::uint32_t next = is_up ? link.behind : is_down ? link.before : at_;
        const Int128 point = sums_[is_up ? at_ : next];
        const std::int64_t change = static_cast<int>(is_up) - static_cast<int>(is_down);
        sum_below_ += change == 0 ? 0 : change > 0 ? point : -point;
        below_ += change;
        at_ = next;
    }

    Links* links_ = nullptr;  // by rank
    const Int128* points_ = nullptr;
    const Int128* sums_ = nullptr;  // weight × point
    const std::int64_t* weights_ = nullptr;
    std::uint32_t end_ = 0;  // the rank behind all others
    double level_ = 0.5;
    std::uint32_t at_ = 0;  // the rank that is guessed
    std::int64_t weight_ = 0;
    std::int64_t below_ = 0;  // weight of lower ranks
    Int128 sum_below_ = 0;
    std::size_t n_steps_ = 0;
};

/// Both sides of a cut, by one label.
template <bool HasWeights>
class CutSides {
  public:
    /// Put all rows on the second side.
    void fill(const RankedLabels& labels, double level, std::vector<Links>& links) {
        const auto n_links = static_cast<std::uint32_t>(labels.points.size());
        if (links.size() < n_links) links.resize(n_links);
        for (std::uint32_t i = 0; i < n_links; ++i) links[i] = {{i - 1, i + 1}, {i - 1, i + 1}};
        links_ = links.data();
        points_ = labels.points.data();
        first_.fill(labels, level, links_);
        second_.fill(labels, level, links_);
        guessed_ = second_.guessed();
        below_ = second_.below();
    }
    /// Before rows can be moved, all must be taken out of the list of the first side, the last to
    /// be moved first; then it must be told that it is empty.
    void unlink(std::uint32_t rank) { first_.unlink(rank); }
    void empty() { first_.empty(); }
    /// Move a row to the first side.
    void move(std::uint32_t rank) {
        first_.add(rank);
        second_.remove(rank);
    }
    void fetch(std::uint32_t rank) const {
        __builtin_prefetch(&links_[rank]);
        __builtin_prefetch(&points_[rank]);
    }
    /// By how much labels lie less far from the guesses of both sides than from that of all.
    [[nodiscard]] Distances<Int128> less() const {
        // Together sides have the sum of all, so what is above needs no sum of its own.
        const Int128 below = below_ - first_.below() - second_.below();
        return {first_.guessed() + second_.guessed() - guessed_ + below, below};
    }
    [[nodiscard]] std::size_t n_steps() const { return first_.n_steps() + second_.n_steps(); }
    [[nodiscard]] const auto& first() const { return first_; }
    [[nodiscard]] const auto& second() const { return second_; }

  private:
    Links* links_ = nullptr;
    const Int128* points_ = nullptr;
    LinkedSide<HasWeights, &Links::first> first_;
    LinkedSide<HasWeights, &Links::second> second_;
    Int128 guessed_ = 0;
    Int128 below_ = 0;
};

class RankTree {
  public:
    /// Become empty; `labels` are those of each rank, from 1 on.
    void reset(std::span<const LabelWeight> labels) {
        labels_ = labels;
        upto_.assign(labels.size() + 1, {});
        all_ = {};
    }
    /// Take a row in (1), or put it out (−1).
    void add(std::size_t rank, int sign) {
        const LabelWeight& label = labels_[rank - 1];
        const Rows by{sign * label.weight, product(label.point, sign * label.weight)};
        all_ += by;
        for (; rank < upto_.size(); rank += rank & (~rank + 1)) upto_[rank] += by;
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
