// The best query about one column of a node whose guess is a quantile.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "contenders.hpp"
#include "limits.hpp"
#include "monotonic.hpp"
#include "presorted_lists.hpp"
#include "quantile_node.hpp"

namespace bough {

template <class Criterion, bool HasWeights>
class QuantileSearch {
  public:
    using Node = QuantileNode<Criterion>;

    QuantileSearch(const Limits& limits, const Cancel& cancel) : limits_(limits), cancel_(cancel) {}

    /// Search one column; `draw` is none where every query is tried.
    void run(const Node& node, const ListedColumn& column, const Bounds& bounds, const Draw* draw,
             Contenders& contenders) {
        cancel_.check();
        node_ = &node;
        column_ = &column;
        bounds_ = &bounds;
        draw_ = draw;
        contenders_ = &contenders;
        const bool has_two_values = column.has_two_values();
        if (!column.raw->is_choice) {
            if (has_two_values) visit_pivots();
        } else if (limits_.group_choices) {
            if (has_two_values) visit_groups();
        } else {
            visit_each_value();
            return;  // missing is one of its answers
        }
        if (column.n_missing == 0) return;
        if (draw != nullptr && has_two_values && !draw->asks_if_missing()) return;
        judge(query(Kind::is_missing, 0));
    }

  private:
    using Less = Distances<Int128>;

    /// A place where an order of the rows may be cut.
    struct Cut {
        std::size_t place = 0;
        double gain = 0;
        Less less;
    };

    [[nodiscard]] Candidate query(Kind kind, std::int32_t missing) const {
        Candidate candidate;
        candidate.column = column_->number;
        candidate.kind = kind;
        candidate.missing = column_->n_missing > 0 ? missing : stop;
        return candidate;
    }

    // --- queries one by one --------------------------------------------------------------------

    void judge(Candidate&& candidate) {
        std::vector<std::uint32_t> answer_of(node_->rows().size());
        const std::size_t n_answers = column_->answer(candidate, answer_of);
        const auto parts = node_->parts(answer_of, n_answers);
        std::size_t n_large = 0;
        for (const auto& part : parts.of_answer)
            if (part.rows >= limits_.min_rows && to_double(part.weight) >= limits_.min_weight)
                ++n_large;
        const int direction =
            candidate.kind == Kind::below ? limits_.direction(column_->number) : 0;
        if (n_large < 2 ||
            !are_in_order(direction, parts.of_answer.front().guess, parts.of_answer.back().guess))
            return;
        if (!std::all_of(parts.of_answer.begin(), parts.of_answer.end(),
                         [this](const auto& part) { return bounds_->hold(part.guess); }))
            return;
        candidate.gain = parts.gain;
        contenders_->offer(std::move(candidate));
    }

    void visit_each_value() {
        const auto runs = column_->runs();
        Candidate candidate = query(Kind::each_value, static_cast<std::int32_t>(runs.size()));
        for (const auto& run : runs) candidate.choices.push_back(run.choice);
        candidate.answers.resize(runs.size());
        std::iota(candidate.answers.begin(), candidate.answers.end(), 0);
        judge(std::move(candidate));
    }

    // --- the cuts of an order ------------------------------------------------------------------

    void visit_pivots() {
        const auto make = [this](std::size_t place, std::int32_t missing) {
            Candidate candidate = query(Kind::below, missing);
            candidate.low = static_cast<std::uint32_t>(place);
            return candidate;
        };
        if (draw_ != nullptr)
            judge(make(column_->drawn_place(*draw_), draw_->missing()));
        else
            try_cuts(column_->entries, column_->n_missing, make);
    }

    void visit_groups() {
        const auto runs = column_->runs();
        std::vector<std::vector<std::size_t>> orders = node_->orders(runs);
        orders.emplace_back(runs.size());  // of which the first value alone is considered
        std::iota(orders.back().begin(), orders.back().end(), 0);
        if (draw_ != nullptr) {
            const std::size_t n_cuts = runs.size() - 1;
            const std::size_t drawn = draw_->place((orders.size() - 1) * n_cuts + 1);
            judge(grouping(runs, orders[drawn / n_cuts], 1 + drawn % n_cuts, draw_->missing()));
            return;
        }
        for (const std::int32_t missing : {0, 1}) {
            judge(grouping(runs, orders.back(), 1, missing));
            if (column_->n_missing == 0) break;
        }
        orders.pop_back();
        for (const auto& order : orders) try_groups(runs, order);
    }

    /// Try the cuts of an order of values.
    void try_groups(std::span<const ListedColumn::Run> runs, std::span<const std::size_t> order) {
        std::vector<Entry> entries(column_->entries.begin(), column_->entries.end());
        entries.resize(column_->n_missing);
        std::vector<std::size_t> starts;
        for (const std::size_t value : order) {
            starts.push_back(entries.size());
            entries.insert(entries.end(), runs[value].entries.begin(), runs[value].entries.end());
        }
        const auto first = std::find(order.begin(), order.end(), std::size_t{0});
        const std::size_t start = starts[static_cast<std::size_t>(first - order.begin())];
        try_cuts(entries, start, [&](std::size_t place, std::int32_t missing) {
            const auto end = std::lower_bound(starts.begin(), starts.end(), place);
            return grouping(runs, order, static_cast<std::size_t>(end - starts.begin()), missing);
        });
    }

