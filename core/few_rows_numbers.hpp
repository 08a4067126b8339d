// The query of a node of few rows, by squared error or by Gini impurity of two classes, for each
// output: all cuts of all columns in one pass, or those that were drawn.
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
#include "fixed_point.hpp"
#include "small_node_context.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Weights, and labels from some origin, are put on grids of the node's own, as whole numbers: 64
/// bits hold all sums exactly. Classes are the numbers 0 and 1.
class FewRows {
  public:
    using Entry = SortedLists::Entry;
    static constexpr bool takes_choices = false;
    static constexpr bool takes_missing = false;

    struct Labelled {
        std::int64_t number;  // on the grid of a node: times weight
        std::int64_t weight;
    };

    /// The most rows of a node that is searched here, without missing values; 0 where more may be
    /// asked than is known here. Of cuts that are drawn there is but one a column, in any number of
    /// rows.
    template <class Criterion>
    static std::size_t most_for(const ListContext<Criterion>& context) {
        const Limits& limits = context.limits;
        const auto& labels = context.fixed.view();
        const bool is_plain = limits.min_rows <= 1 && limits.directions.empty();
        if (!context.sums_numbers() || limits.min_weight > 0 || (limits.draw_one && !is_plain) ||
            ((limits.draw_one || !limits.directions.empty()) && labels.n_outputs() > 1) ||
            context.has_choices())
            return 0;
        if (limits.draw_one) return std::numeric_limits<std::size_t>::max();
        return SortedLists::most_rows;
    }

    /// Search in lists of these rows from now on.
    template <class Criterion>
    void read(const ListContext<Criterion>& context, std::span<const Row> rows) {
        const auto& labels = context.fixed.view();
        limits_ = context.limits;
        label_exponent_ = context.fixed.label_exponent();
        outputs_.resize(labels.n_outputs());
        given_.resize(rows.size() * outputs_.size());
        for (std::size_t o = 0; o < outputs_.size(); ++o) {
            double* to = given_.data() + o;
            for (std::size_t i = 0; i < rows.size(); ++i, to += outputs_.size()) {
                if constexpr (std::is_same_v<Criterion, Gini>)
                    *to = labels.codes[o * labels.n_rows + rows[i]];
                else
                    *to = context.fixed.numbers()[o * labels.n_rows + rows[i]];
            }
        }
        numbers_.resize(given_.size());
        given_weights_.clear();
        if (labels.weights.of_row != nullptr)
            for (const Row row : rows) given_weights_.push_back(to_double(labels.weights[row]));
        weights_.resize(given_weights_.size());
    }

    /// Search a node of these entries, in any order, whose guesses have these bounds; say whether
    /// its labels have a grid.
    bool enter(std::span<const Entry> entries, const LevelBounds& bounds) {
        if (!weigh(entries)) return false;
        for (std::size_t o = 0; o < outputs_.size(); ++o)
            if (!(has_weights() ? put_on_grid<true>(entries, o) : put_on_grid<false>(entries, o)))
                return false;
        bounds_ = bounds;
        return start(entries.size());
    }

    /// Look at all cuts of a sorted list without missing rows.
    void scan(std::size_t column, std::span<const Entry> entries) {
        has_weights() ? scan<true>(column, entries) : scan<false>(column, entries);
    }

    /// Look at one cut of a column, before which rows have these sums on the grids of the node.
    void offer(std::size_t column, std::int64_t sum, std::int64_t weight) {
        const auto all = static_cast<double>(all_);
        const auto heavy = static_cast<double>(weight);
        const double away = static_cast<double>(sum) * all - outputs_[0].heavy * heavy;
        const double gain = away * away / (heavy * static_cast<double>(all_ - weight) * all);
        cuts_.offer({gain, static_cast<std::uint32_t>(column), 0});
    }
    /// A row of the node, on its grids.
    [[nodiscard]] Labelled labelled(Entry entry) const {
        return {number(entry, 0), has_weights() ? weights_[SortedLists::row_of(entry)] : 1};
    }

    [[nodiscard]] const FewCuts& cuts() const { return cuts_; }

  private:
    static constexpr double most_number = 0x1p52;
    static constexpr double most_sum = 0x1p60;

    struct Output {
        double origin = 0;       // what labels are counted from
        double unit = 1;         // how many of its grid are one of the labels
        double reach = 0;        // how far any label is from the origin
        double squares = 0;      // of the numbers, over weight
        std::int64_t total = 0;  // of the numbers
        double heavy = 0;        // the same
        double factor = 1;       // what a gain counts beside those of other outputs
    };

    [[nodiscard]] bool has_weights() const { return !given_weights_.empty(); }
    [[nodiscard]] std::int64_t number(Entry entry, std::size_t o) const {
        return numbers_[SortedLists::row_of(entry) * outputs_.size() + o];
    }

