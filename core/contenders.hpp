// The queries of a node that may still win.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "candidate.hpp"

namespace bough {

class Contenders {
  public:
    /// Gains within `tie` are tied, and may be wrong by `slack`.
    Contenders(double tie, double slack) : tie_(tie), window_(tie + 2 * slack) {}

    /// No query of less gain can win.
    [[nodiscard]] double threshold() const { return best_ - window_; }
    [[nodiscard]] double window() const { return window_; }
    [[nodiscard]] bool empty() const { return kept_.empty(); }
    [[nodiscard]] bool are_many() const { return kept_.size() > 1; }

    void offer(Candidate&& candidate) {
        if (candidate.gain < threshold()) return;
        if (candidate.gain > best_) {
            best_ = candidate.gain;
            std::erase_if(kept_, [this](const auto& kept) { return kept.gain < threshold(); });
        }
        kept_.push_back(std::move(candidate));
    }
    void join(Contenders&& others) {
        for (Candidate& candidate : others.kept_) offer(std::move(candidate));
    }
    template <class Rescore>
    void rescore(const Rescore& rescore) {
        for (Candidate& candidate : kept_) rescore(candidate);
    }
    /// The first of the best.
    [[nodiscard]] Candidate take() { return first_of_best(std::move(kept_), tie_, 0); }

  private:
    double tie_;
    double window_;
    double best_ = -std::numeric_limits<double>::infinity();
    std::vector<Candidate> kept_;
};

}  // namespace bough
