// Growing by the criteria of quantiles: "absolute_error" and "quantile".
#include "grow_by_criterion.hpp"

namespace bough {

BOUGH_GROW_BY(AbsoluteError);
BOUGH_GROW_BY(Quantile);

}  // namespace bough
