// The query of a node of few rows, by squared error or by Gini impurity of two classes, for each
// output: all cuts of all columns in one pass, or those that were drawn.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "criteria.hpp"
#include "few_cuts.hpp"
#include "list_context.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Weights, and labels from their mean, are put on grids of the node's own, as whole numbers: of
/// these doubles hold all sums exactly. Classes are the numbers 0 and 1.
class FewRows {
  public:
    using Entry = SortedLists::Entry;

    struct Labelled {
        double number;  // on the grid of a node: times weight
        double weight;
    };

    /// The most rows of a node that is searched here, without missing values; 0 where more may be
    /// asked than is known here. The classes of more rows are sooner counted, where all weigh 1. Of
    /// cuts that are drawn there is but one a column, in any number of rows.
    template <class Criterion>
    static std::size_t most_for(const ListContext<Criterion>& context) {
        const Limits& limits = context.limits;
        const auto& labels = context.fixed.view();
        bool fits = std::is_same_v<Criterion, SquaredError>;
        if constexpr (std::is_same_v<Criterion, Gini>) fits = labels.most_classes <= 2;
        const bool is_plain = limits.min_rows <= 1 && limits.directions.empty();
        if (!fits || limits.min_weight > 0 || (limits.draw_one && !is_plain) ||
            ((limits.draw_one || !limits.directions.empty()) && labels.n_outputs() > 1) ||
            std::any_of(context.raw.begin(), context.raw.end(),
                        [](const RawColumn& raw) { return raw.is_choice; }))
            return 0;
        if (limits.draw_one) return std::numeric_limits<std::size_t>::max();
        const bool are_counted = std::is_same_v<Criterion, Gini> && limits.directions.empty() &&
                                 labels.n_outputs() == 1 && labels.weights.of_row == nullptr;
        return are_counted ? 64 : most_rows;
    }

    /// Search in lists of these rows from now on.
    template <class Criterion>
    void read(const ListContext<Criterion>& context, std::span<const Row> rows) {
        const auto& labels = context.fixed.view();
        limits_ = context.limits;
        label_exponent_ = context.fixed.label_exponent();
        outputs_.resize(labels.n_outputs());
        n_rows_ = rows.size();
        given_.clear();
        for (std::size_t o = 0; o < outputs_.size(); ++o) {
            for (const Row row : rows) {
                double number = 0;
                if constexpr (std::is_same_v<Criterion, Gini>)
                    number = labels.codes[o * labels.n_rows + row];
                else
                    number = context.fixed.numbers()[o * labels.n_rows + row];
                given_.push_back({number, to_double(labels.weights[row])});
            }
        }
        rows_.resize(given_.size());
    }

    /// Search a node of these entries, in any order, whose guesses have these bounds; say whether
    /// its labels have a grid.
    bool enter(std::span<const Entry> entries, const LevelBounds& bounds) {
        double total_weight = 0;
        for (const Entry entry : entries) total_weight += given(entry).weight;
        const double weight_unit =
            total_weight < most_sum ? 1 : power_below(most_sum / total_weight);
        lightest_ = most_sum;
        all_ = 0;
        for (const Entry entry : entries) {
            const double weight = std::rint(given(entry).weight * weight_unit);
            row(entry).weight = weight;
            lightest_ = std::min(lightest_, weight);
            all_ += weight;
        }
        if (lightest_ < 1) return false;
        weight_error_ = weight_unit == 1 ? 0 : 8 / lightest_;
        for (std::size_t o = 0; o < outputs_.size(); ++o)
            if (!put_on_grid(entries, o, 1 / total_weight)) return false;
        bounds_ = bounds;
        return start(entries.size());
    }

    /// Look at all cuts of a sorted list without missing rows.
    void scan(std::size_t column, std::span<const Entry> entries) {
        if (outputs_.size() == 1) return scan<false>(column, entries);
        for (std::size_t o = 1; o < outputs_.size(); ++o) add_squares(entries, o);
        scan<true>(column, entries);
    }

