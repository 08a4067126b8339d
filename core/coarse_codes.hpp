// Coarse codes of compared values: a bin, and a step within it, of a byte each.
#pragma once

#include <cstddef>

namespace bough {

// A map gives each value of a column its codes. Both grow with the value, so they say where a cut
// may lie; they never say that two values are equal, except in a bin known to be single. Maps come
// from a sample: they change the time of growing, never the tree.

constexpr std::size_t n_bins = 256;   // bin 0 holds the missing values
constexpr std::size_t n_steps = 256;  // places within a bin

}  // namespace bough
