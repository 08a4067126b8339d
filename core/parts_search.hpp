// The best query of a node, from what the rows of all parts of a table add up to in intervals of
// each column: the exact search, whose rows are intervals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "exact_query.hpp"
#include "parts.hpp"
#include "rows.hpp"

namespace bough {

/// The intervals of a column at a node in their order, the missing values first. A choice is an
/// interval of its own, as is a value whose ends are the same.
template <class Labels>
struct IntervalColumn {
    FeatureKind kind = FeatureKind::number;
    std::vector<std::uint64_t> low;
    std::vector<std::uint64_t> high;
    std::vector<Summary<Labels>> sums;

    [[nodiscard]] std::size_t size() const { return low.size(); }
};

/// What a node asks, or which intervals it must know more of.
struct PartsFound {
    struct Interval {
        std::size_t column = 0;
        std::size_t place = 0;
    };
    std::optional<Question> question;
    std::vector<std::int64_t> rows;  // of each answer
    std::vector<Interval> alive;
};

template <class Criterion>
class PartsSearch {
  public:
    using Labels = typename Criterion::Labels;
    using Part = Tally<typename Labels::Cell>;
    using Columns = std::span<const IntervalColumn<Labels>>;

    PartsSearch(const FixedLabels<Labels>& fixed, const Summary<Labels>& summary,
                const Limits& limits, const Settings& settings, const Cancel& cancel)
        : fixed_(fixed),
          summary_(summary),
          exact_(fixed, {}, summary, limits.by_ratio),
          node_(exact_.scorer()),
          limits_(limits),
          settings_(settings),
          cancel_(cancel) {}

    /// What is asked, if anything is; where intervals may hold a better cut, these.
    PartsFound run(Columns columns) {
        PartsFound found;
        std::vector<Candidate> finalists;
        double best = -std::numeric_limits<double>::infinity();
        std::vector<double> best_of(columns.size(), best);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            for (Candidate& candidate : searched(columns[i], i)) {
                best_of[i] = std::max(best_of[i], candidate.gain);
                finalists.push_back(std::move(candidate));
            }
            best = std::max(best, best_of[i]);
        }
        for (std::size_t i = 0; i < columns.size(); ++i)
            add_alive(found.alive, columns[i], i, limits_.by_ratio ? best_of[i] : best);
        const bool any = best >= 0;
        if (!found.alive.empty() || !any) return found;
        const Candidate chosen = node_.choose(std::move(finalists));
        const double share = to_double(summary_.tally.weight) / fixed_.table_weight({});
        if (settings_.decreases_enough(scaled(chosen.gain * share, node_.unit())))
            ask(found, chosen, columns[static_cast<std::size_t>(chosen.column)]);
        return found;
    }

  private:
    /// The finalists of a column, all cuts being between intervals.
    std::vector<Candidate> searched(const IntervalColumn<Labels>& of, std::size_t number) {
        Column column;
        column.is_choice = of.kind == FeatureKind::choice;
        std::vector<Part> parts;
        for (std::size_t i = 0; i < of.size(); ++i) {
            const bool is_missing = of.low[i] == 0;
            const std::uint64_t rank = i + (of.low[0] == 0 ? 0 : 1);
            const std::uint64_t code = column.is_choice ? of.low[i] : rank;
            column.codes.push_back(is_missing ? missing_code : static_cast<std::uint32_t>(code));
            parts.push_back(centred(of.sums[i].tally));
        }
        return finalists_of(node_, column, static_cast<std::int32_t>(number), parts, limits_,
                            cancel_);
    }

    /// A tally as the node sees it: numbers as distances from its centre.
    [[nodiscard]] Part centred(const Part& tally) const {
        Part part = tally;
        if constexpr (std::is_same_v<Labels, NumberLabels>)
            for (std::size_t output = 0; output < part.cells.size(); ++output)
                part.cells[output] -= product(node_.labels().centre[output], part.weight);
        return part;
    }

