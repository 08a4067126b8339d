// The best query about one column, given the rows of a node.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "candidate.hpp"
#include "limits.hpp"
#include "score.hpp"
#include "table.hpp"

namespace bough {

/// The rows of a node that have the same value.
template <class Cell>
struct ValueTally {
    std::int32_t choice = 0;
    Tally<Cell> tally;
};

/// Search one column at one node. Buffers are kept from node to node.
template <class Criterion>
class ColumnSearch {
  public:
    using Labels = typename Criterion::Labels;
    using Cell = typename Labels::Cell;
    using Parts = std::span<const Tally<Cell>* const>;

    ColumnSearch(const Limits& limits, const Cancel& cancel) : limits_(limits), cancel_(cancel) {}

    struct Result {
        bool tells_apart = false;  // two rows differ in this column
        std::vector<Candidate> finalists;
    };

    /// `column` has the codes of these rows, in their order.
    Result run(const Column& column, std::int32_t number, const NodeScorer<Criterion>& scorer,
               std::span<const Row> rows, std::uint64_t chance) {
        column_ = &column;
        number_ = number;
        scorer_ = &scorer;
        put_in_order(rows);
        Result result;
        result.tells_apart = items_.front().key != items_.back().key;
        if (!result.tells_apart) return result;
        finalists_ = Finalists(scorer.tie(), scorer.slack());
        if (limits_.draw_one) {
            n_admissible_ = 0;
            drawn_ = nothing;
            visit_queries();
            if (n_admissible_ == 0) return result;
            drawn_ = chance % n_admissible_;
        } else {
            drawn_ = everything;
        }
        n_admissible_ = 0;
        visit_queries();
        result.finalists = finalists_.take();
        return result;
    }

  private:
    static constexpr std::uint64_t everything = ~std::uint64_t{0};
    static constexpr std::uint64_t nothing = everything - 1;

    void put_in_order(std::span<const Row> rows) {
        items_.clear();
        items_.reserve(rows.size());
        std::uint32_t highest = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            items_.push_back({column_->codes[i], rows[i]});
            highest = std::max(highest, column_->codes[i]);
        }
        sort_by_key(items_, highest, cancel_);
        n_missing_ = 0;
        const std::size_t n_cells = scorer_->labels().n_cells();
        missing_ = Tally<Cell>(n_cells);
        right_ = Tally<Cell>(n_cells);
        while (n_missing_ < items_.size() && items_[n_missing_].key == missing_code)
            scorer_->labels().add(missing_, items_[n_missing_++].row);
    }

    /// The place after the items of the same value.
    [[nodiscard]] std::size_t end_of_value(std::size_t place) const {
        const std::uint32_t code = items_[place].key;
        while (place < items_.size() && items_[place].key == code) ++place;
        return place;
    }

    void visit_queries() {
        if (!column_->is_choice) {
            visit_pivots();
        } else if (limits_.group_choices) {
            collect_values();
            visit_groups();
        } else {
            collect_values();
            visit_each_value();
            return;  // missing is one of its answers
        }
        if (n_missing_ > 0 && n_missing_ < items_.size())
            consider_sides(missing_, [&] { return query(Kind::is_missing, 0); });
    }

    void visit_pivots() {
        const auto& labels = scorer_->labels();
        Tally<Cell> below(labels.n_cells());
        Tally<Cell> below_or_missing = missing_;
        for (std::size_t place = n_missing_; place < items_.size();) {
            const std::size_t end = end_of_value(place);
            const std::uint32_t low = items_[place].key;
            for (; place < end; ++place) {
                labels.add(below, items_[place].row);
                if (n_missing_ > 0) labels.add(below_or_missing, items_[place].row);
            }
            if (place == items_.size()) break;
            cancel_.check();
            const std::uint32_t high = items_[place].key;
            consider_both(below, below_or_missing, [&](std::int32_t missing) {
                Candidate candidate = query(Kind::below, missing);
                candidate.low = low;
                candidate.high = high;
                return candidate;
            });
        }
    }

    void visit_each_value() {
        std::vector<const Tally<Cell>*> parts;
        for (const auto& value : values_) parts.push_back(&value.tally);
        if (n_missing_ > 0) parts.push_back(&missing_);
        const auto n_large = std::count_if(parts.begin(), parts.end(),
                                           [this](const auto* part) { return reaches(*part); });
        if (n_large < 2 || !is_drawn()) return;
        const auto last = static_cast<std::int32_t>(values_.size());
        consider(parts, [&] {
            Candidate candidate = query(Kind::each_value, n_missing_ > 0 ? last : stop);
            for (const auto& value : values_) candidate.choices.push_back(value.choice);
            candidate.answers.resize(candidate.choices.size());
            std::iota(candidate.answers.begin(), candidate.answers.end(), 0);
            return candidate;
        });
    }

