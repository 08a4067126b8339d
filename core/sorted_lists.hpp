// Sorted lists of the rows of a small node, one list per column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sort.hpp"
#include "table.hpp"

namespace bough {

// The lists of a node lie at the same place in every column, sorted by value, missing rows first:
//
//     column 0   |  node A: 3 1 4  |  node B: 0 2  |      an entry is rank << 16 | local row
//     column 1   |  node A: 1 4 3  |  node B: 2 0  |
//
// Splitting a node parts each of its lists and keeps their order, so nothing is sorted twice.
class SortedLists {
  public:
    using Entry = std::uint32_t;
    static constexpr std::size_t most_rows = 1 << 15;

    /// Sort these rows by every column. Rank 0 is a missing value.
    void sort(std::span<const Row> rows, std::span<const RawColumn> raw, const Cancel& cancel) {
        rows_.assign(rows.begin(), rows.end());
        lists_.resize(std::max(lists_.size(), rows.size() * raw.size()));
        sides_.resize(std::max(sides_.size(), rows.size()));
        spare_.resize(std::max(spare_.size(), rows.size()));
        for (std::size_t i = 0; i < raw.size(); ++i) {
            cancel.check();
            std::visit([&](const auto& values) { sort_column(values, list(i), cancel); },
                       raw[i].values);
        }
    }

    [[nodiscard]] std::span<const Row> rows() const { return rows_; }
    [[nodiscard]] Row table_row(Entry entry) const { return rows_[row_of(entry)]; }
    [[nodiscard]] std::span<const Entry> entries(std::size_t column, std::size_t begin,
                                                 std::size_t end) const {
        return std::span(lists_).subspan(column * rows_.size() + begin, end - begin);
    }
    static std::size_t row_of(Entry entry) { return entry & 0xffff; }
    static Entry rank_of(Entry entry) { return entry >> 16; }

    /// The answer of each local row, to be set before a list is parted.
    std::uint16_t& side(std::size_t row) { return sides_[row]; }

    /// Part a stretch of a column's list by the sides of its rows; `bounds` are where each begins.
    void part(std::size_t column, std::span<const std::size_t> bounds) {
        Entry* entries = list(column);
        const std::size_t begin = bounds.front();
        const std::size_t end = bounds.back();
        if (bounds.size() == 3) {
            std::size_t first = begin;
            std::size_t second = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Entry entry = entries[i];
                const std::size_t side = sides_[row_of(entry)];
                entries[first] = entry;
                spare_[second] = entry;
                first += 1 - side;
                second += side;
            }
            std::copy(spare_.begin(), spare_.begin() + static_cast<std::ptrdiff_t>(second),
                      entries + first);
            return;
        }
        std::vector<std::size_t> next(bounds.begin(), bounds.end() - 1);
        for (std::size_t i = begin; i < end; ++i)
            spare_[next[sides_[row_of(entries[i])]]++ - begin] = entries[i];
        std::copy(spare_.begin(), spare_.begin() + static_cast<std::ptrdiff_t>(end - begin),
                  entries + begin);
    }

  private:
    [[nodiscard]] Entry* list(std::size_t column) { return lists_.data() + column * rows_.size(); }

    /// Sort by a float that grows with the value, then set right the runs of equal floats.
    template <class Value>
    void sort_column(const Strided<Value>& values, Entry* list, const Cancel& cancel) {
        const std::size_t n = rows_.size();
        keyed_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Value value = values[rows_[i]];
            // A missing value's key is below all others.
            keyed_[i] = {is_missing(value) ? 0 : bit_key(as_float(value)),
                         static_cast<std::uint32_t>(i)};
        }
        sort_by_key(keyed_, spare_keyed_, std::numeric_limits<std::uint32_t>::max(), cancel);
        Entry rank = keyed_[0].key == 0 ? 0 : 1;
        for (std::size_t begin = 0; begin < n;) {
            std::size_t end = begin + 1;
            while (end < n && keyed_[end].key == keyed_[begin].key) ++end;
            if (begin > 0) ++rank;
            list[begin] = rank << 16 | keyed_[begin].row;
            if (end > begin + 1) rank = rank_run(values, begin, end, rank, list);
            begin = end;
        }
    }

    /// Rank rows whose floats are equal though their values may differ; return the last rank.
    template <class Value>
    Entry rank_run(const Strided<Value>& values, std::size_t begin, std::size_t end, Entry rank,
                   Entry* list) {
        const auto value = [&](std::size_t i) { return values[rows_[keyed_[i].row]]; };
        const bool are_equal =
            keyed_[begin].key == 0 ||
            std::all_of(keyed_.begin() + static_cast<std::ptrdiff_t>(begin),
                        keyed_.begin() + static_cast<std::ptrdiff_t>(end),
                        [&](const auto& item) { return values[rows_[item.row]] == value(begin); });
        if (!are_equal)
            std::sort(keyed_.begin() + static_cast<std::ptrdiff_t>(begin),
                      keyed_.begin() + static_cast<std::ptrdiff_t>(end),
                      [&](const auto& a, const auto& b) {
                          return values[rows_[a.row]] < values[rows_[b.row]];
                      });
        for (std::size_t i = begin; i < end; ++i) {
            if (i > begin && !are_equal && value(i) != value(i - 1)) ++rank;
            list[i] = rank << 16 | keyed_[i].row;
        }
        return rank;
    }

    std::vector<Row> rows_;
    std::vector<Entry> lists_;
    std::vector<std::uint16_t> sides_;
    std::vector<Entry> spare_;
    std::vector<Keyed<std::uint32_t>> keyed_;
    std::vector<Keyed<std::uint32_t>> spare_keyed_;
};

}  // namespace bough
