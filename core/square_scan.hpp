// Gains along a sorted list of rows, many cuts side by side, where a gain is a sum of squares: by
// squared error, and by Gini impurity of two classes, which is twice the same of labels 0 and 1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sorted_lists.hpp"
#include "statistics_of_outputs.hpp"

namespace bough {

/// How far the sum of each output on the first side of a cut is from its share, sum × all − total ×
/// weight, says all. Sums are whole numbers. Stretches of cuts are looked at in doubles, as
/// `OutputScores` does and with the same errors, for which the cutoff makes room; what reaches it
/// is worked out again from exact products.
template <class Statistic>
class SquareScan {
  public:
    using Entry = SortedLists::Entry;
    using Label = typename Statistic::Label;
    using Cell = typename Statistic::Cell;
    static constexpr std::size_t stretch = 64;

    /// Search a node with these cells; `labels` are those of all rows, one output after the other.
    template <class Scores>
    void enter(const Counts<Statistic>& counts, const Scores& scores, const Cell* node,
               std::span<const Label> labels) {
        counts_ = &counts;
        labels_ = labels;
        all_ = static_cast<std::int64_t>(counts[0].weight(node));
        outputs_.resize(counts.n_outputs());
        for (std::size_t o = 0; o < outputs_.size(); ++o)
            outputs_[o] = {scores.factor(o) * (is_number ? 1 : 2), total_of(node, o), 0, {}};
    }

    /// Begin with the missing rows that go to the first side.
    void start(const Cell* ahead) {
        weight_ = static_cast<std::int64_t>((*counts_)[0].weight(ahead));
        for (std::size_t o = 0; o < outputs_.size(); ++o) outputs_[o].sum = total_of(ahead, o);
    }

    /// Take entries that a single cut follows, as a stretch of one.
    void take_all(std::span<const Entry> entries) {
        for (const Entry entry : entries) weight_ += weight_of(labels_[SortedLists::row_of(entry)]);
        weights_[0] = weight_;
        heavy_[0] = static_cast<double>(weight_);
        for (std::size_t o = 0; o < outputs_.size(); ++o) {
            const Label* labels = labels_of(o);
            for (const Entry entry : entries)
                outputs_[o].sum += number_of(labels[SortedLists::row_of(entry)]);
            outputs_[o].sums[0] = outputs_[o].sum;
        }
    }
    /// Take a stretch of entries; say whether the gain after any of them may reach `least`.
    bool take(const Entry* entries, std::size_t count, double least) {
        // Over the common divisor all; its product with the others is off by some last digits.
        const auto all = static_cast<double>(all_);
        const double enough = least * all * (1 - 0x1p-40);
        const auto reaches = [&](std::size_t i) {
            return gains_[i] >= enough * (heavy_[i] * (all - heavy_[i]));
        };
        take_sums<true>(entries, count, 0);
        for (std::size_t o = 1; o < outputs_.size(); ++o) take_sums<false>(entries, count, o);
        bool any = false;
        for (std::size_t i = 0; i < count; ++i) any |= reaches(i);
        return any;
    }
    /// Work out the gains of the stretch, behind which there is one more entry: −1 where two do not
    /// differ. Return the greatest.
    double score(const Entry* entries, std::size_t count) {
        const auto all = static_cast<double>(all_);
        for (std::size_t i = 0; i < count; ++i) {
            const double gain = gains_[i] / (heavy_[i] * (all - heavy_[i]) * all);
            const bool differ =
                SortedLists::rank_of(entries[i]) != SortedLists::rank_of(entries[i + 1]);
            gains_[i] = differ ? gain : -1;
        }
        return *std::max_element(gains_.begin(),
                                 gains_.begin() + static_cast<std::ptrdiff_t>(count));
    }
    /// The gain after the i-th of the stretch; and once more, from exact products.
    [[nodiscard]] double rough_gain(std::size_t i) const { return gains_[i]; }
    [[nodiscard]] double gain(std::size_t i) const {
        const auto all = static_cast<double>(all_);
        double sum = 0;
        for (const Output& output : outputs_) {
            const double away = to_double(static_cast<Int128>(output.sums[i]) * all_ -
                                          static_cast<Int128>(output.total) * weights_[i]);
            sum += output.factor * (away * away);
        }
        return sum / (heavy_[i] * (all - heavy_[i]) * all);
    }
    [[nodiscard]] double weight(std::size_t i) const { return heavy_[i]; }

  private:
    static constexpr bool is_number = std::is_same_v<typename Statistic::Labels, NumberLabels>;

    struct Output {
        double factor;
        std::int64_t total;
        std::int64_t sum;  // of all that was taken
        std::array<std::int64_t, stretch> sums;
    };

    [[nodiscard]] std::int64_t total_of(const Cell* cells, std::size_t output) const {
        return static_cast<std::int64_t>(cells[counts_->first_cell(output) + 1]);
    }
    [[nodiscard]] const Label* labels_of(std::size_t output) const {
        return labels_.data() + output * (labels_.size() / outputs_.size());
    }
    static std::int64_t number_of(const Label& label) {
        if constexpr (!Statistic::is_weighted)
            return static_cast<std::int64_t>(label);
        else if constexpr (is_number)
            return label.product;
        else
            return label.code() == 1 ? label.weight() : 0;
    }
    static std::int64_t weight_of(const Label& label) {
        if constexpr (!Statistic::is_weighted)
            return 1;
        else if constexpr (is_number)
            return label.weight;
        else
            return label.weight();
    }

    /// Put the squares of an output into the gains, or add them; the first one takes the weights.
    template <bool IsFirst>
    void take_sums(const Entry* entries, std::size_t count, std::size_t o) {
        Output& output = outputs_[o];
        const Label* labels = labels_of(o);
        const auto all = static_cast<double>(all_);
        const auto total = static_cast<double>(output.total);
        const double factor = output.factor;
        std::int64_t sum = output.sum;
        std::int64_t weight = weight_;
        for (std::size_t i = 0; i < count; ++i) {
            const Label& label = labels[SortedLists::row_of(entries[i])];
            if constexpr (IsFirst) {
                weight += weight_of(label);
                weights_[i] = weight;
                heavy_[i] = static_cast<double>(weight);
            }
            sum += number_of(label);
            output.sums[i] = sum;
            const double away = static_cast<double>(sum) * all - total * heavy_[i];
            gains_[i] = factor * (away * away) + (IsFirst ? 0 : gains_[i]);
        }
        output.sum = sum;
        weight_ = weight;
    }

    const Counts<Statistic>* counts_ = nullptr;
    std::span<const Label> labels_;
    std::int64_t all_ = 0;
    std::int64_t weight_ = 0;
    std::vector<Output> outputs_;
    std::array<std::int64_t, stretch> weights_{};
    std::array<double, stretch> heavy_{};  // the same
    std::array<double, stretch> gains_{};
};

}  // namespace bough
