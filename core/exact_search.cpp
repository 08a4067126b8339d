// The exact search and the judge, compiled once for each criterion.
#include "exact_search.hpp"

#include <algorithm>
#include <utility>

#include "exact_judge.hpp"
#include "random_draws.hpp"
#include "search.hpp"

namespace bough {
namespace {

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

std::size_t first_of(std::span<const Finalist> finalists) {
    const auto first =
        std::min_element(finalists.begin(), finalists.end(),
                         [](const Finalist& a, const Finalist& b) { return precedes(a, b); });
    return static_cast<std::size_t>(first - finalists.begin());
}

}  // namespace

template <class Criterion>
std::optional<Found> exact_search(const FixedLabels<typename Criterion::Labels>& fixed,
                                  std::size_t n_columns, const EncodeColumn& encode,
                                  std::span<const Row> rows, const Limits& limits,
                                  const Settings& settings, std::uint64_t chance,
                                  const LevelBounds& bounds, const Cancel& cancel) {
    Summary<typename Criterion::Labels> summary(fixed.view());
    summary.add(fixed, rows);
    const ExactNode<Criterion> node(fixed, rows, summary, limits.by_ratio, bounds);
    ColumnSearch<Criterion> search(limits, cancel);
    std::vector<std::vector<Candidate>> by_column;
    bool any = false;
    std::size_t n_drawn = 0;
    const std::size_t most = settings.max_features;
    DrawnColumns drawn(settings.column_numbers, most > 0 ? n_columns : 0, chance);
    for (std::size_t k = 0; k < n_columns; ++k) {
        const std::size_t i = most > 0 ? drawn.take() : k;
        cancel.check();
        const Column column = encode(i);
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
    const Column column = encode(static_cast<std::size_t>(best.column));
    return Found{question_of(best, column), gain, to_double(summary.tally.weight)};
}

template <class Criterion>
std::vector<Candidate> finalists_of(const NodeScorer<Criterion>& node, const Column& column,
                                    std::int32_t number,
                                    std::span<const Tally<typename Criterion::Labels::Cell>> sums,
                                    const Limits& limits, const Cancel& cancel) {
    std::vector<Row> places(sums.size());
    std::iota(places.begin(), places.end(), Row{0});
    return ColumnSearch<Criterion>(limits, cancel)
        .run(column, number, node, places, 0, sums)
        .finalists;
}

template <class Criterion>
std::size_t Judge<Criterion>::winner(std::span<const Finalist> finalists,
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

template <class Criterion>
double Judge<Criterion>::gain(const Finalist& finalist, const AnswersTo& answers_to) {
    Alike alike{Answers(rows_.size()), finalist.n_answers(), {}};
    answers_to(finalist, alike.answers);
    score(alike);
    return alike.scored.gain;
}

template <class Criterion>
typename Judge<Criterion>::Node& Judge<Criterion>::node() {
    if (!node_) {
        node_ = std::make_unique<Node>(Node{Summary<Labels>(fixed_.view()), nullptr});
        node_->summary.add(fixed_, rows_);
        node_->seen =
            std::make_unique<ExactNode<Criterion>>(fixed_, rows_, node_->summary, by_ratio_);
    }
    return *node_;
}

template <class Criterion>
void Judge<Criterion>::score(Alike& alike) {
    const auto& scorer = node().scorer();
    using Part = Tally<typename Labels::Cell>;
    std::vector<Part> parts(alike.n_answers, Part(scorer.labels().n_cells()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
        scorer.labels().add(parts[alike.answers[i]], rows_[i]);
    std::vector<const Part*> pointers;
    for (const Part& part : parts) pointers.push_back(&part);
    scorer.score(alike.scored, pointers);
}

#define BOUGH_SEARCH_EXACTLY(Criterion)                                                          \
    template class Judge<Criterion>;                                                             \
    template std::optional<Found> exact_search<Criterion>(                                       \
        const FixedLabels<Criterion::Labels>&, std::size_t, const EncodeColumn&,                 \
        std::span<const Row>, const Limits&, const Settings&, std::uint64_t, const LevelBounds&, \
        const Cancel&);                                                                          \
    template std::vector<Candidate> finalists_of<Criterion>(                                     \
        const NodeScorer<Criterion>&, const Column&, std::int32_t,                               \
        std::span<const Tally<Criterion::Labels::Cell>>, const Limits&, const Cancel&)

BOUGH_SEARCH_EXACTLY(Error);
BOUGH_SEARCH_EXACTLY(Gini);
BOUGH_SEARCH_EXACTLY(Entropy);
BOUGH_SEARCH_EXACTLY(SquaredError);
BOUGH_SEARCH_EXACTLY(Poisson);

}  // namespace bough
