// Growing the whole subtree of a small node from sorted lists of its rows, one list per column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "choice_search.hpp"
#include "exact_search.hpp"
#include "finalist.hpp"
#include "rows.hpp"
#include "runner.hpp"
#include "sort.hpp"

namespace bough {

/// What growing a small node needs to know of the table.
template <class Criterion>
struct ListContext {
    std::span<const RawColumn> raw;
    const Settings& settings;
    const FixedLabels<typename Criterion::Labels>& fixed;
    const Limits& limits;
    double table_rows;
    const Cancel& cancel;
};

// The lists of a node lie at the same place in every column, sorted by value, missing rows first:
//
//     column 0   |  node A: 3 1 4  |  node B: 0 2  |      an entry is rank << 16 | local row
//     column 1   |  node A: 1 4 3  |  node B: 2 0  |
//
// Splitting a node parts each of its lists in two and keeps their order, so nothing is sorted
// twice.
template <class Criterion, class Statistic>
class ListGrower {
  public:
    using Label = typename Statistic::Label;
    static constexpr std::size_t most_rows = 1 << 16;

    ListGrower(const ListContext<Criterion>& context, const Statistic& statistic)
        : context_(context),
          statistic_(statistic),
          choices_(statistic, context.limits),
          nothing_(statistic.n_parts()),
          missing_(statistic.n_parts()) {}

    /// Grow below the last of the stems; `rows` are its rows, put in the order of the leaves.
    void grow(std::span<Row> rows, std::vector<Stem>& stems, std::size_t stem) {
        begin_ = stems[stem].begin;
        rows_.assign(rows.begin(), rows.end());
        out_ = rows;
        stems_ = &stems;
        fetch_labels();
        sort_columns();
        waiting_.assign(1, {0, rows.size(), stem});
        while (!waiting_.empty()) {
            const Segment segment = waiting_.back();
            waiting_.pop_back();
            grow_one(segment);
        }
    }

  private:
    using Entry = std::uint32_t;

    /// A node: where its entries lie in every list.
    struct Segment {
        std::size_t begin;
        std::size_t end;
        std::size_t stem;
    };

    // --- lists ---------------------------------------------------------------------------------

    void fetch_labels() {
        labels_.resize(rows_.size());
        if constexpr (std::is_same_v<Statistic, LabelSums>) {
            statistic_.quantise(
                rows_.size(), [&](std::size_t i) { return context_.fixed.number(0, rows_[i]); },
                labels_);
        } else {
            for (std::size_t i = 0; i < rows_.size(); ++i)
                labels_[i] = static_cast<Label>(context_.fixed.view().codes[rows_[i]]);
        }
    }

    void sort_columns() {
        const std::size_t n = rows_.size();
        lists_.resize(std::max(lists_.size(), n * context_.raw.size()));
        sides_.resize(std::max(sides_.size(), n));
        spare_.resize(std::max(spare_.size(), n));
        for (std::size_t i = 0; i < context_.raw.size(); ++i) {
            context_.cancel.check();
            std::visit([&](const auto& values) { sort_column(values, list(i)); },
                       context_.raw[i].values);
        }
    }

    template <class Value>
    void sort_column(const Strided<Value>& values, Entry* list) {
        keyed_.clear();
        std::uint64_t highest = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Value value = values[rows_[i]];
            // A missing value's key is below all others.
            const std::uint64_t key = is_missing(value) ? 0 : order_key(kept(value));
            keyed_.push_back({key, static_cast<std::uint32_t>(i)});
            highest = std::max(highest, key);
        }
        sort_by_key(keyed_, highest, context_.cancel);
        Entry rank = keyed_[0].key == 0 ? 0 : 1;
        for (std::size_t i = 0; i < keyed_.size(); ++i) {
            if (i > 0 && keyed_[i].key != keyed_[i - 1].key) ++rank;
            list[i] = rank << 16 | keyed_[i].row;
        }
    }

    [[nodiscard]] Entry* list(std::size_t column) { return lists_.data() + column * rows_.size(); }
    static std::size_t row_of(Entry entry) { return entry & 0xffff; }
    static Entry rank_of(Entry entry) { return entry >> 16; }

    // --- one node ------------------------------------------------------------------------------

    void grow_one(const Segment& segment) {
        context_.cancel.check();
        const std::size_t n = segment.end - segment.begin;
        if (!context_.settings.may_split(n, (*stems_)[segment.stem].depth) || is_pure(segment))
            return finish(segment);
        const Sums sums = sums_of(segment);
        if (!Fast<Criterion>::can_tell(sums)) return ask_exact_search(segment);
        Podium podium(Fast<Criterion>::tolerance(sums, statistic_.is_exact()));
        for (std::size_t column = 0; column < context_.raw.size(); ++column)
            scan(column, segment, sums, podium);
        if (podium.is_empty()) return finish(segment);
        const auto winner = podium.winner();
        if (winner && context_.settings.min_impurity_decrease <= 0)
            split(segment, *winner);
        else
            ask_exact_search(segment);
    }

