// Splitting the rows of a node by their coarse codes, and finding the pivot on the way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "finalist.hpp"
#include "histogram.hpp"
#include "row_block.hpp"
#include "rows.hpp"
#include "threads.hpp"

namespace bough {

/// A node's rows after a split: what was asked, and where each answer's rows begin.
struct Split {
    Question question;
    std::vector<std::size_t> bounds;
};

/// Put the rows of two answers in order, keeping each answer's order. `side(row)` is 0 or 1.
std::size_t part_in_two(std::span<LocalRow> rows, std::span<LocalRow> spare, const auto& side) {
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
    int high_step = std::numeric_limits<int>::max();
    Value low{};
    Value high{};

    void below(int step, const auto& read) {
        if (step < low_step) return;
        const Value value = read();
        if (step > low_step || value > low) low = value;
        low_step = step;
    }
    void above(int step, const auto& read) {
        if (step > high_step) return;
        const Value value = read();
        if (step < high_step || value < high) high = value;
        high_step = step;
    }
    [[nodiscard]] bool has_low() const { return low_step >= 0; }
    [[nodiscard]] bool has_high() const { return high_step < std::numeric_limits<int>::max(); }
    void merge(const Neighbours& other) {
        if (other.has_low()) below(other.low_step, [&] { return other.low; });
        if (other.has_high()) above(other.high_step, [&] { return other.high; });
    }
};

template <class Statistic>
class FastSplitter {
  public:
    FastSplitter(const CoarseTable& table, std::span<const RawColumn> raw)
        : table_(table), raw_(raw) {}

    /// Split rows by a question whose pivot is known.
    Split split(const Block<Statistic>& block, std::span<LocalRow> rows, Question&& question,
                Threads& threads) {
        Split result{std::move(question), {}};
        const auto column = static_cast<std::size_t>(result.question.column);
        use_values(raw_[column], [&]<class Values>(const Values& values) {
            const auto query = query_for<typename Values::Value>(result.question);
            split_in_many(
                rows, result.question.n_answers(),
                [&](LocalRow row) {
                    const auto value = values[block.table_row(row)];
                    return static_cast<std::size_t>(bough::answer(query, value));
                },
                threads, result);
        });
        return result;
    }

    /// Split rows by a query.
    Split split(const Block<Statistic>& block, std::span<LocalRow> rows,
                const Histogram<Statistic>& histogram, const Finalist& asked, Threads& threads) {
        Split result;
        const auto column = static_cast<std::size_t>(asked.column);
        result.question = question_of(asked);
        if (asked.kind == Kind::below) {
            const std::size_t next = next_bin(histogram, block.counts, column, asked.cut);
            use_values(raw_[column], [&](const auto& values) {
                split_below(block, rows, column, asked, next, values, threads, result);
            });
        } else if (table_[column].has_many_choices) {
            use_choices(raw_[column], [&](const auto& choices) {
                split_by_code(
                    rows, raw_[column].n_choices + 1,
                    [&](LocalRow row) {
                        return static_cast<std::size_t>(choices[block.table_row(row)] + 1);
                    },
                    threads, result);
            });
        } else {
            const std::uint8_t* bins = block.bins[column];
            split_by_code(rows, n_bins, [&](LocalRow row) { return bins[row]; }, threads, result);
        }
        return result;
    }

    /// Write the answers of some rows to a query.
    void answer(const Block<Statistic>& block, std::span<const LocalRow> rows,
                const Finalist& asked, std::span<std::uint32_t> answers) const {
        const auto column = static_cast<std::size_t>(asked.column);
        const std::uint8_t* bins = block.bins[column];
        const std::uint8_t* steps = block.steps(column);
        const auto write = [&](const auto& answer_of) {
            for (std::size_t i = 0; i < rows.size(); ++i)
                answers[i] = static_cast<std::uint32_t>(answer_of(rows[i]));
        };
        if (asked.kind == Kind::below) {
            use_values(raw_[column], [&](const auto& values) {
                write([&](LocalRow row) {
                    if (bins[row] == 0) return asked.missing;
                    const auto value = [&] { return values[block.table_row(row)]; };
                    return is_before(asked.cut, bins[row], steps[row], value) ? 0 : 1;
                });
            });
        } else if (table_[column].has_many_choices) {
            const AnswersOfCodes of_code(asked, raw_[column].n_choices + 1, rows.size());
            use_choices(raw_[column], [&](const auto& choices) {
                write([&](LocalRow row) {
                    return of_code[static_cast<std::size_t>(choices[block.table_row(row)] + 1)];
                });
            });
        } else {
            const AnswersOfCodes of_code(asked, n_bins, rows.size());
            write([&](LocalRow row) { return of_code[bins[row]]; });
        }
    }

