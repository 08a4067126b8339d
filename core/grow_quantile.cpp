// Growing by the criterion "quantile".
#include "grow_by.hpp"

namespace bough {

template FlatTree grow_by<Quantile>(const GrowTable&, const Settings&, std::size_t, const Cancel&);
template FlatTree refilled_by<Quantile>(const GrowTable&, const Settings&, const Shape&,
                                        std::size_t, const Cancel&);

}  // namespace bough
