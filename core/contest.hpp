// The queries of all columns against each other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "criteria.hpp"
#include "finalist.hpp"

// Threads search columns side by side and offer what they find:
//
//     start(tolerance)              begin with no queries
//     hear(column, thread, offer)   call `offer(podium)`, which may offer queries about a column
//     cutoff(column)                what a gain must reach to matter to this column
//     best(), is_empty(), winner()  once all threads are done; no winner: doubles cannot tell

namespace bough {

/// Columns compete by gain: threads tell each other the best.
template <class Criterion>
class Contest {
  public:
    Contest(std::size_t /*n_columns*/, std::size_t n_threads) : podiums_(n_threads) {}

    void start(const Tolerance& tolerance) {
        tolerance_ = tolerance;
        for (auto& podium : podiums_) podium.start(tolerance);
        best_.store(podiums_[0].best());
    }
    template <class Offer>
    void hear(std::size_t /*column*/, std::size_t thread, const Offer& offer) {
        Podium& podium = podiums_[thread];
        podium.raise(best_.load(std::memory_order_relaxed));
        offer(podium);
        double seen = best_.load(std::memory_order_relaxed);
        while (seen < podium.best() && !best_.compare_exchange_weak(seen, podium.best())) {
        }
    }
    [[nodiscard]] double best() const { return best_.load(); }
    [[nodiscard]] double cutoff(std::size_t /*column*/) const { return tolerance_.cutoff(best()); }
    [[nodiscard]] bool is_empty() const {
        return std::all_of(podiums_.begin(), podiums_.end(),
                           [](const Podium& podium) { return podium.is_empty(); });
    }
    [[nodiscard]] std::optional<Finalist> winner() {
        for (std::size_t i = 1; i < podiums_.size(); ++i) podiums_[0].merge(podiums_[i]);
        return podiums_[0].winner();
    }

  private:
    Tolerance tolerance_;
    std::vector<Podium> podiums_;  // of each thread
    std::atomic<double> best_{0};
};

/// C4.5's choice between the best queries of all columns: the greatest gain ratio among those of at
/// least average gain.
template <>
class Contest<GainRatio> {
  public:
    Contest(std::size_t n_columns, std::size_t /*n_threads*/) : podiums_(n_columns) {}

    void start(const Tolerance& tolerance) {
        tolerance_ = tolerance;
        for (auto& podium : podiums_) podium.start(tolerance);
    }
    template <class Offer>
    void hear(std::size_t column, std::size_t /*thread*/, const Offer& offer) {
        offer(podiums_[column]);
    }
    [[nodiscard]] double cutoff(std::size_t column) const { return podiums_[column].cutoff(); }
    [[nodiscard]] bool is_empty() const {
        return std::all_of(podiums_.begin(), podiums_.end(),
                           [](const Podium& podium) { return podium.is_empty(); });
    }
    [[nodiscard]] std::optional<Finalist> winner() const {
        std::vector<Finalist> candidates;
        for (const auto& podium : podiums_) {
            if (podium.is_empty()) continue;
            auto first = podium.winner();
            if (!first) return std::nullopt;
            candidates.push_back(std::move(*first));
        }
        if (!keep_average(candidates)) return std::nullopt;
        return best_ratio(candidates);
    }

  private:
    /// Keep the candidates of at least average gain; false where doubles cannot tell.
    [[nodiscard]] bool keep_average(std::vector<Finalist>& candidates) const {
        double sum = 0;
        for (const auto& candidate : candidates) sum += candidate.gain;
        const double edge = sum / static_cast<double>(candidates.size()) - tolerance_.tie;
        const double doubt = 2 * tolerance_.error;
        std::erase_if(candidates, [&](const auto& c) { return c.gain < edge - doubt; });
        return std::none_of(candidates.begin(), candidates.end(),
                            [&](const auto& c) { return c.gain < edge + doubt; });
    }

    [[nodiscard]] std::optional<Finalist> best_ratio(
        const std::vector<Finalist>& candidates) const {
        const auto ratio = [](const Finalist& c) { return c.gain / c.answer_bits; };
        const auto doubt = [&](const Finalist& c) { return 2 * tolerance_.error / c.answer_bits; };
        double worst = 0;  // doubt about those that may be the best
        const auto top = std::max_element(
            candidates.begin(), candidates.end(),
            [&](const Finalist& a, const Finalist& b) { return ratio(a) < ratio(b); });
        for (const auto& c : candidates)
            if (ratio(c) + doubt(c) >= ratio(*top) - doubt(*top)) worst = std::max(worst, doubt(c));
        auto first = top;
        for (auto it = candidates.begin(); it != candidates.end(); ++it) {
            if (it == top) continue;
            const double away = ratio(*it) - (ratio(*top) - tie_share);
            const double unsure = doubt(*it) + worst;
            if (away < -unsure) continue;
            if (away < unsure) return std::nullopt;
            if (precedes(*it, *first)) first = it;
        }
        return *first;
    }

    Tolerance tolerance_;
    std::vector<Podium> podiums_;  // of each column
};

/// Search the columns of a node, and once more between equal gains where a second score decides.
template <class Criterion, class Scores, class Search>
void hold(Contest<Criterion>& contest, Scores& scores, const Search& search) {
    contest.start(scores.tolerance());
    search();
    if constexpr (requires { scores.decide_ties(0.0); }) {
        if (contest.is_empty()) return;
        scores.decide_ties(contest.best());
        contest.start(scores.tolerance());
        search();
    }
}

}  // namespace bough
