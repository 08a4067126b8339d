// The best query of a node by looking at every cut of every column, in exact arithmetic: the
// oracle of the fast search, and the judge where that cannot tell.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "grow.hpp"
#include "limits.hpp"
#include "summary.hpp"

namespace bough {

/// A question and its gain, in units of the labels' grid, at a node of this weight.
struct Found {
    Question question;
    double gain = 0;
    double weight = 0;
};

/// One node, seen from near the mean of its labels.
template <class Criterion>
class ExactNode {
  public:
    using Labels = typename Criterion::Labels;

    ExactNode(const FixedLabels<Labels>& fixed, std::span<const Row> rows, bool by_ratio,
              const LevelBounds& bounds = {})
        : ExactNode(fixed, rows, Summary<Labels>(fixed, rows), by_ratio, bounds) {}
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

// What follows is compiled in `exact_search.cpp`, for each criterion once.

/// Encodes a column of a table for the rows of a node.
using EncodeColumn = std::function<Column(std::size_t column)>;

/// Search one node, on this thread; none where there is no admissible query. The node draws its
/// columns by `chance`, at least as many that tell its rows apart, or asks about all.
template <class Criterion>
std::optional<Found> exact_search(const FixedLabels<typename Criterion::Labels>& fixed,
                                  std::size_t n_columns, const EncodeColumn& encode,
                                  std::span<const Row> rows, const Limits& limits,
                                  const Settings& settings, std::uint64_t chance,
                                  const LevelBounds& bounds, const Cancel& cancel);

/// The same for columns each of which `encoded` takes.
template <class Criterion, class Columns>
std::optional<Found> exact_search(const FixedLabels<typename Criterion::Labels>& fixed,
                                  const Columns& columns, std::span<const Row> rows,
                                  const Limits& limits, const Settings& settings,
                                  std::uint64_t chance, const LevelBounds& bounds,
                                  const Cancel& cancel) {
    const auto encode = [&](std::size_t i) { return encoded(columns[i], rows, cancel); };
    return exact_search<Criterion>(fixed, columns.size(), encode, rows, limits, settings, chance,
                                   bounds, cancel);
}

/// The queries about a column that may win at a node, whose rows with each code are summed up.
template <class Criterion>
std::vector<Candidate> finalists_of(const NodeScorer<Criterion>& node, const Column& column,
                                    std::int32_t number,
                                    std::span<const Tally<typename Criterion::Labels::Cell>> sums,
                                    const Limits& limits, const Cancel& cancel);

}  // namespace bough
