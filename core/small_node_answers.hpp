// What the rows of a small node answer, from their sorted lists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include "finalist.hpp"
#include "rows.hpp"
#include "sorted_lists.hpp"

namespace bough {

/// The node whose entries begin and end at these places.
class ListAnswers {
  public:
    ListAnswers(SortedLists& lists, std::span<const RawColumn> raw, std::size_t begin,
                std::size_t end)
        : lists_(lists), raw_(raw), begin_(begin), end_(end) {}

    /// Note the answer of each row to a question or to a finalist.
    template <class Asked>
    void mark(const Asked& asked) const {
        const auto column = static_cast<std::size_t>(asked.column);
        if (raw_[column].is_choice) {
            const AnswersOfCodes answers(asked, raw_[column].n_choices + 1, end_ - begin_);
            const Entry* codes = lists_.choices(column);
            for (const Entry entry : entries_of(lists_.order()))
                mark(entry, answers[codes[SortedLists::row_of(entry)]]);
            return;
        }
        // In the order of the values the answers are stretches.
        const auto entries = entries_of(column);
        const std::size_t n_missing = SortedLists::count_missing(entries);
        const std::size_t n_first = n_missing + count_first(entries.subspan(n_missing), asked);
        for (std::size_t i = 0; i < n_missing; ++i) mark(entries[i], asked.missing);
        for (std::size_t i = n_missing; i < entries.size(); ++i)
            mark(entries[i], i < n_first ? 0 : 1);
    }

    /// The rows on both sides of a cut.
    [[nodiscard]] std::pair<Row, Row> neighbours(const Finalist& asked) const {
        const auto entries = entries_of(static_cast<std::size_t>(asked.column));
        const std::size_t place =
            SortedLists::count_missing(entries) + static_cast<std::size_t>(asked.place);
        return {lists_.table_row(entries[place - 1]), lists_.table_row(entries[place])};
    }

  private:
    using Entry = SortedLists::Entry;

    [[nodiscard]] std::span<const Entry> entries_of(std::size_t column) const {
        return lists_.entries(column, begin_, end_);
    }
    void mark(Entry entry, std::int32_t answer) const {
        lists_.side(SortedLists::row_of(entry)) = static_cast<std::uint16_t>(answer);
    }

    /// How many of the entries, in the order of their values, have the first answer.
    [[nodiscard]] std::size_t count_first(std::span<const Entry> /*entries*/,
                                          const Finalist& asked) const {
        return asked.kind == Kind::is_missing ? 0 : static_cast<std::size_t>(asked.place);
    }
    [[nodiscard]] std::size_t count_first(std::span<const Entry> entries,
                                          const Question& question) const {
        const RawColumn& raw = raw_[static_cast<std::size_t>(question.column)];
        return use_values(raw, [&]<class Values>(const Values& values) {
            const auto query = query_for<typename Values::Value>(question);
            const auto end = std::partition_point(entries.begin(), entries.end(), [&](Entry entry) {
                return answer(query, values[lists_.table_row(entry)]) == 0;
            });
            return static_cast<std::size_t>(end - entries.begin());
        });
    }

    SortedLists& lists_;
    std::span<const RawColumn> raw_;
    std::size_t begin_;
    std::size_t end_;
};

}  // namespace bough
