// Cost-complexity pruning (Breiman et al., 1984, chapter 3): the price of a leaf at which each
// branch becomes one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bough {

/// Every price at which the pruned tree changes, from 0 upwards.
struct PruningPath {
    std::vector<double> alpha_of;    // price from which on each node is a leaf; 0 at a leaf
    std::vector<double> alphas;      // prices at which the tree changes
    std::vector<double> impurities;  // of the leaves of the tree, from each of these prices on
};

/// A branch that becomes a leaf when leaves cost `alpha`.
struct Link {
    double alpha;
    double loss;            // what the impurity grows by
    std::int64_t n_leaves;  // how many leaves there are less

    friend auto operator<=>(const Link&, const Link&) = default;
};

/// The children of a node as they are pruned while the price of a leaf falls from infinity to 0:
/// above the strongest link they are `n_leaves` leaves of total impurity `impurity`, and each link
/// that is put back takes its loss off the impurity and adds its leaves.
struct Children {
    double impurity = 0;
    std::int64_t n_leaves = 0;
    std::vector<Link> links;  // a heap, the strongest first

    void add(Link link) {
        links.push_back(link);
        std::ranges::push_heap(links);
    }

    Link take_strongest() {
        std::ranges::pop_heap(links);
        const Link strongest = links.back();
        links.pop_back();
        return strongest;
    }

    /// The larger heap takes over the smaller one, so that a link moves at most log₂ n times.
    void join(std::vector<Link>&& others) {
        if (others.size() > links.size()) std::swap(links, others);
        for (const Link& link : others) add(link);
    }
};

/// The link of a branch to its children; those that would break with it are dropped.
///
/// With its children apart a branch costs `children.impurity + alpha · children.n_leaves`, without
/// them `impurity + alpha`. Where the two are equal it becomes a leaf, unless that is below the
/// strongest link further down, which then has not been broken yet.
inline Link weakest_link(double impurity, Children& children) {
    while (true) {
        // Rounding must not make a gain of 0 negative.
        const double loss = std::max(impurity - children.impurity, 0.0);
        const auto fewer = children.n_leaves - 1;
        const double alpha = loss / static_cast<double>(fewer);
        if (children.links.empty() || alpha > children.links.front().alpha)
            return {alpha, loss, fewer};
        const Link strongest = children.take_strongest();
        children.impurity -= strongest.loss;
        children.n_leaves += strongest.n_leaves;
    }
}

inline void walk_up(PruningPath& path, std::vector<Link>&& links, double slack) {
    std::ranges::sort(links);
    for (const Link& link : links) {
        const double impurity = path.impurities.back() + link.loss;
        if (link.alpha > path.alphas.back() + slack) {
            path.alphas.push_back(link.alpha);
            path.impurities.push_back(impurity);
        } else {  // links of one strength break together
            path.impurities.back() = impurity;
        }
    }
}

/// `impurities` are those of the nodes, weighted by their share of the rows; prices that differ by
/// no more than `slack` are one. A parent comes before its children.
inline PruningPath pruning_path(std::span<const std::int32_t> parents,
                                std::span<const double> impurities, double slack) {
    PruningPath path{std::vector<double>(parents.size()), {0.0}, {0.0}};
    std::vector<Children> below(parents.size());
    for (std::size_t node = parents.size(); node-- > 0;) {
        Children& children = below[node];
        if (children.n_leaves == 0) {
            path.impurities[0] += impurities[node];
        } else {
            const Link link = weakest_link(impurities[node], children);
            path.alpha_of[node] = link.alpha;
            children.add(link);
        }
        if (node == 0) break;
        Children& siblings = below[static_cast<std::size_t>(parents[node])];
        siblings.impurity += impurities[node];
        siblings.n_leaves += 1;
        siblings.join(std::exchange(children.links, {}));
    }
    walk_up(path, std::move(below[0].links), slack);
    return path;
}

}  // namespace bough
