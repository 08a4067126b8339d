// The nodes that wait to be split, and in which order they go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "threads.hpp"
#include "tree.hpp"

namespace bough {

/// A node whose query is known.
struct Waiting {
    std::size_t node;
    double decrease;  // gain × node weight ÷ table weight
    std::size_t n_answers;
};

/// With a limit on leaves the node of the greatest decrease goes, the oldest of equal ones.
class Frontier {
  public:
    explicit Frontier(std::size_t max_leaves) : max_leaves_(max_leaves) {}

    /// Decreases within a tie are equal.
    void set_tie(double tie) { tie_ = tie; }
    void push(const Waiting& waiting) {
        waiting_.push_back(waiting);
        if (waiting_.size() > n_places_) {
            n_places_ *= 2;
            greatest_.assign(2 * n_places_, nothing);
            for (std::size_t i = 0; i < waiting_.size(); ++i) set(i, waiting_[i].decrease);
        }
        set(waiting_.size() - 1, waiting.decrease);
    }

    /// The node to split next; none when growth is over.
    std::vector<std::size_t> take() {
        while (greatest_[1] > nothing) {
            // A node whose answers are too many stays a leaf, and does not say what is best.
            const std::size_t best = oldest(greatest_[1]);
            const std::size_t chosen = fits(best) ? oldest(greatest_[1] - tie_) : best;
            set(chosen, waiting_[chosen].decrease = nothing);
            if (!fits(chosen)) continue;
            n_leaves_ += waiting_[chosen].n_answers - 1;
            return {waiting_[chosen].node};
        }
        return {};
    }

  private:
    static constexpr double nothing = -std::numeric_limits<double>::infinity();

    [[nodiscard]] bool fits(std::size_t place) const {
        return n_leaves_ + waiting_[place].n_answers - 1 <= max_leaves_;
    }
    void set(std::size_t place, double decrease) {
        std::size_t at = n_places_ + place;
        greatest_[at] = decrease;
        while ((at /= 2) > 0) greatest_[at] = std::max(greatest_[2 * at], greatest_[2 * at + 1]);
    }
    /// The oldest that decreases as much.
    [[nodiscard]] std::size_t oldest(double decrease) const {
        std::size_t at = 1;
        while (at < n_places_) at = 2 * at + (greatest_[2 * at] >= decrease ? 0 : 1);
        return at - n_places_;
    }

    std::size_t max_leaves_;
    std::size_t n_leaves_ = 1;
    double tie_ = 0;
    std::vector<Waiting> waiting_;  // oldest first
    // A tree of the greatest decreases: those of the nodes themselves lie behind `n_places_`.
    std::size_t n_places_ = 1;
    std::vector<double> greatest_ = {nothing, nothing};
};

/// Grow what waits, and then what `grow(waiting)` returns, the last first.
template <class Branch>
void grow_depth_first(Branch&& root, const auto& grow) {
    std::vector<Branch> waiting;
    waiting.push_back(std::move(root));
    while (!waiting.empty()) {
        Branch branch = std::move(waiting.back());
        waiting.pop_back();
        for (Branch& child : grow(std::move(branch))) waiting.push_back(std::move(child));
    }
}

/// Grow subtrees, of which each worker takes the largest that is left: `grow(branch, nodes,
/// worker)` grows below the branch, in a tree of its own where there are several workers.
template <class Branch>
void grow_subtrees(std::vector<Branch>&& branches, GrownTree& nodes, Threads& threads,
                   std::size_t n_workers, const auto& grow) {
    if (n_workers == 1) {
        for (Branch& branch : branches) grow(std::move(branch), nodes, std::size_t{0});
        return;
    }
    std::ranges::sort(branches, std::greater<>{},
                      [&](const Branch& branch) { return nodes[branch.node_id].n_rows(); });
    std::vector<GrownTree> grown(branches.size());
    std::vector<std::size_t> roots(branches.size());
    threads.share_out(n_workers, branches.size(), [&](std::size_t i, std::size_t worker) {
        roots[i] = std::exchange(branches[i].node_id, 0);
        grown[i][0] = nodes[roots[i]];
        grow(std::move(branches[i]), grown[i], worker);
    });
    for (std::size_t i = 0; i < grown.size(); ++i) nodes.graft(roots[i], std::move(grown[i]));
}

}  // namespace bough