  private:
    /// The first bin with rows behind a cut between bins; none for a cut inside a bin.
    static std::size_t next_bin(const Histogram<Statistic>& histogram,
                                const Counts<Statistic>& counts, std::size_t column,
                                const Cut& cut) {
        if (cut.level != Cut::Level::bin) return n_bins;
        for (std::size_t bin = cut.bin + 1U; bin < n_bins; ++bin) {
            if (counts[0].rows(histogram.bin(column, bin)) > 0) return bin;
        }
        return n_bins;
    }

    /// Whether a known value lies before a cut; `value()` reads it, where its codes do not tell.
    static bool is_before(const Cut& cut, std::size_t bin, int step, const auto& value) {
        if (bin != cut.bin) return bin < cut.bin;
        if (cut.level == Cut::Level::bin) return true;
        if (step != cut.step || cut.level == Cut::Level::step) return step <= cut.step;
        if constexpr (std::is_same_v<decltype(value()), std::int64_t>)
            return value() <= cut.integer;
        else
            return static_cast<double>(value()) <= cut.value;
    }

    template <class Values>
    void split_below(const Block<Statistic>& block, std::span<LocalRow> rows, std::size_t column,
                     const Finalist& asked, std::size_t next, const Values& values,
                     Threads& threads, Split& result) {
        using Near = Neighbours<typename Values::Value>;
        const std::uint8_t* bins = block.bins[column];
        const std::uint8_t* steps = block.steps(column);
        const Cut cut = asked.cut;
        const auto missing_side = static_cast<std::size_t>(asked.missing == 1 ? 1 : 0);
        const auto near_cut = [&](LocalRow row, std::size_t bin, Near& near) {
            const bool is_known = bin == cut.bin ? near.has_low() : near.has_high();
            if (is_known && table_[column].is_single[bin] != 0)
                return static_cast<std::size_t>(bin == cut.bin ? 0 : 1);
            const int step = steps[row];
            const auto value = [&] { return values[block.table_row(row)]; };
            const bool is_below = is_before(cut, bin, step, value);
            if (is_below)
                near.below(step, value);
            else
                near.above(step, value);
            return static_cast<std::size_t>(is_below ? 0 : 1);
        };
        std::vector<Near> near(threads.count());
        split_in_two(
            rows,
            [&](LocalRow row, std::size_t part) -> std::size_t {
                const std::size_t bin = bins[row];
                if (bin == cut.bin || bin == next) return near_cut(row, bin, near[part]);
                if (bin == 0) return missing_side;
                return bin > cut.bin ? 1 : 0;
            },
            threads, result);
        for (std::size_t part = 1; part < near.size(); ++part) near[0].merge(near[part]);
        if (cut.level == Cut::Level::place)
            near[0] = around<Near>(block, rows, bins, steps, values, result);
        result.question.pivot = pivot_between(near[0].low, near[0].high);
    }

    /// The nearest values on both sides of rows that are split: they may be in any bins.
    template <class Near>
    static Near around(const Block<Statistic>& block, std::span<const LocalRow> rows,
                       const std::uint8_t* bins, const std::uint8_t* steps, const auto& values,
                       const Split& split) {
        Near near;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const int code = bins[rows[i]] * static_cast<int>(n_steps) + steps[rows[i]];
            const auto value = [&] { return values[block.table_row(rows[i])]; };
            if (bins[rows[i]] == 0) continue;
            if (i < split.bounds[1])
                near.below(code, value);
            else
                near.above(code, value);
        }
        return near;
    }

