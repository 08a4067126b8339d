// Growing: which rows take part, which search finds the questions, what the nodes say.
#include "grow.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "candidate.hpp"
#include "criteria.hpp"

namespace bough {

// Compiled in the file of each criterion.
template <class Criterion>
FlatTree grow_by(const GrowTable& table, const Settings& settings, std::size_t n_threads,
                 const Cancel& cancel);
template <class Criterion>
FlatTree refilled_by(const GrowTable& table, const Settings& settings, const Shape& shape,
                     std::size_t n_threads, const Cancel& cancel);

namespace {

/// Call `use` with the criterion of each index in turn.
template <class Use, std::size_t... Index>
void for_each_criterion(const Use& use, std::index_sequence<Index...> /*all*/) {
    (use(std::tuple_element_t<Index, Criteria>{}), ...);
}

template <class Use>
void for_each_criterion(const Use& use) {
    for_each_criterion(use, std::make_index_sequence<std::tuple_size_v<Criteria>>{});
}

/// What `use` makes of the criterion of this name.
template <class Use>
FlatTree use_criterion(std::string_view name, const Use& use) {
    FlatTree tree;
    bool is_known = false;
    for_each_criterion([&](auto criterion) {
        using Criterion = decltype(criterion);
        using Same = std::conditional_t<std::is_base_of_v<Entropy, Criterion>, Entropy, Criterion>;
        if (Criterion::name != name) return;
        is_known = true;
        tree = use(Same{});
    });
    if (!is_known) throw std::invalid_argument("unknown criterion");
    return tree;
}

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
    return use_criterion(settings.criterion, [&]<class Criterion>(Criterion /*kind*/) {
        return grow_by<Criterion>(table, settings, n_threads, cancel);
    });
}

FlatTree refilled(const GrowTable& table, const Settings& settings, const Shape& shape,
                  std::size_t n_threads, const Cancel& cancel) {
    return use_criterion(settings.criterion, [&]<class Criterion>(Criterion /*kind*/) {
        return refilled_by<Criterion>(table, settings, shape, n_threads, cancel);
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
