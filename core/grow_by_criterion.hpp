// Growing by one criterion: which rows take part, which search finds the questions, what the nodes
// say. Criteria that share most of their code are compiled in one file, so that this is done once.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fast_grower.hpp"
#include "frontier.hpp"
#include "grow.hpp"
#include "node_values.hpp"
#include "quantile_grower.hpp"
#include "sparse_grower.hpp"

namespace bough {

inline std::vector<Row> rows_with_weight(const GrowTable& table) {
    std::vector<Row> rows(table.n_rows);
    std::iota(rows.begin(), rows.end(), Row{0});
    if (table.weights != nullptr)
        std::erase_if(rows, [&](Row row) { return table.weights[row] <= 0; });
    return rows;
}

/// Sort by the first label, so that the rows of every node are in its order.
inline void sort_by_label(std::vector<Row>& rows, const FixedLabels<NumberLabels>& fixed) {
    std::vector<Row> sorted;
    sorted.reserve(rows.size());
    for (const std::uint32_t place : label_order(fixed, rows, 0)) sorted.push_back(rows[place]);
    rows.swap(sorted);
}

template <class Labels>
Limits limits_for(const Settings& settings, const FixedLabels<Labels>& fixed,
                  std::span<const Row> rows) {
    Limits limits{
        .min_rows = settings.min_samples_leaf,
        .min_weight = (settings.min_weight_fraction_leaf - tie_share) * fixed.table_weight(rows),
        .draw_one = settings.draw_pivots,
        .by_ratio = settings.criterion == GainRatio::name,
        .grouped = settings.grouped,
        .directions = settings.directions};
    if (fixed.view().weights.of_row == nullptr) {
        const auto least = static_cast<std::int64_t>(std::ceil(limits.min_weight));
        limits.min_rows = std::max(limits.min_rows, least);
        limits.min_weight = 0;
    }
    return limits;
}

/// What the fast search counts for a criterion; none where it has none.
template <class Criterion, bool Weighted>
struct CountedBy {
    using type = ClassSums<Weighted>;
};
template <bool Weighted>
struct CountedBy<SquaredError, Weighted> {
    using type = NumberSums<Weighted, SquareMoment>;
};
template <bool Weighted>
struct CountedBy<Poisson, Weighted> {
    using type = NumberSums<true, LogMoment>;
};

/// Whether the fast search knows all that is asked for, or every cut is looked at exactly. Where
/// weights must be rounded it cannot tell what a limit on weight admits.
template <class Statistic>
bool fits_fast_search(const GrowTable& table, const Limits& limits, const auto& fixed,
                      std::span<const Row> rows) {
    const double table_weight = fixed.weight_of(rows);
    double most = 0;
    if (limits.min_weight > 0)
        for (const Row row : rows) most = std::max(most, to_double(fixed.view().weights[row]));
    const bool must_round =
        GridWeights::rounds(table_weight, table.n_rows, most, Statistic::weight_bits);
    return (!must_round || limits.min_weight <= 0) &&
           std::ranges::all_of(table.n_classes,
                               [](std::size_t n) { return n <= ClassSums<false>::most_classes; });
}

/// A grown tree cut back to so many leaves, as if the best query had been asked first each time:
/// what a node asks depends on its rows alone.
inline FlatTree cut_to_leaves(const FlatTree& tree, std::size_t max_leaves) {
    Frontier frontier(max_leaves);
    frontier.set_tie(tie_share * rounded(tree.root_cost.value));
    std::vector<std::uint8_t> asks(tree.n_rows.size());
    std::vector<std::size_t> fresh{0};
    while (true) {
        for (const std::size_t id : fresh)
            if (tree.n_children[id] > 0)
                frontier.push({id, std::max(0.0, rounded(tree.saved[id].in(tree.root_cost.unit))),
                               static_cast<std::size_t>(tree.n_children[id])});
        const std::vector<std::size_t> taken = frontier.take();
        if (taken.empty()) return cut_back(tree, asks);
        asks[taken[0]] = 1;
        fresh.resize(static_cast<std::size_t>(tree.n_children[taken[0]]));
        std::iota(fresh.begin(), fresh.end(), static_cast<std::size_t>(tree.first_child[taken[0]]));
    }
}

/// Where the rows of each node lie once those of each leaf lie side by side.
inline std::vector<RowRange> places_of(const Shape& shape, const std::vector<Row>& rows) {
    std::vector<std::size_t> counts(shape.first_child.size());
    for (const Row row : rows) ++counts[shape.stop_of(row)];
    for (std::size_t id = counts.size(); id-- > 0;)
        shape.for_each_child(id, [&](std::size_t child) { counts[id] += counts[child]; });
    std::vector<RowRange> places(counts.size());
    places[0].end = counts[0];
    for (std::size_t id = 0; id < places.size(); ++id) {
        if (counts[id] == 0) throw std::invalid_argument("a node has no rows");
        std::size_t begin = places[id].begin;
        shape.for_each_child(id, [&](std::size_t child) {
            places[child] = {begin, begin + counts[child]};
            begin += counts[child];
        });
    }
    return places;
}

template <class Criterion>
FlatTree refilled(const FixedLabels<typename Criterion::Labels>& fixed, std::vector<Row>&& rows,
                  const Shape& shape, Threads& threads, const Cancel& cancel) {
    std::erase_if(rows, [&](Row row) { return !shape.is_leaf(shape.stop_of(row)); });
    const std::vector<RowRange> places = places_of(shape, rows);
    std::vector<std::size_t> next;
    for (const RowRange& place : places) next.push_back(place.begin);
    std::vector<Row> by_leaf(rows.size());
    for (const Row row : rows) by_leaf[next[shape.stop_of(row)]++] = row;
    FlatTree tree;
    tree.first_child.assign(shape.first_child.begin(), shape.first_child.end());
    tree.n_children.assign(shape.n_children.begin(), shape.n_children.end());
    Finisher<Criterion>(fixed).finish(tree, places, by_leaf, threads, cancel);
    return tree;
}

template <class Criterion>
FlatTree grow_by(const GrowTable& table, const Settings& settings, std::size_t n_threads,
                 const Cancel& cancel) {
    using Labels = typename Criterion::Labels;
    Threads threads(n_threads);
    FixedLabels<Labels> fixed(table, settings.quantile, threads);
    if (!settings.directions.empty()) fixed.give_rounded();
    std::vector<Row> rows = rows_with_weight(table);
    if (table.shape)
        return refilled<Criterion>(fixed, std::move(rows), *table.shape, threads, cancel);
    const Limits limits = limits_for(settings, fixed, rows);
    const auto context = [&](const Settings& followed) {
        return ListContext<Criterion>{
            table.columns, followed, fixed, limits, fixed.table_weight(rows), cancel};
    };
    GrownTree nodes(root_node(settings, rows.size()));
    if (table.columns.empty() && !table.sparse) {
        // There is nothing to ask.
    } else if constexpr (is_ranked<Criterion>) {
        sort_by_label(rows, fixed);
        nodes = QuantileGrower<Criterion>(table, context(settings), rows, threads).grow();
    } else {
        Settings chosen = settings;
        chosen.use_fast_search =
            settings.use_fast_search &&
            fits_fast_search<typename CountedBy<Criterion, true>::type>(table, limits, fixed, rows);
        const auto grow_fast = [&]<class Statistic>(Statistic /*kind*/) {
            if (table.sparse)
                return SparseGrower<Criterion, Statistic>(*table.sparse, context(chosen), rows,
                                                          threads)
                    .grow();
            return FastGrower<Criterion, Statistic>(table.n_rows, context(chosen), rows, threads)
                .grow();
        };
        nodes = table.weights == nullptr ? grow_fast(typename CountedBy<Criterion, false>::type{})
                                         : grow_fast(typename CountedBy<Criterion, true>::type{});
    }
    auto [tree, places] = flattened(nodes);
    nodes = GrownTree();  // its memory serves what follows
    constexpr std::size_t many_classes = 16;
    if (std::is_same_v<Labels, ClassLabels> && table.n_outputs == 1 && table.weights == nullptr &&
        table.n_classes[0] >= many_classes && settings.max_leaf_nodes == 0)
        tree.seen.make_room(places, table.n_classes[0]);
    const bool asks_best_first = !is_ranked<Criterion> && settings.max_leaf_nodes > 0;
    if (asks_best_first) tree.saved.resize(places.size());
    Finisher<Criterion>(fixed, settings.directions).finish(tree, places, rows, threads, cancel);
    if (asks_best_first) tree = cut_to_leaves(tree, settings.max_leaf_nodes);
    return std::move(tree);
}

}  // namespace bough

/// All that is compiled for a criterion.
#define BOUGH_GROW_BY(Criterion)                                                         \
    template FlatTree grow_by<Criterion>(const GrowTable&, const Settings&, std::size_t, \
                                         const Cancel&)
