// Growing by the criteria of numbers that follow from sums: "squared_error" and "poisson".
#include "grow_by_criterion.hpp"
#include "poisson_scores.hpp"
#include "squared_error_scores.hpp"

namespace bough {

BOUGH_GROW_BY(SquaredError);
BOUGH_GROW_BY(Poisson);

}  // namespace bough
