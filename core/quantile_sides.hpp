// The rows on one side of a cut, by the rank of their labels, with their quantile: quickly, since
// the quantile is never far from where it was before a row came or went; and in any case.
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
    std::vector<Int128> sums;  // weight × point
    std::vector<std::int64_t> weights;
    std::int64_t weight = 0;  // of all
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

/// Some ranks: a bit for each, and one for each word of these that has any.
class RankSet {
  public:
    /// Hold the ranks from 1 to `size`, or none; and in any case those at either end.
    void fill(std::size_t size, bool is_full) {
        const std::size_t end = size + 1;
        words_.assign(end / width + 1, is_full ? ~std::uint64_t{0} : 0);
        words_.back() &= ~std::uint64_t{0} >> (width - 1 - end % width);
        any_.assign(words_.size() / width + 1, 0);
        insert(0);
        insert(static_cast<std::uint32_t>(end));
        for (std::size_t i = 0; i < words_.size() && is_full; ++i) any_[i / width] |= bit(i);
    }
    void insert(std::uint32_t rank) {
        const std::uint32_t word = rank / width;
        words_[word] |= bit(rank);
        any_[word / width] |= bit(word);
    }
    void erase(std::uint32_t rank) {
        const std::uint32_t word = rank / width;
        words_[word] &= ~bit(rank);
        if (words_[word] == 0) any_[word / width] &= ~bit(word);
    }
    /// The next rank above one.
    [[nodiscard]] std::uint32_t behind(std::uint32_t rank) const {
        std::uint32_t word = rank / width;
        if (const std::uint64_t near = above(words_[word], rank)) return lowest(word, near);
        std::uint32_t many = word / width;
        std::uint64_t any = above(any_[many], word);
        while (any == 0) any = any_[++many];
        word = lowest(many, any);
        return lowest(word, words_[word]);
    }
    /// The next rank below one.
    [[nodiscard]] std::uint32_t before(std::uint32_t rank) const {
        std::uint32_t word = rank / width;
        if (const std::uint64_t near = below(words_[word], rank)) return highest(word, near);
        std::uint32_t many = word / width;
        std::uint64_t any = below(any_[many], word);
        while (any == 0) any = any_[--many];
        word = highest(many, any);
        return highest(word, words_[word]);
    }

  private:
    static constexpr std::uint32_t width = 64;

    static std::uint64_t bit(std::size_t at) { return std::uint64_t{1} << (at % width); }
    static std::uint64_t below(std::uint64_t bits, std::uint32_t at) {
        return bits & (bit(at) - 1);
    }
    static std::uint64_t above(std::uint64_t bits, std::uint32_t at) {
        return bits & ~(bit(at) | (bit(at) - 1));
    }
    static std::uint32_t lowest(std::uint32_t word, std::uint64_t bits) {
        return word * width + static_cast<std::uint32_t>(std::countr_zero(bits));
    }
    static std::uint32_t highest(std::uint32_t word, std::uint64_t bits) {
        return word * width + static_cast<std::uint32_t>(std::bit_width(bits)) - 1;
    }

    std::vector<std::uint64_t> words_;
    std::vector<std::uint64_t> any_;
};

/// Sides are copied freely: they only look at sets of ranks and at labels.
class Side {
  public:
    /// Take all rows, or none.
    void fill(const RankedLabels& labels, double level, RankSet& ranks, bool is_full) {
        ranks.fill(labels.size(), is_full);
        ranks_ = &ranks;
        points_ = labels.points.data();
        sums_ = labels.sums.data();
        weights_ = labels.weights.data();
        level_ = level;
        at_ = is_full ? labels.guess : static_cast<std::uint32_t>(labels.size()) + 1;
        weight_ = is_full ? labels.weight : 0;
        below_ = is_full ? labels.below : 0;
        sum_below_ = is_full ? labels.sum_below : 0;
        n_steps_ = 0;
    }
    void remove(std::uint32_t rank) {
        ranks_->erase(rank);
        const bool is_below = rank < at_;
        if (rank == at_) at_ = ranks_->behind(at_);
        change(rank, -1, is_below);
    }
    void add(std::uint32_t rank) {
        ranks_->insert(rank);
        change(rank, 1, rank < at_);
    }

    /// Weight × guess.
    [[nodiscard]] Int128 guessed() const { return points_[at_] * weight_; }
    /// How far labels below the guess lie from it.
    [[nodiscard]] Int128 below() const { return points_[at_] * below_ - sum_below_; }
    /// The ranks around the guess: where half a row is below it, there are two.
    [[nodiscard]] std::array<std::uint32_t, 2> guesses(double slack) const {
        const auto whole = static_cast<double>(weight_);
        const bool is_low = below_ > 0 && static_cast<double>(below_) >= (level_ - slack) * whole;
        const bool is_high =
            below_ + 1 < weight_ && static_cast<double>(below_ + 1) < (level_ + slack) * whole;
        return {is_low ? ranks_->before(at_) : at_, is_high ? ranks_->behind(at_) : at_};
    }
    /// How many rows the guess has moved over.
    [[nodiscard]] std::size_t n_steps() const { return n_steps_; }

  private:
    /// Count a row that has come or gone, and move to the quantile.
    void change(std::uint32_t rank, std::int64_t sign, bool is_below) {
        const std::int64_t weight = sign * weights_[rank];
        weight_ += weight;
        below_ += is_below ? weight : 0;
        // Nobody could guess this branch, so there is none.
        const Int128 sum = is_below ? sums_[rank] : Int128{0};
        sum_below_ += sign * sum;
        const std::int64_t least = least_weight(level_, weight_);
        while (below_ >= least && below_ > 0) {
            ++n_steps_;
            at_ = ranks_->before(at_);
            below_ -= weights_[at_];
            sum_below_ -= sums_[at_];
        }
        while (below_ + weights_[at_] < least) {
            ++n_steps_;
            below_ += weights_[at_];
            sum_below_ += sums_[at_];
            at_ = ranks_->behind(at_);
        }
    }

    RankSet* ranks_ = nullptr;
    const Int128* points_ = nullptr;
    const Int128* sums_ = nullptr;  // weight × point
    const std::int64_t* weights_ = nullptr;
    double level_ = 0.5;
    std::uint32_t at_ = 0;  // the rank that is guessed
    std::int64_t weight_ = 0;
    std::int64_t below_ = 0;  // weight of lower ranks
    Int128 sum_below_ = 0;
    std::size_t n_steps_ = 0;
};

/// Both sides of a cut, by one label.
class CutSides {
  public:
    using Ranks = std::array<RankSet, 2>;

    /// Put all rows on the second side.
    void fill(const RankedLabels& labels, double level, Ranks& ranks) {
        points_ = labels.points.data();
        first_.fill(labels, level, ranks[0], false);
        second_.fill(labels, level, ranks[1], true);
        guessed_ = second_.guessed();
        below_ = second_.below();
    }
    /// Move a row to the first side.
    void move(std::uint32_t rank) {
        first_.add(rank);
        second_.remove(rank);
    }
    void fetch(std::uint32_t rank) const { __builtin_prefetch(&points_[rank]); }
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
    const Int128* points_ = nullptr;
    Side first_;
    Side second_;
    Int128 guessed_ = 0;
    Int128 below_ = 0;
};

/// A side of a cut whatever labels and weights are, in a time that these cannot change.
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
