// What growing takes from Python and gives back: settings, labels, the arrays of a tree.
#pragma once

#include <utility>
#include <vector>

#include "grow.hpp"
#include "python.hpp"
#include "recode.hpp"

namespace bough {

/// Set what is chosen; anything else stays as it is.
template <class Value>
void choose(Value& value, const Dict& choices, const char* name) {
    if (choices.contains(name)) value = nb::cast<Value>(choices[name]);
}

inline Settings settings_from(const Dict& choices) {
    Settings settings;
    choose(settings.criterion, choices, "criterion");
    choose(settings.quantile, choices, "quantile");
    choose(settings.grouped, choices, "grouped");
    choose(settings.draw_pivots, choices, "draw_pivots");
    choose(settings.max_depth, choices, "max_depth");
    choose(settings.min_samples_split, choices, "min_samples_split");
    choose(settings.min_samples_leaf, choices, "min_samples_leaf");
    choose(settings.min_weight_fraction_leaf, choices, "min_weight_fraction_leaf");
    choose(settings.min_impurity_decrease, choices, "min_impurity_decrease");
    choose(settings.max_leaf_nodes, choices, "max_leaf_nodes");
    choose(settings.max_features, choices, "max_features");
    choose(settings.seed, choices, "seed");
    choose(settings.column_numbers.of_column, choices, "column_numbers");
    choose(settings.trail, choices, "trail");
    choose(settings.directions, choices, "directions");
    choose(settings.use_fast_search, choices, "use_fast_search");
    choose(settings.list_rows, choices, "list_rows");
    choose(settings.list_rows_at_root, choices, "list_rows_at_root");
    return settings;
}

/// What rows know of the whole table that they are a part of; none where they are all of it.
inline std::optional<WholeTable> whole_from(const Dict& choices) {
    if (!choices.contains("whole")) return std::nullopt;
    const auto given = nb::cast<Dict>(choices["whole"]);
    WholeTable whole;
    choose(whole.weight_exponent, given, "weight_exponent");
    choose(whole.label_exponents, given, "label_exponents");
    choose(whole.weight, given, "weight");
    return whole;
}

inline Dict arrays_of(FlatTree&& tree, std::size_t n_outputs) {
    const std::size_t n_nodes = tree.n_rows.size();
    const std::size_t n_cells = tree.tally.size() / (n_nodes * n_outputs);
    Dict arrays;
    if (!tree.feature.empty()) {  // which trees that are refilled have already
        arrays["feature"] = to_python(std::move(tree.feature));
        arrays["query_kind"] = to_python(std::move(tree.query_kind));
        arrays["pivot"] = to_python(std::move(tree.pivot));
        arrays["pivot_int"] = to_python(std::move(tree.pivot_int));
        arrays["gap"] = to_python(std::move(tree.gap));
        arrays["codes"] = to_python(std::move(tree.codes));
        arrays["answers"] = to_python(std::move(tree.answers));
        arrays["codes_start"] = to_python(std::move(tree.codes_start));
        arrays["first_child"] = to_python(std::move(tree.first_child));
        arrays["n_children"] = to_python(std::move(tree.n_children));
        arrays["missing_child"] = to_python(std::move(tree.missing_child));
    }
    if (tree.seen.start.empty())
        arrays["tally"] = to_python(std::move(tree.tally), {n_nodes, n_outputs, n_cells});
    else
        arrays["classes_seen"] = nb::make_tuple(to_python(std::move(tree.seen.start)),
                                                to_python(std::move(tree.seen.code)),
                                                to_python(std::move(tree.seen.weight)));
    arrays["guess"] = nb::none();
    if (!tree.guess.empty())
        arrays["guess"] = to_python(std::move(tree.guess), {n_nodes, n_outputs});
    if (!tree.share.empty()) arrays["share"] = to_python(std::move(tree.share));
    arrays["n_rows"] = to_python(std::move(tree.n_rows));
    arrays["impurity"] = to_python(std::move(tree.impurity));
    arrays["gain"] = to_python(std::move(tree.gain));
    return arrays;
}

/// A table that has labels, but no columns yet, as long as nobody drops what is lent.
inline GrowTable labels_from(const Dict& labels, const Dict& choices) {
    const auto classes = nb::cast<std::optional<Matrix<std::int32_t>>>(labels["classes"], false);
    const auto numbers = nb::cast<std::optional<Matrix<double>>>(labels["numbers"], false);
    const auto weights = nb::cast<std::optional<Vector<double>>>(labels["weights"], false);
    const auto criterion = nb::cast<std::string>(choices["criterion"]);
    require(classes.has_value() != numbers.has_value(), "labels are classes or numbers");
    const auto tasks = criteria();
    const auto is_meant = [&](const auto& each) {
        return each.first == criterion && (each.second == "classification") == classes.has_value();
    };
    require(std::ranges::any_of(tasks, is_meant), "no criterion of these labels");
    GrowTable table;
    table.n_outputs = classes ? classes->shape(0) : numbers->shape(0);
    table.n_rows = classes ? classes->shape(1) : numbers->shape(1);
    table.n_classes = nb::cast<std::vector<std::size_t>>(labels["n_classes"]);
    table.classes = classes ? classes->data() : nullptr;
    table.numbers = numbers ? numbers->data() : nullptr;
    table.weights = weights ? weights->data() : nullptr;
    table.whole = whole_from(choices);
    constexpr std::size_t most_rows = std::numeric_limits<Row>::max();
    require(table.n_outputs > 0 && table.n_rows > 0, "there are no labels");
    require(table.n_rows <= most_rows, "there are too many rows");
    require(table.n_classes.size() == table.n_outputs,
            "there must be a number of classes for each output");
    require(!table.whole || !numbers || table.whole->label_exponents.size() == table.n_outputs,
            "there must be a grid for each output");
    require(!weights || weights->shape(0) == table.n_rows, "there must be a weight for each row");
    if (classes)
        for (std::size_t output = 0; output < table.n_outputs; ++output)
            check_codes(Strided<std::int32_t>{table.classes + output * table.n_rows}, table.n_rows,
                        0, static_cast<std::int64_t>(table.n_classes[output]));
    return table;
}

}  // namespace bough
