// Growing by the criterion "entropy".
#include "entropy_scores.hpp"
#include "grow_by.hpp"

namespace bough {

template FlatTree grow_by<Entropy>(const GrowTable&, const Settings&, std::size_t, const Cancel&);
template FlatTree refilled_by<Entropy>(const GrowTable&, const Settings&, const Shape&, std::size_t,
                                       const Cancel&);

}  // namespace bough
