// Gains along a sorted list of rows, one row after the other, for the small nodes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "criteria.hpp"
#include "statistic.hpp"

// Where a tree has one output, most criteria have a runner, which is faster than a running: a row
// changes a few numbers, however many classes there are. It moves rows, one by one, from the second
// side of a cut to the first; all sums are whole numbers.
//
//     start(statistic, node, ahead)   the cells of all rows, and of missing rows that go first
//     take(label)                     move a row
//     gain()                          gain × node weight, right to its last digits
//     reaches(least)                  whether the gain may be at least this, at less cost
//     weight()                        of the rows on the first side

namespace bough {

template <class Criterion, class Statistic>
class Runner {};

template <class Criterion, class Statistic>
constexpr bool has_runner = requires(const Runner<Criterion, Statistic>& runner) { runner.gain(); };

/// Nodes have at most 2^15 rows: where rows weigh 1, all products fit 64 bits.
template <>
class Runner<Gini, ClassSums<false>> {
  public:
    void start(const ClassSums<false>& statistic, const std::uint32_t* node,
               const std::uint32_t* ahead) {
        before_.assign(ahead, ahead + statistic.n_classes);
        behind_.resize(statistic.n_classes);
        all_ = rows_ = 0;
        squares_before_ = squares_behind_ = squares_ = 0;
        for (std::size_t k = 0; k < statistic.n_classes; ++k) {
            const std::int64_t total = node[k];
            behind_[k] = total - before_[k];
            all_ += total;
            rows_ += before_[k];
            squares_ += total * total;
            squares_before_ += before_[k] * before_[k];
            squares_behind_ += behind_[k] * behind_[k];
        }
    }
    void take(std::uint16_t label) {
        squares_before_ += 2 * before_[label]++ + 1;
        squares_behind_ -= 2 * behind_[label]-- - 1;
        ++rows_;
    }
    [[nodiscard]] bool reaches(double least) const { return numerator() >= least * denominator(); }
    [[nodiscard]] double gain() const { return numerator() / denominator(); }
    [[nodiscard]] double weight() const { return static_cast<double>(rows_); }

  private:
    // Σ before²/m + Σ behind²/r − Σ all²/n, over the common denominator; at most 2^60.
    [[nodiscard]] double numerator() const {
        const std::int64_t r = all_ - rows_;
        return static_cast<double>((squares_before_ * r + squares_behind_ * rows_) * all_ -
                                   squares_ * rows_ * r);
    }
    [[nodiscard]] double denominator() const {
        return static_cast<double>(rows_) * static_cast<double>(all_ - rows_) *
               static_cast<double>(all_);
    }

    std::int64_t all_ = 0;
    std::int64_t rows_ = 0;
    std::int64_t squares_ = 0;
    std::int64_t squares_before_ = 0;
    std::int64_t squares_behind_ = 0;
    std::vector<std::int64_t> before_;
    std::vector<std::int64_t> behind_;
};

/// With weights, which are below 2^53 together: how far each class is from its share, before × all
/// − total × weight, is a whole number below 2^106, but all of them change with every row. So Σ
/// before² and Σ before × total are kept, exactly, from which Σ away² follows in doubles well
/// enough to reject most cuts; the others are worked out from the classes.
template <>
class Runner<Gini, ClassSums<true>> {
  public:
    void start(const ClassSums<true>& statistic, const std::int64_t* node,
               const std::int64_t* ahead) {
        total_.assign(node, node + statistic.n_classes);
        before_.assign(ahead, ahead + statistic.n_classes);
        all_ = std::accumulate(total_.begin(), total_.end(), std::int64_t{0});
        weight_ = std::accumulate(before_.begin(), before_.end(), std::int64_t{0});
        squares_ = crossed_ = totals_ = 0;
        for (std::size_t k = 0; k < total_.size(); ++k) {
            squares_ += static_cast<Int128>(before_[k]) * before_[k];
            crossed_ += static_cast<Int128>(before_[k]) * total_[k];
            totals_ += static_cast<Int128>(total_[k]) * total_[k];
        }
    }
    void take(ClassSums<true>::WeightedClass label) {
        const std::size_t k = label.code();
        const std::int64_t weight = label.weight();
        squares_ += static_cast<Int128>(2 * before_[k] + weight) * weight;
        crossed_ += static_cast<Int128>(weight) * total_[k];
        before_[k] += weight;
        weight_ += weight;
    }
    [[nodiscard]] bool reaches(double least) const {
        // Σ away² / all² = Σ before² − 2 share Σ before × total + share² Σ total².
        const double share = weight() / static_cast<double>(all_);
        const double squares = to_double(squares_);
        const double away =
            squares + share * (share * to_double(totals_) - 2 * to_double(crossed_));
        const double sides = weight() * static_cast<double>(all_ - weight_);
        return (away + 0x1p-48 * squares) * static_cast<double>(all_) >= least * sides;
    }
    [[nodiscard]] double gain() const {
        double sum = 0;
        for (std::size_t k = 0; k < total_.size(); ++k) {
            const double away = to_double(static_cast<Int128>(before_[k]) * all_ -
                                          static_cast<Int128>(total_[k]) * weight_);
            sum += away * away;
        }
        return sum / (weight() * static_cast<double>(all_ - weight_) * static_cast<double>(all_));
    }
    [[nodiscard]] double weight() const { return static_cast<double>(weight_); }

