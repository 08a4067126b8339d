// Gains along a sorted list of rows, one row after the other, for the small nodes.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "criteria.hpp"
#include "statistic.hpp"

// Where all rows weigh 1, most criteria have a runner, which is faster than a strip. It moves rows,
// one by one, from the second side of a cut to the first:
//
//     start(node, moved)   before the first row; `moved` are missing rows that go first
//     take(label)          move a row
//     gain(before)         gain × node weight with so many rows on the first side
//     reaches(before, least)   whether that is at least `least`, without a division

namespace bough {

template <class Criterion, class Statistic>
class Runner {};

template <class Criterion, class Statistic>
constexpr bool has_runner =
    requires(const Runner<Criterion, Statistic>& runner) { runner.gain(std::int64_t{}); };

/// All in whole numbers, so that equal tallies have equal gains: nodes have at most 2^15 rows.
template <>
class Runner<Gini, ClassCounts> {
  public:
    void start(const Sums& node, const Sums& moved) {
        all_ = static_cast<std::int64_t>(node.rows);
        before_.assign(node.parts.size(), 0);
        behind_.assign(node.parts.size(), 0);
        squares_before_ = squares_behind_ = squares_ = 0;
        for (std::size_t k = 0; k < node.parts.size(); ++k) {
            const auto total = static_cast<std::int64_t>(node.parts[k]);
            before_[k] = static_cast<std::int64_t>(moved.parts[k]);
            behind_[k] = total - before_[k];
            squares_ += total * total;
            squares_before_ += before_[k] * before_[k];
            squares_behind_ += behind_[k] * behind_[k];
        }
    }
    void take(std::uint8_t label) {
        squares_before_ += 2 * before_[label]++ + 1;
        squares_behind_ -= 2 * behind_[label]-- - 1;
    }
    [[nodiscard]] bool reaches(std::int64_t before, double least) const {
        return numerator(before) >= least * denominator(before);
    }
    [[nodiscard]] double gain(std::int64_t before) const {
        return numerator(before) / denominator(before);
    }

  private:
    // Σ before²/m + Σ behind²/r − Σ all²/n, over the common denominator; at most 2^60.
    [[nodiscard]] double numerator(std::int64_t m) const {
        const std::int64_t r = all_ - m;
        return static_cast<double>((squares_before_ * r + squares_behind_ * m) * all_ -
                                   squares_ * m * r);
    }
    [[nodiscard]] double denominator(std::int64_t m) const {
        return static_cast<double>(m) * static_cast<double>(all_ - m) * static_cast<double>(all_);
    }

    std::int64_t all_ = 0;
    std::int64_t squares_ = 0;
    std::int64_t squares_before_ = 0;
    std::int64_t squares_behind_ = 0;
    std::vector<std::int64_t> before_;
    std::vector<std::int64_t> behind_;
};

/// Two classes: one number says it all, and a stretch of rows is looked at side by side. The number
/// is how far the ones on the first side are from their share, times the rows: ones × all − total ×
/// rows. It is a whole number of 31 bits, since lists have at most 2^15 rows.
class PairRunner {
  public:
    static constexpr std::size_t stretch = 64;

