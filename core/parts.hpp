// What the rows of one part of a table add up to, as plain integers to which other parts are added.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "summary.hpp"
#include "table.hpp"

namespace bough {

/// Sums of some rows of each place, by ascending place and key. Sums are integers of some limbs,
/// as many as the widest needs; ends are the least and the greatest of something, in turn.
struct Entries {
    std::size_t n_ends = 2;
    std::size_t width = 0;  // how many sums an entry has
    std::size_t limbs = 1;  // of each of them
    std::vector<std::int32_t> places{};
    std::vector<std::uint64_t> keys{};
    std::vector<std::uint64_t> ends{};
    std::vector<std::uint64_t> sums{};

    [[nodiscard]] std::size_t size() const { return keys.size(); }
};

constexpr std::size_t most_limbs = 6;
using WideSum = Wide<most_limbs>;

/// The fewest limbs that hold a sum of `limbs` of them.
inline std::size_t limbs_needed(const std::uint64_t* sum, std::size_t limbs) {
    while (limbs > 1 && sum[limbs - 1] == ((sum[limbs - 2] >> 63) != 0 ? ~std::uint64_t{0} : 0))
        --limbs;
    return limbs;
}

/// Leave out limbs that no sum needs.
inline void trim(Entries& entries) {
    const std::size_t limbs = entries.limbs;
    std::size_t needed = 1;
    for (std::size_t i = 0; i < entries.sums.size(); i += limbs)
        needed = std::max(needed, limbs_needed(entries.sums.data() + i, limbs));
    if (needed == limbs) return;
    std::size_t to = 0;
    for (std::size_t i = 0; i < entries.sums.size(); i += limbs)
        for (std::size_t limb = 0; limb < needed; ++limb)
            entries.sums[to++] = entries.sums[i + limb];
    entries.sums.resize(to);
    entries.limbs = needed;
}

/// Append all sums of a summary: rows, weight, cells, squares.
template <class Labels>
void append(std::vector<std::uint64_t>& sums, const Summary<Labels>& summary) {
    const auto put = [&](const WideSum& sum) {
        for (std::size_t limb = 0; limb < most_limbs; ++limb) sums.push_back(sum.limb(limb));
    };
    put(WideSum(summary.tally.rows));
    put(WideSum(summary.tally.weight));
    for (const auto& cell : summary.tally.cells) put(WideSum(cell));
    for (const Spread& spread : summary.spread) put(spread.squares);
}

template <class Labels>
std::size_t width_of(const Summary<Labels>& summary) {
    return 2 + summary.tally.cells.size() + summary.spread.size();
}

/// The summary that was appended.
template <class Labels>
Summary<Labels> summary_of(const Labels& labels, const std::uint64_t* sums, std::size_t limbs) {
    Summary<Labels> summary(labels);
    const auto next = [&] {
        const WideSum sum = WideSum::of(sums, limbs);
        sums += limbs;
        return sum;
    };
    summary.tally.rows = static_cast<std::int64_t>(next().narrow());
    summary.tally.weight = next().narrow();
    for (auto& cell : summary.tally.cells) {
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            cell = next().narrow();
        } else {
            cell = Wide<4>::of(sums, limbs);
            sums += limbs;
        }
    }
    for (Spread& spread : summary.spread) spread.squares = next();
    return summary;
}

/// The entries of two parts: those of the same place and key are added up.
inline Entries added(const Entries& a, const Entries& b) {
    Entries sum{.n_ends = a.n_ends, .width = a.width, .limbs = most_limbs};
    const auto add = [&](const Entries& from, std::size_t i) {
        if (sum.size() == 0 || sum.places.back() != from.places[i] ||
            sum.keys.back() != from.keys[i]) {
            sum.places.push_back(from.places[i]);
            sum.keys.push_back(from.keys[i]);
            for (std::size_t e = 0; e < sum.n_ends; ++e)
                sum.ends.push_back(e % 2 == 0 ? ~std::uint64_t{0} : 0);
            sum.sums.resize(sum.sums.size() + sum.width * most_limbs);
        }
        std::uint64_t* ends = sum.ends.data() + sum.ends.size() - sum.n_ends;
        for (std::size_t e = 0; e < sum.n_ends; ++e) {
            const std::uint64_t end = from.ends[i * from.n_ends + e];
            ends[e] = e % 2 == 0 ? std::min(ends[e], end) : std::max(ends[e], end);
        }
        std::uint64_t* sums = sum.sums.data() + sum.sums.size() - sum.width * most_limbs;
        for (std::size_t k = 0; k < sum.width; ++k) {
            WideSum wide = WideSum::of(sums + k * most_limbs, most_limbs);
            wide += WideSum::of(from.sums.data() + (i * from.width + k) * from.limbs, from.limbs);
            for (std::size_t limb = 0; limb < most_limbs; ++limb)
                sums[k * most_limbs + limb] = wide.limb(limb);
        }
    };
    std::size_t j = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        while (j < b.size() &&
               std::pair(b.places[j], b.keys[j]) < std::pair(a.places[i], a.keys[i]))
            add(b, j++);
        add(a, i);
    }
    while (j < b.size()) add(b, j++);
    trim(sum);
    return sum;
}

// Keys of values, in their order, are above 0; 0 is the key of a missing one.
inline std::uint64_t value_key(double value) {
    if (std::isinf(value)) throw InfiniteNumber();
    return std::isnan(value) ? 0 : order_key(value);
}
inline std::uint64_t value_key(std::int64_t value) { return order_key(value); }

