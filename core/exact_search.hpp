// The best query of a node by looking at every cut of every column, in exact arithmetic: the
// oracle of the fast search, and the judge where that cannot tell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "random_draws.hpp"
#include "search.hpp"
#include "summary.hpp"

namespace bough {

/// A question and its gain, in units of the labels' grid, at a node of this weight.
struct Found {
    Question question;
    double gain = 0;
    double weight = 0;
};

/// The question of a candidate; its codes are ranks among the values of `column`.
inline Question question_of(const Candidate& candidate, const Column& column) {
    Question question = question_of(candidate);
    if (candidate.kind == Kind::below)
        question.pivot = std::visit(
            [&](const auto& values) {
                return pivot_between(values[candidate.low - 1], values[candidate.high - 1]);
            },
            column.values);
    return question;
}

/// One node, seen from near the mean of its labels.
template <class Criterion>
class ExactNode {
  public:
    using Labels = typename Criterion::Labels;

    ExactNode(const FixedLabels<Labels>& fixed, std::span<const Row> rows,
              const Summary<Labels>& summary, bool by_ratio, const LevelBounds& bounds = {})
        : labels_(fixed.view()),
          tally_(summary.tally),
          impurity_(exact_impurity(fixed, rows, summary)),
          scorer_(labels_, tally_, impurity_, by_ratio, bounds) {
        if constexpr (std::is_same_v<Criterion, SquaredError>) {
            for (std::size_t output = 0; output < labels_.n_outputs(); ++output) {
                const Twofold mean = to_twofold(tally_.cells[output]) / to_twofold(tally_.weight);
                const Int128 centre =
                    static_cast<Int128>(mean.high) + static_cast<Int128>(mean.low);
                labels_.centre[output] = centre;
                tally_.cells[output] -= product(centre, tally_.weight);
            }
        }
    }
    ExactNode(const ExactNode&) = delete;
    ExactNode& operator=(const ExactNode&) = delete;

    [[nodiscard]] const NodeScorer<Criterion>& scorer() const { return scorer_; }

  private:
    /// With all its digits where it follows from sums.
    static Twofold exact_impurity(const FixedLabels<Labels>& fixed, std::span<const Row> rows,
                                  const Summary<Labels>& summary) {
        if constexpr (follows_from_sums<Criterion>)
            return summary.template exact_impurity<Criterion>(fixed.view());
        else
            return Twofold(impurity_of<Criterion>(fixed, rows, summary));
    }

    Labels labels_;
    Tally<typename Labels::Cell> tally_;
    Twofold impurity_;
    NodeScorer<Criterion> scorer_;
};

/// Search one node of the columns, each of which `encoded` takes, on this thread; none where there
/// is no admissible query. The node draws its columns by `chance`, at least as many that tell its
/// rows apart, or asks about all.
template <class Criterion, class Columns>
std::optional<Found> exact_search(const FixedLabels<typename Criterion::Labels>& fixed,
                                  const Columns& columns, std::span<const Row> rows,
                                  const Limits& limits, const Settings& settings,
                                  std::uint64_t chance, const LevelBounds& bounds,
                                  const Cancel& cancel) {
    Summary<typename Criterion::Labels> summary(fixed.view());
    summary.add(fixed, rows);
    const ExactNode<Criterion> node(fixed, rows, summary, limits.by_ratio, bounds);
    ColumnSearch<Criterion> search(limits, cancel);
    std::vector<std::vector<Candidate>> by_column;
    bool any = false;
    std::size_t n_drawn = 0;
    const std::size_t most = settings.max_features;
    DrawnColumns drawn(settings.column_numbers, most > 0 ? columns.size() : 0, chance);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::size_t i = most > 0 ? drawn.take() : k;
        cancel.check();
        const Column column = encoded(columns[i], rows, cancel);
        auto result = search.run(column, static_cast<std::int32_t>(i), node.scorer(), rows,
                                 settings.column_numbers.chance(chance, i));
        if (!result.tells_apart) continue;
        any = any || !result.finalists.empty();
        by_column.push_back(std::move(result.finalists));
        if (most > 0 && ++n_drawn >= most && any) break;
    }
    if (!any) return std::nullopt;
    Candidate best = node.scorer().choose(std::move(by_column));
    const double gain = best.gain;
    const Column column = encoded(columns[static_cast<std::size_t>(best.column)], rows, cancel);
    return Found{question_of(best, column), gain, to_double(summary.tally.weight)};
}

}  // namespace bough
