// Offering the cuts of a running, and the build that compares every gain with its bound.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "finalist.hpp"
#include "gains_and_bounds.hpp"
#include "monotonic.hpp"
#include "query_limits.hpp"

namespace bough {

#if defined(BOUGH_CHECK_BOUNDS)
constexpr bool checks_bounds = true;
#else
constexpr bool checks_bounds = false;
#endif

/// How many gains were compared, and how many exceeded their bound.
struct CheckedBounds {
    std::atomic<std::int64_t> checked{0};
    std::atomic<std::int64_t> broken{0};

    static CheckedBounds& all() {
        static CheckedBounds counted;
        return counted;
    }
};

inline void check_bound(double gain, double bound, const Tolerance& tolerance) {
    CheckedBounds& counted = CheckedBounds::all();
    counted.checked.fetch_add(1, std::memory_order_relaxed);
    // What is looked into has a bound of at least the cutoff, which leaves room for both errors.
    if (gain - bound > 0 && gain > bound + gain - tolerance.cutoff(gain) - tolerance.tie)
        counted.broken.fetch_add(1, std::memory_order_relaxed);
}

/// Whether a cell whose gains are at most this is left alone.
inline bool is_pruned(double bound, double cutoff) { return !checks_bounds && bound < cutoff; }

/// Bits that an answer of this weight adds to what the answers of a node say, × node weight.
inline double bits_said(double weight, double all) { return weight * std::log2(all / weight); }

/// A query of two answers, the first of this weight.
inline Finalist two_way(const Limits& limits, std::size_t column, Kind kind, std::int32_t missing,
                        double gain, double first, double all) {
    Finalist found(column, kind, missing, gain);
    if (limits.by_ratio) found.answer_bits = bits_said(first, all) + bits_said(all - first, all);
    return found;
}

/// What the cuts of a running may be: those at `from` and `upto` known rows belong to others,
/// and no gain exceeds `bound`, that of the cell which the running is the inside of.
struct Inside {
    double from = 0;
    double upto = 0;
    double bound = std::numeric_limits<double>::infinity();
};

/// What guesses below a node are kept to, where they go one way along a column.
struct Levels {
    LevelScale scale;
    LevelBounds bounds;
};

/// Makes the cut after a cell, for the length of a call, so that offering is compiled once.
class CutMaker {
  public:
    template <class Make>
    CutMaker(const Make& make)  // NOLINT(google-explicit-constructor)
        : make_(&make), call_([](const void* called, std::size_t cell) {
              return (*static_cast<const Make*>(called))(cell);
          }) {}
    Cut operator()(std::size_t cell) const { return call_(make_, cell); }

  private:
    const void* make_;
    Cut (*call_)(const void*, std::size_t);
};

/// Offers the cuts of one column of one node. Buffers are kept from node to node.
template <class Criterion>
class CutScan {
  public:
    explicit CutScan(const Limits& limits) : limits_(limits) {}

    void enter(const Scores<Criterion>& scores, const Levels& levels, std::size_t column) {
        scores_ = &scores;
        levels_ = levels;
        column_ = column;
    }

    /// The gains at the boundaries of the running that was scored last.
    [[nodiscard]] const double* gains() const { return gains_.data(); }

    void score(const RunningSums& running, const Sums& ahead) {
        gains_.resize(std::max(gains_.size(), running.n_boundaries()));
        scores_->gains(running, ahead, gains_.data());
    }

    /// Offer the cuts after cells that hold rows; missing rows that are `ahead` answer `side`.
    void offer(const RunningSums& running, const Sums& ahead, std::int32_t side,
               const Inside& inside, Shortlist& shortlist, const CutMaker& make_cut) {
        score(running, ahead);
        const Sums& all = scores_->node();
        double least = shortlist.cutoff();
        for (std::size_t b = 1; b < running.n_boundaries(); ++b) {
            if (!checks_bounds && gains_[b] < least) continue;
            const double place = running.rows()[b];
            const double weight = running.weight()[b] + ahead.weight;
            if (place == inside.from || place == inside.upto || running.is_empty(b - 1) ||
                !limits_.admit(place + ahead.rows, weight, all) || scores_->bars(running, b, ahead))
                continue;
            if (limits_.direction(column_) != 0 && !keeps_order(running, b, ahead, shortlist))
                continue;
            if constexpr (checks_bounds) check_bound(gains_[b], inside.bound, scores_->tolerance());
            if (gains_[b] < least) continue;
            Finalist found =
                two_way(limits_, column_, Kind::below, side,
                        scores_->offered(running, b, ahead, gains_[b]), weight, all.weight);
            found.place = place;
            found.cut = make_cut(b - 1);
            shortlist.offer(std::move(found));
            least = shortlist.cutoff();
        }
    }

  private:
    /// Whether guesses go the way they must; where doubles cannot tell, nobody here can.
    [[nodiscard]] bool keeps_order(const RunningSums& running, std::size_t b, const Sums& ahead,
                                   Shortlist& shortlist) const {
        const Sums& all = scores_->node();
        const LevelScale& scale = levels_.scale;
        const double rows = running.rows()[b] + ahead.rows;
        const double weight = running.weight()[b] + ahead.weight;
        const double sum = running.part(scale.part)[b] + ahead.parts[scale.part];
        const auto level = [&](double of, double heavy) {
            return scale.origin + scale.unit * (of / heavy);
        };
        const double rest = all.weight - weight;
        const double error =
            scale.error + scale.weight_error * std::max(rows / weight, (all.rows - rows) / rest) +
            scale.sum_error * all.weight / std::min(weight, rest);
        const Order order = order_of(limits_.direction(column_), levels_.bounds, level(sum, weight),
                                     level(all.parts[scale.part] - sum, rest), error);
        if (order == Order::unclear) shortlist.give_up();
        return order == Order::kept;
    }

    Limits limits_;
    const Scores<Criterion>* scores_ = nullptr;
    Levels levels_;
    std::size_t column_ = 0;
    std::vector<double> gains_;
};

}  // namespace bough
