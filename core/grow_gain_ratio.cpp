// Growing by the criterion "gain_ratio".
#include "entropy_bound.hpp"
#include "grow_by.hpp"

namespace bough {

template FlatTree grow_by<GainRatio>(const GrowTable&, const Settings&, std::size_t, const Cancel&);
template FlatTree refilled_by<GainRatio>(const GrowTable&, const Settings&, const Shape&,
                                         std::size_t, const Cancel&);

}  // namespace bough