    /// Put the weights of a node on its grid, if they have one.
    bool weigh(std::span<const Entry> entries) {
        all_ = static_cast<std::int64_t>(entries.size());
        lightest_ = 1;
        weight_error_ = 0;
        if (!has_weights()) {
            for (std::size_t i = heavy_.size(); i < entries.size(); ++i)
                heavy_.push_back(static_cast<double>(i + 1));
            sides_.resize(heavy_.size());
            const std::size_t n_cuts = limits_.draw_one ? 0 : entries.size() - 1;
            const auto all = static_cast<double>(all_);
            for (std::size_t i = 0; i < n_cuts; ++i) sides_[i] = heavy_[i] * (all - heavy_[i]);
            return true;
        }
        double total = 0;
        for (const Entry entry : entries) total += given_weights_[SortedLists::row_of(entry)];
        const double unit = total < most_number ? 1 : power_below(most_sum / total);
        std::int64_t lightest = std::numeric_limits<std::int64_t>::max();
        all_ = 0;
        for (const Entry entry : entries) {
            const std::size_t row = SortedLists::row_of(entry);
            weights_[row] = std::llrint(given_weights_[row] * unit);
            lightest = std::min(lightest, weights_[row]);
            all_ += weights_[row];
        }
        lightest_ = static_cast<double>(lightest);
        weight_error_ = unit == 1 ? 0 : 8 / std::min(lightest_, most_number);
        return lightest > 0;
    }

    /// Put the labels of an output on the grid of a node, if it has one.
    template <bool HasWeights>
    bool put_on_grid(std::span<const Entry> entries, std::size_t o) {
        const std::size_t n_outputs = outputs_.size();
        const double* given = given_.data() + o;
        std::int64_t* numbers = numbers_.data() + o;
        const auto label = [=](Entry entry) {
            return given[SortedLists::row_of(entry) * n_outputs];
        };
        const auto weight = [weights = weights_.data()](Entry entry) {
            return HasWeights ? static_cast<double>(weights[SortedLists::row_of(entry)]) : 1.0;
        };
        Output found;
        double least = label(entries.front());
        double most = least;
        double mean = 0;
        const double per_all = 1 / static_cast<double>(all_);
        for (const Entry entry : entries) {
            least = std::min(least, label(entry));
            most = std::max(most, label(entry));
            if constexpr (HasWeights) mean += label(entry) * (weight(entry) * per_all);
        }
        if (least == most) {
            for (const Entry entry : entries) numbers[SortedLists::row_of(entry) * n_outputs] = 0;
            found.factor = 0;
            outputs_[o] = found;
            return true;
        }
        found.origin = HasWeights ? mean : least / 2 + most / 2;
        const auto away = [=, origin = found.origin](Entry entry) {
            return (label(entry) - origin) * weight(entry);
        };
        found.reach = std::max(most - found.origin, found.origin - least);
        double heaviest = found.reach;  // of the labels × weight
        if constexpr (HasWeights) {
            heaviest = 0;
            for (const Entry entry : entries) heaviest = std::max(heaviest, std::abs(away(entry)));
        }
        const double unit = power_below(
            std::min(most_number, 2 * most_sum / static_cast<double>(entries.size())) / heaviest);
        if (!std::isnormal(unit)) return false;
        for (const Entry entry : entries) {
            const std::int64_t number = std::llrint(away(entry) * unit);
            const auto size = static_cast<double>(number);
            numbers[SortedLists::row_of(entry) * n_outputs] = number;
            found.total += number;
            found.squares += HasWeights ? size * size / weight(entry) : size * size;
        }
        found.unit = unit;
        found.heavy = static_cast<double>(found.total);
        outputs_[o] = found;
        return true;
    }

    /// Begin a node; say whether labels differ on its grids.
    // Rounding puts a label × weight off by 2 units, which moves the root of a gain, a length, by
    // 2 √(n ÷ lightest) at most, and a weight by as much of itself as `weight_error` is 8 times of:
    // the gain then changes by 3 times that of the whole. The sum of a side × all is off by 8u ×
    // all × √(side × squares), and the gain by 2^5 u √(gain × squares × all ÷ side); u is 2^-53.
    // The whole itself is a difference, off by some u of the squares for each row, and each output
    // that is added rounds once more.
    bool start(std::size_t n_rows) {
        double coarsest = std::numeric_limits<double>::infinity();
        for (const Output& output : outputs_)
            if (output.factor > 0) coarsest = std::min(coarsest, output.unit);
        if (std::isinf(coarsest)) return false;
        const double rows = static_cast<double>(n_rows) / lightest_;
        const double rounding = 0x1p-49 + 0x1p-53 * static_cast<double>(outputs_.size());
        double tie = 0;
        double unsure = 0;
        for (Output& output : outputs_) {
            if (output.factor == 0) continue;
            output.factor = coarsest / output.unit * (coarsest / output.unit);
            const auto all = static_cast<double>(all_);
            const double whole = std::max(0.0, output.squares - output.heavy * output.heavy / all);
            const double most = whole + 0x1p-52 * static_cast<double>(n_rows + 16) * output.squares;
            const double error = (rounding + weight_error_) * most +
                                 0x1p-48 * std::sqrt(most * output.squares * (all / lightest_)) +
                                 4 * (std::sqrt(most * rows) + rows);
            tie += tie_share * output.factor * whole;
            unsure += 2 * output.factor * error;
        }
        cuts_.start(tie, unsure);
        enough_ = 0;
        return true;
    }

