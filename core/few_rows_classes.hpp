// The query of a node of few rows by Gini impurity of many classes: all cuts of all columns in one
// pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "few_rows_cuts.hpp"
#include "small_node_context.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Rows of a class are counted, so a node costs what its rows do and not what all classes do.
class FewClasses {
  public:
    using Entry = SortedLists::Entry;
    static constexpr bool takes_choices = false;
    static constexpr bool takes_missing = true;

    /// The most rows of a node that is searched here; 0 where more may be asked than is known here.
    template <class Criterion>
    static std::size_t most_for(const ListContext<Criterion>& context) {
        if constexpr (std::is_same_v<Criterion, Gini>) {
            const ClassLabels& labels = context.fixed.view();
            const Limits& limits = context.limits;
            if (labels.n_outputs() == 1 && labels.n_cells() > 2 &&
                labels.weights.of_row == nullptr && limits.min_rows <= 1 &&
                limits.min_weight <= 0 && !limits.draw_one && limits.directions.empty() &&
                !context.has_choices())
                return most_rows;
        }
        return 0;
    }

    /// Search in lists of these rows from now on.
    void read(const ListContext<Gini>& context, std::span<const Row> rows) {
        const ClassLabels& labels = context.fixed.view();
        counts_.assign(labels.n_cells(), {});
        seen_.clear();
        classes_.clear();
        for (const Row row : rows)
            classes_.push_back(static_cast<std::uint32_t>(labels.codes[row]));
    }

    /// Search a node of these entries, in any order; say whether it can be searched.
    bool enter(std::span<const Entry> entries, const LevelBounds& /*bounds*/) {
        for (const std::uint32_t k : seen_) counts_[k].all = 0;
        seen_.clear();
        squares_ = 0;
        for (const Entry entry : entries) {
            seen_.push_back(class_of(entry));
            squares_ += 2 * counts_[seen_.back()].all++ + 1;
        }
        const auto n = static_cast<double>(entries.size());
        const double whole = n - static_cast<double>(squares_) / n;
        cuts_.start(tie_share * whole, 0);
        return true;
    }

    /// Look at all queries about a sorted list, whose missing rows come first.
    void scan(std::size_t column, std::span<const Entry> entries) {
        FewCuts::on_both_sides(entries, [&](std::size_t begin, std::size_t n_missing) {
            scan_from(column, entries, begin, n_missing);
        });
    }

    [[nodiscard]] const FewCuts& cuts() const { return cuts_; }

  private:
    static constexpr std::size_t most_rows = 64;

    /// How many rows of a class are at the node, and before a cut.
    struct Counted {
        std::int32_t all = 0;
        std::int32_t before = 0;
    };

    [[nodiscard]] std::uint32_t class_of(Entry entry) const {
        return classes_[SortedLists::row_of(entry)];
    }

    /// Look at the cuts of a list behind its first entries, its missing ones among them or left out
    /// so that they come last.
    // Σ before²/m + Σ behind²/r − Σ all²/n over the common denominator: whole numbers, at most n⁴,
    // so that equal gains are equal doubles, and others differ by far more than a tie.
    void scan_from(std::size_t column, std::span<const Entry> entries, std::size_t begin,
                   std::size_t n_missing) {
        const auto n = static_cast<std::int32_t>(entries.size());
        std::int32_t before = 0;
        std::int32_t behind = squares_;
        for (std::size_t i = begin; i + 1 < entries.size(); ++i) {
            Counted& of = counts_[class_of(entries[i])];
            behind -= 2 * (of.all - of.before) - 1;
            before += 2 * of.before++ + 1;
            const auto m = static_cast<std::int32_t>(i + 1 - begin);
            const std::int32_t r = n - m;
            const std::int32_t above = (before * r + behind * m) * n - squares_ * m * r;
            const double gain = static_cast<double>(above) / static_cast<double>(m * r * n);
            if (gain >= cuts_.least() &&
                SortedLists::rank_of(entries[i]) != SortedLists::rank_of(entries[i + 1]))
                cuts_.offer(FewCuts::behind(gain, column, i + 1, begin, n_missing));
        }
        for (const std::uint32_t k : seen_) counts_[k].before = 0;
    }

    std::vector<std::uint32_t> classes_;  // of local rows
    std::vector<Counted> counts_;         // of all classes
    std::vector<std::uint32_t> seen_;     // the classes of the node's rows
    std::int32_t squares_ = 0;            // of what is counted of them
    FewCuts cuts_;
};

}  // namespace bough
