// Queries that may be asked at a node, with gains in double, and whether doubles can decide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "gains_and_bounds.hpp"
#include "tree.hpp"

namespace bough {

/// Where a compared column is cut: after a bin, after a step of it, or after a value of that step;
/// or after a place that was drawn, which need not be a value.
struct Cut {
    enum class Level : std::uint8_t { bin, step, value, place };
    Level level = Level::bin;
    std::uint8_t bin = 0;   // the last bin with rows on the first side
    std::uint8_t step = 0;  // and within it the last step
    double value = 0;       // and within that the greatest value
    std::int64_t integer = 0;

    void set(double greatest) { value = greatest; }
    void set(std::int64_t greatest) { integer = greatest; }
};

/// A query that may turn out the best; its gain is × node weight, and its place the known rows on
/// the first side.
struct Finalist : RatedQuery {
    double answer_bits = 0;  // × node weight: what the answers say, for the gain ratio
    Cut cut;

    Finalist(std::size_t of_column, Kind its_kind, std::int32_t missing_answer, double its_gain)
        : RatedQuery{{static_cast<std::int32_t>(of_column), its_kind, missing_answer, {}, {}},
                     its_gain} {}
};

/// The queries of a node that may turn out the best; few, since most are plainly worse than another
/// or precede none that is as good.
class Shortlist {
  public:
    static constexpr std::size_t most_finalists = 256;

    void start(const Tolerance& tolerance) {
        tolerance_ = tolerance;
        best_ = cutoff_ = -std::numeric_limits<double>::infinity();
        has_given_up_ = false;
        finalists_.clear();
    }

    [[nodiscard]] double best() const { return best_; }
    [[nodiscard]] double cutoff() const { return cutoff_; }
    /// The cutoff for queries that are offered together with one of this gain.
    [[nodiscard]] double cutoff_beside(double gain) const {
        return std::max(cutoff(), std::min(gain, tolerance_.cutoff(gain)));
    }
    [[nodiscard]] bool is_empty() const { return finalists_.empty() && !has_given_up_; }
    [[nodiscard]] bool has_given_up() const { return has_given_up_; }
    [[nodiscard]] const std::vector<Finalist>& finalists() const { return finalists_; }

    /// Say that the candidates cannot all be known from doubles.
    void give_up() { has_given_up_ = true; }

    /// Learn of a gain found elsewhere.
    void learn_of(double gain) {
        if (gain <= best_) return;
        best_ = gain;
        cutoff_ = tolerance_.cutoff(best_);
        margin_ = tolerance_.margin(best_);
    }

    void offer(Finalist&& finalist) {
        learn_of(finalist.gain);
        if (has_given_up_) return;  // the exact search decides
        for (const auto& kept : finalists_)
            if (kept.gain >= finalist.gain + margin_ && !precedes(finalist, kept)) return;
        std::erase_if(finalists_, [&](const Finalist& kept) {
            return kept.gain < cutoff_ ||
                   (kept.gain + margin_ <= finalist.gain && precedes(finalist, kept));
        });
        finalists_.push_back(std::move(finalist));
        if (finalists_.size() > most_finalists) {  // errors as large as the gains: no end of them
            give_up();
            finalists_.clear();
        }
    }
    /// Take over what was offered elsewhere.
    void merge(Shortlist& other) {
        learn_of(other.best_);
        has_given_up_ = has_given_up_ || other.has_given_up_;
        for (auto& finalist : other.finalists_)
            if (finalist.gain >= cutoff()) offer(std::move(finalist));
        other.finalists_.clear();
    }
    /// Forget what cannot be tied with the best any more.
    void drop_the_rest() {
        const double least = best_ - tolerance_.tie - 2 * tolerance_.error_at(best_);
        std::erase_if(finalists_, [&](const Finalist& kept) { return kept.gain < least; });
    }

    /// The query to ask; none where doubles cannot tell which queries are tied with the best.
    [[nodiscard]] const Finalist* winner() const {
        const auto top = std::ranges::max_element(
            finalists_, [](const Finalist& a, const Finalist& b) { return a.gain < b.gain; });
        if (top == finalists_.end() || has_given_up_) return nullptr;
        const double edge = best_ - tolerance_.tie;
        const double unsure = 2 * tolerance_.error_at(best_);
        auto first = top;
        for (auto it = finalists_.begin(); it != finalists_.end(); ++it) {
            if (it->gain < edge - unsure || it == top) continue;
            if (it->gain < edge + unsure) return nullptr;
            if (precedes(*it, *first)) first = it;
        }
        return &*first;
    }

  private:
    Tolerance tolerance_;
    double best_ = -std::numeric_limits<double>::infinity();
    double cutoff_ = best_;
    double margin_ = 0;
    bool has_given_up_ = false;
    std::vector<Finalist> finalists_;
};

}  // namespace bough
