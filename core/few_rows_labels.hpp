// The labels and weights of the rows of a node that has few, on grids of the node's own.
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

#include "candidate.hpp"
#include "fixed_point.hpp"
#include "label_order.hpp"
#include "monotonic.hpp"
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

    /// Whether two answers may have so many rows and the others.
    [[nodiscard]] bool admits(std::size_t n_first) const {
        return n_first >= least_rows && n_first + least_rows <= n_rows;
    }
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

    struct Grid {
        double mean = 0;     // that of the node, from which labels are counted
        double unit = 1;     // how many of the grid are one of the labels
        double reach = 0;    // how far any label is from the mean
        double squares = 0;  // of the numbers, over weight
        double total = 0;    // of the numbers
    };

    /// Read those of these rows.
    template <class Labels>
    void read(const FixedLabels<Labels>& fixed, std::span<const Row> rows) {
        const Labels& labels = fixed.view();
        has_classes_ = std::is_same_v<Labels, ClassLabels>;
        given_.clear();
        for (const Row row : rows) {
            double number = 0;
            if constexpr (std::is_same_v<Labels, ClassLabels>)
                number = labels.codes[row];
            else
                number = fixed.numbers()[row];
            given_.push_back({number, to_double(labels.weights[row])});
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
        if (!put_on_grid(entries, 1 / total_weight)) return false;
        know_errors(entries.size(), has_many_answers);
        return true;
    }

    /// By local row.
    [[nodiscard]] const FewLabelled* rows() const { return rows_.data(); }
    [[nodiscard]] double tie() const { return tie_; }
    [[nodiscard]] double unsure() const { return unsure_; }
    [[nodiscard]] FewNode node() const {
        return {all_, grid_.total, weight_error_ * (most_sum / lightest_), n_entries_, 1};
    }
    [[nodiscard]] LevelGrid level_grid(int exponent) const {
        return {grid_.mean, grid_.unit, grid_.reach, lightest_, weight_error_, exponent};
    }
    /// What no query of two answers gains more than, where it is known: by numbers a cut of all
    /// rows in the order of their labels is best, by two classes what parts them.
    [[nodiscard]] double most_gain(std::span<const Entry> entries) const {
        constexpr double unknown = std::numeric_limits<double>::infinity();
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
        std::array<FewLabelled, most_ranked> sorted;
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

    [[nodiscard]] const FewLabelled& given(Entry entry) const {
        return given_[SortedLists::row_of(entry)];
    }
    [[nodiscard]] FewLabelled& row(Entry entry) { return rows_[SortedLists::row_of(entry)]; }

    /// Put the labels on the grid of a node, if it has one and they differ on it.
    bool put_on_grid(std::span<const Entry> entries, double per_weight) {
        grid_ = {};
        for (const Entry entry : entries)
            grid_.mean += given(entry).number * (given(entry).weight * per_weight);
        double most = 0;
        for (const Entry entry : entries) {
            const double away = given(entry).number - grid_.mean;
            row(entry).number = away * row(entry).weight;
            grid_.reach = std::max(grid_.reach, std::abs(away));
            most = std::max(most, std::abs(row(entry).number));
        }
        if (most == 0) return false;
        grid_.unit = power_below(most_sum / (static_cast<double>(entries.size()) * most));
        for (const Entry entry : entries) {
            double& number = row(entry).number;
            number = std::rint(number * grid_.unit);
            grid_.total += number;
            grid_.squares += number * number / row(entry).weight;
        }
        return std::isnormal(grid_.unit);
    }

    /// Work out how near gains are tied, and how far off.
    // Rounding puts a label × weight off by 2 units, which moves the root of a gain, a length, by
    // 2 √(n ÷ lightest) at most, and a weight by as much of itself as `weight_error` is 8 times of:
    // the gain then changes by 3 times that of the whole. The sum of a side × all is off by 4u ×
    // all × √(side × squares), and the gain by 2^4 u √(gain × squares × all ÷ side); u is 2^-53.
    // The whole itself is a difference, off by some u of the squares for each row, and each answer
    // of many that is added rounds once more.
    void know_errors(std::size_t n_rows, bool has_many_answers) {
        const double rows = static_cast<double>(n_rows) / lightest_;
        const double rounding =
            0x1p-50 + 0x1p-53 * static_cast<double>(1 + (has_many_answers ? n_rows : 0));
        const double whole = std::max(0.0, grid_.squares - grid_.total * grid_.total / all_);
        const double most = whole + 0x1p-52 * static_cast<double>(n_rows + 16) * grid_.squares;
        const double error = (rounding + weight_error_) * most +
                             0x1p-49 * std::sqrt(most * grid_.squares * (all_ / lightest_)) +
                             4 * (std::sqrt(most * rows) + rows);
        tie_ = tie_share * whole;
        unsure_ = 2 * error;
    }

    bool has_classes_ = false;
    std::size_t n_entries_ = 0;       // of the node
    std::vector<FewLabelled> given_;  // of local rows
    std::vector<FewLabelled> rows_;   // those of the node, on its grids
    Grid grid_;
    double all_ = 0;
    double lightest_ = 0;
    double weight_error_ = 0;
    double tie_ = 0;
    double unsure_ = 0;
};

}  // namespace bough
