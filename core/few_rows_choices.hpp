// The values of columns of choices at a node of few rows, and the queries about them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "few_rows_cuts.hpp"
#include "few_rows_labels.hpp"
#include "sorted_lists.hpp"
#include "table.hpp"

namespace bough {

class FewChoices {
  public:
    using Entry = SortedLists::Entry;

    struct Value {
        double sum = 0;  // of the numbers of its rows
        double weight = 0;
        double mean = 0;
        std::uint32_t code = 0;  // 0: missing
        std::uint32_t n_rows = 0;
    };

    /// Make room for nodes of so many rows.
    void read(std::span<const RawColumn> raw, std::size_t most_rows) {
        starts_.clear();
        std::size_t n_values = 0;
        std::size_t n_codes = 0;
        for (const RawColumn& one : raw) {
            starts_.push_back(n_values);
            if (!one.is_choice) continue;
            const std::size_t codes = std::size_t{one.n_choices} + 1;
            n_values += std::min(most_rows, codes) + 1;
            n_codes = std::max(n_codes, codes);
        }
        if (values_.size() < n_values) values_.resize(n_values);
        if (slots_.size() < n_codes) slots_.resize(n_codes);
        n_values_.assign(raw.size(), 0);
    }

    /// Add up the rows of each value of a column, whose codes these are; return how many values
    /// there are.
    // Rows find their value by its code, without a branch: one that has no place yet gets the next.
    std::size_t count(std::size_t column, std::span<const Entry> entries, const Entry* codes,
                      const FewLabelled* rows) {
        if (++counted_ == 0) {
            std::fill(slots_.begin(), slots_.end(), Slot{});
            counted_ = 1;
        }
        Value* values = values_.data() + starts_[column];
        std::uint32_t n = 0;
        for (const Entry entry : entries) {
            const std::size_t row = SortedLists::row_of(entry);
            const std::uint32_t code = codes[row];
            Slot& slot = slots_[code];
            const bool is_known = slot.counted == counted_;
            const std::uint32_t place = is_known ? slot.place : n;
            slot = {counted_, place};
            values[n] = {0, 0, 0, code, 0};
            values[place].sum += rows[row].number;
            values[place].weight += rows[row].weight;
            ++values[place].n_rows;
            n += is_known ? 0 : 1;
        }
        n_values_[column] = n;
        return n;
    }

    /// What it gains to part all values of a column: no query about them gains more.
    // Of the mean × all rounding leaves 3u × mean × all, which is no more than a sum is off by.
    double part_all(std::size_t column, const FewNode& node) {
        double gain = 0;
        for (Value& value : values_of(column)) {
            value.mean = value.sum / value.weight;
            gain += (value.mean * node.all - node.total) *
                    (value.sum * node.all - node.total * value.weight);
        }
        return std::max(0.0, gain / (node.all * node.all));
    }

    /// Offer the query for each value, if it may be asked.
    void offer_each(std::size_t column, double gain, const FewNode& node, FewCuts& cuts) {
        const auto values = values_of(column);
        const auto n_large = std::count_if(values.begin(), values.end(), [&](const Value& value) {
            return value.n_rows >= node.least_rows;
        });
        if (n_large >= 2)
            cuts.offer({gain, static_cast<std::uint32_t>(column), 0, Kind::each_value, stop});
    }

