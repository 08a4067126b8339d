// Queries that may be asked at a node, and the rule that picks one of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "query.hpp"
#include "twofold.hpp"

namespace bough {

/// Gains this near each other, as a share of the node's impurity, are tied.
constexpr double tie_share = 1e-12;
inline Twofold exact_tie_share() { return Twofold(1) / Twofold(1e12); }

/// The share of a tie within which its edge is decided with all digits.
constexpr double edge_share = 1e-3;

/// A query that may be asked.
struct RatedQuery : QuestionBase {
    double gain = 0;
    double place = 0;  // Below: what orders the pivots of a column at a node
};

/// Whether the values of the first answer come before those of another query about the same ones,
/// as lists of ascending values do.
inline bool has_lower_values(const QuestionBase& a, const QuestionBase& b) {
    const auto [in_a, in_b] =
        std::mismatch(a.answers.begin(), a.answers.end(), b.answers.begin(), b.answers.end());
    if (in_a == a.answers.end()) return false;
    // The list that has the value goes first, unless the other one has ended.
    return *in_a == 0 ? std::find(in_b, b.answers.end(), 0) != b.answers.end()
                      : std::find(in_a, a.answers.end(), 0) == a.answers.end();
}

/// Whether `a` is asked rather than `b` when both are equally good.
inline bool precedes(const RatedQuery& a, const RatedQuery& b) {
    if (a.column != b.column) return a.column < b.column;
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.place != b.place) return a.place < b.place;
    if (a.answers != b.answers) return has_lower_values(a, b);
    return a.missing < b.missing;
}

/// A query with its exact score; its place is the code of the value below the cut.
struct Candidate : RatedQuery {
    Twofold exact_gain;      // the same with all its digits
    double second = 0;       // what decides between equal gains: for "error", the Gini gain
    double ratio = 0;        // gain ratio only
    std::size_t number = 0;  // among those that were offered together
};

/// Give a query the values of a choice, and answers: one to those on a side, one to the others. The
/// first answer is that of the side with the first value.
void group(QuestionBase& query, std::size_t n_values, std::span<const std::size_t> side,
           const auto& choice_of) {
    const bool holds_first = std::ranges::find(side, std::size_t{0}) != side.end();
    query.answers.assign(n_values, holds_first ? 1 : 0);
    for (const std::size_t i : side) query.answers[i] = holds_first ? 0 : 1;
    for (std::size_t i = 0; i < n_values; ++i) query.choices.push_back(choice_of(i));
}

/// The candidates of a column that may still win at its node. A candidate cannot win if one that
/// precedes it is at least as good, or if its gain is not tied with the best; so few are kept.
class Finalists {
  public:
    /// Gains within `tie` are tied; a gain computed in double may be wrong by `slack`, one that is
    /// offered by `error`.
    Finalists(double tie, double slack, double error = 0)
        : tie_(tie * (1 + edge_share) + 2 * error), slack_(slack), error_(error) {}

    /// No query of less gain, computed in double, can win.
    [[nodiscard]] double threshold() const { return best_ - tie_ - slack_; }
    [[nodiscard]] bool empty() const { return kept_.empty(); }

    void offer(Candidate&& candidate) {
        if (candidate.gain < best_ - tie_) return;
        for (const auto& kept : kept_)
            if (kept.gain >= candidate.gain + 2 * error_ && kept.second >= candidate.second &&
                !precedes(candidate, kept))
                return;
        best_ = std::max(best_, candidate.gain);
        std::erase_if(kept_, [&](const auto& kept) { return kept.gain < best_ - tie_; });
        kept_.push_back(std::move(candidate));
    }
    void join(Finalists&& others) {
        for (Candidate& candidate : others.kept_) offer(std::move(candidate));
    }

    std::vector<Candidate> take() { return std::exchange(kept_, {}); }

  private:
    double tie_;  // within which gains may be tied
    double slack_;
    double error_;
    double best_ = -std::numeric_limits<double>::infinity();
    std::vector<Candidate> kept_;
};

/// Keep the candidates whose key is within `tie` of the greatest.
void keep_best(std::vector<Candidate>& candidates, const auto& key, double tie) {
    const double best = key(*std::ranges::max_element(candidates, {}, key));
    std::erase_if(candidates, [&](const auto& candidate) { return key(candidate) < best - tie; });
}

/// Whether a double may be wrong about who is tied with the best.
inline bool is_at_edge(const std::vector<Candidate>& candidates, double tie) {
    const double best = std::ranges::max_element(candidates, {}, &Candidate::gain)->gain;
    return std::ranges::any_of(candidates, [&](const Candidate& candidate) {
        return std::abs(best - candidate.gain - tie) <= edge_share * tie;
    });
}

constexpr double all_tied = std::numeric_limits<double>::infinity();

/// Leave out the candidates that are not tied with the best, by all digits of their gains. These
/// are right to 2^-100 of the impurity, and so to 2^-60 of a tie: what is as near to its edge lies
/// on it.
inline void keep_tied(std::vector<Candidate>& candidates, const Twofold& tie) {
    const double error = tie.high * 0x1p-58;
    const auto is_less = [](const Candidate& a, const Candidate& b) {
        return (a.exact_gain - b.exact_gain).high < 0;
    };
    const Twofold least = std::ranges::max_element(candidates, is_less)->exact_gain - tie;
    std::erase_if(candidates, [&](const Candidate& candidate) {
        return (candidate.exact_gain - least).high < -error;
    });
}

/// The best candidate; the first of those that are tied. There must be one.
inline Candidate first_of_best(std::vector<Candidate> candidates, double tie, double second_tie) {
    keep_best(candidates, [](const Candidate& c) { return c.gain; }, tie);
    keep_best(candidates, [](const Candidate& c) { return c.second; }, second_tie);
    return *std::ranges::min_element(candidates, precedes);
}

/// C4.5's choice between the best candidates of all columns: the greatest gain ratio among those of
/// at least average gain.
inline Candidate best_ratio(std::vector<Candidate> candidates, double tie) {
    double sum = 0;
    for (const auto& candidate : candidates) sum += candidate.gain;
    const double most = std::ranges::max_element(candidates, {}, &Candidate::gain)->gain;
    const double average = std::min(sum / static_cast<double>(candidates.size()), most);
    std::erase_if(candidates, [&](const auto& c) { return c.gain < average - tie; });
    keep_best(candidates, [](const Candidate& c) { return c.ratio; }, tie_share);
    return *std::ranges::min_element(candidates, precedes);
}

}  // namespace bough
