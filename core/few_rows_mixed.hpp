// The query of a node of few rows with choices or missing values, by squared error or by Gini
// impurity of two classes: all queries about all columns in one pass.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "criteria.hpp"
#include "few_rows_choices.hpp"
#include "few_rows_cuts.hpp"
#include "few_rows_labels.hpp"
#include "small_node_context.hpp"
#include "sorted_lists.hpp"

namespace bough {

class FewMixed {
  public:
    using Entry = SortedLists::Entry;
    static constexpr bool takes_choices = true;
    static constexpr bool takes_missing = true;

    /// The most rows of a node that is searched here; 0 where more may be asked than is known here.
    template <class Criterion>
    static std::size_t most_for(const ListContext<Criterion>& context) {
        const Limits& limits = context.limits;
        if (!context.sums_numbers() || limits.min_weight > 0 || limits.draw_one ||
            context.fixed.view().n_outputs() > 1)
            return 0;
        if (context.has_choices()) return most_with_choices;
        return SortedLists::most_rows;
    }

    /// Search in lists of these rows from now on.
    template <class Criterion>
    void read(const ListContext<Criterion>& context, std::span<const Row> rows) {
        limits_ = context.limits;
        label_exponent_ = context.fixed.label_exponent();
        looks_at_all_ = context.settings.max_features == 0;
        labels_.read(context.fixed, rows);
        choices_.read(context.raw, most_with_choices);
        has_choices_ = context.has_choices();
        each_end_ = 0;
        for (std::size_t i = 0; i < context.raw.size(); ++i)
            if (context.raw[i].is_choice && !limits_.groups(i)) each_end_ = i + 1;
    }

    /// Search a node of these entries, in any order, whose guesses have these bounds; say whether
    /// its labels have a grid.
    bool enter(std::span<const Entry> entries, const LevelBounds& bounds) {
        if (!labels_.enter(entries, has_choices_)) return false;
        node_ = labels_.node();
        node_.least_rows = static_cast<std::size_t>(std::max<std::int64_t>(limits_.min_rows, 1));
        // Whatever seems to gain the most is tied with the best only if errors are below a tie.
        const bool has_ceiling = looks_at_all_ && labels_.unsure() <= labels_.tie();
        ceiling_ =
            has_ceiling ? labels_.most_gain(entries) : std::numeric_limits<double>::infinity();
        bounds_ = bounds;
        cuts_.start(labels_.tie(), labels_.unsure());
        enough_ = 0;
        later_.clear();
        return true;
    }

    /// Look at all queries about a sorted list, whose missing rows come first.
    void scan(std::size_t column, std::span<const Entry> entries) {
        FewCuts::on_both_sides(entries, [&](std::size_t begin, std::size_t n_missing) {
            scan_from(column, entries, begin, n_missing);
        });
    }
    /// The same about a column of choices.
    bool scan_choices(std::size_t column, const SortedLists& lists,
                      std::span<const Entry> entries) {
        if (choices_.count(column, entries, lists.choices(column), labels_.rows()) < 2)
            return false;
        const double gain = choices_.part_all(column, node_);
        if (!limits_.groups(column))
            choices_.offer_each(column, gain, node_, cuts_);
        else if (looks_at_all_ && gain < ceiling_)
            later_.push_back({gain, column});
        else
            offer_groups(column, gain);
        return true;
    }
    /// Whether all other columns are known to be no better: so is this one, and those behind it.
    [[nodiscard]] bool is_settled(std::size_t column) const {
        return column >= each_end_ && cuts_.best() >= ceiling_;
    }
    /// The query to ask; none where doubles cannot tell.
    [[nodiscard]] std::optional<Finalist> winner() {
        look_at_later();
        const auto cut = cuts_.winner([&](const FewCuts::Cut& a, const FewCuts::Cut& b) {
            return precedes(choices_.finalist(a), choices_.finalist(b));
        });
        return cut ? std::optional(choices_.finalist(*cut)) : std::nullopt;
    }
    [[nodiscard]] const FewCuts& cuts() const { return cuts_; }

  private:
    static constexpr std::size_t most_with_choices = 1024;  // which are sooner grouped

    /// Look at what was put off: first where most may be gained.
    void look_at_later() {
        std::sort(later_.begin(), later_.end(), std::greater<>{});
        for (const auto& [gain, column] : later_) offer_groups(column, gain);
    }

    void offer_groups(std::size_t column, double most) {
        if (most < cuts_.least()) return;
        choices_.offer_groups(column, node_, cuts_);
        look_at_no_less();
    }

    /// Whether guesses go the way they must; where doubles cannot tell, nobody here can.
    [[nodiscard]] bool keeps_order(int direction, double sum, double weight) {
        const Order order = labels_.level_grid(label_exponent_)
                                .order(direction, bounds_, sum / weight,
                                       (node_.total - sum) / (node_.all - weight));
        if (order == Order::unclear) cuts_.give_up();
        return order == Order::kept;
    }

    /// Look at the cuts of a list behind its first entries, its missing ones among them or left out
    /// so that they come last.
    void scan_from(std::size_t column, std::span<const Entry> entries, std::size_t begin,
                   std::size_t n_missing) {
        const FewLabelled* rows = labels_.rows();
        const double all = node_.all;
        const double total = node_.total;
        double sum = 0;
        double weight = 0;
        for (std::size_t i = begin; i + 1 < entries.size(); ++i) {
            const FewLabelled& next = rows[SortedLists::row_of(entries[i])];
            sum += next.number;
            weight += next.weight;
            const double away = sum * all - total * weight;
            const double squares = away * away;
            const double sides = weight * (all - weight);
            if (squares >= enough_ * sides &&
                SortedLists::rank_of(entries[i]) != SortedLists::rank_of(entries[i + 1])) {
                const auto cut =
                    FewCuts::behind(squares / (sides * all), column, i + 1, begin, n_missing);
                offer(cut, i + 1 - begin, sum, weight);
            }
        }
    }

    /// Offer a cut with so many rows on its first side, this sum and weight, if it may be asked.
    void offer(const FewCuts::Cut& cut, std::size_t n_first, double sum, double weight) {
        const int direction = cut.kind == Kind::below ? limits_.direction(cut.column) : 0;
        if (!node_.admits(n_first) || (direction != 0 && !keeps_order(direction, sum, weight)))
            return;
        cuts_.offer(cut);
        look_at_no_less();
    }
    void look_at_no_less() {
        enough_ =
            cuts_.least() * node_.all * (1 - 0x1p-50);  // a product is off by some last digits
    }

    Limits limits_;
    int label_exponent_ = 0;  // of the grid on which bounds are
    FewLabels labels_;
    FewNode node_;
    LevelBounds bounds_;
    double enough_ = 0;  // what a gain × all must reach to matter
    FewCuts cuts_;
    FewChoices choices_;
    bool has_choices_ = false;
    std::size_t each_end_ = 0;  // behind the last column that is asked about value by value
    bool looks_at_all_ = true;  // the columns, in their order
    double ceiling_ = 0;        // of the gain of any query of two answers
    std::vector<std::pair<double, std::size_t>> later_;  // columns, and what they gain at most
};

}  // namespace bough
