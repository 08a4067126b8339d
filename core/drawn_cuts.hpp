// A cut by chance of each column of a small node, whose rows need not be sorted for it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <variant>
#include <vector>

#include "random_draws.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Holds the values of rows side by side, eight columns in a group, so that the least and the
/// greatest value of eight columns, or the sums before eight cuts, are found in one pass over rows.
class DrawnCuts {
    using Entry = SortedLists::Entry;
    /// Two doubles, on which the processor works side by side.
    using Pair [[gnu::vector_size(16)]] = double;
    using Mask = decltype(Pair{} <= Pair{});  // and pairs of whole numbers
    static constexpr std::size_t width = 8;
    using Group = std::array<Pair, width / 2>;
    using WholeGroup = std::array<Mask, width / 2>;
    static constexpr Pair nowhere{-std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity()};
    struct Range {
        Group least;
        Group most;
        bool is_known = false;
    };

    static auto at(const auto& group, std::size_t column) {
        return group[column % width / 2][column % 2];
    }
    static void put(Group& group, std::size_t column, double value) {
        group[column % width / 2][column % 2] = value;
    }
    [[nodiscard]] Group* group(std::size_t number) { return values_.data() + number * n_rows_; }
    [[nodiscard]] const Group* group(std::size_t number) const {
        return values_.data() + number * n_rows_;
    }

    [[nodiscard]] auto value_in(std::size_t column) const {
        return [values = group(column / width), column](Entry entry) {
            return at(values[SortedLists::row_of(entry)], column);
        };
    }

  public:
    /// Whether all columns are numbers that doubles hold.
    static bool can_read(std::span<const RawColumn> raw) {
        return std::none_of(raw.begin(), raw.end(), [](const RawColumn& column) {
            return column.is_choice || std::holds_alternative<Strided<Whole>>(column.values);
        });
    }

    /// Copy the values of these rows; say whether none is missing.
    bool read(std::span<const RawColumn> raw, std::span<const Row> rows) {
        constexpr std::size_t tile = 256;  // rows of a table may lie side by side
        n_rows_ = rows.size();
        const std::size_t n_groups = (raw.size() + width - 1) / width;
        values_.resize(std::max(values_.size(), n_groups * n_rows_));
        ranges_.resize(n_groups);
        places_.resize(n_groups);
        bool has_missing = false;
        for (std::size_t begin = 0; begin < n_rows_ && !has_missing; begin += tile) {
            const std::size_t end = std::min(begin + tile, n_rows_);
            for (std::size_t column = 0; column < n_groups * width; ++column) {
                Group* to = group(column / width);
                if (column >= raw.size()) {
                    for (std::size_t i = begin; i < end; ++i) put(to[i], column, 0);
                    continue;
                }
                const NumberValues values(raw[column]);
                for (std::size_t i = begin; i < end; ++i) {
                    const double value = values[rows[i]];
                    has_missing = has_missing || std::isnan(value);
                    put(to[i], column, value);
                }
            }
        }
        return !has_missing;
    }

    /// Draw in a node of these entries from now on.
    void enter(std::span<const Entry> entries) {
        entries_ = entries;
        for (Range& range : ranges_) range.is_known = false;
        for (Group& places : places_) places.fill(nowhere);
        columns_.clear();
    }

    /// Draw the cut of a column, if it tells rows apart; say whether it does.
    bool draw(std::size_t column, std::uint64_t chance) {
        Range& range = ranges_[column / width];
        if (!range.is_known) find(range, group(column / width));
        const double least = at(range.least, column);
        const double most = at(range.most, column);
        if (!(least < most)) return false;
        put(places_[column / width], column, drawn_between(least, most, chance));
        columns_.push_back(column);
        return true;
    }
    /// Bring the entries before the cut that was drawn to the front; return how many they are.
    std::size_t part(SortedLists& lists, std::size_t column, std::size_t begin,
                     std::size_t end) const {
        return lists.cut_at(column, begin, end, at(places_[column / width], column),
                            value_in(column));
    }
    /// Put the entries of a node into the order of a column.
    void sort(SortedLists& lists, std::size_t column, std::size_t begin, std::size_t end) const {
        lists.sort_by(column, begin, end, value_in(column));
    }

    /// Tell the sums of what is before each cut that was drawn.
    template <class Few>
    void offer(Few& few) {
        WholeGroup numbers;
        WholeGroup weights;
        std::size_t summed = places_.size();
        std::sort(columns_.begin(), columns_.end());
        for (const std::size_t column : columns_) {
            if (column / width != summed) {
                summed = column / width;
                sum(few, summed, numbers, weights);
            }
            few.offer(column, at(numbers, column), at(weights, column));
        }
    }

  private:
    void find(Range& range, const Group* values) const {
        Group least = values[SortedLists::row_of(entries_[0])];
        Group most = least;
        for (const Entry entry : entries_) {
            const Group& row = values[SortedLists::row_of(entry)];
            for (std::size_t k = 0; k < row.size(); ++k) {
                least[k] = row[k] < least[k] ? row[k] : least[k];
                most[k] = row[k] > most[k] ? row[k] : most[k];
            }
        }
        range = {least, most, true};
    }

    // Whole numbers, so that equal sides have equal sums in any order of rows.
    template <class Few>
    void sum(const Few& few, std::size_t of_group, WholeGroup& numbers, WholeGroup& weights) const {
        const Group* values = group(of_group);
        const Group places = places_[of_group];
        WholeGroup number_sums{};
        WholeGroup weight_sums{};
        for (const Entry entry : entries_) {
            const Group& row = values[SortedLists::row_of(entry)];
            const auto [number, weight] = few.labelled(entry);
            for (std::size_t k = 0; k < row.size(); ++k) {
                const Mask is_before = row[k] <= places[k];
                number_sums[k] += number & is_before;
                weight_sums[k] += weight & is_before;
            }
        }
        numbers = number_sums;
        weights = weight_sums;
    }

    std::size_t n_rows_ = 0;
    std::vector<Group> values_;  // of each group, by local row
    std::span<const Entry> entries_;
    std::vector<Range> ranges_;         // of each group at the node
    std::vector<Group> places_;         // before which the node's values are cut
    std::vector<std::size_t> columns_;  // that were drawn
};

}  // namespace bough
