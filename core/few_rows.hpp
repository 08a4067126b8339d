// The query of a node of few rows, by squared error or by Gini impurity of two classes: all cuts of
// all columns in one pass, or those that were drawn, without anything that many rows need.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "criteria.hpp"
#include "finalist.hpp"
#include "list_context.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Weights, and labels from their mean, are put on grids of the node's own, as whole numbers: of
/// these doubles hold all sums exactly. Classes are the numbers 0 and 1.
class FewRows {
  public:
    using Entry = SortedLists::Entry;
    static constexpr std::size_t most_rows = 64;

    struct Labelled {
        double number;  // on the grid of a node: times weight
        double weight;
    };

    /// Whether all that may be asked is known here, at nodes without missing values.
    template <class Criterion>
    static bool can_search(const ListContext<Criterion>& context) {
        const Limits& limits = context.limits;
        bool is_plain = limits.min_rows <= 1 && limits.min_weight <= 0 &&
                        limits.directions.empty() &&
                        std::none_of(context.raw.begin(), context.raw.end(),
                                     [](const RawColumn& raw) { return raw.is_choice; });
        const auto& labels = context.fixed.view();
        if constexpr (std::is_same_v<Criterion, Gini>) is_plain = is_plain && labels.n_cells() == 2;
        return is_plain && labels.n_outputs() == 1 &&
               (std::is_same_v<Criterion, Gini> || std::is_same_v<Criterion, SquaredError>);
    }

    /// Search in lists of these rows from now on.
    template <class Labels>
    void read(const FixedLabels<Labels>& fixed, std::span<const Row> rows) {
        const Labels& labels = fixed.view();
        given_.clear();
        for (const Row row : rows) {
            double number = 0;
            if constexpr (std::is_same_v<Labels, ClassLabels>)
                number = labels.codes[row];
            else
                number = fixed.numbers()[row];
            given_.push_back({number, to_double(labels.weights[row])});
        }
        rows_.resize(rows.size());
    }

    /// Search a node of these entries, in any order; say whether its labels have a grid.
    bool enter(std::span<const Entry> entries) {
        double total_weight = 0;
        for (const Entry entry : entries) total_weight += given(entry).weight;
        const double per_weight = 1 / total_weight;
        double mean = 0;
        for (const Entry entry : entries)
            mean += given(entry).number * (given(entry).weight * per_weight);
        const double weight_unit =
            total_weight < most_sum ? 1 : power_below(most_sum / total_weight);
        double lightest = most_sum;
        double reach = 0;
        all_ = 0;
        for (const Entry entry : entries) {
            const double weight = std::rint(given(entry).weight * weight_unit);
            row(entry) = {(given(entry).number - mean) * weight, weight};
            reach = std::max(reach, std::abs(row(entry).number));
            lightest = std::min(lightest, weight);
            all_ += weight;
        }
        const auto n = static_cast<double>(entries.size());
        const double unit = power_below(most_sum / (n * reach));
        if (lightest < 1 || !std::isnormal(unit)) return false;
        total_ = 0;
        double squares = 0;
        for (const Entry entry : entries) {
            Labelled& own = row(entry);
            own.number = std::rint(own.number * unit);
            total_ += own.number;
            squares += own.number * own.number / own.weight;
        }
        start(n / lightest, squares, weight_unit == 1 ? 0 : 8 / lightest, all_ / lightest);
        return true;
    }

