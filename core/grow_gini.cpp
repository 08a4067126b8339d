// Growing by the criterion "gini".
#include "gini_scores.hpp"
#include "grow_by.hpp"

namespace bough {

template FlatTree grow_by<Gini>(const GrowTable&, const Settings&, std::size_t, const Cancel&);
template FlatTree refilled_by<Gini>(const GrowTable&, const Settings&, const Shape&, std::size_t,
                                    const Cancel&);

}  // namespace bough
