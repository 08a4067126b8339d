// Splitting the rows of a node by their coarse codes, and finding the pivot on the way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "block.hpp"
#include "finalist.hpp"
#include "histogram.hpp"
#include "rows.hpp"
#include "threads.hpp"

namespace bough {

/// A node's rows after a split: what was asked, and where each answer's rows begin.
struct Split {
    Question question;
    std::vector<std::size_t> bounds;
};

/// Put the rows of two answers in order, keeping each answer's order. `side(row)` is 0 or 1.
template <class Side>
std::size_t part_in_two(std::span<LocalRow> rows, std::span<LocalRow> spare, const Side& side) {
    std::size_t first = 0;
    std::size_t second = 0;
    for (const LocalRow row : rows) {
        const std::size_t answer = side(row);
        rows[first] = row;
        spare[second] = row;
        first += 1 - answer;
        second += answer;
    }
    return first;
}

/// The nearest values on both sides of a cut, seen so far. Only rows in the outermost step of a
/// side are compared by value.
template <class Value>
struct Neighbours {
    int low_step = -1;
    int high_step = static_cast<int>(n_steps);
    Value low{};
    Value high{};

    void below(int step, Value value) {
        if (step < low_step || (step == low_step && value <= low)) return;
        low_step = step;
        low = value;
    }
    void above(int step, Value value) {
        if (step > high_step || (step == high_step && value >= high)) return;
        high_step = step;
        high = value;
    }
    void merge(const Neighbours& other) {
        if (other.low_step >= 0) below(other.low_step, other.low);
        if (other.high_step < static_cast<int>(n_steps)) above(other.high_step, other.high);
    }
};

template <class Statistic>
class FastSplitter {
  public:
    FastSplitter(const CoarseTable& table, std::span<const RawColumn> raw)
        : table_(table), raw_(raw) {}

    /// Split rows by a query; large nodes on all threads.
    Split split(const Block<Statistic>& block, std::span<LocalRow> rows,
                const Histogram<Statistic>& histogram, const Statistic& statistic, Finalist&& asked,
                Threads* threads) {
        Split result;
        const auto column = static_cast<std::size_t>(asked.column);
        result.question.column = asked.column;
        result.question.kind = asked.kind;
        result.question.missing = asked.missing;
        result.question.choices = std::move(asked.choices);
        result.question.answers = std::move(asked.answers);
        if (asked.kind == Kind::below) {
            const std::size_t next = next_bin(histogram, statistic, column, asked.cut);
            std::visit(
                [&](const auto& values) {
                    split_below(block, rows, column, asked, next, values, threads, result);
                },
                raw_[column].values);
        } else if (table_[column].has_many_choices && asked.kind != Kind::is_missing) {
            split_by_choice(block, rows, column, result);
        } else {
            split_by_bin(block, rows, column, result);
        }
        return result;
    }

  private:
    /// The first bin with rows behind a cut between bins; none for a cut inside a bin.
    static std::size_t next_bin(const Histogram<Statistic>& histogram, const Statistic& statistic,
                                std::size_t column, const Cut& cut) {
        if (cut.level != Cut::Level::bin) return n_bins;
        for (std::size_t bin = cut.bin + 1U; bin < n_bins; ++bin) {
            Sums sums(statistic.n_parts());
            statistic.accumulate(sums, histogram.bin(column, bin));
            if (sums.rows > 0) return bin;
        }
        return n_bins;
    }

    template <class Value>
    static bool is_at_most(Value value, const Cut& cut) {
        if constexpr (std::is_same_v<Value, std::int64_t>)
            return value <= cut.integer;
        else
            return static_cast<double>(value) <= cut.value;
    }