    /// Offer the queries for groups of values, and whether any is missing.
    void offer_groups(std::size_t column, const FewNode& node, FewCuts& cuts) {
        const auto number = static_cast<std::uint32_t>(column);
        const auto offer = [&](double gain, std::size_t place, Kind kind, std::int32_t missing,
                               std::size_t n_first) {
            if (node.admits(n_first))
                cuts.offer({gain, number, static_cast<std::uint32_t>(place), kind, missing});
        };
        const Value missing = put_in_order(column);
        if (missing.n_rows > 0)
            offer(node.gain(missing.sum, missing.weight), 0, Kind::is_missing, 0, missing.n_rows);
        const std::size_t n = order_.size();
        if (n < 2) return;
        const Value* values = values_.data() + starts_[column];
        const Value& first = values[first_of(column)];
        prefixes_.resize(n + 1);
        find_reach(values, node);
        for (const bool joins_front : {true, false}) {
            if (missing.n_rows == 0 && joins_front) continue;
            prefixes_[0] = joins_front ? missing : Value{};
            prefixes_[0].mean = joins_front ? node.gain(missing.sum, missing.weight) : 0;
            double best = 0;
            for (std::size_t i = 0; i + 1 < n; ++i) {
                const Value& next = values[order_[i]];
                Value& upto = prefixes_[i + 1];
                upto.sum = prefixes_[i].sum + next.sum;
                upto.weight = prefixes_[i].weight + next.weight;
                upto.n_rows = prefixes_[i].n_rows + next.n_rows;
                upto.mean = node.gain(upto.sum, upto.weight);
                best = std::max(best, upto.mean);
            }
            prefixes_[n].mean =
                joins_front || missing.n_rows == 0 ? 0 : node.gain(missing.sum, missing.weight);
            const std::int32_t side = missing.n_rows == 0 ? stop : joins_front ? 0 : 1;
            if (const double least = cuts.least_beside(node.least_rows > 1 ? 0 : best);
                best >= least)
                for (std::size_t cut = 1; cut < n; ++cut)
                    if (prefixes_[cut].mean >= least && is_sure_after(cut))
                        offer(prefixes_[cut].mean, cut, Kind::one_of, side, prefixes_[cut].n_rows);
            if (n > 2 && first.code != values[order_[0]].code &&
                first.code != values[order_[n - 1]].code)
                offer(node.gain(prefixes_[0].sum + first.sum, prefixes_[0].weight + first.weight),
                      0, Kind::one_of, side, prefixes_[0].n_rows + first.n_rows);
            check_runs(values, node, cuts);
        }
    }

