// The query of a node of few rows by Poisson deviance, where labels are small whole numbers that
// all weigh 1: all cuts of all columns in one pass.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "criteria.hpp"
#include "few_rows_cuts.hpp"
#include "small_node_context.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Sums and weights are whole numbers, so that all logarithms stand in a table.
class FewPoisson {
  public:
    using Entry = SortedLists::Entry;
    static constexpr bool takes_choices = false;
    static constexpr bool takes_missing = false;

    /// The most rows of a node that is searched here, without missing values; 0 where more may be
    /// asked than is known here.
    template <class Criterion>
    static std::size_t most_for(const ListContext<Criterion>& context) {
        if constexpr (std::is_same_v<Criterion, Poisson>) {
            const Limits& limits = context.limits;
            const NumberLabels& labels = context.fixed.view();
            if (labels.n_outputs() == 1 && labels.weights.of_row == nullptr &&
                limits.min_weight <= 0 && !limits.draw_one && limits.directions.empty() &&
                !context.has_choices())
                return SortedLists::most_rows;
        }
        return 0;
    }

    /// Search in lists of these rows from now on, as long as no label is another one.
    void read(const ListContext<Poisson>& context, std::span<const Row> rows) {
        least_rows_ = static_cast<std::size_t>(context.limits.min_rows);
        counts_.clear();
        for (const Row row : rows) {
            const double number = context.fixed.numbers()[row];
            const bool is_count = number < most_sum && number == std::floor(number);
            counts_.push_back(is_count ? static_cast<std::uint32_t>(number) : no_count);
        }
    }

    /// Search a node of these entries, in any order; say whether it can be searched.
    // A gain is made of terms of at most S × log of S or of rows, S being the sum of all labels, in
    // steps of which each is off by u of that at most, and so is the logarithm by 2u: in all by
    // 2^5 u. The whole, a sum over rows, only says how wide a tie is.
    bool enter(std::span<const Entry> entries, const LevelBounds& /*bounds*/) {
        total_ = 0;
        for (const Entry entry : entries) total_ += std::min(count(entry), most_sum);
        if (total_ >= most_sum) return false;
        fill(std::max<std::size_t>(total_, entries.size()));
        double whole = total_ * logs_[entries.size()] - terms_[total_];
        for (const Entry entry : entries) whole += terms_[count(entry)];
        const double most = total_ * (logs_[total_] + logs_[entries.size()] + 1);
        cuts_.start(tie_share * std::max(0.0, whole), 2 * 0x1p-48 * most);
        before_ = terms_[total_] - total_ * logs_[entries.size()];
        return true;
    }

    /// Look at all cuts of a sorted list without missing rows.
    void scan(std::size_t column, std::span<const Entry> entries) {
        const std::size_t n = entries.size();
        const double* logs = logs_.data();
        const double* terms = terms_.data();
        std::uint32_t sum = 0;
        for (std::size_t m = 1; m < n; ++m) {
            sum += count(entries[m - 1]);
            const std::uint32_t rest = total_ - sum;
            const double sides = (terms[sum] - as_double(sum) * logs[m]) +
                                 (terms[rest] - as_double(rest) * logs[n - m]);
            const double gain = std::max(0.0, sides - before_);
            // A child of mean 0 is barred.
            if (gain >= cuts_.least() && sum > 0 && rest > 0 && m >= least_rows_ &&
                n - m >= least_rows_ &&
                SortedLists::rank_of(entries[m - 1]) != SortedLists::rank_of(entries[m]))
                cuts_.offer(
                    {gain, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(m)});
        }
    }

    [[nodiscard]] const FewCuts& cuts() const { return cuts_; }

  private:
    static constexpr std::uint32_t most_sum = 1 << 14;
    static constexpr std::uint32_t no_count = std::numeric_limits<std::uint32_t>::max();

    [[nodiscard]] std::uint32_t count(Entry entry) const {
        return counts_[SortedLists::row_of(entry)];
    }
    static double as_double(std::uint32_t sum) {
        return static_cast<double>(static_cast<std::int32_t>(sum));
    }
    /// Have the logarithms of whole numbers up to this.
    void fill(std::size_t most) {
        while (logs_.size() <= most) {
            const auto number = static_cast<double>(logs_.size());
            logs_.push_back(std::log(number));
            terms_.push_back(number * logs_.back());
        }
    }

    std::size_t least_rows_ = 1;
    std::vector<std::uint32_t> counts_;  // of local rows
    std::vector<double> logs_{0};        // of all whole numbers; that of 0 only times 0
    std::vector<double> terms_{0};       // the same times the number
    std::uint32_t total_ = 0;
    double before_ = 0;  // what the node has of what sides gain
    FewCuts cuts_;
};

}  // namespace bough