    void start(const Sums& node, const Sums& moved) {
        all_ = static_cast<std::int32_t>(node.rows);
        total_ = static_cast<std::int32_t>(node.parts[1]);
        away_ = 0;
        skip(static_cast<std::int32_t>(moved.rows), static_cast<std::int32_t>(moved.parts[1]));
    }
    /// Take rows that no cut may follow.
    void skip(std::int32_t n_rows, std::int32_t n_ones) {
        away_ += n_ones * all_ - total_ * n_rows;
    }
    /// Take a stretch of labels, each 0 or 1; say whether the gain after any of them may reach
    /// `least`. `before` counts the rows taken so far.
    template <class LabelAt>
    bool take(std::size_t count, double before, double least, const LabelAt& label) {
        std::int32_t away = away_;
        for (std::size_t i = 0; i < count; ++i) {
            away += static_cast<std::int32_t>(label(i)) * all_ - total_;
            aways_[i] = away;
        }
        away_ = away;
        // In floats, of which each step is off by its last bit only; `gain` decides.
        const auto all = static_cast<float>(all_);
        const auto rows = static_cast<float>(before) + 1;
        const auto enough = static_cast<float>(least * static_cast<double>(all_) / 2) * 0.99999F;
        const auto end = static_cast<std::int32_t>(count);
        std::int32_t any = 0;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(stretch); ++i) {
            const float m = rows + static_cast<float>(i);
            const auto off = static_cast<float>(aways_[static_cast<std::size_t>(i)]);
            const std::int32_t reaches = off * off >= enough * (m * (all - m)) ? 1 : 0;
            any |= reaches & (i < end ? 1 : 0);
        }
        return any != 0;
    }
    /// The gain after the i-th row of the stretch, the `before`-th of all.
    [[nodiscard]] double gain(std::size_t i, double before) const {
        const auto away = static_cast<double>(aways_[i]);
        const auto all = static_cast<double>(all_);
        return 2 * away * away / (before * (all - before) * all);
    }

  private:
    std::int32_t all_ = 0;
    std::int32_t total_ = 0;
    std::int32_t away_ = 0;
    std::array<std::int32_t, stretch> aways_{};
};

template <>
class Runner<Entropy, ClassCounts> {
  public:
    void start(const Sums& node, const Sums& moved) {
        all_ = static_cast<std::size_t>(node.rows);
        before_.assign(node.parts.size(), 0);
        total_.assign(node.parts.size(), 0);
        for (std::size_t k = 0; k < node.parts.size(); ++k) {
            total_[k] = static_cast<std::size_t>(node.parts[k]);
            before_[k] = static_cast<std::size_t>(moved.parts[k]);
        }
        while (bits_.size() <= all_) bits_.push_back(bits_of(static_cast<double>(bits_.size())));
        whole_ = bits_[all_];
        for (const std::size_t total : total_) whole_ -= bits_[total];
    }
    void take(std::uint8_t label) { ++before_[label]; }
    [[nodiscard]] bool reaches(std::int64_t before, double least) const {
        return gain(before) >= least;
    }
    [[nodiscard]] double gain(std::int64_t before) const {
        const auto m = static_cast<std::size_t>(before);
        double rest = bits_[m] + bits_[all_ - m];
        for (std::size_t k = 0; k < before_.size(); ++k)
            rest -= bits_[before_[k]] + bits_[total_[k] - before_[k]];
        return whole_ - rest;
    }

  private:
    static double bits_of(double x) { return x > 0 ? x * std::log2(x) : 0; }

    std::size_t all_ = 0;
    double whole_ = 0;
    std::vector<std::size_t> before_;
    std::vector<std::size_t> total_;
    std::vector<double> bits_;  // x log₂ x for every count
};

template <>
class Runner<GainRatio, ClassCounts> : public Runner<Entropy, ClassCounts> {};

template <>
class Runner<SquaredError, LabelSums> {
  public:
    void start(const Sums& node, const Sums& moved) {
        all_ = node.rows;
        // From near the mean: what is left of a sum then loses no digits.
        centre_ = static_cast<std::int64_t>(node.parts[0] / node.rows);
        total_ = node.parts[0] - static_cast<double>(centre_) * node.rows;
        sum_ = static_cast<std::int64_t>(moved.parts[0]) -
               centre_ * static_cast<std::int64_t>(moved.rows);
    }
    void take(std::int64_t label) { sum_ += label - centre_; }
    [[nodiscard]] bool reaches(std::int64_t before, double least) const {
        const auto m = static_cast<double>(before);
        const double away = this->away(m);
        return away * away >= least * (m * (all_ - m) * all_);
    }
    [[nodiscard]] double gain(std::int64_t before) const {
        const auto m = static_cast<double>(before);
        const double away = this->away(m);
        return away * away / (m * (all_ - m) * all_);
    }

  private:
    [[nodiscard]] double away(double m) const {
        return static_cast<double>(sum_) * all_ - total_ * m;
    }

    double all_ = 0;
    double total_ = 0;
    std::int64_t centre_ = 0;
    std::int64_t sum_ = 0;
};

}  // namespace bough
