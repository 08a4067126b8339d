// The query of a node of two rows, which needs no scores: whatever tells them apart is tied.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "finalist.hpp"
#include "small_node_context.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// Two rows, whose entries begin at the same place of every list.
template <class Criterion>
class TwoRows {
  public:
    TwoRows(const ListContext<Criterion>& context, const SortedLists& lists, std::size_t begin)
        : context_(context), lists_(lists), begin_(begin) {}

    /// Whether any query may be asked that leaves both answers a row, and no column has two that
    /// part two rows.
    static bool may_ask_anything(const ListContext<Criterion>& context) {
        const Limits& limits = context.limits;
        const bool draws_choices =
            limits.draw_one && std::any_of(context.raw.begin(), context.raw.end(),
                                           [](const RawColumn& raw) { return raw.is_choice; });
        return limits.min_rows <= 1 && limits.min_weight <= 0 && limits.directions.empty() &&
               !draws_choices && !std::is_same_v<Criterion, Poisson>;
    }

    /// The query about the first column that tells them apart, of as many as the node draws into
    /// `drawn`; `put_in_order` is told each column before its list is looked at.
    template <class PutInOrder>
    [[nodiscard]] std::optional<Finalist> query(std::uint64_t chance, DrawnColumns& drawn,
                                                const PutInOrder& put_in_order) const {
        const std::size_t n_columns = context_.raw.size();
        const std::size_t most = context_.settings.max_features;
        std::size_t first = n_columns;
        if (most == 0) {
            for (first = 0; first < n_columns; ++first) {
                put_in_order(first);
                if (tells_apart(first)) break;
            }
        } else {
            std::size_t n_drawn = 0;
            drawn.start(context_.settings.column_numbers, n_columns, chance);
            while (!drawn.is_empty()) {
                const std::size_t column = drawn.take();
                put_in_order(column);
                if (!tells_apart(column)) continue;
                first = std::min(first, column);
                if (++n_drawn >= most) break;
            }
        }
        if (first == n_columns) return std::nullopt;
        return about(first);
    }

  private:
    using Entry = SortedLists::Entry;

    /// The ranks of both rows, or their codes, the lower one first; 0 is a missing value.
    [[nodiscard]] std::pair<Entry, Entry> codes_of(std::size_t column) const {
        const bool is_choice = context_.raw[column].is_choice;
        const auto two = lists_.entries(is_choice ? lists_.order() : column, begin_, begin_ + 2);
        if (!is_choice) return {SortedLists::rank_of(two[0]), SortedLists::rank_of(two[1])};
        const Entry* codes = lists_.choices(column);
        return std::minmax(
            {codes[SortedLists::row_of(two[0])], codes[SortedLists::row_of(two[1])]});
    }
    [[nodiscard]] bool tells_apart(std::size_t column) const {
        const auto [low, high] = codes_of(column);
        return low != high;
    }

    [[nodiscard]] Finalist about(std::size_t column) const {
        const auto [low, high] = codes_of(column);
        const bool is_missing = low == 0;
        const bool is_choice = context_.raw[column].is_choice;
        if (is_missing && (!is_choice || context_.limits.groups(column)))
            return {column, Kind::is_missing, 0, 0};
        if (!is_choice) {
            Finalist found(column, Kind::below, stop, 0);
            found.place = 1;
            return found;
        }
        const Kind kind = context_.limits.groups(column) ? Kind::one_of : Kind::each_value;
        Finalist found(column, kind, is_missing ? 1 : stop, 0);
        for (const Entry code : {low, high})
            if (code != 0) found.choices.push_back(static_cast<std::int32_t>(code) - 1);
        found.answers.resize(found.choices.size());
        std::iota(found.answers.begin(), found.answers.end(), 0);
        return found;
    }

    const ListContext<Criterion>& context_;
    const SortedLists& lists_;
    std::size_t begin_;
};

}  // namespace bough
