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
    void push(const Waiting& waiting) {
        waiting_.push_back(waiting);
        if (max_leaves_ == 0) return;
        if (waiting_.size() > n_places_) {
            n_places_ *= 2;
            greatest_.assign(2 * n_places_, nothing);
            for (std::size_t i = 0; i < waiting_.size(); ++i) set(i, waiting_[i].decrease);
        }
        set(waiting_.size() - 1, waiting.decrease);
    }

    /// The nodes to split next; none when growth is over.
    std::vector<std::size_t> take() {
        std::vector<std::size_t> taken;
        if (max_leaves_ == 0) {
            for (const auto& waiting : waiting_) taken.push_back(waiting.node);
            waiting_.clear();
        }
        while (max_leaves_ > 0 && greatest_[1] > nothing) {
            // A node whose answers are too many stays a leaf, and does not say what is best.
            const std::size_t best = oldest(greatest_[1]);
            const std::size_t chosen = fits(best) ? oldest(greatest_[1] - tie_) : best;
            set(chosen, waiting_[chosen].decrease = nothing);
            if (!fits(chosen)) continue;
            n_leaves_ += waiting_[chosen].n_answers - 1;
            return {waiting_[chosen].node};
        }
        return taken;
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

}  // namespace bough
