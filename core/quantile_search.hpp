// The best query about one column of a node whose guess is a quantile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "candidate.hpp"
#include "quantile_cuts.hpp"
#include "quantile_lists.hpp"
#include "query_limits.hpp"
#include "random_draws.hpp"

namespace bough {

template <class Criterion>
class QuantileSearch {
  public:
    using Node = QuantileNode<Criterion>;

    QuantileSearch(const Limits& limits, const Cancel& cancel)
        : limits_(limits), cancel_(cancel), cuts_(limits, cancel) {}

    /// Offer the queries about a column, or one of them by chance.
    void run(const Node& node, const ListedColumn& column, const LevelBounds& bounds,
             std::uint64_t chance, Finalists& finalists) {
        cancel_.check();
        node_ = &node;
        column_ = &column;
        bounds_ = &bounds;
        chance_ = chance;
        finalists_ = &finalists;
        if (column.raw->is_choice && !limits_.groups(column.number)) return visit_each_value();
        const bool has_two_values = column.has_two_values();
        const bool asks_missing =
            !limits_.draw_one || !has_two_values || DrawnMissing(chance).is_asked;
        if (column.n_missing > 0 && asks_missing) judge(query(Kind::is_missing, 0));
        if (!has_two_values || (limits_.draw_one && column.n_missing > 0 && asks_missing)) return;
        column.raw->is_choice ? visit_groups() : visit_pivots();
    }

  private:
    using Cut = typename QuantileCuts<Criterion>::Cut;

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
        candidate.gain = std::max(0.0, parts.gain.high);
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
            candidate.place = static_cast<double>(place);
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
        Candidate candidate = query(Kind::one_of, missing);
        group(candidate, runs.size(), order.first(n_values),
              [&](std::size_t i) { return runs[i].choice; });
        return candidate;
    }

    /// Try every cut of an order, with the missing rows on either side; the first answer is that of
    /// the side with the entry at `first`.
    template <class Make>
    void try_cuts(std::span<const Entry> entries, std::size_t first, const Make& make) {
        for (const bool with_missing : {true, false}) {
            if (with_missing && column_->n_missing == 0) continue;
            const CutOrder order{entries, column_->n_missing, with_missing,
                                 !column_->raw->is_choice};
            for (const Cut& cut :
                 cuts_.scan(*node_, order, direction(), *bounds_, finalists_->threshold())) {
                Candidate candidate = make(cut.place, with_missing == (first < cut.place) ? 0 : 1);
                candidate.gain = cut.gain;
                finalists_->offer(std::move(candidate));
            }
        }
    }

    const Limits& limits_;
    const Cancel& cancel_;
    QuantileCuts<Criterion> cuts_;
    const Node* node_ = nullptr;
    const ListedColumn* column_ = nullptr;
    const LevelBounds* bounds_ = nullptr;
    std::uint64_t chance_ = 0;
    Finalists* finalists_ = nullptr;
};

}  // namespace bough
