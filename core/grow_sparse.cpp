// Growing from sparse columns, by all criteria that can.
#include "entropy_scores.hpp"
#include "error_rate_scores.hpp"
#include "gini_scores.hpp"
#include "grow_by.hpp"
#include "poisson_scores.hpp"
#include "sparse_grower.hpp"
#include "squared_error_scores.hpp"

namespace bough {

template <class Criterion, class Statistic>
GrownTree grow_sparse(const SparseTable& table, const Settings& settings,
                      const FixedLabels<typename Criterion::Labels>& fixed, const Limits& limits,
                      std::span<Row> rows, Threads& threads, const Cancel& cancel) {
    return SparseGrower<Criterion, Statistic>(table, settings, fixed, limits, rows, threads, cancel)
        .grow();
}

#define BOUGH_GROW_SPARSE(Criterion, Weighted)                                                     \
    template GrownTree grow_sparse<Criterion, CountedBy<Criterion, Weighted>::type>(               \
        const SparseTable&, const Settings&, const FixedLabels<Criterion::Labels>&, const Limits&, \
        std::span<Row>, Threads&, const Cancel&)

BOUGH_GROW_SPARSE(Error, false);
BOUGH_GROW_SPARSE(Error, true);
BOUGH_GROW_SPARSE(Gini, false);
BOUGH_GROW_SPARSE(Gini, true);
BOUGH_GROW_SPARSE(Entropy, false);
BOUGH_GROW_SPARSE(Entropy, true);
BOUGH_GROW_SPARSE(SquaredError, false);
BOUGH_GROW_SPARSE(SquaredError, true);
BOUGH_GROW_SPARSE(Poisson, true);

}  // namespace bough