    /// Add the intervals inside of which a cut may be as good as the best.
    void add_alive(std::vector<PartsFound::Interval>& alive, const IntervalColumn<Labels>& of,
                   std::size_t number, double best) const {
        if (of.kind == FeatureKind::choice) return;
        const double least = best - node_.tie() * (1 + edge_share) - node_.slack();
        Part before(node_.labels().n_cells());
        std::vector<Part> ahead{before};  // nothing, or the missing rows
        if (of.low[0] == 0) ahead.push_back(centred(of.sums[0].tally));
        for (std::size_t i = 0; i < of.size(); ++i) {
            if (of.low[i] == 0) continue;
            const Part inside = centred(of.sums[i].tally);
            const auto reaches = [&](const Part& missing) {
                Part first = before;
                first += missing;
                return bound(first, inside, of.sums[i]) >= least;
            };
            if (of.low[i] != of.high[i] && std::ranges::any_of(ahead, reaches))
                alive.push_back({number, i});
            before += inside;
        }
    }

    /// What no cut inside an interval gains more than. The remainder is a concave function of the
    /// rows before the cut, so that it is least where all rows of some classes are before it, and
    /// none of the others; where there are many classes, or numbers: if the interval were pure.
    [[nodiscard]] double bound(const Part& before, const Part& inside,
                               const Summary<Labels>& sums) const {
        Part upto = before;
        upto += inside;
        Part behind;
        behind.cells.resize(upto.cells.size());
        behind.set_difference(node_.tally(), upto);
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            std::vector<std::size_t> present;
            for (std::size_t cell = 0; cell < inside.cells.size(); ++cell)
                if (inside.cells[cell] != 0) present.push_back(cell);
            if (node_.labels().n_outputs() == 1 && present.size() <= most_corners)
                return greatest_corner(before, inside, present);
        }
        std::vector<const Part*> parts;
        if (before.weight > 0) parts.push_back(&before);
        if (behind.weight > 0) parts.push_back(&behind);
        double own = 0;
        if constexpr (std::is_same_v<Labels, NumberLabels>) {
            parts.push_back(&inside);
            own = rounded(sums.template exact_cost<Criterion>(fixed_.view()).in(node_.unit()) /
                          summary_.units(fixed_.view()));
        }
        return node_.template gain<double>(parts) + own;
    }

    [[nodiscard]] double greatest_corner(const Part& before, const Part& inside,
                                         std::span<const std::size_t> present) const {
        double greatest = 0;
        for (std::size_t corner = 0; corner < (std::size_t{1} << present.size()); ++corner) {
            Part first = before;
            for (std::size_t i = 0; i < present.size(); ++i) {
                if (((corner >> i) & 1) == 0) continue;
                first.cells[present[i]] += inside.cells[present[i]];
                first.weight += inside.cells[present[i]];
            }
            Part second;
            second.cells.resize(first.cells.size());
            second.set_difference(node_.tally(), first);
            if (first.weight == 0 || second.weight == 0) continue;
            const std::array<const Part*, 2> sides{&first, &second};
            greatest = std::max(greatest, node_.template gain<double>(sides));
        }
        return greatest;
    }

    void ask(PartsFound& found, const Candidate& chosen, const IntervalColumn<Labels>& of) const {
        if (of.kind == FeatureKind::choice)
            ask_of<std::int32_t>(found, chosen, of);
        else if (of.kind == FeatureKind::integer)
            ask_of<std::int64_t>(found, chosen, of);
        else
            ask_of<double>(found, chosen, of);
    }
    template <class Value>
    void ask_of(PartsFound& found, const Candidate& chosen,
                const IntervalColumn<Labels>& of) const {
        found.question = question_of(chosen);
        if constexpr (!std::is_same_v<Value, std::int32_t>)
            if (chosen.kind == Kind::below) {
                const std::size_t high =
                    static_cast<std::size_t>(chosen.place) + (of.low[0] == 0 ? 1 : 0);
                found.question->pivot = pivot_between(value_at(of.high[high - 1], Value{}),
                                                      value_at(of.low[high], Value{}));
            }
        found.rows.assign(chosen.n_answers(), 0);
        const auto query = query_for<Value>(*found.question);
        for (std::size_t i = 0; i < of.size(); ++i)
            found.rows[static_cast<std::size_t>(answer(query, value_at(of.low[i], Value{})))] +=
                of.sums[i].tally.rows;
    }

    static constexpr std::size_t most_corners = 5;  // classes of an interval

    const FixedLabels<Labels>& fixed_;
    const Summary<Labels>& summary_;
    ExactNode<Criterion> exact_;
    const NodeScorer<Criterion>& node_;
    const Limits& limits_;
    const Settings& settings_;
    const Cancel& cancel_;
};

}  // namespace bough