    /// The first answer is that of the side with the first value.
    [[nodiscard]] Candidate grouping(std::span<const ListedColumn::Run> runs,
                                     std::span<const std::size_t> order, std::size_t n_values,
                                     std::int32_t missing) const {
        const auto side = order.first(n_values);
        const bool holds_first = std::find(side.begin(), side.end(), std::size_t{0}) != side.end();
        Candidate candidate = query(Kind::one_of, missing);
        candidate.answers.assign(runs.size(), holds_first ? 1 : 0);
        for (const std::size_t i : side) candidate.answers[i] = holds_first ? 0 : 1;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            candidate.choices.push_back(runs[i].choice);
            if (candidate.answers[i] == 0) candidate.first_side.push_back(runs[i].choice);
        }
        return candidate;
    }

    /// Try every cut of an order, with the missing rows on either side; the first answer is that of
    /// the side with the entry at `first`.
    template <class Make>
    void try_cuts(std::span<const Entry> entries, std::size_t first, const Make& make) {
        for (const bool with_missing : {true, false}) {
            if (with_missing && column_->n_missing == 0) continue;
            cuts_.clear();
            threshold_ = contenders_->threshold();
            scan(entries, with_missing);
            for (const Cut& cut : cuts_) {
                Candidate candidate = make(cut.place, with_missing == (first < cut.place) ? 0 : 1);
                candidate.gain =
                    node_->is_exact()
                        ? std::max(0.0, rounded(node_->template gain<Twofold>(cut.less)))
                        : cut.gain;
                contenders_->offer(std::move(candidate));
            }
        }
    }

    /// Note the cuts that may win.
    void scan(std::span<const Entry> entries, bool with_missing) {
        const auto& outputs = node_->outputs();
        sides_.resize(outputs.size());
        links_.resize(outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i)
            sides_[i].fill(outputs[i].labels, node_->level(), links_[i]);
        if (outputs.size() == 1) {
            CutSides<HasWeights> sides = sides_[0];  // near: it is kept in registers
            scan(entries, with_missing, sides,
                 [&](Entry entry, const auto& act) { act(sides, entry.place() + 1); });
        } else {
            scan(entries, with_missing, sides_[0], [&](Entry entry, const auto& act) {
                for (std::size_t i = 0; i < outputs.size(); ++i)
                    act(sides_[i], i == 0 ? entry.place() + 1 : outputs[i].rank[entry.place()]);
            });
        }
    }

    template <class ForEach>
    void scan(std::span<const Entry> entries, bool with_missing, const CutSides<HasWeights>& sides,
              const ForEach& for_each) {
        const std::size_t n_missing = column_->n_missing;
        const auto [least, most] = admitted(entries, with_missing);
        if (least > most) return;
        const auto unlink = [](auto& of, std::uint32_t rank) { of.unlink(rank); };
        const auto move = [](auto& of, std::uint32_t rank) { of.move(rank); };
        const auto fetch = [](auto& of, std::uint32_t rank) { of.fetch(rank); };
        if (!with_missing)
            for (std::size_t i = 0; i < n_missing; ++i) for_each(entries[i], unlink);
        for (std::size_t i = entries.size(); i-- > (with_missing ? 0 : n_missing);)
            for_each(entries[i], unlink);
        for_each(entries[0], [](auto& of, std::uint32_t) { of.empty(); });
        if (with_missing)
            for (std::size_t i = 0; i < n_missing; ++i) for_each(entries[i], move);
        constexpr std::size_t ahead = 8;
        const bool is_large = entries.size() > 1024;  // beyond the nearest cache
        for (std::size_t i = n_missing; i <= most; ++i) {
            if (is_large && i + ahead < entries.size()) for_each(entries[i + ahead], fetch);
            if (i >= least && entries[i].is_first()) {
                Less less;
                for_each(entries[i], [&](const auto& of, std::uint32_t) { less += of.less(); });
                const double gain = node_->near_gain(less);
                if (gain >= threshold_) note({i, gain, less}, sides);
            }
            if (i < most) for_each(entries[i], move);  // the second side is never empty
        }
    }

    /// The first and the last place where both sides have rows and weight enough.
    [[nodiscard]] std::pair<std::size_t, std::size_t> admitted(std::span<const Entry> entries,
                                                               bool with_missing) const {
        const std::size_t n_missing = column_->n_missing;
        const std::size_t n_fixed = with_missing ? 0 : n_missing;  // on the second side
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

    void note(const Cut& cut, CutSides<HasWeights> sides) {
        // An equal cut further on cannot win.
        if (!cuts_.empty() && cuts_.back().less == cut.less) return;
        if (!may_ask(sides)) return;
        if (cut.gain - contenders_->window() > threshold_) {
            threshold_ = cut.gain - contenders_->window();
            std::erase_if(cuts_, [this](const Cut& kept) { return kept.gain < threshold_; });
        }
        cuts_.push_back(cut);
    }

    /// Whether guesses go the way they must, and stay where the queries above have put them.
    [[nodiscard]] bool may_ask(const CutSides<HasWeights>& sides) const {
        const int direction = column_->raw->is_choice ? 0 : limits_.direction(column_->number);
        if (direction == 0 && bounds_->are_open()) return true;
        const auto guess = [this](const auto& side) {
            const auto [low, high] = side.guesses(tie_share);
            return node_->guess(low, high);
        };
        const ExactGuess first = guess(sides.first());
        const ExactGuess second = guess(sides.second());
        return are_in_order(direction, first, second) && bounds_->hold(first) &&
               bounds_->hold(second);
    }

    const Limits& limits_;
    const Cancel& cancel_;
    const Node* node_ = nullptr;
    const ListedColumn* column_ = nullptr;
    const Bounds* bounds_ = nullptr;
    const Draw* draw_ = nullptr;
    Contenders* contenders_ = nullptr;
    std::vector<CutSides<HasWeights>> sides_;  // of each label
    std::vector<std::vector<Links>> links_;
    std::vector<Cut> cuts_;
    double threshold_ = 0;
};

}  // namespace bough