    [[nodiscard]] bool is_pure(const Segment& segment) {
        const Entry* entries = list(0);
        const auto differs = [&](std::size_t i) {
            if constexpr (std::is_same_v<Statistic, LabelSums>)
                return context_.fixed.number(0, rows_[row_of(entries[i])]) !=
                       context_.fixed.number(0, rows_[row_of(entries[segment.begin])]);
            else
                return labels_[row_of(entries[i])] != labels_[row_of(entries[segment.begin])];
        };
        for (std::size_t i = segment.begin + 1; i < segment.end; ++i)
            if (differs(i)) return false;
        return true;
    }

    [[nodiscard]] Sums sums_of(const Segment& segment) {
        std::vector<typename Statistic::Cell> cell(statistic_.width());
        const Entry* entries = list(0);
        for (std::size_t i = segment.begin; i < segment.end; ++i)
            Statistic::add(cell.data(), labels_[row_of(entries[i])]);
        Sums sums(statistic_.n_parts());
        statistic_.accumulate(sums, cell.data());
        return sums;
    }

    /// Leave a node as it is, its rows in their place.
    void finish(const Segment& segment) {
        const Entry* entries = list(0);
        for (std::size_t i = segment.begin; i < segment.end; ++i)
            out_[i] = rows_[row_of(entries[i])];
    }

    // --- the search ----------------------------------------------------------------------------

    void scan(std::size_t column, const Segment& segment, const Sums& sums, Podium& podium) {
        const std::span<const Entry> entries(list(column) + segment.begin,
                                             segment.end - segment.begin);
        if (rank_of(entries.front()) == rank_of(entries.back())) return;
        const std::size_t n_missing = sum_missing(entries);
        if (context_.raw[column].is_choice)
            return scan_choices(column, entries.subspan(n_missing), sums, podium);
        if (n_missing > 0) {
            choices_.offer_missing(sums, missing_, column, podium);
            scan_pivots(column, entries, n_missing, missing_, 0, sums, podium);
            scan_pivots(column, entries, n_missing, nothing_, 1, sums, podium);
        } else {
            scan_pivots(column, entries, 0, nothing_, stop, sums, podium);
        }
    }

    std::size_t sum_missing(std::span<const Entry> entries) {
        missing_.rows = 0;
        std::fill(missing_.parts.begin(), missing_.parts.end(), 0.0);
        std::size_t n_missing = 0;
        if (rank_of(entries.front()) != 0) return 0;
        std::vector<typename Statistic::Cell> cell(statistic_.width());
        while (rank_of(entries[n_missing]) == 0)
            Statistic::add(cell.data(), labels_[row_of(entries[n_missing++])]);
        statistic_.accumulate(missing_, cell.data());
        return n_missing;
    }

    void scan_pivots(std::size_t column, std::span<const Entry> entries, std::size_t n_missing,
                     const Sums& moved, std::int32_t side, const Sums& sums, Podium& podium) {
        runner_.start(sums, moved);
        const auto least_rows = static_cast<std::int64_t>(std::ceil(context_.limits.least()));
        const auto all = static_cast<std::int64_t>(entries.size());
        auto before = static_cast<std::int64_t>(moved.rows);
        double least = podium.cutoff();
        for (std::size_t i = n_missing; i + 1 < entries.size(); ++i) {
            runner_.take(labels_[row_of(entries[i])]);
            ++before;
            if (rank_of(entries[i]) == rank_of(entries[i + 1]) || before < least_rows) continue;
            if (all - before < least_rows) break;
            if (!runner_.reaches(before, least)) continue;
            Finalist found(column, Kind::below, side, runner_.gain(before));
            found.place = static_cast<double>(i + 1 - n_missing);
            podium.offer(std::move(found));
            least = podium.cutoff();
        }
    }

    void scan_choices(std::size_t column, std::span<const Entry> entries, const Sums& sums,
                      Podium& podium) {
        choices_.start();
        for (std::size_t i = 0; i < entries.size();) {
            std::vector<typename Statistic::Cell> cell(statistic_.width());
            const std::size_t first = i;
            for (; i < entries.size() && rank_of(entries[i]) == rank_of(entries[first]); ++i)
                Statistic::add(cell.data(), labels_[row_of(entries[i])]);
            Sums of_value(statistic_.n_parts());
            statistic_.accumulate(of_value, cell.data());
            choices_.add(choice_of(column, entries[first]), std::move(of_value));
        }
        choices_.scan(sums, missing_, column, statistic_.is_exact(), podium);
    }

    [[nodiscard]] std::int32_t choice_of(std::size_t column, Entry entry) const {
        return std::get<Strided<std::int32_t>>(context_.raw[column].values)[rows_[row_of(entry)]];
    }

    // --- splitting -----------------------------------------------------------------------------

    void split(const Segment& segment, const Finalist& asked) {
        Question question;
        question.column = asked.column;
        question.kind = asked.kind;
        question.missing = asked.missing;
        question.choices = asked.choices;
        question.answers = asked.answers;
        if (asked.kind == Kind::below) question.pivot = pivot(segment, asked);
        split(segment, std::move(question));
    }

