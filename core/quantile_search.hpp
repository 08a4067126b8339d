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

#include "candidate.hpp"
#include "draw.hpp"
#include "limits.hpp"
#include "monotonic.hpp"
#include "presorted_lists.hpp"
#include "quantile_node.hpp"
#include "rank_tree.hpp"

namespace bough {

template <class Criterion, bool HasWeights>
class QuantileSearch {
  public:
    using Node = QuantileNode<Criterion>;

    QuantileSearch(const Limits& limits, const Cancel& cancel) : limits_(limits), cancel_(cancel) {}

    /// Offer the queries about a column, or one of them by chance.
    void run(const Node& node, const ListedColumn& column, const Bounds& bounds,
             std::uint64_t chance, Finalists& finalists) {
        cancel_.check();
        node_ = &node;
        column_ = &column;
        bounds_ = &bounds;
        chance_ = chance;
        finalists_ = &finalists;
        if (column.raw->is_choice && !limits_.group_choices) return visit_each_value();
        const bool has_two_values = column.has_two_values();
        const bool asks_missing =
            !limits_.draw_one || !has_two_values || DrawnMissing(chance).is_asked;
        if (column.n_missing > 0 && asks_missing) judge(query(Kind::is_missing, 0));
        if (!has_two_values || (limits_.draw_one && column.n_missing > 0 && asks_missing)) return;
        column.raw->is_choice ? visit_groups() : visit_pivots();
    }

  private:
    using Less = Distances<Int128>;

    /// A place where an order of the rows may be cut.
    struct Cut {
        std::size_t place = 0;
        double gain = 0;
    };

    [[nodiscard]] Candidate query(Kind kind, std::int32_t missing) const {
        Candidate candidate;
        candidate.column = column_->number;
        candidate.kind = kind;
        candidate.missing = column_->n_missing > 0 ? missing : stop;
        return candidate;
    }
    /// In which guesses go from the first side of a cut to the second.
    [[nodiscard]] int direction() const {
        return column_->raw->is_choice ? 0 : limits_.direction(column_->number);
    }

    // --- queries one by one --------------------------------------------------------------------

    void judge(Candidate&& candidate) {
        std::vector<std::uint32_t> answer_of(node_->rows().size());
        const std::size_t n_answers = column_->answer(candidate, answer_of);
        const auto parts = node_->parts(answer_of, n_answers);
        const auto& of_answer = parts.of_answer;
        const auto n_large =
            std::count_if(of_answer.begin(), of_answer.end(), [this](const auto& part) {
                return part.rows >= limits_.min_rows &&
                       to_double(part.weight) >= limits_.min_weight;
            });
        if (n_large < 2) return;
        if (candidate.kind == Kind::below &&
            !are_in_order(direction(), *bounds_, of_answer[0].level, of_answer[1].level))
            return;
        candidate.gain = parts.gain;
        finalists_->offer(std::move(candidate));
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
        if (limits_.draw_one)
            judge(make(column_->drawn_place(chance_), DrawnMissing(chance_).answer));
        else
            try_cuts(column_->entries, column_->n_missing, make);
    }

    void visit_groups() {
        const auto runs = column_->runs();
        std::vector<std::size_t> by_number(runs.size());  // of which the first alone is considered
        std::iota(by_number.begin(), by_number.end(), 0);
        const auto orders = node_->orders(runs);
        if (limits_.draw_one) {
            const std::size_t n_cuts = runs.size() - 1;
            const std::size_t drawn = mixed(chance_, 3) % (1 + orders.size() * n_cuts);
            const std::int32_t missing = DrawnMissing(chance_).answer;
            if (drawn == 0) return judge(grouping(runs, by_number, 1, missing));
            return judge(
                grouping(runs, orders[(drawn - 1) / n_cuts], (drawn - 1) % n_cuts + 1, missing));
        }
        for (const std::int32_t missing : {0, 1})
            if (missing == 0 || column_->n_missing > 0)
                judge(grouping(runs, by_number, 1, missing));
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
            const auto [least, most] = admitted(entries, with_missing);
            if (least > most) continue;
            const Range range{entries, least, most, with_missing};
            // Where rows have weights, only exact ones say in which order guesses are.
            if ((HasWeights && direction() != 0) || !scan_quickly(range)) scan_surely(range);
            for (const Cut& cut : cuts_) {
                Candidate candidate = make(cut.place, with_missing == (first < cut.place) ? 0 : 1);
                candidate.gain = cut.gain;
                finalists_->offer(std::move(candidate));
            }
        }
    }

    /// An order of the rows, missing ones first, and the first and the last cut to look at. Missing
    /// rows are on the first side of all of them or on the second.
    struct Range {
        std::span<const Entry> entries;
        std::size_t least;
        std::size_t most;
        bool with_missing;
    };

