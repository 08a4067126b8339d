// Growing: which rows take part, which search finds the questions, what the nodes say.
#include "grow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "candidate.hpp"
#include "criteria.hpp"

namespace bough {

// Compiled in the file of each criterion.
template <class Criterion>
FlatTree grow_by(const GrowTable& table, const Settings& settings, std::size_t n_threads,
                 const Cancel& cancel);

namespace {

/// About which share of what sparse columns store is different within a column: from some values
/// of some columns.
double share_of_cells(const SparseTable& table) {
    constexpr std::size_t most_columns = 32;
    constexpr std::size_t most_values = 1024;
    const std::size_t step = table.n_columns / most_columns + 1;
    std::vector<std::vector<double>> some(table.n_columns / step + 1);
    table.for_each([&](std::size_t /*row*/, std::size_t column, double value) {
        if (column % step != 0 || std::isnan(value)) return;
        if (auto& values = some[column / step]; values.size() < most_values)
            values.push_back(value);
    });
    std::size_t n_values = 0;
    std::size_t n_different = 0;
    for (std::vector<double>& values : some) {
        std::ranges::sort(values);
        n_values += values.size();
        n_different +=
            static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
    }
    return n_values == 0 ? 0 : static_cast<double>(n_different) / static_cast<double>(n_values);
}

/// Whether sparse columns are grown from as they are, or copied with all their zeros. They are
/// where the search is another one; and where zeros, or equal values beside them, are too few, for
/// then bins count less than cells.
bool stays_sparse(const GrowTable& table, const Settings& settings) {
    constexpr double least_stored = 4;  // values of the table for each that is stored, as measured
    constexpr double least_cells = 20;  // and for each cell
    const bool sorts_labels =
        use_criterion(settings.criterion,
                      []<class Criterion>(Criterion /*kind*/) { return is_ranked<Criterion>; });
    if (sorts_labels || settings.draw_pivots || settings.is_best_first(table.n_rows)) return false;
    const auto n_stored = static_cast<double>(table.sparse->values.size());
    const double n_values =
        static_cast<double>(table.n_rows) * static_cast<double>(table.sparse->n_columns);
    double n_sums = 0;  // of a cell
    for (const std::size_t n : table.n_classes) n_sums += static_cast<double>(n);
    const double n_cells = n_stored * share_of_cells(*table.sparse);
    return least_stored * n_stored <= n_values &&
           std::max(least_cells, n_sums) * n_cells <= n_values;
}

/// A table whose sparse columns have all their values.
struct DenseCopy {
    GrowTable table;
    std::vector<std::vector<double>> columns;

    explicit DenseCopy(const GrowTable& from) : table(from) {
        table.sparse.reset();
        columns.assign(from.sparse->n_columns, std::vector<double>(from.n_rows));
        from.sparse->for_each([&](std::size_t row, std::size_t column, double value) {
            columns[column][row] = value;
        });
        for (const std::vector<double>& column : columns)
            table.columns.push_back({.values = Strided<double>{column.data()}});
    }
};

}  // namespace

bool Settings::may_split(std::size_t n_rows, std::int64_t depth) const {
    // Two answers at least must have rows enough.
    return n_rows >= static_cast<std::size_t>(min_samples_split) &&
           n_rows / 2 >= static_cast<std::size_t>(min_samples_leaf) &&
           (max_depth < 0 || depth < max_depth);
}

bool Settings::decreases_enough(double decrease) const {
    return min_impurity_decrease <= 0 || decrease >= min_impurity_decrease - tie_share;
}

FlatTree grow(const GrowTable& table, const Settings& settings, std::size_t n_threads,
              const Cancel& cancel) {
    if (table.sparse && !stays_sparse(table, settings))
        return grow(DenseCopy(table).table, settings, n_threads, cancel);
    return use_criterion(settings.criterion, [&]<class Criterion>(Criterion /*kind*/) {
        return grow_by<Criterion>(table, settings, n_threads, cancel);
    });
}

std::vector<std::pair<std::string_view, std::string_view>> criteria() {
    std::vector<std::pair<std::string_view, std::string_view>> names;
    for_each_criterion([&](auto criterion) {
        names.emplace_back(decltype(criterion)::name, decltype(criterion)::task);
    });
    return names;
}

}  // namespace bough
