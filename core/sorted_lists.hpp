// Sorted lists of the rows of a small node, one list per column.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "coarse_table.hpp"
#include "sort.hpp"
#include "table.hpp"

namespace bough {

/// Where the coarse codes of a node's rows are.
struct NodeCodes {
    const CoarseTable& table;
    std::span<const std::uint8_t* const> bins;  // of each column, by local row
    std::function<const std::uint8_t*(std::size_t column)> steps;
    std::span<const std::uint32_t> local_rows;
};

// The lists of a node lie at the same place in every column, sorted by value, missing rows first:
//
//     column 0   |  node A: 3 1 4  |  node B: 0 2  |
//     column 1   |  node A: 1 4 3  |  node B: 2 0  |
//
// An entry is rank << 16 | local row.
// Splitting a node parts each of its lists and keeps their order, so nothing is sorted twice. Where
// few columns are asked about, nodes of few rows part one list only, and sort the others again
// where they need them. Where all cuts are drawn, one list is parted and the others are room for
// the cuts that are looked at. A column of choices has no list: its codes are counted, so they just
// lie there by local row.
class SortedLists {
  public:
    using Entry = std::uint32_t;
    static constexpr std::size_t most_rows = 1 << 15;
    static constexpr std::size_t most_few = 16;  // are sooner sorted than parted, as measured

    void set_rows(std::span<const Row> rows) { rows_.assign(rows.begin(), rows.end()); }
    /// Make room for lists of the rows; the one that every node can be found by is there then.
    void lay_out(std::span<const RawColumn> raw) {
        const auto compared = std::find_if(raw.begin(), raw.end(),
                                           [](const RawColumn& one) { return !one.is_choice; });
        order_ = static_cast<std::size_t>(compared - raw.begin());
        // One list more where no column has one, to know the rows of a node.
        const std::size_t n = rows_.size();
        lists_.resize(std::max(lists_.size(), n * std::max(raw.size(), order_ + 1)));
        sides_.resize(std::max(sides_.size(), n));
        spare_.resize(std::max(spare_.size(), n));
        std::iota(list(order_), list(order_) + n, Entry{0});
    }

    /// Sort the rows by every compared column; rank 0 is a missing value. With `codes` hardly
    /// any value is read. Lists can be sorted again if their ranks are kept.
    void sort(std::span<const RawColumn> raw, const NodeCodes* codes, bool keep_ranks,
              const Cancel& cancel) {
        const std::span<const Row> rows = rows_;
        for (std::size_t i = 0; i < raw.size(); ++i) {
            cancel.check();
            if (raw[i].is_choice)
                fetch_choices(raw[i], i, codes);
            else
                use_values(raw[i],
                           [&](const auto& values) { sort_column(values, i, codes, cancel); });
        }
        ranks_.resize(keep_ranks ? rows.size() * raw.size() : 0);
        for (std::size_t i = 0; i < raw.size() && keep_ranks; ++i)
            for (const Entry entry : entries(i, 0, raw[i].is_choice ? 0 : rows.size()))
                rank_at(i, entry) = static_cast<std::uint16_t>(rank_of(entry));
    }

    /// Put the entries of a node that has few into the order of a column: each goes behind all
    /// that are less, counted without a branch.
    void sort_again(std::size_t column, std::size_t begin, std::size_t end) {
        if (column == order_) return;
        std::array<Entry, most_few> few;
        const std::size_t n = end - begin;
        const Entry* others = list(order_) + begin;
        const std::uint16_t* ranks = ranks_.data() + column * rows_.size();
        for (std::size_t i = 0; i < n; ++i)
            few[i] = Entry{ranks[row_of(others[i])]} << 16 | (others[i] & 0xffff);
        Entry* sorted = list(column) + begin;
        for (std::size_t i = 0; i < n; ++i) {
            const Entry entry = few[i];
            std::uint32_t n_less = 0;
            for (std::size_t j = 0; j < n; ++j) n_less += few[j] < entry ? 1 : 0;
            sorted[n_less] = entry;
        }
    }

