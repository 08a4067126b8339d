// The cuts of an order of rows that may be the best, for criteria whose guess is a quantile.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "monotonic.hpp"
#include "quantile_node.hpp"
#include "quantile_sides.hpp"
#include "query_limits.hpp"

namespace bough {

/// An order of a node's rows, missing ones first. These are on the first side of every cut, or on
/// the second.
struct CutOrder {
    std::span<const Entry> entries;
    std::size_t n_missing;
    bool with_missing;   // on the first side
    bool prefers_first;  // of equally good cuts
};

template <class Criterion>
class QuantileCuts {
  public:
    struct Cut {
        std::size_t place = 0;
        double gain = 0;
    };

    QuantileCuts(const Limits& limits, const Cancel& cancel) : limits_(limits), cancel_(cancel) {}

    /// The cuts that may win where no gain below the threshold does. Guesses go in this direction
    /// from the first side to the second.
    const std::vector<Cut>& scan(const QuantileNode<Criterion>& node, const CutOrder& order,
                                 int direction, const LevelBounds& bounds, double threshold) {
        node_ = &node;
        prefers_first_ = order.prefers_first;
        direction_ = direction;
        bounds_ = &bounds;
        threshold_before_ = threshold;
        start(0);
        std::tie(least_, most_) = admitted(order);
        if (least_ > most_) return cuts_;
        // Where rows have weights, only exact ones say in which order guesses are.
        if ((node.has_weights() && direction != 0) || !scan_quickly(order)) scan_surely(order);
        return cuts_;
    }

  private:
    using Less = Distances<Int128>;

    /// Note the cuts that may win; false where the search must be sure, since weights send the
    /// guess far to and fro or too many cuts are within the error of the best.
    bool scan_quickly(const CutOrder& order) {
        const auto& outputs = node_->outputs();
        start(node_->is_exact() ? 0 : node_->slack());
        sides_.resize(outputs.size());
        ranks_.resize(outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i)
            sides_[i].fill(outputs[i].labels, node_->level(), ranks_[i]);
        if (outputs.size() == 1) {
            CutSides sides = sides_[0];  // near: it is kept in registers
            return scan(order, sides,
                        [&](Entry entry, const auto& act) { act(sides, entry.place() + 1); });
        }
        return scan(order, sides_[0], [&](Entry entry, const auto& act) {
            for (std::size_t i = 0; i < outputs.size(); ++i)
                act(sides_[i], outputs[i].rank_of(entry));
        });
    }

    template <class ForEach>
    bool scan(const CutOrder& order, const CutSides& sides, const ForEach& for_each) {
        const std::size_t n_missing = order.n_missing;
        const auto entries = order.entries;
        const auto move = [](auto& of, std::uint32_t rank) { of.move(rank); };
        const auto fetch = [](auto& of, std::uint32_t rank) { of.fetch(rank); };
        constexpr std::size_t ahead = 8;
        const bool is_large = entries.size() > 1024;  // beyond the nearest cache
        for (std::size_t i = order.with_missing ? 0 : n_missing; i <= most_; ++i) {
            if (is_large && i + ahead < entries.size()) for_each(entries[i + ahead], fetch);
            if (i >= least_ && entries[i].is_first()) {
                Less less;
                for_each(entries[i], [&](const auto& of, std::uint32_t) { less += of.less(); });
                const double gain = node_->near_gain(less);
                if (gain >= threshold_ && may_ask(sides))
                    note({i, node_->is_exact() ? node_->gain(less) : gain});
                if (error_ > 0 && cuts_.size() > 64 * few_cuts) return false;
            }
            if (i < most_) for_each(entries[i], move);  // the second side is never empty
            if (i % 256 == 0 && takes_long(entries.size(), entries[i], for_each)) return false;
        }
        return error_ == 0 || cuts_.size() <= few_cuts;
    }
    template <class ForEach>
    [[nodiscard]] static bool takes_long(std::size_t n_rows, Entry any, const ForEach& for_each) {
        std::size_t taken = 0;
        for_each(any, [&](const auto& of, std::uint32_t) { taken += of.n_steps(); });
        return taken > 32 * n_rows;
    }