    /// Whether guesses go the way they must; where doubles cannot tell, nobody here can.
    [[nodiscard]] bool keeps_order(int direction, std::int64_t sum, std::int64_t weight) {
        const Output& output = outputs_[0];
        const LevelGrid grid{output.origin, output.unit,   output.reach,
                             lightest_,     weight_error_, label_exponent_};
        const auto mean = [](std::int64_t of, std::int64_t heavy) {
            return static_cast<double>(of) / static_cast<double>(heavy);
        };
        const Order order = grid.order(direction, bounds_, mean(sum, weight),
                                       mean(output.total - sum, all_ - weight));
        if (order == Order::unclear) cuts_.give_up();
        return order == Order::kept;
    }

    template <bool HasWeights>
    void scan(std::size_t column, std::span<const Entry> entries) {
        switch (outputs_.size()) {
            case 1:
                return scan_by<HasWeights, 1>(column, entries);
            case 2:
                return scan_by<HasWeights, 2>(column, entries);
            case 3:
                return scan_by<HasWeights, 3>(column, entries);
            default:
                return scan_by<HasWeights, 0>(column, entries);
        }
    }
    /// Look at all cuts of a list by so many outputs, side by side; 0: any number.
    template <bool HasWeights, std::size_t N>
    void scan_by(std::size_t column, std::span<const Entry> entries) {
        using Running =
            std::conditional_t<(N > 0), std::array<std::int64_t, N>, std::vector<std::int64_t>>;
        const std::size_t n_outputs = N > 0 ? N : outputs_.size();
        const std::int64_t* numbers = numbers_.data();
        const auto all = static_cast<double>(all_);
        Running sums{};
        if constexpr (N == 0) sums.resize(n_outputs);
        std::array<Output, N> outputs;
        for (std::size_t o = 0; o < N; ++o) outputs[o] = outputs_[o];
        std::int64_t weight = 0;
        for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
            const std::size_t row = SortedLists::row_of(entries[i]);
            weight += HasWeights ? weights_[row] : 0;
            const double heavy = HasWeights ? static_cast<double>(weight) : heavy_[i];
            double squares = 0;
            for (std::size_t o = 0; o < n_outputs; ++o) {
                const Output& output = N > 0 ? outputs[o] : outputs_[o];
                sums[o] += numbers[row * n_outputs + o];
                const double away = static_cast<double>(sums[o]) * all - output.heavy * heavy;
                squares += N == 1 ? away * away : output.factor * (away * away);
            }
            const double sides =
                HasWeights ? heavy * static_cast<double>(all_ - weight) : sides_[i];
            if (squares >= enough_ * sides &&
                SortedLists::rank_of(entries[i]) != SortedLists::rank_of(entries[i + 1]))
                offer({squares / (sides * all), static_cast<std::uint32_t>(column),
                       static_cast<std::uint32_t>(i + 1)},
                      entries.size(), sums[0],
                      HasWeights ? weight : static_cast<std::int64_t>(i + 1));
        }
    }

    /// Offer a cut with this sum and weight on its first side, if it may be asked.
    void offer(const FewCuts::Cut& cut, std::size_t n_rows, std::int64_t sum, std::int64_t weight) {
        const auto least_rows = static_cast<std::size_t>(limits_.min_rows);
        const int direction = limits_.direction(cut.column);
        if (cut.place < least_rows || cut.place + least_rows > n_rows ||
            (direction != 0 && !keeps_order(direction, sum, weight)))
            return;
        cuts_.offer(cut);
        enough_ = cuts_.least() * static_cast<double>(all_) *
                  (1 - 0x1p-50);  // a product is off by some last digits
    }

    Limits limits_;
    int label_exponent_ = 0;             // of the grid on which bounds are
    std::vector<double> given_;          // labels of local rows, the outputs of each side by side
    std::vector<double> given_weights_;  // empty: all 1
    std::vector<std::int64_t> numbers_;  // of the rows of the node, on its grids
    std::vector<std::int64_t> weights_;
    std::vector<Output> outputs_;
    LevelBounds bounds_;
    std::int64_t all_ = 0;
    double lightest_ = 0;
    double weight_error_ = 0;
    double enough_ = 0;          // what a gain × all must reach to matter
    std::vector<double> heavy_;  // of rows that weigh 1: how many are before a cut
    std::vector<double> sides_;  // and times those that are behind it
    FewCuts cuts_;
};

}  // namespace bough