/// The value of a key, or a missing one.
inline double value_at(std::uint64_t key, double /*type*/) {
    constexpr auto sign = std::uint64_t{1} << 63;
    return std::bit_cast<double>((key & sign) != 0 ? key ^ sign : ~key);
}
inline std::int64_t value_at(std::uint64_t key, std::int64_t /*type*/) {
    return static_cast<std::int64_t>(key ^ (std::uint64_t{1} << 63));
}
inline std::int32_t value_at(std::uint64_t key, std::int32_t /*type*/) {
    return static_cast<std::int32_t>(key) - 1;
}

/// The keys of some rows of a column.
inline std::vector<std::uint64_t> keys_of(const RawColumn& raw, std::span<const Row> rows) {
    std::vector<std::uint64_t> keys;
    keys.reserve(rows.size());
    if (raw.is_choice)
        use_choices(raw, [&](const auto& choices) {
            for (const Row row : rows) keys.push_back(static_cast<std::uint64_t>(choices[row] + 1));
        });
    else
        use_values(raw, [&](const auto& values) {
            for (const Row row : rows) keys.push_back(value_key(values[row]));
        });
    return keys;
}

/// What is asked of every part: the values of a column, at a node, whose keys lie between two; in
/// cells, each edge being one and what lies between two neighbours; without edges, value by value.
struct Request {
    std::int32_t node = 0;
    std::size_t column = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::span<const std::uint64_t> edges;

    [[nodiscard]] std::uint64_t cell(std::uint64_t key) const {
        if (edges.empty() || key == 0) return key;
        const auto found = std::ranges::lower_bound(edges, key);
        const bool is_edge = found != edges.end() && *found == key;
        return 1 + 2 * static_cast<std::uint64_t>(found - edges.begin()) + (is_edge ? 1 : 0);
    }
};

/// The rows with weight at each node, by its number; -1: at none.
std::vector<std::vector<Row>> rows_by_node(const auto& labels,
                                           std::span<const std::int32_t> nodes) {
    std::vector<std::vector<Row>> rows;
    for (std::size_t row = 0; row < nodes.size(); ++row) {
        if (nodes[row] < 0 || labels.weights[static_cast<Row>(row)] == 0) continue;
        const auto node = static_cast<std::size_t>(nodes[row]);
        if (node >= rows.size()) rows.resize(node + 1);
        rows[node].push_back(static_cast<Row>(row));
    }
    return rows;
}

/// What all rows of each node add up to. The key is the node, the ends are those of the labels.
template <class Labels>
Entries summed_by_node(const FixedLabels<Labels>& fixed, std::span<const std::int32_t> nodes) {
    Entries found{.limbs = most_limbs};
    const auto by_node = rows_by_node(fixed.view(), nodes);
    Summary<Labels> summary(fixed.view());
    found.width = width_of(summary);
    found.n_ends = 2 * summary.spread.size();
    for (std::size_t node = 0; node < by_node.size(); ++node) {
        if (by_node[node].empty()) continue;
        summary.clear();
        summary.add(fixed, by_node[node]);
        found.places.push_back(0);
        found.keys.push_back(node);
        for (const Spread& spread : summary.spread)
            for (const double end : {spread.given.least, spread.given.most})
                found.ends.push_back(order_key(end));
        append(found.sums, summary);
    }
    trim(found);
    return found;
}

/// What the rows that requests ask for add up to; the place is the number of the request.
template <class Labels>
Entries summed_by_value(std::span<const RawColumn> columns, const FixedLabels<Labels>& fixed,
                        std::span<const std::int32_t> nodes, std::span<const Request> requests,
                        const Cancel& cancel) {
    auto by_node = rows_by_node(fixed.view(), nodes);
    Entries found{.limbs = most_limbs};
    Summary<Labels> summary(fixed.view());
    found.width = width_of(summary);
    std::vector<Keyed<std::uint64_t>> items;
    std::vector<Row> together;
    std::vector<std::uint64_t> keys;  // of the last request, as the next one often has the same
    for (std::size_t place = 0; place < requests.size(); ++place) {
        cancel.check();
        const Request& request = requests[place];
        const auto node = static_cast<std::size_t>(request.node);
        if (node >= by_node.size()) continue;
        const bool is_same = place > 0 && requests[place - 1].node == request.node &&
                             requests[place - 1].column == request.column;
        if (!is_same) keys = keys_of(columns[request.column], by_node[node]);
        items.clear();
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (keys[i] >= request.low && keys[i] <= request.high)
                items.push_back({request.cell(keys[i]), static_cast<std::uint32_t>(i)});
        sort_by_key(items, ~std::uint64_t{0}, cancel);
        for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
            together.clear();
            std::uint64_t least = ~std::uint64_t{0};
            std::uint64_t most = 0;
            for (; end < items.size() && items[end].key == items[begin].key; ++end) {
                together.push_back(by_node[node][items[end].row]);
                least = std::min(least, keys[items[end].row]);
                most = std::max(most, keys[items[end].row]);
            }
            summary.clear();
            summary.add(fixed, together);
            found.places.push_back(static_cast<std::int32_t>(place));
            found.keys.push_back(items[begin].key);
            found.ends.insert(found.ends.end(), {least, most});
            append(found.sums, summary);
        }
    }
    trim(found);
    return found;
}

}  // namespace bough