    /// Note the cuts that may win; false where the search must be sure, since weights send the
    /// guess far to and fro or too many cuts are within the error of the best.
    bool scan_quickly(const Range& range) {
        const auto& outputs = node_->outputs();
        start(node_->is_exact() ? 0 : node_->slack());
        sides_.resize(outputs.size());
        links_.resize(outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i)
            sides_[i].fill(outputs[i].labels, node_->level(), links_[i]);
        if (outputs.size() == 1) {
            CutSides<HasWeights> sides = sides_[0];  // near: it is kept in registers
            return scan(range, sides,
                        [&](Entry entry, const auto& act) { act(sides, entry.place() + 1); });
        }
        return scan(range, sides_[0], [&](Entry entry, const auto& act) {
            for (std::size_t i = 0; i < outputs.size(); ++i)
                act(sides_[i], outputs[i].rank_of(entry));
        });
    }

    template <class ForEach>
    bool scan(const Range& range, const CutSides<HasWeights>& sides, const ForEach& for_each) {
        const std::size_t n_missing = column_->n_missing;
        const auto [entries, least, most, with_missing] = range;
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
                if (gain >= threshold_ && may_ask(sides))
                    note({i, node_->is_exact() ? node_->gain(less) : gain});
                if (error_ > 0 && cuts_.size() > 64 * few_cuts) return false;
            }
            if (i < most) for_each(entries[i], move);  // the second side is never empty
            if (HasWeights && i % 64 == 0 && takes_long(entries.size(), entries[i], for_each))
                return false;
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
    void scan_surely(const Range& range) {
        const auto& outputs = node_->outputs();
        const double level = node_->level();
        start(0);
        trees_.resize(outputs.size());
        const auto whole = node_->distances();
        const auto move = [&](Entry entry) {
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                trees_[i][0].add(outputs[i].rank_of(entry));
                trees_[i][1].remove(outputs[i].rank_of(entry));
            }
        };
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            for (RankTree& tree : trees_[i]) tree.reset(outputs[i].exact);
            for (std::size_t rank = 1; rank <= range.entries.size(); ++rank) trees_[i][1].add(rank);
        }
        const std::size_t n_missing = column_->n_missing;
        for (std::size_t i = range.with_missing ? 0 : n_missing; i <= range.most; ++i) {
            if (i % 4096 == 0) cancel_.check();
            if (i >= range.least && range.entries[i].is_first()) {
                const double gain = node_->exact_gain(whole, [&](std::size_t output) {
                    auto left = trees_[output][0].distances(level);
                    return left += trees_[output][1].distances(level);
                });
                if (gain >= threshold_ &&
                    (direction() == 0 ||
                     are_in_order(direction(), *bounds_, trees_[0][0].level(level),
                                  trees_[0][1].level(level))))
                    note({i, gain});
            }
            if (i < range.most) move(range.entries[i]);
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

    void start(double error) {
        cuts_.clear();
        error_ = error;
        threshold_ = finalists_->threshold();
    }

    /// Keep a cut that may win, its gain being wrong by no more than the error.
    void note(const Cut& cut) {
        // Of pivots with equal gains the first wins.
        if (error_ == 0 && !column_->raw->is_choice && !cuts_.empty() &&
            cuts_.back().gain >= cut.gain)
            return;
        const double least = cut.gain - node_->tie() - node_->slack() - 2 * error_;
        if (least > threshold_) {
            threshold_ = least;
            std::erase_if(cuts_, [this](const Cut& kept) { return kept.gain < threshold_; });
        }
        cuts_.push_back(cut);
    }

    /// Whether guesses go the way they must, where all rows weigh 1.
    [[nodiscard]] bool may_ask(const CutSides<HasWeights>& sides) const {
        if (HasWeights || direction() == 0) return true;
        const double first = node_->level(sides.first().guesses(tie_share));
        const double second = node_->level(sides.second().guesses(tie_share));
        return are_in_order(direction(), *bounds_, first, second);
    }

    static constexpr std::size_t few_cuts = 8;

    const Limits& limits_;
    const Cancel& cancel_;
    const Node* node_ = nullptr;
    const ListedColumn* column_ = nullptr;
    const Bounds* bounds_ = nullptr;
    std::uint64_t chance_ = 0;
    Finalists* finalists_ = nullptr;
    std::vector<CutSides<HasWeights>> sides_;  // of each label
    std::vector<std::vector<Links>> links_;
    std::vector<std::array<RankTree, 2>> trees_;
    std::vector<Cut> cuts_;
    double error_ = 0;      // of their gains
    double threshold_ = 0;  // below which no gain matters
};

}  // namespace bough
