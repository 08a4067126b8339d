// Exact arithmetic where doubles cannot tell: between the few queries that may be the best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "exact_query.hpp"
#include "finalist.hpp"

namespace bough {

/// The answer of each row of a node to a query, in the order of the rows.
using Answers = std::vector<std::uint32_t>;

/// Writes the answers of all rows of a node to a query.
using AnswersTo = std::function<void(const Finalist&, Answers&)>;

/// No more queries than this are worth scoring one by one; the exact search looks at all.
constexpr std::size_t most_judged = 64;

/// Queries that part the rows of a node alike: they are tied, and that needs no arithmetic.
struct Alike {
    Answers answers;
    std::size_t n_answers;
    Candidate scored;
};

/// The kinds of some queries, and which kind each of them is of.
struct Kinds {
    std::vector<Alike> all;
    std::vector<std::size_t> of_query;
};

/// `answers_to(query, answers)` writes the answers of all rows, of which there are so many.
Kinds kinds_of(const auto& queries, std::size_t n_rows, const auto& answers_to) {
    Kinds kinds;
    for (const auto& query : queries) {
        Answers answers(n_rows);
        answers_to(query, answers);
        const std::size_t n_answers = query.n_answers();
        if (n_answers == 2 && answers.front() == 1)  // of two answers either may come first
            for (std::uint32_t& answer : answers) answer = 1 - answer;
        const auto same = std::ranges::find_if(kinds.all, [&](const Alike& kind) {
            return kind.n_answers == n_answers && kind.answers == answers;
        });
        kinds.of_query.push_back(static_cast<std::size_t>(same - kinds.all.begin()));
        if (same == kinds.all.end()) kinds.all.push_back({std::move(answers), n_answers, {}});
    }
    return kinds;
}

/// Judges queries of one node, by the function that scores every query; compiled in
/// `exact_query.cpp`.
template <class Criterion>
class Judge {
  public:
    using Labels = typename Criterion::Labels;

    Judge(const FixedLabels<Labels>& fixed, std::span<const Row> rows, bool by_ratio)
        : fixed_(fixed), rows_(rows), by_ratio_(by_ratio) {}

    /// The place of the query to ask among the finalists.
    [[nodiscard]] std::size_t winner(std::span<const Finalist> finalists, const AnswersTo& answers);
    [[nodiscard]] Gain gain(const Finalist& finalist, const AnswersTo& answers);

  private:
    const NodeScorer<Criterion>& scorer();
    void score(Alike& alike);

    const FixedLabels<Labels>& fixed_;
    std::span<const Row> rows_;
    bool by_ratio_;
    std::unique_ptr<ExactNode<Criterion>> node_;  // worked out when it is needed
};

/// What a contest decides in doubles, or else exact arithmetic between the few queries that may be
/// the best; none where there are too many, and a few more than eight if a finer grid may do.
template <class Criterion>
std::optional<Finalist> decided(Contest& contest,
                                const FixedLabels<typename Criterion::Labels>& fixed,
                                bool may_have_finer_grid, const auto& rows_of,
                                const AnswersTo& answers) {
    if (auto winner = contest.winner()) return winner;
    std::vector<Finalist> finalists = contest.finalists();
    const std::size_t most = may_have_finer_grid ? 8 : most_judged;
    if (contest.has_given_up() || finalists.size() > most) return std::nullopt;
    const auto& rows = rows_of();
    Judge<Criterion> judge(fixed, rows, contest.is_by_ratio());
    return std::move(finalists[judge.winner(finalists, answers)]);
}

}  // namespace bough
