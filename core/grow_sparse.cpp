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
GrownTree grow_sparse(const SparseTable& table, const ListContext<Criterion>& context,
                      std::span<Row> rows, Threads& threads) {
    return SparseGrower<Criterion, Statistic>(table, context, rows, threads).grow();
}

#define BOUGH_GROW_SPARSE(Criterion, Weighted)                                       \
    template GrownTree grow_sparse<Criterion, CountedBy<Criterion, Weighted>::type>( \
        const SparseTable&, const ListContext<Criterion>&, std::span<Row>, Threads&)

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