    /// Put the entries of a node into the order of these values, of which none is missing.
    template <class ValueOf>
    void sort_by(std::size_t column, std::size_t begin, std::size_t end, const ValueOf& value_of) {
        Entry* sorted = list(column) + begin;
        std::copy_n(list(order_) + begin, end - begin, sorted);
        std::sort(sorted, sorted + (end - begin),
                  [&](Entry a, Entry b) { return value_of(a) < value_of(b); });
        Entry rank = 1;
        for (std::size_t i = 0; i < end - begin; ++i) {
            const bool is_next = i > 0 && value_of(sorted[i - 1]) < value_of(sorted[i]);
            rank += is_next ? 1 : 0;
            sorted[i] = rank << 16 | (sorted[i] & 0xffff);
        }
    }
    /// The same as far as a cut at this place needs it, beside which are its neighbours; return
    /// how many entries are before it.
    template <class ValueOf>
    std::size_t cut_at(std::size_t column, std::size_t begin, std::size_t end, double place,
                       const ValueOf& value_of) {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        Entry* first = list(column) + begin;
        const std::size_t n = end - begin;
        std::copy_n(list(order_) + begin, n, spare_.begin());
        std::size_t n_before = 0;
        std::size_t n_behind = 0;
        double below = -infinite;
        double above = infinite;
        std::size_t nearest_below = 0;
        std::size_t nearest_above = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double value = value_of(spare_[i]);
            const Entry entry = Entry{1} << 16 | (spare_[i] & 0xffff);
            const std::size_t is_before = value <= place ? 1 : 0;  // which no branch could foresee
            first[n_before] = entry;
            spare_[n_behind] = entry;
            if (const double low = is_before != 0 ? value : -infinite; low > below) {
                below = low;
                nearest_below = n_before;
            }
            if (const double high = is_before != 0 ? infinite : value; high < above) {
                above = high;
                nearest_above = n_behind;
            }
            n_before += is_before;
            n_behind += 1 - is_before;
        }
        std::copy_n(spare_.begin(), n_behind, first + n_before);
        std::swap(first[nearest_below], first[n_before - 1]);
        std::swap(first[n_before + nearest_above], first[n_before]);
        return n_before;
    }

    /// The list that every node can be found by: that of this column.
    [[nodiscard]] std::size_t order() const { return order_; }
    /// The codes of a column of choices by local row: 0 is missing, others are one more than the
    /// choice.
    [[nodiscard]] const Entry* choices(std::size_t column) const {
        return lists_.data() + column * rows_.size();
    }
    [[nodiscard]] std::span<const Row> rows() const { return rows_; }
    [[nodiscard]] Row table_row(Entry entry) const { return rows_[row_of(entry)]; }
    [[nodiscard]] std::span<const Entry> entries(std::size_t column, std::size_t begin,
                                                 std::size_t end) const {
        return std::span(lists_).subspan(column * rows_.size() + begin, end - begin);
    }
    static std::size_t row_of(Entry entry) { return entry & (most_rows - 1); }
    static Entry rank_of(Entry entry) { return entry >> 16; }

    /// How many entries, the first ones of a list, have a missing value.
    static std::size_t count_missing(std::span<const Entry> entries) {
        const auto known = std::find_if(entries.begin(), entries.end(),
                                        [](Entry entry) { return rank_of(entry) > 0; });
        return static_cast<std::size_t>(known - entries.begin());
    }

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
    [[nodiscard]] std::uint16_t& rank_at(std::size_t column, Entry entry) {
        return ranks_[column * rows_.size() + row_of(entry)];
    }

    void fetch_choices(const RawColumn& raw, std::size_t column, const NodeCodes* codes) {
        Entry* to = list(column);
        if (codes != nullptr && !has_many_choices(raw)) {
            for (std::size_t i = 0; i < rows_.size(); ++i)
                to[i] = codes->bins[column][codes->local_rows[i]];
        } else {
            use_choices(raw, [&](const auto& choices) {
                for (std::size_t i = 0; i < rows_.size(); ++i)
                    to[i] = static_cast<Entry>(choices[rows_[i]] + 1);
            });
        }
    }