  private:
    std::int64_t all_ = 0;
    std::int64_t weight_ = 0;
    Int128 squares_ = 0;
    Int128 crossed_ = 0;
    Int128 totals_ = 0;
    std::vector<std::int64_t> before_;
    std::vector<std::int64_t> total_;
};

/// Terms x log₂ x as whole numbers, so that they come and go without an error: of 2^-43, since
/// those of 2^15 rows are below 2^19; or, where rows have weights, of shares of the node, of 2^-57,
/// since these are below 1 and their sum below 2^5. So a term is off by its last digit at most.
template <bool Weighted>
class Runner<Entropy, ClassSums<Weighted>> {
    using Statistic = ClassSums<Weighted>;

  public:
    void start(const Statistic& statistic, const typename Statistic::Cell* node,
               const typename Statistic::Cell* ahead) {
        before_.assign(statistic.n_classes, 0);
        behind_.assign(statistic.n_classes, 0);
        all_ = weight_ = 0;
        for (std::size_t k = 0; k < statistic.n_classes; ++k) {
            before_[k] = static_cast<std::int64_t>(ahead[k]);
            behind_[k] = static_cast<std::int64_t>(node[k]) - before_[k];
            all_ += before_[k] + behind_[k];
            weight_ += before_[k];
        }
        if constexpr (Weighted)
            per_all_ = 1 / static_cast<double>(all_);
        else
            while (bits_.size() <= static_cast<std::size_t>(all_))
                bits_.push_back(fixed(bits_of(static_cast<double>(bits_.size()))));
        whole_ = term(all_);
        within_ = 0;
        for (std::size_t k = 0; k < statistic.n_classes; ++k) {
            whole_ -= term(before_[k] + behind_[k]);
            within_ += term(before_[k]) + term(behind_[k]);
        }
    }
    void take(typename Statistic::Label label) {
        std::int64_t weight = 1;
        std::size_t k = 0;
        if constexpr (Weighted) {
            weight = label.weight();
            k = label.code();
        } else {
            k = label;
        }
        within_ -= term(before_[k]) + term(behind_[k]);
        before_[k] += weight;
        behind_[k] -= weight;
        weight_ += weight;
        within_ += term(before_[k]) + term(behind_[k]);
    }
    [[nodiscard]] bool reaches(double least) const { return gain() >= least; }
    [[nodiscard]] double gain() const {
        const std::int64_t units = whole_ - (term(weight_) + term(all_ - weight_) - within_);
        const double gain = static_cast<double>(units) / units_per_bit;
        return Weighted ? gain * static_cast<double>(all_) : gain;
    }
    [[nodiscard]] double weight() const { return static_cast<double>(weight_); }

  private:
    [[nodiscard]] std::int64_t term(std::int64_t x) const {
        if constexpr (Weighted)
            return fixed(bits_of(static_cast<double>(x) * per_all_));
        else
            return bits_[static_cast<std::size_t>(x)];
    }
    static std::int64_t fixed(double bits) { return std::llround(bits * units_per_bit); }
    static double bits_of(double x) { return x > 0 ? x * std::log2(x) : 0; }

    static constexpr double units_per_bit = Weighted ? 0x1p57 : 0x1p43;
    std::int64_t all_ = 0;
    std::int64_t weight_ = 0;
    std::int64_t whole_ = 0;
    std::int64_t within_ = 0;  // of all classes on both sides
    double per_all_ = 1;
    std::vector<std::int64_t> before_;
    std::vector<std::int64_t> behind_;
    std::vector<std::int64_t> bits_;  // of every count
};

/// A sum of labels on either side of a cut, exactly as far from its share as it is: sum × all −
/// total × weight is a whole number below 2^115.
template <>
class Runner<Poisson, NumberSums<true, LogMoment>> {
    using Statistic = NumberSums<true, LogMoment>;

  public:
    void start(const Statistic& /*statistic*/, const std::int64_t* node,
               const std::int64_t* ahead) {
        all_ = node[3];
        total_ = node[1];
        weight_ = ahead[3];
        sum_ = ahead[1];
        mean_ = static_cast<double>(total_) / static_cast<double>(all_);
    }
    void take(const Statistic::Label& label) {
        weight_ += label.weight;
        sum_ += label.product;
    }
    // (1 + x) ln(1 + x) − x is at most x²/2 for x ≥ 0, and (1 + |x|) x²/2 below, x being how far a
    // sum is from its share, as a part of it. That is off by 3u of the share, and the gain by no
    // more than 2^3 u of the total, u being 2^-53.
    [[nodiscard]] bool reaches(double least) const {
        const double first = mean_ * weight();
        const double second = mean_ * static_cast<double>(all_ - weight_);
        const double away = static_cast<double>(sum_) - first;
        const double less = away < 0 ? first : second;  // the share of the side that has less
        const double most =
            away * away * ((first + second) * (less * less) + std::abs(away) * (first * second));
        const double slack = 0x1p-49 * (first + second);
        return most * (1 + 0x1p-40) >= 2 * (least - slack) * (first * second) * (less * less);
    }
    [[nodiscard]] double gain() const {
        const double away =
            to_double(static_cast<Int128>(sum_) * all_ - static_cast<Int128>(total_) * weight_) /
            static_cast<double>(all_);
        const double first = mean_ * weight();
        const double second = mean_ * static_cast<double>(all_ - weight_);
        return first * half_deviance(away / first) + second * half_deviance(-away / second);
    }
    [[nodiscard]] double weight() const { return static_cast<double>(weight_); }
    /// A child of mean 0 has no deviance.
    [[nodiscard]] bool bars() const { return sum_ == 0 || sum_ == total_; }

  private:
    std::int64_t all_ = 0;
    std::int64_t total_ = 0;
    std::int64_t weight_ = 0;
    std::int64_t sum_ = 0;
    double mean_ = 0;
};

}  // namespace bough
