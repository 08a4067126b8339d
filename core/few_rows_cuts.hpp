// The cuts of a node of few rows that may be the best, by gains that are doubles of a known error.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "finalist.hpp"
#include "sorted_lists.hpp"

namespace bough {

class FewCuts {
  public:
    struct Cut {
        double gain;
        std::uint32_t column;
        std::uint32_t place;  // of groups, after which value in their order
        Kind kind = Kind::below;
        std::int32_t missing = stop;  // of groups, 0: they are on the first side of that order

        /// Of two groupings of the same values only these could tell.
        [[nodiscard]] bool precedes(const Cut& other) const {
            if (column != other.column) return column < other.column;
            if (kind != other.kind) return kind < other.kind;
            if (kind == Kind::one_of) return false;
            return place != other.place ? place < other.place : missing < other.missing;
        }
        [[nodiscard]] Finalist finalist() const {
            Finalist found(column, kind, missing, gain);
            found.place = place;
            return found;
        }
    };

    /// The cut behind so many entries of a list whose missing ones come first; of all its entries,
    /// or of those from `begin` on, so that the missing ones are behind it.
    static Cut behind(double gain, std::size_t column, std::size_t n_entries, std::size_t begin,
                      std::size_t n_missing) {
        const std::size_t place = n_entries - n_missing;
        const std::int32_t missing = n_missing == 0 ? stop : begin == 0 ? 0 : 1;
        return {gain, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(place),
                place == 0 ? Kind::is_missing : Kind::below, missing};
    }

    /// Look at the cuts of a sorted list with its missing entries, which come first, before all
    /// others, and with these left out: `scan(begin, n_missing)`.
    static void on_both_sides(std::span<const SortedLists::Entry> entries, const auto& scan) {
        const std::size_t n_missing = SortedLists::count_missing(entries);
        scan(0, n_missing);
        if (n_missing > 0) scan(n_missing, n_missing);
    }

    /// Begin a node whose gains are tied within so much, and may be so much farther apart than they
    /// seem.
    void start(double tie, double unsure) {
        tie_ = tie;
        unsure_ = unsure;
        best_ = -1;
        least_ = 0;
        n_cuts_ = 0;
        has_given_up_ = false;
    }

    /// What a gain must reach to be tied with the best.
    [[nodiscard]] double least() const { return least_; }
    /// The same beside one of this gain.
    [[nodiscard]] double least_beside(double gain) const {
        return std::max(least_, gain - tie_ - unsure_);
    }
    [[nodiscard]] double best() const { return best_; }
    void offer(const Cut& cut) {
        if (cut.gain < least_) return;
        // One that is kept, goes first and seems no worse is tied with it, if errors are below a
        // tie: in wide tables many columns cut few rows alike.
        const bool is_kept = n_cuts_ > 0 && n_cuts_ <= cuts_.size();
        if (is_kept && unsure_ <= tie_ && top_.gain >= cut.gain && top_.precedes(cut)) return;
        if (cut.gain > best_) {
            const double least = cut.gain - tie_ - unsure_;
            if (best_ < least) n_cuts_ = 0;  // all others are worse
            top_ = cut;
            best_ = cut.gain;
            least_ = least;
        }
        if (n_cuts_ == cuts_.size()) drop_the_rest();
        if (n_cuts_ < cuts_.size()) cuts_[n_cuts_] = cut;
        ++n_cuts_;
    }
    /// Offer what another thread has found at this node.
    void join(const FewCuts& other) {
        if (other.n_cuts_ > cuts_.size() || other.has_given_up_) give_up();
        for (const Cut& cut : std::span(other.cuts_).first(std::min(other.n_cuts_, cuts_.size())))
            offer(cut);
    }
    /// Doubles cannot tell whether a cut may be asked.
    void give_up() { has_given_up_ = true; }

    [[nodiscard]] bool is_empty() const { return n_cuts_ == 0 && !has_given_up_; }
    /// The first of the best cuts; none where doubles cannot tell which these are.
    /// `goes_first(a, b)` tells groupings of the same values apart.
    template <class GoesFirst>
    [[nodiscard]] std::optional<Cut> winner(const GoesFirst& goes_first) const {
        if (n_cuts_ == 0 || n_cuts_ > cuts_.size() || has_given_up_) return std::nullopt;
        const Cut* first = nullptr;
        bool is_alone = true;
        bool is_sure = true;
        for (const Cut& cut : std::span(cuts_).first(n_cuts_)) {
            if (cut.gain < least_) continue;
            is_sure = is_sure && cut.gain >= best_ - tie_ + unsure_;
            is_alone = first == nullptr;
            if (!is_sure && !is_alone) return std::nullopt;
            if (is_alone || cut.precedes(*first) ||
                (!first->precedes(cut) && goes_first(cut, *first)))
                first = &cut;
        }
        return *first;
    }

    /// The same where no groupings were offered.
    [[nodiscard]] std::optional<Finalist> winner() const {
        const auto cut = winner([](const Cut&, const Cut&) { return false; });
        return cut ? std::optional(cut->finalist()) : std::nullopt;
    }

  private:
    void drop_the_rest() {
        const auto kept = std::remove_if(cuts_.begin(), cuts_.end(),
                                         [&](const Cut& cut) { return cut.gain < least_; });
        n_cuts_ = static_cast<std::size_t>(kept - cuts_.begin());
    }

    double tie_ = 0;
    double unsure_ = 0;
    double best_ = 0;
    double least_ = 0;
    Cut top_{};  // of the greatest gain
    std::array<Cut, 64> cuts_;
    std::size_t n_cuts_ = 0;
    bool has_given_up_ = false;
};

}  // namespace bough
