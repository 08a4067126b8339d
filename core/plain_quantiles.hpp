// The query of a node whose rows weigh 1 and have one label, by a quantile, where all that may be
// asked are pivots of columns without missing values: in integers of 64 bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "few_rows_cuts.hpp"
#include "label_order.hpp"
#include "quantile_lists.hpp"
#include "quantile_sides.hpp"
#include "small_node_context.hpp"

namespace bough {

/// The labels of a node by rank, from 1, as distances from its guess on a grid on which all sums
/// fit; at either end there is one more.
template <class Criterion>
class PlainLabels {
  public:
    std::vector<std::int64_t> points;
    double level = 0.5;
    std::uint32_t guess = 1;     // a rank
    std::int64_t sum_below = 0;  // of the labels below the guess
    double tie = 0;              // of gains
    double unsure = 0;           // by how much two gains may be farther apart than they seem

    /// Read the labels of rows, which are in their order; say whether they differ on the grid.
    // No label is farther from the guess than 2^58 ÷ n, so that all sums below fit, and rounding
    // puts none off by more than half a unit. The guess of rows is the same one of them whatever
    // the grid, so what they cost is off by a unit for each at most; a gain, which is what all cost
    // less what both sides do, by two. As a double it is off by some last digits of what all cost,
    // which each of its two terms is a part of.
    bool read(const FixedLabels<NumberLabels>& fixed, std::span<const Row> rows) {
        const NumberLabels& view = fixed.view();
        const std::size_t n = rows.size();
        const auto point = [&](std::size_t i) { return view.point(0, fixed.given(0, rows[i])); };
        level = view.level;
        guess = static_cast<std::uint32_t>(least_weight(level, static_cast<std::int64_t>(n)));
        const Int128 centre = point(guess - 1);
        const int bits = std::max(bits_of(point(n - 1) - centre), bits_of(point(0) - centre));
        if (bits == 0) return false;
        const int shift = std::max(0, bits + static_cast<int>(std::bit_width(n)) - 58);
        const Int128 half = shift > 0 ? Int128{1} << (shift - 1) : Int128{0};
        points.resize(n + 2);
        points.front() = points[n + 1] = 0;
        for (std::size_t i = 0; i < n; ++i)
            points[i + 1] = static_cast<std::int64_t>((point(i) - centre + half) >> shift);
        sum_below = 0;
        std::int64_t sum_above = 0;
        for (std::size_t rank = 1; rank <= n; ++rank)
            (rank < guess ? sum_below : sum_above) += points[rank];
        const double cost = cost_of(sum_above, -sum_below);
        tie = tie_share * cost;
        unsure = 0x1p-48 * cost + (shift > 0 ? 4 * static_cast<double>(n) : 0);
        return true;
    }

    /// What distances from a guess cost, if they lie so much above and below it.
    [[nodiscard]] double cost_of(std::int64_t above, std::int64_t below) const {
        return cost_by<Criterion, double>(
            Distances<double>{static_cast<double>(above), static_cast<double>(below)}, level);
    }
};

/// As many ranks as have room in a word, and those at either end.
class RankWord {
  public:
    static constexpr std::size_t most = 62;

    void fill(std::size_t size, bool is_full) {
        const std::uint64_t end = bit(static_cast<std::uint32_t>(size + 1));
        bits_ = is_full ? end | (end - 1) : end | 1;
    }
    void insert(std::uint32_t rank) { bits_ |= bit(rank); }
    void erase(std::uint32_t rank) { bits_ &= ~bit(rank); }
    [[nodiscard]] std::uint32_t behind(std::uint32_t rank) const {
        return rank + 1 + static_cast<std::uint32_t>(std::countr_zero(bits_ >> rank >> 1));
    }
    [[nodiscard]] std::uint32_t before(std::uint32_t rank) const {
        return static_cast<std::uint32_t>(std::bit_width(bits_ & (bit(rank) - 1))) - 1;
    }

  private:
    static std::uint64_t bit(std::uint32_t rank) { return std::uint64_t{1} << rank; }

