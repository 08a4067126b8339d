// The best query about one column, given the rows of a node.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "candidate.hpp"
#include "limits.hpp"
#include "query_score.hpp"
#include "random_draws.hpp"
#include "table.hpp"

namespace bough {

/// Search one column at one node. Buffers are kept from node to node.
template <class Criterion>
class ColumnSearch {
  public:
    using Scan = TallyScan<Criterion>;
    using Node = typename Scan::Node;
    using Part = typename Scan::Part;
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
        Items items;
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
            start_scans();
            consider_sides(with_missing_, [&] { return query(Kind::is_missing, 0); });
        }
        if (!has_two || (limits_.draw_one && n_missing_ > 0 && asks_missing)) return;
        direction_ = limits_.direction(number_);
        column_->is_choice ? visit_groups() : visit_pivots();
    }

    /// Put all rows on the second side but missing ones, which are tried on both.
    void start_scans() {
        without_missing_.start(*node_, rows_, sums_);
        if (n_missing_ == 0) return;
        with_missing_.start(*node_, rows_, sums_);
        for (std::size_t place = 0; place < n_missing_; ++place)
            with_missing_.add(items_[place].row);
    }
    /// Take the rows of some items to the first side.
    void move(std::size_t begin, std::size_t end) {
        for (std::size_t place = begin; place < end; ++place) {
            without_missing_.add(items_[place].row);
            if (n_missing_ > 0) with_missing_.add(items_[place].row);
        }
    }
    void move(const Value& value) {
        without_missing_.add(value.part);
        if (n_missing_ > 0) with_missing_.add(value.part);
    }

    void visit_pivots() {
        const std::uint32_t drawn = limits_.draw_one ? drawn_code() : 0;
        start_scans();
        for (std::size_t place = n_missing_; place < items_.size();) {
            const std::size_t end = end_of_value(place);
            const std::uint32_t low = items_[place].key;
            move(place, end);
            place = end;
            if (place == items_.size()) break;
            cancel_.check();
            if (drawn > low) continue;
            const std::uint32_t high = items_[place].key;
            consider_both(true, [&](std::int32_t missing) {
                Candidate candidate = query(Kind::below, missing);
                candidate.low = low;
                candidate.high = high;
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
                const auto beyond = std::upper_bound(values.begin(), values.end(), place);
                return static_cast<std::uint32_t>(beyond - values.begin());
            },
            column_->values);
    }

    void visit_each_value() {
        const std::vector<Value> values = collect_values();
        std::vector<const Part*> parts;
        for (const Value& value : values) parts.push_back(&value.part);
        std::optional<Part> missing;
        if (n_missing_ > 0) {
            const Items items = Items(items_).first(n_missing_);
            parts.push_back(&missing.emplace(without_missing_.part_of(items)));
        }
        const auto n_large = std::count_if(parts.begin(), parts.end(),
                                           [this](const auto* part) { return reaches(*part); });
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
        const std::vector<std::size_t> by_number = Scan::in_order(values.size());
        const auto orders = without_missing_.orders(values);
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
        start_scans();
        bool holds_first = false;
        for (std::size_t cut = 1; cut <= upto; ++cut) {
            cancel_.check();
            move(values[order[cut - 1]]);
            holds_first = holds_first || order[cut - 1] == 0;
            if (cut >= from) consider_group(values, order, cut, holds_first);
        }
    }

    /// Cut an order of values in two; the first answer is that of the side with the first value.
    void consider_group(std::span<const Value> values, std::span<const std::size_t> order,
                        std::size_t cut, bool holds_first) {
        consider_both(holds_first, [&](std::int32_t missing) {
            Candidate candidate = query(Kind::one_of, missing);
            group(candidate, values.size(), order.first(cut),
                  [&](std::size_t i) { return values[i].choice; });
            return candidate;
        });
    }

    [[nodiscard]] std::vector<Value> collect_values() {
        start_scans();
        std::vector<Value> values;
        for (std::size_t place = n_missing_; place < items_.size();) {
            cancel_.check();
            const std::size_t end = end_of_value(place);
            const auto choice = static_cast<std::int32_t>(items_[place].key) - 1;
            const Items items = Items(items_).subspan(place, end - place);
            values.push_back({choice, items, without_missing_.part_of(items)});
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
    template <class Make>
    void consider_both(bool is_first, const Make& make) {
        if (n_missing_ == 0) return consider_sides(without_missing_, [&] { return make(stop); });
        const std::int32_t drawn = limits_.draw_one ? DrawnMissing(chance_).answer : stop;
        for (const std::int32_t answer : {0, 1})
            if (drawn == stop || drawn == answer)
                consider_sides(is_first == (answer == 0) ? with_missing_ : without_missing_,
                               [&] { return make(answer); });
    }

    template <class Make>
    void consider_sides(Scan& scan, const Make& make) {
        const std::array<const Part*, 2> sides = scan.sides();
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
    Scan with_missing_;
    Scan without_missing_;
    std::uint64_t chance_ = 0;  // what is drawn by, where anything is
};

}  // namespace bough
