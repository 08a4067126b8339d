// The exact search and the judge, compiled once for each criterion.
#include "exact_query.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "exact_column_query.hpp"
#include "exact_judge.hpp"
#include "random_draws.hpp"

namespace bough {
namespace {

/// The question of a candidate; its place is a rank among the values of `column`.
inline Question question_of(const Candidate& candidate, const Column& column) {
    Question question = question_of(candidate);
    if (candidate.kind != Kind::below) return question;
    const auto high = static_cast<std::size_t>(candidate.place);
    question.pivot = std::visit(
        [&](const auto& values) { return pivot_between(values[high - 1], values[high]); },
        column.values);
    return question;
}

}  // namespace

template <class Criterion>
std::optional<Found> exact_search(const FixedLabels<typename Criterion::Labels>& fixed,
                                  std::size_t n_columns, const EncodeColumn& encode,
                                  std::span<const Row> rows, const Limits& limits,
                                  const Settings& settings, std::uint64_t chance,
                                  const LevelBounds& bounds, const Cancel& cancel) {
    const ExactNode<Criterion> node(fixed, rows, limits.by_ratio, bounds);
    ColumnSearch<Criterion> search(limits, cancel);
    std::vector<Candidate> finalists;
    const auto scan = [&](std::size_t i) {
        cancel.check();
        const Column column = encode(i);
        auto result = search.run(column, static_cast<std::int32_t>(i), node.scorer(), rows,
                                 settings.column_numbers.chance(chance, i));
        std::move(result.finalists.begin(), result.finalists.end(), std::back_inserter(finalists));
        return result.tells_apart;
    };
    scan_columns(settings.column_numbers, n_columns, chance, settings.max_features, scan,
                 [&] { return !finalists.empty(); });
    if (finalists.empty()) return std::nullopt;
    Candidate best = node.scorer().choose(std::move(finalists));
    const Gain gain = node.gain(best.gain);
    const Column column = encode(static_cast<std::size_t>(best.column));
    return Found{question_of(best, column), gain};
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
    auto [kinds, kind_of] = kinds_of(finalists, rows_.size(), answers_to);
    if (kinds.size() == 1 && !by_ratio_)
        return static_cast<std::size_t>(std::ranges::min_element(finalists, precedes) -
                                        finalists.begin());
    for (Alike& alike : kinds) score(alike);
    std::vector<Candidate> scored;
    for (std::size_t i = 0; i < finalists.size(); ++i) {
        Candidate candidate = kinds[kind_of[i]].scored;
        static_cast<QuestionBase&>(candidate) = finalists[i];
        candidate.place = finalists[i].place;
        candidate.number = i;
        scored.push_back(std::move(candidate));
    }
    return scorer().choose(std::move(scored)).number;
}

template <class Criterion>
Gain Judge<Criterion>::gain(const Finalist& finalist, const AnswersTo& answers_to) {
    Alike alike{Answers(rows_.size()), finalist.n_answers(), {}};
    answers_to(finalist, alike.answers);
    score(alike);
    return node_->gain(alike.scored.gain);
}

template <class Criterion>
const NodeScorer<Criterion>& Judge<Criterion>::scorer() {
    if (!node_) node_ = std::make_unique<ExactNode<Criterion>>(fixed_, rows_, by_ratio_);
    return node_->scorer();
}

template <class Criterion>
void Judge<Criterion>::score(Alike& alike) {
    const auto& node = scorer();
    using Part = Tally<typename Labels::Cell>;
    std::vector<Part> parts(alike.n_answers, Part(node.labels().n_cells()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
        node.labels().add(parts[alike.answers[i]], rows_[i]);
    std::vector<const Part*> pointers;
    for (const Part& part : parts) pointers.push_back(&part);
    node.score(alike.scored, pointers);
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
