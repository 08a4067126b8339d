// Growing by the criterion "poisson".
#include "grow_by.hpp"
#include "poisson_scores.hpp"

namespace bough {

template FlatTree grow_by<Poisson>(const GrowTable&, const Settings&, std::size_t, const Cancel&);
template FlatTree refilled_by<Poisson>(const GrowTable&, const Settings&, const Shape&, std::size_t,
                                       const Cancel&);

}  // namespace bough
