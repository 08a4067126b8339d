// The best query of a node by looking at every cut of every column, in exact arithmetic: the
// oracle of the fast search, and the judge where that cannot tell.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "grow.hpp"
#include "query_limits.hpp"
#include "summary.hpp"

namespace bough {

/// What a query gains at a node of this weight, in a unit of which this is the exponent.
struct Gain {
    double value = 0;
    double weight = 0;
    int unit = 0;
};

struct Found {
    Question question;
    Gain gain;
};

/// One node, seen from near the mean of its labels; outputs that do not differ there say nothing
/// of the unit in which it adds up the others.
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
          impurity_(impurity_of<Criterion>(fixed, rows, summary)),
          scorer_(labels_, tally_, impurity_.value, by_ratio, bounds) {
        if (impurity_.value.high != 0) labels_.set_common_unit(impurity_.unit, Criterion::degree);
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
    /// A gain of the node, as its scorer gives them.
    [[nodiscard]] Gain gain(double value) const {
        return {value, to_double(tally_.weight), scorer_.unit()};
    }

  private:
    Labels labels_;
    Tally<typename Labels::Cell> tally_;
    Amount impurity_;
    NodeScorer<Criterion> scorer_;
};

// What follows is compiled in `exact_query.cpp`, for each criterion once.

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
template <class Criterion>
std::optional<Found> exact_search(const FixedLabels<typename Criterion::Labels>& fixed,
                                  const auto& columns, std::span<const Row> rows,
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
