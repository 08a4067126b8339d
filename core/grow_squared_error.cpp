// Growing by the criterion "squared_error".
#include "grow_by.hpp"
#include "squared_error_scores.hpp"

namespace bough {

template FlatTree grow_by<SquaredError>(const GrowTable&, const Settings&, std::size_t,
                                        const Cancel&);
template FlatTree refilled_by<SquaredError>(const GrowTable&, const Settings&, const Shape&,
                                            std::size_t, const Cancel&);

}  // namespace bough
