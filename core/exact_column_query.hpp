// The best query about one column, given the rows of a node.
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
#include "node_scorer.hpp"
#include "query_limits.hpp"
#include "random_draws.hpp"
#include "table.hpp"

namespace bough {

/// Search one column at one node. Buffers are kept from node to node.
template <class Criterion>
class ColumnSearch {
  public:
    using Node = NodeScorer<Criterion>;
    using Part = Tally<typename Criterion::Labels::Cell>;
    using Parts = std::span<const Part* const>;

    ColumnSearch(const Limits& limits, const Cancel& cancel) : limits_(limits), cancel_(cancel) {}

    struct Result {
        bool tells_apart = false;  // two rows differ in this column
        std::vector<Candidate> finalists;
    };

    /// `column` has the codes of these rows, or of these sums, in their order.
    Result run(const Column& column, std::int32_t number, const Node& node,
               std::span<const Row> rows, std::uint64_t chance, std::span<const Part> sums = {}) {
        column_ = &column;
        number_ = number;
        node_ = &node;
        rows_ = rows;
        sums_ = sums;
        put_in_order();
        Result result;
        result.tells_apart = items_.front().key != items_.back().key;
        if (!result.tells_apart) return result;
        first_ = second_ = Part(node.labels().n_cells());
        joined_ = missing_ = part_of(Items(items_).first(n_missing_));
        finalists_ = Finalists(node.tie(), node.slack());
        chance_ = chance;
        visit_queries();
        result.finalists = finalists_.take();
        return result;
    }

  private:
    using Items = std::span<const Keyed<std::uint32_t>>;

    /// A choice that some rows of the node have.
    struct Value {
        std::int32_t choice = 0;
        Part part;
    };

    void put_in_order() {
        items_.clear();
        items_.reserve(rows_.size());
        std::uint32_t highest = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            items_.push_back({column_->codes[i], static_cast<std::uint32_t>(i)});
            highest = std::max(highest, column_->codes[i]);
        }
        sort_by_key(items_, highest, cancel_);
        n_missing_ = 0;
        while (n_missing_ < items_.size() && items_[n_missing_].key == missing_code) ++n_missing_;
    }

    /// The place after the items of the same value.
    [[nodiscard]] std::size_t end_of_value(std::size_t place) const {
        const std::uint32_t code = items_[place].key;
        while (place < items_.size() && items_[place].key == code) ++place;
        return place;
    }

    void visit_queries() {
        if (column_->is_choice && !limits_.groups(number_)) return visit_each_value();
        const bool has_two =
            n_missing_ < items_.size() && items_[n_missing_].key != items_.back().key;
        const bool asks_missing = !limits_.draw_one || !has_two || DrawnMissing(chance_).is_asked;
        if (n_missing_ > 0 && asks_missing) {
            direction_ = 0;  // whether a value is missing has no order
            consider_sides(true, [&] { return query(Kind::is_missing, 0); });
        }
        if (!has_two || (limits_.draw_one && n_missing_ > 0 && asks_missing)) return;
        direction_ = limits_.direction(number_);
        column_->is_choice ? visit_groups() : visit_pivots();
    }

    /// Add the rows of some items.
    void add(Items items, Part& to) const {
        for (const auto& item : items) {
            if (sums_.empty())
                node_->labels().add(to, rows_[item.row]);
            else
                to += sums_[item.row];
        }
    }
    [[nodiscard]] Part part_of(Items items) const {
        Part part(node_->labels().n_cells());
        add(items, part);
        return part;
    }

    void visit_pivots() {
        const std::uint32_t drawn = limits_.draw_one ? drawn_code() : 0;
        for (std::size_t place = n_missing_; place < items_.size();) {
            const std::size_t end = end_of_value(place);
            const std::uint32_t low = items_[place].key;
            const Items items = Items(items_).subspan(place, end - place);
            add(items, first_);
            if (n_missing_ > 0) add(items, joined_);
            place = end;
            if (place == items_.size()) break;
            cancel_.check();
            if (drawn > low) continue;
            consider_both(true, [&](std::int32_t missing) {
                Candidate candidate = query(Kind::below, missing);
                candidate.place = low;
                return candidate;
            });
            if (drawn > 0) return;
        }
    }
    /// The greatest value that is not beyond the place drawn.
    [[nodiscard]] std::uint32_t drawn_code() const {
        return std::visit(
            [this](const auto& values) {
                const auto place = drawn_between(values[items_[n_missing_].key - 1],
                                                 values[items_.back().key - 1], chance_);
                const auto beyond = std::ranges::upper_bound(values, place);
                return static_cast<std::uint32_t>(beyond - values.begin());
            },
            column_->values);
    }

    void visit_each_value() {
        const std::vector<Value> values = collect_values();
        std::vector<const Part*> parts;
        for (const Value& value : values) parts.push_back(&value.part);
        if (n_missing_ > 0) parts.push_back(&missing_);
        const auto n_large =
            std::ranges::count_if(parts, [this](const auto* part) { return reaches(*part); });
        if (n_large < 2 || node_->is_barred(parts)) return;
        if (!may_win(parts)) return;
        const auto last = static_cast<std::int32_t>(values.size());
        Candidate candidate = query(Kind::each_value, n_missing_ > 0 ? last : stop);
        for (const Value& value : values) candidate.choices.push_back(value.choice);
        candidate.answers.resize(candidate.choices.size());
        std::iota(candidate.answers.begin(), candidate.answers.end(), 0);
        offer(parts, std::move(candidate));
    }