    /// What a cut asks.
    Finalist finalist(const FewCuts::Cut& cut) {
        Finalist found = cut.finalist();
        if (cut.kind != Kind::each_value && cut.kind != Kind::one_of) return found;
        const Value missing = put_in_order(cut.column);
        const Value* values = values_.data() + starts_[cut.column];
        const std::size_t first = first_of(cut.column);
        const std::size_t n = order_.size();
        std::vector<std::uint8_t> is_ahead(n_values_[cut.column], 0);
        for (std::size_t i = 0; i < cut.place; ++i) is_ahead[order_[i]] = 1;
        if (cut.place == 0) is_ahead[first] = 1;
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return values[a].code < values[b].code;
        });
        found.choices.reserve(n);
        found.answers.reserve(n);
        for (std::size_t i = 0; i < n; ++i) {
            found.choices.push_back(static_cast<std::int32_t>(values[order_[i]].code) - 1);
            found.answers.push_back(cut.kind == Kind::each_value ? static_cast<std::int32_t>(i)
                                    : is_ahead[order_[i]] == is_ahead[first] ? 0
                                                                             : 1);
        }
        found.place = 0;
        found.missing = stop;
        if (missing.n_rows == 0) return found;
        const bool is_with_first = (cut.missing == 0) == (is_ahead[first] == 1);
        found.missing =
            cut.kind == Kind::each_value ? static_cast<std::int32_t>(n) : (is_with_first ? 0 : 1);
        return found;
    }

  private:
    static constexpr std::size_t few_values = 32;  // are sooner ranked than sorted

    /// Where the value of a code is, if it was met when columns had been counted so often.
    struct Slot {
        std::uint32_t counted = 0;
        std::uint32_t place = 0;
    };

    [[nodiscard]] std::span<Value> values_of(std::size_t column) {
        return std::span(values_).subspan(starts_[column], n_values_[column]);
    }

    /// The place of the known value whose code is least.
    [[nodiscard]] std::size_t first_of(std::size_t column) const {
        const Value* values = values_.data() + starts_[column];
        return *std::min_element(
            order_.begin(), order_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values[a].code < values[b].code; });
    }

    /// Put the places of the known values of a column in the order of their means; return the
    /// missing one, without rows where there is none.
    Value put_in_order(std::size_t column) {
        const auto values = values_of(column);
        Value missing;
        keyed_.resize(values.size());
        std::size_t n = 0;
        for (std::uint32_t i = 0; i < values.size(); ++i) {
            if (values[i].code == 0)
                missing = values[i];
            else
                keyed_[n++] = {values[i].mean, i};
        }
        order_.resize(n);
        if (n > few_values) {
            std::sort(keyed_.begin(), keyed_.begin() + static_cast<std::ptrdiff_t>(n));
            for (std::size_t i = 0; i < n; ++i) order_[i] = keyed_[i].second;
            return missing;
        }
        std::array<double, few_values> means;
        for (std::size_t i = 0; i < n; ++i) means[i] = keyed_[i].first;
        for (std::size_t i = 0; i < n; ++i) {
            const double mean = means[i];
            std::int64_t rank = 0;  // as wide as a mean: several are compared at once
            for (std::size_t j = 0; j < i; ++j) rank += means[j] <= mean ? 1 : 0;
            for (std::size_t j = i + 1; j < n; ++j) rank += means[j] < mean ? 1 : 0;
            order_[static_cast<std::size_t>(rank)] = keyed_[i].second;
        }
        return missing;
    }

    /// How far the mean of a value may be off.
    // A row's number is off by 2 units at most.
    static double error_of(const Value& of, const FewNode& node) {
        return 2 * of.n_rows / of.weight + 0x1p-52 * std::abs(of.mean) + node.mean_error;
    }
    /// Note how far the means of all before each place of the order may reach up, and of all behind
    /// it down: those of light values may be off by more than those of their neighbours.
    void find_reach(const Value* values, const FewNode& node) {
        const std::size_t n = order_.size();
        highest_.resize(n);
        lowest_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Value& value = values[order_[i]];
            const double error = error_of(value, node);
            highest_[i] =
                i == 0 ? value.mean + error : std::max(highest_[i - 1], value.mean + error);
            lowest_[i] = value.mean - error;
        }
        for (std::size_t i = n; i-- > 1;) lowest_[i - 1] = std::min(lowest_[i - 1], lowest_[i]);
    }
    /// Whether it is known that the values before a place of the order go before those behind it.
    [[nodiscard]] bool is_sure_after(std::size_t place) const {
        return highest_[place - 1] < lowest_[place];
    }

    /// Give up where values whose order is not known might be parted by one of the best queries.
    // Of values of one mean, some on the first side gain a convex function of their weight, so no
    // more than the lightest alone or all but it. What means may differ moves the root of a gain by
    // the difference × the root of their weight at most.
    void check_runs(const Value* values, const FewNode& node, FewCuts& cuts) const {
        const std::size_t n = order_.size();
        for (std::size_t begin = 0; begin + 1 < n;) {
            std::size_t end = begin + 1;
            while (end < n && !is_sure_after(end)) ++end;
            const std::size_t first = std::exchange(begin, end);
            if (end - first < 2) continue;
            double sum = 0;
            double weight = 0;
            double lightest = node.all;
            double error = 0;
            for (std::size_t i = first; i < end; ++i) {
                const Value& value = values[order_[i]];
                sum += value.sum;
                weight += value.weight;
                lightest = std::min(lightest, value.weight);
                error = std::max(error, error_of(value, node));
            }
            const Value& before = prefixes_[first];
            const double apart = values[order_[end - 1]].mean - values[order_[first]].mean;
            const double away = (apart + 2 * error) * std::sqrt(weight);
            const auto matters = [&](double gain) {
                const double root = std::sqrt(gain) + away;
                return root * root >= cuts.least();
            };
            if (!matters(std::max(before.mean, prefixes_[end].mean))) continue;
            for (const double share : {lightest / weight, 1 - lightest / weight})
                if (matters(node.gain(before.sum + share * sum, before.weight + share * weight)))
                    return cuts.give_up();
        }
    }

    std::vector<std::size_t> starts_;  // of the values of each column
    std::vector<std::size_t> n_values_;
    std::vector<Value> values_;  // in the order in which they were met
    std::vector<Slot> slots_;    // of each code
    std::uint32_t counted_ = 0;
    std::vector<std::pair<double, std::uint32_t>> keyed_;  // means, and places of their values
    std::vector<std::uint32_t> order_;
    std::vector<double> highest_;  // a mean before each place may be
    std::vector<double> lowest_;   // and from each place on
    std::vector<Value> prefixes_;  // what values up to a place add up to; the gain is their mean
};

}  // namespace bough