    void visit_groups() {
        if (values_.size() < 2) return;
        std::vector<std::size_t> order(values_.size());
        std::iota(order.begin(), order.end(), 0);
        consider_group(values_.front().tally, order, 1);
        for (const std::size_t cell : scorer_->ordering_cells()) {
            cancel_.check();
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return has_lower_mean(values_[a].tally, values_[b].tally, cell);
            });
            Tally<Cell> front(scorer_->labels().n_cells());
            bool holds_first = false;
            for (std::size_t cut = 1; cut < order.size(); ++cut) {
                cancel_.check();
                front += values_[order[cut - 1]].tally;
                holds_first = holds_first || order[cut - 1] == 0;
                if (holds_first) {
                    consider_group(front, order, cut);
                } else {
                    known_.set_difference(scorer_->tally(), missing_);
                    rest_.set_difference(known_, front);
                    consider_group(rest_, order, cut);
                }
            }
        }
    }

    /// Cut an order of values in two; `first` is the tally of the part that holds the first value.
    void consider_group(const Tally<Cell>& first, std::span<const std::size_t> order,
                        std::size_t cut) {
        Tally<Cell> with_missing = first;
        with_missing += missing_;
        consider_both(first, with_missing, [&](std::int32_t missing) {
            Candidate candidate = query(Kind::one_of, missing);
            candidate.answers.assign(values_.size(), 0);
            for (std::size_t i = cut; i < order.size(); ++i) candidate.answers[order[i]] = 1;
            if (candidate.answers.front() == 1)
                for (auto& side : candidate.answers) side = 1 - side;
            for (std::size_t i = 0; i < values_.size(); ++i) {
                candidate.choices.push_back(values_[i].choice);
                if (candidate.answers[i] == 0) candidate.first_side.push_back(values_[i].choice);
            }
            return candidate;
        });
    }

    static bool has_lower_mean(const Tally<Cell>& a, const Tally<Cell>& b, std::size_t cell) {
        return product(Wide<sizeof(Cell) / 8>(a.cells[cell]), Wide<2>(b.weight)) <
               product(Wide<sizeof(Cell) / 8>(b.cells[cell]), Wide<2>(a.weight));
    }

    void collect_values() {
        values_.clear();
        for (std::size_t place = n_missing_; place < items_.size();) {
            const std::size_t end = end_of_value(place);
            const auto choice = static_cast<std::int32_t>(items_[place].key) - 1;
            values_.push_back({choice, Tally<Cell>(scorer_->labels().n_cells())});
            for (; place < end; ++place)
                scorer_->labels().add(values_.back().tally, items_[place].row);
            cancel_.check();
        }
        known_ = Tally<Cell>(scorer_->labels().n_cells());
        rest_ = known_;
    }

    [[nodiscard]] Candidate query(Kind kind, std::int32_t missing) const {
        Candidate candidate;
        candidate.column = number_;
        candidate.kind = kind;
        candidate.missing = missing;
        return candidate;
    }

    /// Try a two-way query with the missing rows, if any, at either answer.
    template <class Make>
    void consider_both(const Tally<Cell>& first, const Tally<Cell>& first_and_missing,
                       const Make& make) {
        if (n_missing_ == 0) return consider_sides(first, [&] { return make(stop); });
        consider_sides(first_and_missing, [&] { return make(0); });
        consider_sides(first, [&] { return make(1); });
    }

    template <class Make>
    void consider_sides(const Tally<Cell>& first, const Make& make) {
        right_.set_difference(scorer_->tally(), first);
        if (!reaches(first) || !reaches(right_) || !is_drawn()) return;
        const std::array<const Tally<Cell>*, 2> parts{&first, &right_};
        consider(parts, make);
    }

    template <class Make>
    void consider(Parts parts, const Make& make) {
        if (!finalists_.may_take(scorer_->template gain<double>(parts))) return;
        Candidate candidate = make();
        scorer_->score(candidate, parts);
        finalists_.offer(std::move(candidate));
    }

    [[nodiscard]] bool reaches(const Tally<Cell>& part) const {
        return part.rows >= limits_.min_rows && to_double(part.weight) >= limits_.min_weight;
    }

    /// Count an admissible query, and say whether it is to be scored.
    bool is_drawn() {
        const std::uint64_t place = n_admissible_++;
        return drawn_ == everything || drawn_ == place;
    }

    Limits limits_;
    const Cancel& cancel_;
    const Column* column_ = nullptr;
    std::int32_t number_ = 0;
    const NodeScorer<Criterion>* scorer_ = nullptr;
    Finalists finalists_{0, 0};
    std::vector<Keyed<std::uint32_t>> items_;
    std::size_t n_missing_ = 0;
    Tally<Cell> missing_;
    Tally<Cell> right_;
    Tally<Cell> known_;
    Tally<Cell> rest_;
    std::vector<ValueTally<Cell>> values_;
    std::uint64_t n_admissible_ = 0;
    std::uint64_t drawn_ = everything;
};

}  // namespace bough