    /// Look at all cuts of a sorted list without missing rows.
    void scan(std::size_t column, std::span<const Entry> entries) {
        double sum = 0;
        double weight = 0;
        for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
            sum += row(entries[i]).number;
            weight += row(entries[i]).weight;
            const double gain = gain_of(sum, weight);
            if (gain >= least_ &&
                SortedLists::rank_of(entries[i]) != SortedLists::rank_of(entries[i + 1]))
                offer(
                    {gain, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(i + 1)});
        }
    }

    /// Look at one cut of a column, before which rows have these sums on the grids of the node.
    void offer(std::size_t column, double sum, double weight) {
        const double gain = gain_of(sum, weight);
        if (gain >= least_) offer({gain, static_cast<std::uint32_t>(column), 0});
    }
    /// A row of the node, on its grids.
    [[nodiscard]] const Labelled& labelled(Entry entry) const {
        return rows_[SortedLists::row_of(entry)];
    }

    [[nodiscard]] bool is_empty() const { return n_cuts_ == 0; }
    /// The first of the best cuts; none where doubles cannot tell which these are.
    [[nodiscard]] std::optional<Finalist> winner() const {
        if (n_cuts_ == 0 || n_cuts_ > cuts_.size()) return std::nullopt;
        const Cut* first = nullptr;
        bool is_alone = true;
        bool is_sure = true;
        for (const Cut& cut : std::span(cuts_).first(n_cuts_)) {
            if (cut.gain < least_) continue;
            is_sure = is_sure && cut.gain >= best_ - tie_ + unsure_;
            is_alone = first == nullptr;
            if (is_alone || cut.precedes(*first)) first = &cut;
        }
        if (!is_sure && !is_alone) return std::nullopt;
        Finalist found(first->column, Kind::below, stop, first->gain);
        found.place = first->place;
        return found;
    }

  private:
    static constexpr double most_sum = 0x1p52;

    struct Cut {
        double gain;
        std::uint32_t column;
        std::uint32_t place;

        [[nodiscard]] bool precedes(const Cut& other) const {
            return column != other.column ? column < other.column : place < other.place;
        }
    };

    [[nodiscard]] const Labelled& given(Entry entry) const {
        return given_[SortedLists::row_of(entry)];
    }
    [[nodiscard]] Labelled& row(Entry entry) { return rows_[SortedLists::row_of(entry)]; }

    [[nodiscard]] double gain_of(double sum, double weight) const {
        const double away = sum * all_ - total_ * weight;
        return away * away / (weight * (all_ - weight) * all_);
    }

    /// The greatest power of two that is no greater; what has none gives no power either.
    static double power_below(double value) {
        constexpr std::uint64_t exponent = std::uint64_t{0x7ff} << 52;
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & exponent);
    }

    /// Begin a node; `rows` of the least weight weigh as much as its rows would, each the least.
    // Rounding puts a label × weight off by 2 units, which moves the root of a gain, a length, by
    // 2 √(n ÷ lightest) at most, and a weight by as much of itself as `weight_error` is 8 times of:
    // the gain then changes by 3 times that of the whole. The sum of a side × all is off by 4u ×
    // all × √(side × squares), and the gain by 2^4 u √(gain × squares × all ÷ side); u is 2^-53.
    // The whole itself is a difference, off by some u of the squares.
    void start(double rows, double squares, double weight_error, double uneven) {
        const double whole = std::max(0.0, squares - total_ * total_ / all_);
        const double most = whole + 0x1p-48 * squares;
        const double error = (0x1p-50 + weight_error) * most +
                             0x1p-49 * std::sqrt(most * squares * uneven) +
                             4 * (std::sqrt(most * rows) + rows);
        tie_ = tie_share * whole;
        unsure_ = 2 * error;
        best_ = -1;
        least_ = 0;
        n_cuts_ = 0;
    }

    void offer(const Cut& cut) {
        if (n_cuts_ < cuts_.size()) cuts_[n_cuts_] = cut;
        ++n_cuts_;
        if (cut.gain <= best_) return;
        best_ = cut.gain;
        least_ = best_ - tie_ - unsure_;
    }

    std::vector<Labelled> given_;  // of local rows
    std::vector<Labelled> rows_;   // those of the node, on its grids
    double all_ = 0;
    double total_ = 0;
    double tie_ = 0;
    double unsure_ = 0;  // how much farther apart two gains may be than they seem
    double best_ = 0;
    double least_ = 0;  // of what may be tied with the best
    std::array<Cut, 64> cuts_;
    std::size_t n_cuts_ = 0;
};

}  // namespace bough
