// The queries of all columns against each other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "finalist.hpp"

namespace bough {

/// Threads search columns side by side and offer what they find. Columns compete by gain, and
/// threads tell each other the best; or, by gain ratio, each column sends its best query, as C4.5
/// does.
class Contest {
  public:
    Contest(std::size_t n_columns, std::size_t n_threads, bool by_ratio)
        : by_ratio_(by_ratio), shortlists_(by_ratio ? n_columns : n_threads) {}

    /// Begin; some query is known to gain so much.
    void start(const Tolerance& tolerance,
               double known = -std::numeric_limits<double>::infinity()) {
        tolerance_ = tolerance;
        for (auto& shortlist : shortlists_) shortlist.start(tolerance);
        best_.store(known);
    }
    /// Call `offer(shortlist)`, which may offer queries about a column.
    void with_shortlist(std::size_t column, std::size_t thread, const auto& offer) {
        if (by_ratio_) return offer(shortlists_[column]);
        Shortlist& shortlist = shortlists_[thread];
        shortlist.learn_of(best_.load(std::memory_order_relaxed));
        offer(shortlist);
        double seen = best_.load(std::memory_order_relaxed);
        while (seen < shortlist.best() && !best_.compare_exchange_weak(seen, shortlist.best())) {
        }
    }
    [[nodiscard]] bool is_by_ratio() const { return by_ratio_; }
    [[nodiscard]] double best() const { return best_.load(); }
    /// What a gain must reach to matter to a column.
    [[nodiscard]] double cutoff(std::size_t column) const {
        return by_ratio_ ? shortlists_[column].cutoff() : tolerance_.cutoff(best());
    }
    [[nodiscard]] bool is_empty() const {
        return std::ranges::all_of(shortlists_,
                                   [](const Shortlist& shortlist) { return shortlist.is_empty(); });
    }
    [[nodiscard]] bool has_given_up() const {
        return std::ranges::any_of(
            shortlists_, [](const Shortlist& shortlist) { return shortlist.has_given_up(); });
    }

    // Once all threads are done:

    /// All that may be the best, for whoever can tell.
    [[nodiscard]] std::vector<Finalist> finalists() {
        std::vector<Finalist> all;
        for (Shortlist& shortlist : shortlists_) {
            shortlist.drop_the_rest();
            all.insert(all.end(), shortlist.finalists().begin(), shortlist.finalists().end());
        }
        return all;
    }
    /// None where doubles cannot tell.
    [[nodiscard]] std::optional<Finalist> winner() {
        if (by_ratio_) return best_ratio();
        for (std::size_t i = 1; i < shortlists_.size(); ++i) shortlists_[0].merge(shortlists_[i]);
        const Finalist* first = shortlists_[0].winner();
        return first == nullptr ? std::nullopt : std::optional(*first);
    }

  private:
    [[nodiscard]] std::optional<Finalist> best_ratio() const {
        std::vector<const Finalist*> sent;
        for (const auto& shortlist : shortlists_) {
            if (shortlist.is_empty()) continue;
            sent.push_back(shortlist.winner());
            if (sent.back() == nullptr) return std::nullopt;
        }
        if (!keep_average(sent)) return std::nullopt;
        const auto ratio = [](const Finalist& c) { return c.gain / c.answer_bits; };
        const auto unsure = [&](const Finalist& c) { return 2 * tolerance_.error / c.answer_bits; };
        const Finalist* top = *std::ranges::max_element(
            sent, [&](const Finalist* a, const Finalist* b) { return ratio(*a) < ratio(*b); });
        double worst = 0;  // of those that may be the best
        for (const Finalist* c : sent)
            if (ratio(*c) + unsure(*c) >= ratio(*top) - unsure(*top))
                worst = std::max(worst, unsure(*c));
        const Finalist* first = top;
        for (const Finalist* c : sent) {
            const double away = ratio(*c) - (ratio(*top) - tie_share);
            if (c == top || away < -unsure(*c) - worst) continue;
            if (away < unsure(*c) + worst) return std::nullopt;
            if (precedes(*c, *first)) first = c;
        }
        return *first;
    }
    /// Keep the candidates of at least average gain; false where doubles cannot tell.
    [[nodiscard]] bool keep_average(std::vector<const Finalist*>& sent) const {
        double sum = 0;
        for (const Finalist* one : sent) sum += one->gain;
        const double edge = sum / static_cast<double>(sent.size()) - tolerance_.tie;
        const double unsure = 2 * tolerance_.error;
        std::erase_if(sent, [&](const Finalist* one) { return one->gain < edge - unsure; });
        return std::ranges::none_of(sent,
                                    [&](const Finalist* one) { return one->gain < edge + unsure; });
    }

    bool by_ratio_;
    Tolerance tolerance_;
    std::vector<Shortlist> shortlists_;  // of each thread, or of each column
    std::atomic<double> best_{0};
};

/// Search the columns of a node, and once more between equal gains where a second score decides.
void run_contest(Contest& contest, auto& scores, const auto& search) {
    contest.start(scores.tolerance());
    search();
    if constexpr (requires { scores.decide_ties(0.0); }) {
        if (contest.is_empty() || contest.has_given_up()) return;
        const double known = scores.decide_ties(contest.best());
        contest.start(scores.tolerance(), known);
        search();
    }
}

}  // namespace bough
