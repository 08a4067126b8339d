// Exact arithmetic where doubles cannot tell: between the few queries that may be the best.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "exact_search.hpp"
#include "finalist.hpp"

namespace bough {

/// The answer of each row of a node to a query, in the order of the rows.
using Answers = std::vector<std::uint32_t>;

/// No more queries than this are worth scoring one by one; the exact search looks at all.
constexpr std::size_t most_judged = 64;

/// Queries that part the rows of a node alike: they are tied, and that needs no arithmetic.
struct Alike {
    Answers answers;
    std::size_t n_answers;
    Candidate scored;
};

/// The place among `kinds` of queries that part the rows like this.
inline std::size_t kind_of(Answers&& answers, std::size_t n_answers, std::vector<Alike>& kinds) {
    // Of two answers either may come first.
    if (n_answers == 2 && answers.front() == 1)
        for (std::uint32_t& answer : answers) answer = 1 - answer;
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i].n_answers == n_answers && kinds[i].answers == answers) return i;
    kinds.push_back({std::move(answers), n_answers, {}});
    return kinds.size() - 1;
}

/// Judges queries of one node, by the function that scores every query.
template <class Criterion>
class Judge {
  public:
    using Labels = typename Criterion::Labels;

    Judge(const FixedLabels<Labels>& fixed, std::span<const Row> rows, bool by_ratio)
        : fixed_(fixed), rows_(rows), by_ratio_(by_ratio) {}

    /// The place of the query to ask among the finalists; `answers_to(finalist, answers)` writes
    /// the answers of all rows.
    template <class AnswersTo>
    [[nodiscard]] std::size_t winner(std::span<const Finalist> finalists,
                                     const AnswersTo& answers_to) {
        std::vector<Alike> kinds;
        std::vector<std::size_t> places;
        for (const Finalist& finalist : finalists) {
            Answers answers(rows_.size());
            answers_to(finalist, answers);
            places.push_back(kind_of(std::move(answers), finalist.n_answers(), kinds));
        }
        if (kinds.size() == 1 && !by_ratio_) return first_of(finalists);
        for (Alike& alike : kinds) score(alike);
        std::vector<std::vector<Candidate>> by_column;
        for (std::size_t i = 0; i < finalists.size(); ++i) {
            if (i == 0 || finalists[i].column != finalists[i - 1].column) by_column.emplace_back();
            Candidate candidate = kinds[places[i]].scored;
            candidate.column = finalists[i].column;
            candidate.kind = finalists[i].kind;
            candidate.low = static_cast<std::uint32_t>(finalists[i].place);
            candidate.missing = finalists[i].missing;
            candidate.first_side = finalists[i].first_side;
            candidate.number = i;
            by_column.back().push_back(std::move(candidate));
        }
        return node().scorer().choose(std::move(by_column)).number;
    }

    /// The gain of a query, in units of the labels' grid.
    template <class AnswersTo>
    [[nodiscard]] double gain(const Finalist& finalist, const AnswersTo& answers_to) {
        Alike alike{Answers(rows_.size()), finalist.n_answers(), {}};
        answers_to(finalist, alike.answers);
        score(alike);
        return alike.scored.gain;
    }
    [[nodiscard]] double weight() { return to_double(node().tally().weight); }

  private:
    static std::size_t first_of(std::span<const Finalist> finalists) {
        const auto first =
            std::min_element(finalists.begin(), finalists.end(),
                             [](const Finalist& a, const Finalist& b) { return precedes(a, b); });
        return static_cast<std::size_t>(first - finalists.begin());
    }

    /// A node, worked out when it is needed.
    struct Node {
        Summary<Labels> summary;
        std::unique_ptr<ExactNode<Criterion>> seen;

        [[nodiscard]] const auto& scorer() const { return seen->scorer(); }
        [[nodiscard]] const auto& tally() const { return summary.tally; }
    };

    Node& node() {
        if (!node_) {
            node_ = std::make_unique<Node>(Node{Summary<Labels>(fixed_.view()), nullptr});
            node_->summary.add(fixed_, rows_);
            node_->seen =
                std::make_unique<ExactNode<Criterion>>(fixed_, rows_, node_->summary, by_ratio_);
        }
        return *node_;
    }

    void score(Alike& alike) {
        const auto& scorer = node().scorer();
        using Part = Tally<typename Labels::Cell>;
        std::vector<Part> parts(alike.n_answers, Part(scorer.labels().n_cells()));
        for (std::size_t i = 0; i < rows_.size(); ++i)
            scorer.labels().add(parts[alike.answers[i]], rows_[i]);
        std::vector<const Part*> pointers;
        for (const Part& part : parts) pointers.push_back(&part);
        scorer.score(alike.scored, pointers);
    }

    const FixedLabels<Labels>& fixed_;
    std::span<const Row> rows_;
    bool by_ratio_;
    std::unique_ptr<Node> node_;
};

}  // namespace bough
