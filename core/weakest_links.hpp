// Cost-complexity pruning (Breiman et al., 1984, chapter 3): the price of a leaf at which each
// branch becomes one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bough {

/// Every price at which the pruned tree changes, from 0 upwards.
struct PruningPath {
    std::vector<double> alpha_of;    // price from which on each node is a leaf; 0 at a leaf
    std::vector<double> alphas;      // prices at which the tree changes
    std::vector<double> impurities;  // of the leaves of the tree, from each of these prices on
};

/// `impurities` are those of the nodes, weighted by their share of the rows; prices that differ by
/// no more than `slack` are one. A parent comes before its children.
PruningPath pruning_path(std::span<const std::int32_t> parents, std::span<const double> impurities,
                         double slack);

}  // namespace bough