    [[nodiscard]] Pivot pivot(const Segment& segment, const Finalist& asked) {
        const auto column = static_cast<std::size_t>(asked.column);
        const Entry* entries = list(column) + segment.begin;
        std::size_t place = static_cast<std::size_t>(asked.place);
        for (const Entry* entry = entries; rank_of(*entry) == 0; ++entry) ++place;
        const Row low = rows_[row_of(entries[place - 1])];
        const Row high = rows_[row_of(entries[place])];
        return std::visit(
            [&](const auto& values) {
                return pivot_between(kept(values[low]), kept(values[high]));
            },
            context_.raw[column].values);
    }

    /// Where doubles cannot tell, exact arithmetic does.
    void ask_exact_search(const Segment& segment) {
        std::vector<Row> rows;
        const Entry* entries = list(0);
        for (std::size_t i = segment.begin; i < segment.end; ++i)
            rows.push_back(rows_[row_of(entries[i])]);
        auto found = exact_search<Criterion>(context_.fixed, context_.raw, rows, context_.limits,
                                             context_.cancel);
        if (!found) return finish(segment);
        const double share = static_cast<double>(rows.size()) / context_.table_rows;
        const double decrease = scaled(found->gain * share, 2 * context_.fixed.label_exponent());
        if (!context_.settings.decreases_enough(decrease)) return finish(segment);
        split(segment, std::move(found->question));
    }

    void split(const Segment& segment, Question&& question) {
        const std::size_t n_answers = question.n_answers();
        const std::vector<std::size_t> bounds = mark_sides(segment, question, n_answers);
        Stem& parent = (*stems_)[segment.stem];
        const std::int64_t depth = parent.depth + 1;
        const std::size_t first = stems_->size();
        parent.question = std::move(question);
        parent.first_child = first;
        for (std::size_t answer = 0; answer < n_answers; ++answer) {
            Stem child;
            child.begin = begin_ + bounds[answer];
            child.end = begin_ + bounds[answer + 1];
            child.depth = depth;
            stems_->push_back(std::move(child));
        }
        for (std::size_t column = 0; column < context_.raw.size(); ++column)
            part_list(list(column), segment, bounds, n_answers);
        for (std::size_t answer = n_answers; answer-- > 0;)
            waiting_.push_back({bounds[answer], bounds[answer + 1], first + answer});
    }

    /// Note each row's answer; return where each answer's entries will begin.
    std::vector<std::size_t> mark_sides(const Segment& segment, const Question& question,
                                        std::size_t n_answers) {
        std::vector<std::size_t> bounds(n_answers + 1, segment.begin);
        const auto column = static_cast<std::size_t>(question.column);
        const Entry* entries = list(column);
        std::visit(
            [&](const auto& values) {
                using Value = std::decay_t<decltype(values[0])>;
                using Asked = std::conditional_t<std::is_same_v<Value, float>, double, Value>;
                const auto query = query_for<Asked>(question);
                for (std::size_t i = segment.begin; i < segment.end; ++i) {
                    const std::size_t row = row_of(entries[i]);
                    const std::int32_t side = answer(query, static_cast<Asked>(values[rows_[row]]));
                    sides_[row] = static_cast<std::uint16_t>(side);
                    ++bounds[static_cast<std::size_t>(side) + 1];
                }
            },
            context_.raw[column].values);
        for (std::size_t i = 0; i < n_answers; ++i) bounds[i + 1] += bounds[i] - segment.begin;
        return bounds;
    }

    void part_list(Entry* entries, const Segment& segment, const std::vector<std::size_t>& bounds,
                   std::size_t n_answers) {
        if (n_answers == 2) {
            std::size_t first = segment.begin;
            std::size_t second = 0;
            for (std::size_t i = segment.begin; i < segment.end; ++i) {
                const Entry entry = entries[i];
                const std::size_t side = sides_[row_of(entry)];
                entries[first] = entry;
                spare_[second] = entry;
                first += 1 - side;
                second += side;
            }
            std::copy(spare_.begin(), spare_.begin() + static_cast<std::ptrdiff_t>(second),
                      entries + first);
            return;
        }
        std::vector<std::size_t> next(bounds.begin(), bounds.end() - 1);
        for (std::size_t i = segment.begin; i < segment.end; ++i)
            spare_[next[sides_[row_of(entries[i])]]++ - segment.begin] = entries[i];
        std::copy(spare_.begin(),
                  spare_.begin() + static_cast<std::ptrdiff_t>(segment.end - segment.begin),
                  entries + segment.begin);
    }

    ListContext<Criterion> context_;
    Statistic statistic_;
    ChoiceSearch<Criterion, Statistic> choices_;
    Runner<Criterion, Statistic> runner_;
    Sums nothing_;
    Sums missing_;
    std::size_t begin_ = 0;
    std::span<Row> out_;
    std::vector<Stem>* stems_ = nullptr;
    std::vector<Row> rows_;
    std::vector<Label> labels_;
    std::vector<Entry> lists_;
    std::vector<std::uint16_t> sides_;
    std::vector<Entry> spare_;
    std::vector<Keyed<std::uint64_t>> keyed_;
    std::vector<Segment> waiting_;
};

}  // namespace bough
