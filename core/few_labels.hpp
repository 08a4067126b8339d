// The labels and weights of the rows of a node that has few, on grids of the node's own.
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

#include "candidate.hpp"
#include "label_order.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// A row of a node, on its grids.
struct FewLabelled {
    double number;  // times weight
    double weight;
};

/// What queries about choices need to know of a node.
struct FewNode {
    double all = 0;         // the weight of its rows
    double total = 0;       // of their numbers
    double mean_error = 0;  // of any mean, by weights
    std::size_t n_rows = 0;
    std::size_t least_rows = 1;  // of an answer

    [[nodiscard]] double gain(double sum, double weight) const {
        const double away = sum * all - total * weight;
        return away * away / (weight * (all - weight) * all);
    }
};

/// Weights, and labels from their mean, are whole numbers on their grids: of these doubles hold all
/// sums exactly. Classes are the numbers 0 and 1.
class FewLabels {
  public:
    using Entry = SortedLists::Entry;
    using Labelled = FewLabelled;

    struct Output {
        double mean = 0;
        double unit = 1;     // how many of its grid are one of the labels
        double squares = 0;  // of the numbers, over weight
        double total = 0;    // of the numbers
        double factor = 1;   // what a gain counts beside those of other outputs
    };

    /// Read those of these rows.
    template <class Labels>
    void read(const FixedLabels<Labels>& fixed, std::span<const Row> rows) {
        const Labels& labels = fixed.view();
        has_classes_ = std::is_same_v<Labels, ClassLabels>;
        outputs_.resize(labels.n_outputs());
        n_rows_ = rows.size();
        given_.clear();
        for (std::size_t o = 0; o < outputs_.size(); ++o) {
            for (const Row row : rows) {
                double number = 0;
                if constexpr (std::is_same_v<Labels, ClassLabels>)
                    number = labels.codes[o * labels.n_rows + row];
                else
                    number = fixed.numbers()[o * labels.n_rows + row];
                given_.push_back({number, to_double(labels.weights[row])});
            }
        }
        rows_.resize(given_.size());
    }

    /// Put those of these entries on grids, if they have any; where queries have many answers,
    /// gains are off by more.
    bool enter(std::span<const Entry> entries, bool has_many_answers) {
        n_entries_ = entries.size();
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
        return know_errors(entries.size(), has_many_answers);
    }

    [[nodiscard]] std::size_t n_outputs() const { return outputs_.size(); }
    [[nodiscard]] const Output& output(std::size_t o) const { return outputs_[o]; }
    /// By local row; those of the first output have the weights.
    [[nodiscard]] const Labelled* rows(std::size_t o) const { return rows_.data() + o * n_rows_; }
    [[nodiscard]] double tie() const { return tie_; }
    [[nodiscard]] double unsure() const { return unsure_; }
    [[nodiscard]] FewNode node() const {
        return {all_, outputs_[0].total, weight_error_ * (most_sum / lightest_), n_entries_, 1};
    }
    /// How far the mean of any rows may be off, in units of the labels.
    // A sum is off by 2 units a row. No label is farther from the mean than `reach`, and so far as
    // weights are off, so is a level of that.
    [[nodiscard]] double level_error() const {
        const Output& output = outputs_[0];
        const double reach = most_sum / (output.unit * lightest_);
        return 0x1p-50 * (std::abs(output.mean) + reach) + 2 / (lightest_ * output.unit) +
               weight_error_ * reach;
    }
    /// What no query of two answers gains more than, where it is known: by numbers a cut of all
    /// rows in the order of their labels is best, by two classes what parts them.
    [[nodiscard]] double most_gain(std::span<const Entry> entries) const {
        constexpr double unknown = std::numeric_limits<double>::infinity();
        if (outputs_.size() > 1) return unknown;
        const FewNode of = node();
        double sum = 0;
        double weight = 0;
        if (has_classes_) {
            for (const Entry entry : entries) {
                const bool is_first = given(entry).number == 0;
                sum += is_first ? rows_[SortedLists::row_of(entry)].number : 0;
                weight += is_first ? rows_[SortedLists::row_of(entry)].weight : 0;
            }
            return of.gain(sum, weight);
        }
        const std::size_t n = entries.size();
        if (n > most_ranked) return unknown;
        std::array<double, most_ranked> labels;
        std::array<Labelled, most_ranked> sorted;
        for (std::size_t i = 0; i < n; ++i) labels[i] = given(entries[i]).number;
        for (std::size_t i = 0; i < n; ++i) {
            std::size_t rank = 0;
            for (std::size_t j = 0; j < i; ++j) rank += labels[j] <= labels[i] ? 1 : 0;
            for (std::size_t j = i + 1; j < n; ++j) rank += labels[j] < labels[i] ? 1 : 0;
            sorted[rank] = rows_[SortedLists::row_of(entries[i])];
        }
        double most = 0;
        for (std::size_t i = 0; i + 1 < n; ++i) {
            sum += sorted[i].number;
            weight += sorted[i].weight;
            most = std::max(most, of.gain(sum, weight));
        }
        return most;
    }

  private:
    static constexpr std::size_t most_ranked = 16;  // labels that are put in order
    static constexpr double most_sum = 0x1p52;

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

    /// Work out how near gains are tied, and how far off; say whether labels differ on the grids.
    // Rounding puts a label × weight off by 2 units, which moves the root of a gain, a length, by
    // 2 √(n ÷ lightest) at most, and a weight by as much of itself as `weight_error` is 8 times of:
    // the gain then changes by 3 times that of the whole. The sum of a side × all is off by 4u ×
    // all × √(side × squares), and the gain by 2^4 u √(gain × squares × all ÷ side); u is 2^-53.
    // The whole itself is a difference, off by some u of the squares for each row, and each output
    // that is added rounds once more, as does each answer of many.
    bool know_errors(std::size_t n_rows, bool has_many_answers) {
        double coarsest = std::numeric_limits<double>::infinity();
        for (const Output& output : outputs_)
            if (output.factor > 0) coarsest = std::min(coarsest, output.unit);
        if (std::isinf(coarsest)) return false;
        const double rows = static_cast<double>(n_rows) / lightest_;
        const double rounding =
            0x1p-50 +
            0x1p-53 * static_cast<double>(outputs_.size() + (has_many_answers ? n_rows : 0));
        tie_ = 0;
        unsure_ = 0;
        for (Output& output : outputs_) {
            if (output.factor == 0) continue;
            output.factor = coarsest / output.unit * (coarsest / output.unit);
            const double whole = std::max(0.0, output.squares - output.total * output.total / all_);
            const double most = whole + 0x1p-52 * static_cast<double>(n_rows + 16) * output.squares;
            const double error = (rounding + weight_error_) * most +
                                 0x1p-49 * std::sqrt(most * output.squares * (all_ / lightest_)) +
                                 4 * (std::sqrt(most * rows) + rows);
            tie_ += tie_share * output.factor * whole;
            unsure_ += 2 * output.factor * error;
        }
        return true;
    }

    bool has_classes_ = false;
    std::size_t n_rows_ = 0;       // of the lists
    std::size_t n_entries_ = 0;    // of the node
    std::vector<Labelled> given_;  // of local rows, one output after the other
    std::vector<Labelled> rows_;   // those of the node, on its grids
    std::vector<Output> outputs_;
    double all_ = 0;
    double lightest_ = 0;
    double weight_error_ = 0;
    double tie_ = 0;
    double unsure_ = 0;
};

}  // namespace bough