    /// Sort by keys that grow with the value, then set right the runs of equal keys.
    template <class Values>
    void sort_column(const Values& values, std::size_t column, const NodeCodes* codes,
                     const Cancel& cancel) {
        if (codes != nullptr) {
            sort_by_codes(column, *codes, cancel);
            const auto& singles = codes->table[column].is_single;
            rank(values, list(column), [&](std::uint32_t key) { return singles[key >> 8] != 0; });
        } else {
            sort_by_floats(values, cancel);
            rank(values, list(column), [](std::uint32_t key) { return key == 0; });
        }
    }

    /// The codes of a value are two digits to sort by.
    void sort_by_codes(std::size_t column, const NodeCodes& codes, const Cancel& cancel) {
        const std::uint8_t* bins = codes.bins[column];
        const std::uint8_t* steps = codes.steps(column);
        const std::size_t n = rows_.size();
        keyed_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t row = codes.local_rows[i];
            keyed_[i] = {static_cast<std::uint32_t>(bins[row]) << 8 | steps[row],
                         static_cast<Entry>(i)};
        }
        sort_by_digits<8>(keyed_, spare_keyed_, std::uint32_t{0xffff}, cancel);
    }

    template <class Values>
    void sort_by_floats(const Values& values, const Cancel& cancel) {
        keyed_.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto value = values[rows_[i]];
            // A missing value's key is below all others.
            keyed_[i] = {is_missing(value) ? 0 : bit_key(as_float(value)), static_cast<Entry>(i)};
        }
        sort_by_key(keyed_, spare_keyed_, std::numeric_limits<std::uint32_t>::max(), cancel);
    }

    /// Turn sorted keys into ranks; `is_single(key)` says that equal keys are equal values.
    template <class Values, class IsSingle>
    void rank(const Values& values, Entry* list, const IsSingle& is_single) {
        const std::size_t n = rows_.size();
        Entry rank = keyed_[0].key == 0 ? 0 : 1;
        for (std::size_t begin = 0; begin < n;) {
            std::size_t end = begin + 1;
            while (end < n && keyed_[end].key == keyed_[begin].key) ++end;
            if (begin > 0) ++rank;
            list[begin] = rank << 16 | keyed_[begin].row;
            if (end > begin + 1)
                rank = rank_run(values, begin, end, rank, list, is_single(keyed_[begin].key));
            begin = end;
        }
    }

    /// Rank rows whose keys are equal though their values may differ; return the last rank.
    template <class Values>
    Entry rank_run(const Values& values, std::size_t begin, std::size_t end, Entry rank,
                   Entry* list, bool are_equal) {
        const auto value = [&](std::size_t i) { return values[table_row(keyed_[i].row)]; };
        const auto first = keyed_.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = keyed_.begin() + static_cast<std::ptrdiff_t>(end);
        are_equal =
            are_equal || keyed_[begin].key == 0 || std::all_of(first, last, [&](auto& item) {
                return values[table_row(item.row)] == value(begin);
            });
        if (!are_equal)
            std::sort(first, last, [&](const auto& a, const auto& b) {
                return values[table_row(a.row)] < values[table_row(b.row)];
            });
        for (std::size_t i = begin; i < end; ++i) {
            if (i > begin && !are_equal && value(i) != value(i - 1)) ++rank;
            list[i] = rank << 16 | keyed_[i].row;
        }
        return rank;
    }

    std::size_t order_ = 0;
    std::vector<Row> rows_;
    std::vector<Entry> lists_;
    std::vector<std::uint16_t> ranks_;  // of each column by local row, where they are kept
    std::vector<std::uint16_t> sides_;
    std::vector<Entry> spare_;
    std::vector<Keyed<std::uint32_t>> keyed_;
    std::vector<Keyed<std::uint32_t>> spare_keyed_;
};

}  // namespace bough
