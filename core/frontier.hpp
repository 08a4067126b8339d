// The nodes that wait to be split, and in which order they go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "candidate.hpp"

namespace bough {

/// A node whose query is known.
struct Waiting {
    std::size_t node;
    double decrease;  // gain × node weight ÷ table weight
    std::size_t n_answers;
};

/// Without a limit on leaves all waiting nodes go at once, so the tree grows level by level. With
/// one, the node of the greatest decrease goes, the oldest of equal ones.
class Frontier {
  public:
    /// `max_leaves` is 0 for no limit; decreases within `tie` are equal.
    explicit Frontier(std::size_t max_leaves) : max_leaves_(max_leaves) {}

    void set_tie(double tie) { tie_ = tie; }
    void push(const Waiting& waiting) { waiting_.push_back(waiting); }

    /// The nodes to split next; none when growth is over.
    std::vector<std::size_t> take() {
        std::vector<std::size_t> taken;
        if (max_leaves_ == 0) {
            for (const auto& waiting : waiting_) taken.push_back(waiting.node);
            waiting_.clear();
            return taken;
        }
        std::erase_if(waiting_, [this](const Waiting& waiting) {
            return n_leaves_ + waiting.n_answers - 1 > max_leaves_;
        });
        if (waiting_.empty()) return taken;
        double best = -std::numeric_limits<double>::infinity();
        for (const auto& waiting : waiting_) best = std::max(best, waiting.decrease);
        const auto chosen = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& w) {
            return w.decrease >= best - tie_;
        });
        n_leaves_ += chosen->n_answers - 1;
        taken.push_back(chosen->node);
        waiting_.erase(chosen);
        return taken;
    }

  private:
    std::size_t max_leaves_;
    std::size_t n_leaves_ = 1;
    double tie_ = 0;
    std::vector<Waiting> waiting_;  // oldest first
};

}  // namespace bough
