// The rows of every column in the order of its values: sorted once, and parted at each split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "candidate.hpp"
#include "random_draws.hpp"
#include "table.hpp"
#include "tree.hpp"

namespace bough {

/// A row of a node, by its place among the node's rows, and whether the value differs from that of
/// the entry before.
struct Entry {
    std::uint32_t bits = 0;

    static constexpr std::uint32_t mark = std::uint32_t{1} << 31;
    [[nodiscard]] std::uint32_t place() const { return bits & ~mark; }
    [[nodiscard]] bool is_first() const { return (bits & mark) != 0; }
};

/// A column of a node: missing values first, then by value.
struct ListedColumn {
    std::int32_t number = 0;
    const RawColumn* raw = nullptr;
    std::span<const Row> rows;
    std::span<const Entry> entries;
    std::size_t n_missing = 0;

    /// Entries of the same choice.
    struct Run {
        std::int32_t choice;
        std::span<const Entry> entries;
    };

    [[nodiscard]] std::size_t end_of_value(std::size_t place) const {
        ++place;
        while (place < entries.size() && !entries[place].is_first()) ++place;
        return place;
    }
    [[nodiscard]] bool has_two_values() const {
        return n_missing < entries.size() && end_of_value(n_missing) < entries.size();
    }
    [[nodiscard]] std::vector<Run> runs() const {
        std::vector<Run> found;
        for (std::size_t place = n_missing; place < entries.size();) {
            const std::size_t end = end_of_value(place);
            found.push_back({choice_at(place), entries.subspan(place, end - place)});
            place = end;
        }
        return found;
    }
    [[nodiscard]] Pivot pivot(std::size_t place) const {
        return use_values(*raw, [&](const auto& values) {
            return pivot_between(values[row_at(place - 1)], values[row_at(place)]);
        });
    }
    /// Where a cut lies that is drawn.
    [[nodiscard]] std::size_t drawn_place(std::uint64_t chance) const {
        return use_values(*raw, [&](const auto& values) {
            const auto known = entries.subspan(n_missing);
            const auto drawn = drawn_between(values[row_at(n_missing)],
                                             values[rows[known.back().place()]], chance);
            const auto end = std::partition_point(known.begin(), known.end(), [&](Entry entry) {
                return values[rows[entry.place()]] <= drawn;
            });
            return n_missing + static_cast<std::size_t>(end - known.begin());
        });
    }
    /// The answer of each row to a query; how many answers there are.
    std::size_t answer(const Candidate& query, std::span<std::uint32_t> answer_of) const {
        const auto n_first = static_cast<std::size_t>(query.place);  // none if it is no cut
        const bool asks_values = !query.answers.empty();
        for (std::size_t place = 0; place < n_missing; ++place)
            answer_of[entries[place].place()] = static_cast<std::uint32_t>(query.missing);
        std::size_t value = 0;
        for (std::size_t place = n_missing; place < entries.size(); ++place) {
            if (asks_values && place > n_missing && entries[place].is_first()) ++value;
            const std::int32_t answer =
                asks_values ? query.answers[value] : (place < n_first ? 0 : 1);
            answer_of[entries[place].place()] = static_cast<std::uint32_t>(answer);
        }
        return query.n_answers();
    }

  private:
    [[nodiscard]] Row row_at(std::size_t place) const { return rows[entries[place].place()]; }
    [[nodiscard]] std::int32_t choice_at(std::size_t place) const {
        std::int32_t choice = 0;
        use_choices(*raw, [&](const auto& choices) { choice = choices[row_at(place)]; });
        return choice;
    }
};

/// A list of a node.
struct OpenList {
    std::uint32_t number = 0;
    std::uint32_t n_missing = 0;
    std::uint32_t n_values = 0;  // missing is one of them
};

/// Lists of all rows of a table. Those of a node are neighbours in each, as its rows are.
class QuantileLists {
  public:
    QuantileLists(std::size_t n_lists, std::size_t n_rows)
        : n_rows_(n_rows), entries_(n_lists * n_rows) {
        if (n_rows >= Entry::mark) throw std::length_error("too many rows");
    }

    /// Sort all rows by their codes, of which the first is a missing value.
    OpenList sort(std::size_t number, std::span<const std::uint32_t> codes) {
        std::uint32_t highest = 0;
        for (const std::uint32_t code : codes) highest = std::max(highest, code);
        std::vector<std::uint32_t> next(std::size_t{highest} + 2, 0);
        for (const std::uint32_t code : codes) ++next[code + 1];
        const std::uint32_t n_missing = next[1];
        std::uint32_t n_values = 0;
        for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
        const std::vector<std::uint32_t> first = next;
        const auto sorted = list(number, 0, codes.size());
        for (std::uint32_t i = 0; i < codes.size(); ++i) {
            const std::uint32_t place = next[codes[i]]++;
            const bool is_first = place == first[codes[i]];
            sorted[place].bits = i | (is_first ? Entry::mark : 0);
            n_values += is_first ? 1 : 0;
        }
        return {static_cast<std::uint32_t>(number), n_missing, n_values};
    }

    [[nodiscard]] std::span<Entry> list(std::size_t number, std::size_t begin, std::size_t end) {
        return std::span(entries_).subspan(number * n_rows_ + begin, end - begin);
    }

    /// Which child a row goes to, and its place there.
    struct Target {
        std::uint32_t child;
        std::uint32_t place;
    };
    /// What parting a list needs.
    struct Room {
        struct Child {
            std::size_t next = 0;
            std::uint32_t value = 0;  // of its last entry
            OpenList list;
        };
        std::vector<Child> children;
        std::vector<Entry> entries;
    };
    /// Part the list of a node; `see(child, list)` is told what each child gets. The rows of child
    /// i go to `bounds[i]` … `bounds[i + 1]`.
    template <class See>
    void part(const OpenList& open, std::span<const Target> targets,
              std::span<const std::size_t> bounds, Room& room, const See& see) {
        const std::size_t begin = bounds.front();
        auto& children = room.children;
        children.clear();
        for (const std::size_t bound : bounds)
            children.push_back({bound - begin, 0, {open.number}});
        children.pop_back();
        const auto entries = list(open.number, begin, bounds.back());
        if (room.entries.size() < entries.size()) room.entries.resize(entries.size());
        std::uint32_t value = 0;
        const auto move = [&](Entry entry) {
            value += entry.bits >> 31;
            const Target target = targets[entry.place()];
            auto& child = children[target.child];
            const bool is_first = child.value != value;
            room.entries[child.next++].bits = target.place | (is_first ? Entry::mark : 0);
            child.value = value;
            child.list.n_values += is_first ? 1 : 0;
        };
        for (const Entry entry : entries.first(open.n_missing)) move(entry);
        for (std::size_t i = 0; i < children.size(); ++i)
            children[i].list.n_missing =
                static_cast<std::uint32_t>(children[i].next + begin - bounds[i]);
        for (const Entry entry : entries.subspan(open.n_missing)) move(entry);
        std::copy_n(room.entries.begin(), entries.size(), entries.begin());
        for (std::size_t i = 0; i < children.size(); ++i) see(i, children[i].list);
    }

  private:
    std::size_t n_rows_;
    std::vector<Entry> entries_;  // list after list
};

}  // namespace bough