    /// Look at one cut of a column, before which rows have these sums on the grids of the node.
    void offer(std::size_t column, double sum, double weight) {
        const double away = sum * all_ - outputs_[0].total * weight;
        const double gain = away * away / (weight * (all_ - weight) * all_);
        cuts_.offer({gain, static_cast<std::uint32_t>(column), 0});
    }
    /// A row of the node, on its grids.
    [[nodiscard]] const Labelled& labelled(Entry entry) const {
        return rows_[SortedLists::row_of(entry)];
    }

    [[nodiscard]] const FewCuts& cuts() const { return cuts_; }

  private:
    static constexpr std::size_t most_rows = 256;
    static constexpr double most_sum = 0x1p52;

    struct Output {
        double mean = 0;
        double unit = 1;     // how many of its grid are one of the labels
        double squares = 0;  // of the numbers, over weight
        double total = 0;    // of the numbers
        double factor = 1;   // what a gain counts beside those of other outputs
    };

    [[nodiscard]] const Labelled& given(Entry entry) const {
        return given_[SortedLists::row_of(entry)];
    }
    [[nodiscard]] Labelled& row(Entry entry) { return rows_[SortedLists::row_of(entry)]; }

    /// The greatest power of two that is no greater; what has none gives no power either.
    static double power_below(double value) {
        constexpr std::uint64_t exponent = std::uint64_t{0x7ff} << 52;
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & exponent);
    }

    /// Whether all rows have one label of an output, beside others that differ. Where there are no
    /// others, the mean tells.
    [[nodiscard]] bool is_constant(std::span<const Entry> entries, const Labelled* given) const {
        const double first = given[SortedLists::row_of(entries.front())].number;
        return outputs_.size() > 1 && std::all_of(entries.begin(), entries.end(), [&](Entry entry) {
                   return given[SortedLists::row_of(entry)].number == first;
               });
    }

    /// Put the labels of an output on the grid of a node, if it has one.
    bool put_on_grid(std::span<const Entry> entries, std::size_t o, double per_weight) {
        Output& output = outputs_[o];
        const Labelled* given = given_.data() + o * n_rows_;
        Labelled* rows = rows_.data() + o * n_rows_;
        const auto at = [](Entry entry) { return SortedLists::row_of(entry); };
        output = {};
        for (const Entry entry : entries)
            output.mean += given[at(entry)].number * (given[at(entry)].weight * per_weight);
        double reach = 0;
        for (const Entry entry : entries) {
            rows[at(entry)].number = (given[at(entry)].number - output.mean) * row(entry).weight;
            reach = std::max(reach, std::abs(rows[at(entry)].number));
        }
        if (reach == 0 || is_constant(entries, given)) {
            for (const Entry entry : entries) rows[at(entry)].number = 0;
            output.factor = 0;
            return true;
        }
        output.unit = power_below(most_sum / (static_cast<double>(entries.size()) * reach));
        for (const Entry entry : entries) {
            double& number = rows[at(entry)].number;
            number = std::rint(number * output.unit);
            output.total += number;
            output.squares += number * number / row(entry).weight;
        }
        return std::isnormal(output.unit);
    }

    /// Begin a node; say whether labels differ on its grids.
    // Rounding puts a label × weight off by 2 units, which moves the root of a gain, a length, by
    // 2 √(n ÷ lightest) at most, and a weight by as much of itself as `weight_error` is 8 times of:
    // the gain then changes by 3 times that of the whole. The sum of a side × all is off by 4u ×
    // all × √(side × squares), and the gain by 2^4 u √(gain × squares × all ÷ side); u is 2^-53.
    // The whole itself is a difference, off by some u of the squares for each row, and each output
    // that is added rounds once more.
    bool start(std::size_t n_rows) {
        double coarsest = std::numeric_limits<double>::infinity();
        for (const Output& output : outputs_)
            if (output.factor > 0) coarsest = std::min(coarsest, output.unit);
        if (std::isinf(coarsest)) return false;
        const double rows = static_cast<double>(n_rows) / lightest_;
        const double rounding = 0x1p-50 + 0x1p-53 * static_cast<double>(outputs_.size());
        double tie = 0;
        double unsure = 0;
        for (Output& output : outputs_) {
            if (output.factor == 0) continue;
            output.factor = coarsest / output.unit * (coarsest / output.unit);
            const double whole = std::max(0.0, output.squares - output.total * output.total / all_);
            const double most = whole + 0x1p-52 * static_cast<double>(n_rows + 16) * output.squares;
            const double error = (rounding + weight_error_) * most +
                                 0x1p-49 * std::sqrt(most * output.squares * (all_ / lightest_)) +
                                 4 * (std::sqrt(most * rows) + rows);
            tie += tie_share * output.factor * whole;
            unsure += 2 * output.factor * error;
        }
        cuts_.start(tie, unsure);
        enough_ = 0;
        return true;
    }

    /// Add to the gains of all cuts of a list what another output than the first one gains.
    void add_squares(std::span<const Entry> entries, std::size_t o) {
        const Output& output = outputs_[o];
        const Labelled* rows = rows_.data() + o * n_rows_;
        double sum = 0;
        double weight = 0;
        for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
            sum += rows[SortedLists::row_of(entries[i])].number;
            weight += row(entries[i]).weight;
            const double away = sum * all_ - output.total * weight;
            others_[i] = output.factor * (away * away) + (o > 1 ? others_[i] : 0);
        }
    }

    /// Whether guesses go the way they must; where doubles cannot tell, nobody here can.
    // A sum is off by 2 units a row. No label is farther from the mean than `reach`, and so far as
    // weights are off, so is a level of that.
    [[nodiscard]] bool keeps_order(int direction, double sum, double weight) {
        const Output& output = outputs_[0];
        const double reach = most_sum / (output.unit * lightest_);
        const double error = 0x1p-50 * (std::abs(output.mean) + reach) +
                             2 / (lightest_ * output.unit) + weight_error_ * reach;
        const auto level = [&](double of, double heavy) {
            return scaled(output.mean + of / heavy / output.unit, -label_exponent_);
        };
        const Order order =
            order_of(direction, bounds_, level(sum, weight),
                     level(output.total - sum, all_ - weight), scaled(error, -label_exponent_));
        if (order == Order::unclear) cuts_.give_up();
        return order == Order::kept;
    }

    template <bool HasOthers>
    void scan(std::size_t column, std::span<const Entry> entries) {
        const Labelled* rows = rows_.data();
        const Output output = outputs_[0];
        const double all = all_;
        double sum = 0;
        double weight = 0;
        for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
            const Labelled& next = rows[SortedLists::row_of(entries[i])];
            sum += next.number;
            weight += next.weight;
            const double away = sum * all - output.total * weight;
            double squares = away * away;
            if constexpr (HasOthers) squares = output.factor * squares + others_[i];
            const double sides = weight * (all - weight);
            if (squares >= enough_ * sides &&
                SortedLists::rank_of(entries[i]) != SortedLists::rank_of(entries[i + 1]))
                offer({squares / (sides * all), static_cast<std::uint32_t>(column),
                       static_cast<std::uint32_t>(i + 1)},
                      entries.size(), sum, weight);
        }
    }

    /// Offer a cut with this sum and weight on its first side, if it may be asked.
    void offer(const FewCuts::Cut& cut, std::size_t n_rows, double sum, double weight) {
        const auto least_rows = static_cast<std::size_t>(limits_.min_rows);
        const int direction = limits_.direction(cut.column);
        if (cut.place < least_rows || cut.place + least_rows > n_rows ||
            (direction != 0 && !keeps_order(direction, sum, weight)))
            return;
        cuts_.offer(cut);
        enough_ = cuts_.least() * all_ * (1 - 0x1p-50);  // a product is off by some last digits
    }

    Limits limits_;
    int label_exponent_ = 0;       // of the grid on which bounds are
    std::size_t n_rows_ = 0;       // of the lists
    std::vector<Labelled> given_;  // of local rows, one output after the other
    std::vector<Labelled> rows_;   // those of the node, on its grids; the first has the weights
    std::vector<Output> outputs_;
    LevelBounds bounds_;
    double all_ = 0;
    double lightest_ = 0;
    double weight_error_ = 0;
    double enough_ = 0;                       // what a gain × all must reach to matter
    std::array<double, most_rows> others_{};  // of a list: what is gained beside the first output
    FewCuts cuts_;
};

}  // namespace bough
