// Growing by the criteria of classes: "gini", "entropy" and "error".
#include "entropy_scores.hpp"
#include "error_rate_scores.hpp"
#include "gini_scores.hpp"
#include "grow_by_criterion.hpp"

namespace bough {

BOUGH_GROW_BY(Gini);
BOUGH_GROW_BY(Entropy);
BOUGH_GROW_BY(Error);

}  // namespace bough
