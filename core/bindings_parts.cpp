// The border between Python and the core, for tables that lie in parts.
#include "entropy_scores.hpp"
#include "error_rate_scores.hpp"
#include "gini_scores.hpp"
#include "grow_arguments.hpp"
#include "grow_by_criterion.hpp"
#include "parts.hpp"
#include "parts_search.hpp"
#include "poisson_scores.hpp"
#include "python.hpp"
#include "squared_error_scores.hpp"

using namespace nanobind::literals;

namespace bough {
namespace {

template <class Value>
using Cube = Lent<const Value, 3, nb::c_contig>;
using Tuple = nb::typed<nb::tuple, nb::any, nb::ellipsis>;
using Keys = Vector<std::uint64_t>;

/// What `use` makes of the criterion of this name and its labels. Of the rows of the whole table
/// there is but one, without weight: it says whether rows have weights.
void use_whole(const Dict& choices, const std::vector<std::size_t>& n_classes, const auto& use) {
    const Settings settings = settings_from(choices);
    GrowTable table;
    table.n_outputs = n_classes.size();
    table.n_classes = n_classes;
    table.whole = whole_from(choices);
    require(table.whole.has_value(), "nothing is known of the whole table");
    bool is_weighted = false;
    choose(is_weighted, nb::cast<Dict>(choices["whole"]), "is_weighted");
    const std::vector<double> nothing(n_classes.size());
    table.n_rows = 1;
    table.numbers = nothing.data();
    table.weights = is_weighted ? nothing.data() : nullptr;
    Threads threads(1);
    const bool adds_up =
        use_criterion(settings.criterion, [&]<class Criterion>(Criterion criterion) {
            if constexpr (follows_from_sums<Criterion>) {
                const FixedLabels<typename Criterion::Labels> fixed(table, settings.quantile,
                                                                    threads);
                use(criterion, fixed, settings);
            }
            return follows_from_sums<Criterion>;
        });
    require(adds_up, "the impurity does not follow from sums");
}

Tuple tuple_of(Entries&& entries) {
    const std::size_t n = entries.size();
    const std::size_t n_ends = entries.n_ends;
    const std::size_t width = entries.width;
    const std::size_t limbs = entries.limbs;
    return nb::make_tuple(to_python(std::move(entries.places)), to_python(std::move(entries.keys)),
                          to_python(std::move(entries.ends), {n, n_ends}),
                          to_python(std::move(entries.sums), {n, width, limbs}));
}

Entries entries_from(const Tuple& given) {
    const auto places = nb::cast<Vector<std::int32_t>>(given[0]);
    const auto keys = nb::cast<Keys>(given[1]);
    const auto ends = nb::cast<Matrix<std::uint64_t>>(given[2]);
    const auto sums = nb::cast<Cube<std::uint64_t>>(given[3]);
    const std::size_t n = keys.shape(0);
    require(places.shape(0) == n && ends.shape(0) == n && sums.shape(0) == n,
            "arrays of entries differ in length");
    Entries entries{.n_ends = ends.shape(1), .width = sums.shape(1), .limbs = sums.shape(2)};
    entries.places.assign(places.data(), places.data() + n);
    entries.keys.assign(keys.data(), keys.data() + n);
    entries.ends.assign(ends.data(), ends.data() + ends.size());
    entries.sums.assign(sums.data(), sums.data() + sums.size());
    return entries;
}

Tuple add_from_python(const Tuple& one, const Tuple& other) {
    const Entries a = entries_from(one);
    const Entries b = entries_from(other);
    require(a.n_ends == b.n_ends && a.width == b.width, "entries are of different sums");
    return tuple_of(added(a, b));
}

std::pair<int, int> exponents_from_python(const Vector<double>& values,
                                          const std::optional<Vector<double>>& weights) {
    Threads threads(1);
    const Exponents found =
        exponents_of(span_of(values), weights ? weights->data() : nullptr, threads);
    return {found.lowest, found.highest};
}

int grid_from_python(int lowest, int highest, std::size_t n_rows, bool of_weights) {
    const Exponents exponents{.lowest = lowest, .highest = highest};
    return (of_weights ? weight_grid(exponents, n_rows) : label_grid(exponents)).exponent;
}

auto keys_from_python(const Columns& columns, std::uint8_t kind, std::size_t n_rows) {
    const auto raw = raw_columns(columns, std::span(&kind, 1), n_rows);
    std::vector<Row> rows(n_rows);
    std::iota(rows.begin(), rows.end(), Row{0});
    return to_python(keys_of(raw[0], rows));
}

/// Labels of a part of a table, on the grids of the whole one.
Entries use_labels(const Dict& lent, const Dict& choices, const auto& use) {
    const GrowTable table = labels_from(lent, choices);
    const double level = settings_from(choices).quantile;
    Threads threads(1);
    if (table.classes != nullptr)
        return use(FixedLabels<ClassLabels>(table, level, threads), table.n_rows);
    return use(FixedLabels<NumberLabels>(table, level, threads), table.n_rows);
}

Tuple sum_nodes_from_python(const Vector<std::int32_t>& nodes, const Dict& labels,
                            const Dict& choices) {
    return tuple_of(use_labels(labels, choices, [&](const auto& fixed, std::size_t n_rows) {
        require(nodes.shape(0) == n_rows, "there must be a node for each row");
        return summed_by_node(fixed, span_of(nodes));
    }));
}

/// Requests as arrays: of each a node, a column, the least and the greatest key, and where its
/// edges begin among all.
Tuple sum_values_from_python(const Columns& columns, const Vector<std::uint8_t>& kinds,
                             const Vector<std::int32_t>& nodes, const Dict& labels,
                             const Dict& choices, const Matrix<std::int32_t>& asked,
                             const Matrix<std::uint64_t>& ranges,
                             const Vector<std::int64_t>& edges_start, const Keys& edges) {
    const std::size_t n = asked.shape(0);
    require(asked.shape(1) == 2 && ranges.shape(1) == 2 && ranges.shape(0) == n &&
                edges_start.shape(0) == n + 1,
            "arrays of requests differ in length");
    std::vector<Request> requests;
    for (std::size_t i = 0; i < n; ++i) {
        const auto begin = static_cast<std::size_t>(edges_start.data()[i]);
        const auto end = static_cast<std::size_t>(edges_start.data()[i + 1]);
        const auto column = static_cast<std::size_t>(asked.data()[2 * i + 1]);
        require(begin <= end && end <= edges.shape(0), "there are no such edges");
        require(column < kinds.shape(0) && asked.data()[2 * i] >= 0, "there is no such column");
        requests.push_back({.node = asked.data()[2 * i],
                            .column = column,
                            .low = ranges.data()[2 * i],
                            .high = ranges.data()[2 * i + 1],
                            .edges = span_of(edges).subspan(begin, end - begin)});
    }
    return tuple_of(use_labels(labels, choices, [&](const auto& fixed, std::size_t n_rows) {
        require(nodes.shape(0) == n_rows, "there must be a node for each row");
        const auto raw = raw_columns(columns, span_of(kinds), n_rows);
        return interruptibly(false, [&](const Cancel& cancel) {
            return summed_by_value(std::span(raw), fixed, span_of(nodes), requests, cancel);
        });
    }));
}

template <class Labels>
Summary<Labels> summary_from(const Labels& labels, const std::uint64_t* ends,
                             const Cube<std::uint64_t>& sums, std::size_t place) {
    Summary<Labels> summary(labels);
    require(sums.shape(1) == width_of(summary), "entries are of other labels");
    const std::size_t stride = sums.shape(1) * sums.shape(2);
    summary = summary_of(labels, sums.data() + place * stride, sums.shape(2));
    for (std::size_t output = 0; output < summary.spread.size() && ends != nullptr; ++output)
        summary.spread[output].given = {.least = value_at(ends[2 * output], double{0}),
                                        .most = value_at(ends[2 * output + 1], double{0})};
    return summary;
}

Dict found_to_python(const PartsFound& found) {
    Dict result;
    std::vector<std::int64_t> alive;
    for (const auto& [column, place] : found.alive) {
        alive.push_back(static_cast<std::int64_t>(column));
        alive.push_back(static_cast<std::int64_t>(place));
    }
    const std::size_t n_alive = found.alive.size();
    result["alive"] = to_python(std::move(alive), {n_alive, 2});
    result["is_leaf"] = !found.question && n_alive == 0;
    if (!found.question) return result;
    FlatTree stump;  // whose numbers say nothing but the rows
    stump.add_question(*found.question, 1);
    stump.n_rows.push_back(std::accumulate(found.rows.begin(), found.rows.end(), std::int64_t{0}));
    for (const std::int64_t rows : found.rows) {
        stump.add_leaf();
        stump.n_rows.push_back(rows);
    }
    stump.tally.resize(stump.n_rows.size());
    stump.impurity.resize(stump.n_rows.size());
    stump.gain.resize(stump.n_rows.size());
    result["stump"] = arrays_of(std::move(stump), 1);
    return result;
}

/// Search a node of the whole table, given the ends and the sums of its intervals by column, and of
/// all its rows.
Dict search_from_python(const nb::typed<nb::list, Tuple>& columns,
                        const Vector<std::uint8_t>& kinds, const Tuple& node,
                        const std::vector<std::size_t>& n_classes, const Dict& choices) {
    PartsFound found;
    const auto [node_ends, node_sums] =
        std::pair(nb::cast<Matrix<std::uint64_t>>(node[0]), nb::cast<Cube<std::uint64_t>>(node[1]));
    require(columns.size() == kinds.shape(0), "columns have no kind");
    use_whole(choices, n_classes, [&](auto criterion, const auto& fixed, const Settings& settings) {
        using Criterion = decltype(criterion);
        using Labels = typename Criterion::Labels;
        const Labels& labels = fixed.view();
        const auto summary = summary_from(labels, node_ends.data(), node_sums, 0);
        if (!settings.may_split(static_cast<std::size_t>(summary.tally.rows), 0) ||
            summary.is_pure(labels))
            return;
        std::vector<IntervalColumn<Labels>> all(columns.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto given = nb::cast<Tuple>(columns[i]);
            const auto ends = nb::cast<Matrix<std::uint64_t>>(given[0]);
            const auto sums = nb::cast<Cube<std::uint64_t>>(given[1]);
            require(ends.shape(1) == 2 && ends.shape(0) == sums.shape(0) && ends.shape(0) > 0,
                    "a column has no intervals");
            all[i].kind = static_cast<FeatureKind>(kinds.data()[i]);
            for (std::size_t place = 0; place < ends.shape(0); ++place) {
                all[i].low.push_back(ends.data()[2 * place]);
                all[i].high.push_back(ends.data()[2 * place + 1]);
                all[i].sums.push_back(summary_from(labels, nullptr, sums, place));
            }
        }
        const Limits limits = limits_for(settings, fixed, {});
        found = interruptibly(false, [&](const Cancel& cancel) {
            return PartsSearch<Criterion>(fixed, summary, limits, settings, cancel)
                .run(std::span<const IntervalColumn<Labels>>(all));
        });
    });
    return found_to_python(found);
}

Dict finish_from_python(const Vector<std::int32_t>& first_child,
                        const Vector<std::int32_t>& n_children, const Tuple& leaves,
                        const std::vector<std::size_t>& n_classes, const Dict& choices) {
    FlatTree tree;
    tree.first_child.assign(first_child.data(), first_child.data() + first_child.shape(0));
    tree.n_children.assign(n_children.data(), n_children.data() + n_children.shape(0));
    const auto keys = nb::cast<Keys>(leaves[1]);
    const auto ends = nb::cast<Matrix<std::uint64_t>>(leaves[2]);
    const auto sums = nb::cast<Cube<std::uint64_t>>(leaves[3]);
    use_whole(choices, n_classes, [&](auto criterion, const auto& fixed, const Settings&) {
        using Criterion = decltype(criterion);
        std::vector<Summary<typename Criterion::Labels>> of(
            tree.first_child.size(), Summary<typename Criterion::Labels>(fixed.view()));
        Int128 weight = 0;
        for (std::size_t i = 0; i < keys.shape(0); ++i) {
            const auto node = static_cast<std::size_t>(keys.data()[i]);
            require(node < of.size() && tree.n_children[node] == 0, "rows stop at no leaf");
            of[node] = summary_from(fixed.view(), ends.data() + i * ends.shape(1), sums, i);
            weight += of[node].tally.weight;
        }
        interruptibly(false, [&](const Cancel& cancel) {
            Finisher<Criterion>(fixed).finish(tree, of, to_double(weight), cancel);
        });
    });
    return arrays_of(std::move(tree), n_classes.size());
}

}  // namespace

void bind_parts(nb::module_& module) {
    module.def(
        "criteria_of_sums",
        [] {
            nb::typed<nb::list, nb::str> names;
            for_each_criterion([&]<class Criterion>(Criterion /*kind*/) {
                if constexpr (follows_from_sums<Criterion>)
                    names.append(nb::str(Criterion::name.data(), Criterion::name.size()));
            });
            return names;
        },
        "Return the criteria by which parts of a table add up.");
    module.def("exponents", &exponents_from_python, "values"_a, "weights"_a.none(),
               "Return the exponents of the lowest and the highest bit of any value.");
    module.def("grid", &grid_from_python, "lowest"_a, "highest"_a, "n_rows"_a, "of_weights"_a,
               "Return the exponent of the grid of a table, from its exponents.");
    module.def("value_keys", &keys_from_python, "columns"_a, "kind"_a, "n_rows"_a,
               "Return the key of each value, in the order of values; 0 where it is missing.");
    module.def("add_entries", &add_from_python, "one"_a, "other"_a,
               "Return the entries of two parts, added up.");
    module.def("sum_nodes", &sum_nodes_from_python, "nodes"_a, "labels"_a, "settings"_a,
               "Return what the rows at each node add up to.");
    module.def("sum_values", &sum_values_from_python, "columns"_a, "kinds"_a, "nodes"_a, "labels"_a,
               "settings"_a, "asked"_a, "ranges"_a, "edges_start"_a, "edges"_a,
               "Return what the rows add up to, by node and by value or cell.");
    module.def("search_parts", &search_from_python, "columns"_a, "kinds"_a, "node"_a, "n_classes"_a,
               "settings"_a, "Return what a node asks, or of which intervals it must know more.");
    module.def("finish_parts", &finish_from_python, "first_child"_a, "n_children"_a, "leaves"_a,
               "n_classes"_a, "settings"_a,
               "Return what the nodes of a tree say, from what its leaves add up to.");
}

}  // namespace bough