    template <class Value>
    void split_below(const Block<Statistic>& block, std::span<LocalRow> rows, std::size_t column,
                     const Finalist& asked, std::size_t next, const Strided<Value>& values,
                     Threads* threads, Split& result) {
        const std::uint8_t* bins = block.bins[column];
        const std::uint8_t* steps = table_[column].steps;
        const Cut cut = asked.cut;
        const auto missing_side = static_cast<std::size_t>(asked.missing == 1 ? 1 : 0);
        const auto near_cut = [&](LocalRow row, std::size_t bin, Neighbours<Value>& near) {
            const Row table_row = block.table_row(row);
            const int step = steps[table_row];
            const Value value = values[table_row];
            bool is_below = bin == cut.bin;
            if (is_below && cut.level == Cut::Level::step) is_below = step <= cut.step;
            if (is_below && cut.level == Cut::Level::value)
                is_below = step < cut.step || (step == cut.step && is_at_most(value, cut));
            if (is_below)
                near.below(step, value);
            else
                near.above(step, value);
            return static_cast<std::size_t>(is_below ? 0 : 1);
        };
        const std::size_t n_parts = threads == nullptr ? 1 : threads->count();
        std::vector<Neighbours<Value>> near(n_parts);
        std::vector<std::size_t> begin(n_parts + 1);
        std::vector<std::size_t> n_first(n_parts);
        for (std::size_t part = 0; part <= n_parts; ++part)
            begin[part] = rows.size() * part / n_parts;
        spare_.resize(std::max(spare_.size(), rows.size()));
        const auto work = [&](std::size_t part) {
            const std::size_t count = begin[part + 1] - begin[part];
            n_first[part] = part_in_two(rows.subspan(begin[part], count),
                                        std::span(spare_).subspan(begin[part], count),
                                        [&](LocalRow row) -> std::size_t {
                                            const std::size_t bin = bins[row];
                                            if (bin == cut.bin || bin == next)
                                                return near_cut(row, bin, near[part]);
                                            if (bin == 0) return missing_side;
                                            return bin > cut.bin ? 1 : 0;
                                        });
        };
        if (threads == nullptr)
            work(0);
        else
            threads->parallel_for(n_parts, work);
        join(rows, begin, n_first, result);
        for (std::size_t part = 1; part < n_parts; ++part) near[0].merge(near[part]);
        result.question.pivot = pivot_between(kept(near[0].low), kept(near[0].high));
    }

    /// Bring the first answers of all parts to the front, and their second answers behind.
    void join(std::span<LocalRow> rows, const std::vector<std::size_t>& begin,
              const std::vector<std::size_t>& n_first, Split& result) const {
        std::size_t at = n_first[0];
        for (std::size_t part = 1; part < n_first.size(); ++part) {
            const auto from = rows.begin() + static_cast<std::ptrdiff_t>(begin[part]);
            std::copy(from, from + static_cast<std::ptrdiff_t>(n_first[part]),
                      rows.begin() + static_cast<std::ptrdiff_t>(at));
            at += n_first[part];
        }
        result.bounds = {0, at, rows.size()};
        for (std::size_t part = 0; part < n_first.size(); ++part) {
            const std::size_t count = begin[part + 1] - begin[part] - n_first[part];
            const auto from = spare_.begin() + static_cast<std::ptrdiff_t>(begin[part]);
            std::copy(from, from + static_cast<std::ptrdiff_t>(count),
                      rows.begin() + static_cast<std::ptrdiff_t>(at));
            at += count;
        }
    }

    void split_by_bin(const Block<Statistic>& block, std::span<LocalRow> rows, std::size_t column,
                      Split& result) const {
        const Question& question = result.question;
        std::array<std::int32_t, n_bins> answer_of_bin{};
        answer_of_bin[0] = question.missing;
        if (question.kind == Kind::is_missing)
            std::fill(answer_of_bin.begin() + 1, answer_of_bin.end(), 1);
        for (std::size_t i = 0; i < question.choices.size(); ++i)
            answer_of_bin[static_cast<std::size_t>(question.choices[i]) + 1] = question.answers[i];
        std::vector<std::int32_t> answer_of(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            answer_of[i] = answer_of_bin[block.bins[column][rows[i]]];
        result.bounds = put_in_order(rows, answer_of, question.n_answers());
    }

    void split_by_choice(const Block<Statistic>& block, std::span<LocalRow> rows,
                         std::size_t column, Split& result) const {
        const Question& question = result.question;
        const auto& values = std::get<Strided<std::int32_t>>(raw_[column].values);
        std::vector<std::int32_t> answer_of_choice(raw_[column].n_choices);
        for (std::size_t i = 0; i < question.choices.size(); ++i)
            answer_of_choice[static_cast<std::size_t>(question.choices[i])] = question.answers[i];
        std::vector<std::int32_t> answer_of(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::int32_t choice = values[block.table_row(rows[i])];
            answer_of[i] = is_missing(choice) ? question.missing
                                              : answer_of_choice[static_cast<std::size_t>(choice)];
        }
        result.bounds = put_in_order(rows, answer_of, question.n_answers());
    }

    const CoarseTable& table_;
    std::span<const RawColumn> raw_;
    std::vector<LocalRow> spare_;
};

}  // namespace bough
