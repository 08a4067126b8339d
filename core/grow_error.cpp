// Growing by the criterion "error".
#include "error_scores.hpp"
#include "grow_by.hpp"

namespace bough {

template FlatTree grow_by<Error>(const GrowTable&, const Settings&, std::size_t, const Cancel&);
template FlatTree refilled_by<Error>(const GrowTable&, const Settings&, const Shape&, std::size_t,
                                     const Cancel&);

}  // namespace bough