    /// The same, exactly and in a time that no weights can change, though a longer one.
    void scan_surely(const CutOrder& order) {
        const auto& outputs = node_->outputs();
        const double level = node_->level();
        start(0);
        trees_.resize(outputs.size());
        const auto whole = node_->distances();
        const auto move = [&](Entry entry) {
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                trees_[i][0].add(outputs[i].rank_of(entry), 1);
                trees_[i][1].add(outputs[i].rank_of(entry), -1);
            }
        };
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            for (RankTree& tree : trees_[i]) tree.reset(outputs[i].exact);
            for (std::size_t rank = 1; rank <= order.entries.size(); ++rank)
                trees_[i][1].add(rank, 1);
        }
        for (std::size_t i = order.with_missing ? 0 : order.n_missing; i <= most_; ++i) {
            if (i % 4096 == 0) cancel_.check();
            if (i >= least_ && order.entries[i].is_first()) {
                const double gain = rounded(node_->exact_gain(whole, [&](std::size_t output) {
                    auto left = trees_[output][0].distances(level);
                    return left += trees_[output][1].distances(level);
                }));
                if (gain >= threshold_ &&
                    (direction_ == 0 ||
                     are_in_order(direction_, *bounds_, trees_[0][0].level(level),
                                  trees_[0][1].level(level))))
                    note({i, gain});
            }
            if (i < most_) move(order.entries[i]);
        }
    }

    /// The first and the last place where both sides have rows and weight enough.
    [[nodiscard]] std::pair<std::size_t, std::size_t> admitted(const CutOrder& order) const {
        const auto entries = order.entries;
        const std::size_t n_missing = order.n_missing;
        const std::size_t n_fixed = order.with_missing ? 0 : n_missing;  // on the second side
        const auto min_rows = static_cast<std::size_t>(std::max<std::int64_t>(limits_.min_rows, 1));
        std::size_t least = std::max(n_missing + 1, min_rows + n_fixed);
        std::size_t most = std::min(entries.size() - 1, entries.size() + n_fixed - min_rows);
        if (entries.size() + n_fixed < min_rows) return {1, 0};
        if (limits_.min_weight <= 0) return {least, most};
        const auto weight_at = [&](std::size_t i) { return node_->weight_at(entries[i].place()); };
        const auto is_enough = [this](Int128 weight) {
            return to_double(weight) >= limits_.min_weight;
        };
        Int128 before = 0;
        std::size_t place = n_fixed;
        while (place < entries.size() && !is_enough(before)) before += weight_at(place++);
        least = std::max(least, place);
        Int128 behind = 0;
        for (std::size_t i = 0; i < n_fixed; ++i) behind += weight_at(i);
        place = entries.size();
        while (place > n_missing && !is_enough(behind)) behind += weight_at(--place);
        return {is_enough(before) && is_enough(behind) ? least : most + 1, std::min(most, place)};
    }

    void start(double error) {
        cuts_.clear();
        error_ = error;
        threshold_ = threshold_before_;
    }

    /// Keep a cut that may win, its gain being wrong by no more than the error.
    void note(const Cut& cut) {
        // Of pivots with equal gains the first wins.
        if (error_ == 0 && prefers_first_ && !cuts_.empty() && cuts_.back().gain >= cut.gain)
            return;
        const double least = cut.gain - node_->tie() - node_->slack() - 2 * error_;
        if (least > threshold_) {
            threshold_ = least;
            std::erase_if(cuts_, [this](const Cut& kept) { return kept.gain < threshold_; });
        }
        cuts_.push_back(cut);
    }

    /// Whether guesses go the way they must, where all rows weigh 1.
    [[nodiscard]] bool may_ask(CutSides sides) const {
        if (direction_ == 0) return true;
        const double first = node_->level(sides.first().guesses(tie_share));
        const double second = node_->level(sides.second().guesses(tie_share));
        return are_in_order(direction_, *bounds_, first, second);
    }

    static constexpr std::size_t few_cuts = 8;

    const Limits& limits_;
    const Cancel& cancel_;
    const QuantileNode<Criterion>* node_ = nullptr;
    bool prefers_first_ = true;
    int direction_ = 0;
    const LevelBounds* bounds_ = nullptr;
    std::size_t least_ = 0;  // the first and the last place to cut at
    std::size_t most_ = 0;
    std::vector<CutSides> sides_;  // of each label
    std::vector<CutSides::Ranks> ranks_;
    std::vector<std::array<RankTree, 2>> trees_;
    std::vector<Cut> cuts_;
    double error_ = 0;             // of their gains
    double threshold_before_ = 0;  // below which no gain matters, before and with the cuts noted
    double threshold_ = 0;
};

}  // namespace bough