    std::uint64_t bits_ = 0;
};

/// A side of a cut. A row that comes or goes moves the guess by one of the rows or not at all.
/// Nobody could guess whether, so no branch depends on it.
template <class Ranks>
class PlainSide {
  public:
    /// Take all rows, or none.
    template <class Labels>
    void fill(const Labels& labels, bool is_full) {
        const std::size_t size = labels.points.size() - 2;
        ranks_.fill(size, is_full);
        points_ = labels.points.data();
        level_ = labels.level;
        at_ = is_full ? labels.guess : static_cast<std::uint32_t>(size) + 1;
        n_rows_ = is_full ? static_cast<std::int64_t>(size) : 0;
        below_ = is_full ? labels.guess - 1 : 0;
        sum_below_ = is_full ? labels.sum_below : 0;
    }
    void remove(std::uint32_t rank) {
        ranks_.erase(rank);
        if (--n_rows_; must_change_below()) {
            const std::uint32_t next = ranks_.before(at_);
            const bool is_below = rank < at_;
            sum_below_ -= points_[chosen(is_below, rank, next)];
            at_ = chosen(is_below, at_, next);
        } else {
            const std::uint32_t next = ranks_.behind(at_);
            const bool moves = rank <= at_;
            sum_below_ += points_[at_] - points_[chosen(moves, rank, at_)];
            at_ = chosen(moves, next, at_);
        }
    }
    void add(std::uint32_t rank) {
        ranks_.insert(rank);
        const bool is_below = rank < at_;
        if (++n_rows_; must_change_below()) {
            sum_below_ += points_[chosen(is_below, rank, at_)];
            at_ = chosen(is_below, at_, ranks_.behind(at_));
        } else {
            const std::uint32_t next = ranks_.before(at_);
            sum_below_ += points_[chosen(is_below, rank, next)] - points_[next];
            at_ = chosen(is_below, next, at_);
        }
    }
    /// Rows × guess.
    [[nodiscard]] std::int64_t guessed() const { return points_[at_] * n_rows_; }
    /// How far labels below the guess lie from it.
    [[nodiscard]] std::int64_t below() const { return points_[at_] * below_ - sum_below_; }

  private:
    static std::uint32_t chosen(bool is_first, std::uint32_t first, std::uint32_t second) {
        const std::uint32_t mask = 0U - static_cast<std::uint32_t>(is_first);
        return second ^ ((first ^ second) & mask);
    }
    /// Whether another number of rows must be below the guess.
    bool must_change_below() {
        const std::int64_t below = least_weight(level_, n_rows_) - 1;
        const bool changes = below != below_;
        below_ = below;
        return changes;
    }

    Ranks ranks_;
    const std::int64_t* points_ = nullptr;
    double level_ = 0.5;
    std::uint32_t at_ = 0;  // the rank that is guessed
    std::int64_t n_rows_ = 0;
    std::int64_t below_ = 0;      // rows of lower ranks
    std::int64_t sum_below_ = 0;  // of their labels
};

/// The cuts of the columns of a node.
template <class Criterion>
class PlainCuts {
  public:
    using Labels = PlainLabels<Criterion>;

    explicit PlainCuts(const ListContext<Criterion>& context)
        : min_rows_(static_cast<std::size_t>(std::max<std::int64_t>(context.limits.min_rows, 1))) {
        const Limits& limits = context.limits;
        const Settings& settings = context.settings;
        const auto& labels = context.fixed.view();
        fits_ = labels.weights.of_row == nullptr && labels.n_outputs() == 1 &&
                limits.min_weight <= 0 && limits.directions.empty() && !limits.draw_one &&
                settings.max_leaf_nodes == 0 && settings.min_impurity_decrease <= 0 &&
                std::none_of(context.raw.begin(), context.raw.end(),
                             [](const RawColumn& raw) { return raw.is_choice; });
    }

    /// Whether pivots are all that may be asked, apart from missing values.
    [[nodiscard]] bool fits() const { return fits_; }

    FewCuts& enter(const Labels& labels) {
        labels_ = &labels;
        cuts_.start(labels.tie, labels.unsure);
        return cuts_;
    }
    [[nodiscard]] const FewCuts& cuts() const { return cuts_; }

    /// Look at all cuts of a column.
    void scan(std::size_t column, std::span<const Entry> entries) {
        if (entries.size() <= RankWord::most) {
            PlainSide<RankWord> first;
            PlainSide<RankWord> second;
            scan(column, entries, first, second);
        } else {
            scan(column, entries, first_, second_);
        }
    }

  private:
    template <class Side>
    void scan(std::size_t column, std::span<const Entry> entries, Side& first, Side& second) {
        const Labels& labels = *labels_;
        const std::size_t n = entries.size();
        if (n < 2 * min_rows_) return;
        constexpr std::size_t ahead = 8;
        const bool is_large = n > 4096;  // beyond the nearest cache
        first.fill(labels, false);
        second.fill(labels, true);
        for (std::size_t i = 0; i <= n - min_rows_; ++i) {
            if (is_large && i + ahead < n)
                __builtin_prefetch(&labels.points[entries[i + ahead].place() + 1]);
            if (i >= min_rows_ && entries[i].is_first()) {
                // Together sides have the sum of all, so what is above needs no sum of its own.
                const std::int64_t below = -labels.sum_below - first.below() - second.below();
                const double gain = std::max(
                    0.0, labels.cost_of(first.guessed() + second.guessed() + below, below));
                if (gain >= cuts_.least())
                    cuts_.offer(
                        {gain, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(i)});
            }
            const std::uint32_t rank = entries[i].place() + 1;
            first.add(rank);
            if (i + 1 < n) second.remove(rank);
        }
    }

    const Labels* labels_ = nullptr;
    bool fits_ = false;
    std::size_t min_rows_;
    FewCuts cuts_;
    PlainSide<RankSet> first_;  // of many rows
    PlainSide<RankSet> second_;
};

}  // namespace bough