    void visit_groups() {
        const std::vector<Value> values = collect_values();
        std::vector<std::size_t> by_number(values.size());
        std::iota(by_number.begin(), by_number.end(), 0);
        std::vector<std::vector<std::size_t>> orders;
        for (const std::size_t cell : node_->ordering_cells()) {
            const auto mean_times = [&](std::size_t i, std::size_t other) {
                return product(Wide<sizeof(Part::cells[cell]) / 8>(values[i].part.cells[cell]),
                               Wide<2>(values[other].part.weight));
            };
            orders.push_back(by_number);
            std::stable_sort(
                orders.back().begin(), orders.back().end(),
                [&](std::size_t a, std::size_t b) { return mean_times(a, b) < mean_times(b, a); });
        }
        const std::size_t n_cuts = values.size() - 1;
        if (limits_.draw_one) {
            const std::size_t drawn = mixed(chance_, 3) % (1 + orders.size() * n_cuts);
            if (drawn == 0) return visit_cuts(values, by_number, 1, 1);
            const std::size_t cut = (drawn - 1) % n_cuts + 1;
            return visit_cuts(values, orders[(drawn - 1) / n_cuts], cut, cut);
        }
        visit_cuts(values, by_number, 1, 1);
        for (const auto& order : orders) visit_cuts(values, order, 1, n_cuts);
    }

    /// Consider some cuts of an order of values.
    void visit_cuts(std::span<const Value> values, std::span<const std::size_t> order,
                    std::size_t from, std::size_t upto) {
        first_.clear();
        joined_ = missing_;
        bool holds_first = false;
        for (std::size_t cut = 1; cut <= upto; ++cut) {
            cancel_.check();
            first_ += values[order[cut - 1]].part;
            joined_ += values[order[cut - 1]].part;
            holds_first = holds_first || order[cut - 1] == 0;
            if (cut < from) continue;
            consider_both(holds_first, [&](std::int32_t missing) {
                Candidate candidate = query(Kind::one_of, missing);
                group(candidate, values.size(), order.first(cut),
                      [&](std::size_t i) { return values[i].choice; });
                return candidate;
            });
        }
    }

    [[nodiscard]] std::vector<Value> collect_values() {
        std::vector<Value> values;
        for (std::size_t place = n_missing_; place < items_.size();) {
            cancel_.check();
            const std::size_t end = end_of_value(place);
            const auto choice = static_cast<std::int32_t>(items_[place].key) - 1;
            values.push_back({choice, part_of(Items(items_).subspan(place, end - place))});
            place = end;
        }
        return values;
    }

    [[nodiscard]] Candidate query(Kind kind, std::int32_t missing) const {
        Candidate candidate;
        candidate.column = number_;
        candidate.kind = kind;
        candidate.missing = missing;
        return candidate;
    }

    /// Try a two-way query with the missing rows, if any, at either answer. The first side is that
    /// of the first answer or of the second.
    void consider_both(bool is_first, const auto& make) {
        if (n_missing_ == 0) return consider_sides(false, [&] { return make(stop); });
        const std::int32_t drawn = limits_.draw_one ? DrawnMissing(chance_).answer : stop;
        for (const std::int32_t answer : {0, 1})
            if (drawn == stop || drawn == answer)
                consider_sides(is_first == (answer == 0), [&] { return make(answer); });
    }

    /// The same with the missing rows on the first side, or on the second.
    void consider_sides(bool with_missing, const auto& make) {
        const std::array<const Part*, 2> sides{with_missing ? &joined_ : &first_, &second_};
        second_.set_difference(node_->tally(), *sides[0]);
        if (!reaches(*sides[0]) || !reaches(*sides[1]) || node_->is_barred(sides)) return;
        if (may_win(sides) && keeps_order(sides)) offer(sides, make());
    }

    [[nodiscard]] bool may_win(Parts parts) const {
        return node_->template gain<double>(parts) >= finalists_.threshold();
    }
    void offer(Parts parts, Candidate&& candidate) {
        node_->score(candidate, parts);
        finalists_.offer(std::move(candidate));
    }

    [[nodiscard]] bool reaches(const Part& part) const {
        return part.rows >= limits_.min_rows && to_double(part.weight) >= limits_.min_weight;
    }

    /// Whether guesses go the way they must, within where the queries above have put them.
    [[nodiscard]] bool keeps_order(Parts sides) const {
        const auto level = [&](std::size_t side) {
            return level_of(exact_guess(node_->labels(), *sides[side]));
        };
        return direction_ == 0 || are_in_order(direction_, node_->bounds(), level(0), level(1));
    }

    Limits limits_;
    const Cancel& cancel_;
    const Column* column_ = nullptr;
    std::int32_t number_ = 0;
    int direction_ = 0;  // in which guesses go from the first side of a cut to the second
    const Node* node_ = nullptr;
    std::span<const Row> rows_;
    std::span<const Part> sums_;
    Finalists finalists_{0, 0};
    std::vector<Keyed<std::uint32_t>> items_;  // `row` is the place of a row in the node
    std::size_t n_missing_ = 0;
    Part first_;                // the known rows on the first side
    Part missing_;              // rows without a value
    Part joined_;               // both of these
    Part second_;               // all others
    std::uint64_t chance_ = 0;  // what is drawn by, where anything is
};

}  // namespace bough
