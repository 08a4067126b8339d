// Growing by the criterion "absolute_error".
#include "grow_by.hpp"

namespace bough {

template FlatTree grow_by<AbsoluteError>(const GrowTable&, const Settings&, std::size_t,
                                         const Cancel&);
template FlatTree refilled_by<AbsoluteError>(const GrowTable&, const Settings&, const Shape&,
                                             std::size_t, const Cancel&);

}  // namespace bough