    /// Part rows by `side(row, part)`, 0 or 1, a part of them on each thread.
    void split_in_two(std::span<LocalRow> rows, const auto& side, Threads& threads, Split& result) {
        const std::size_t n_parts = threads.count();
        const std::vector<std::size_t> begin = parts_of(rows.size(), n_parts);
        std::vector<std::size_t> n_first(n_parts);
        spare_.resize(std::max(spare_.size(), rows.size()));
        threads.parallel_for(n_parts, [&](std::size_t part) {
            const std::size_t count = begin[part + 1] - begin[part];
            n_first[part] = part_in_two(rows.subspan(begin[part], count),
                                        std::span(spare_).subspan(begin[part], count),
                                        [&](LocalRow row) { return side(row, part); });
        });
        join(rows, begin, n_first, result);
    }

    static std::vector<std::size_t> parts_of(std::size_t n_rows, std::size_t n_parts) {
        std::vector<std::size_t> begin(n_parts + 1);
        for (std::size_t part = 0; part <= n_parts; ++part) begin[part] = n_rows * part / n_parts;
        return begin;
    }

    /// Bring the first answers of all parts to the front, and their second answers behind.
    void join(std::span<LocalRow> rows, const std::vector<std::size_t>& begin,
              const std::vector<std::size_t>& n_first, Split& result) const {
        std::size_t at = n_first[0];
        for (std::size_t part = 1; part < n_first.size(); ++part) {
            std::ranges::copy(rows.subspan(begin[part], n_first[part]), rows.data() + at);
            at += n_first[part];
        }
        result.bounds = {0, at, rows.size()};
        for (std::size_t part = 0; part < n_first.size(); ++part) {
            const std::size_t count = begin[part + 1] - begin[part] - n_first[part];
            std::copy_n(spare_.data() + begin[part], count, rows.data() + at);
            at += count;
        }
    }

    /// Split by codes: 0 is a missing value, others are one more than the choice.
    void split_by_code(std::span<LocalRow> rows, std::size_t n_codes, const auto& code_of,
                       Threads& threads, Split& result) {
        const Question& question = result.question;
        const AnswersOfCodes answer_of_code(question, n_codes, rows.size());
        const auto answer = [&](LocalRow row) {
            return static_cast<std::size_t>(answer_of_code[code_of(row)]);
        };
        if (question.n_answers() == 2)
            split_in_two(
                rows, [&](LocalRow row, std::size_t /*part*/) { return answer(row); }, threads,
                result);
        else
            split_in_many(rows, question.n_answers(), answer, threads, result);
    }

    /// Put rows in the order of their answers, keeping each answer's order.
    void split_in_many(std::span<LocalRow> rows, std::size_t n_answers, const auto& answer,
                       Threads& threads, Split& result) {
        const std::size_t n_parts = threads.count();
        const std::vector<std::size_t> begin = parts_of(rows.size(), n_parts);
        std::vector<std::vector<std::size_t>> next(n_parts, std::vector<std::size_t>(n_answers));
        threads.parallel_for(n_parts, [&](std::size_t part) {
            for (std::size_t i = begin[part]; i < begin[part + 1]; ++i)
                ++next[part][answer(rows[i])];
        });
        std::size_t at = 0;
        for (std::size_t one = 0; one < n_answers; ++one) {
            result.bounds.push_back(at);
            for (auto& of_part : next) at += std::exchange(of_part[one], at);
        }
        result.bounds.push_back(at);
        spare_.resize(std::max(spare_.size(), rows.size()));
        threads.parallel_for(n_parts, [&](std::size_t part) {
            for (std::size_t i = begin[part]; i < begin[part + 1]; ++i)
                spare_[next[part][answer(rows[i])]++] = rows[i];
        });
        std::copy_n(spare_.begin(), rows.size(), rows.begin());
    }

    const CoarseTable& table_;
    std::span<const RawColumn> raw_;
    std::vector<LocalRow> spare_;
};

}  // namespace bough
