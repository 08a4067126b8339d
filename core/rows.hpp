// Which rows are at which node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "table.hpp"
#include "tree.hpp"

namespace bough {

// The rows of a node are neighbours in `order`. Splitting node [a..f] by its answers keeps them
// neighbours and keeps the order within each child, so that the result does not depend on the
// number of threads:
//
//     before   a b c d e f          answers   0 1 1 0 1 0
//     after    a d f | b c e
//              child 0  child 1

/// Put rows in the order of their answers; return where each answer begins, and the end.
template <class AnyRow>
std::vector<std::size_t> put_in_order(std::span<AnyRow> rows,
                                      const std::vector<std::int32_t>& answer_of,
                                      std::size_t n_answers) {
    std::vector<std::size_t> bounds(n_answers + 1, 0);
    for (const std::int32_t answer : answer_of) ++bounds[static_cast<std::size_t>(answer) + 1];
    for (std::size_t i = 0; i < n_answers; ++i) bounds[i + 1] += bounds[i];
    std::vector<AnyRow> sorted(rows.size());
    std::vector<std::size_t> next(bounds.begin(), bounds.end() - 1);
    for (std::size_t i = 0; i < rows.size(); ++i)
        sorted[next[static_cast<std::size_t>(answer_of[i])]++] = rows[i];
    std::copy(sorted.begin(), sorted.end(), rows.begin());
    return bounds;
}

/// The answer of each code of a column of choices: code 0 is a missing value, others are one more
/// than the choice. A code that the node did not see has any.
inline std::vector<std::int32_t> answers_by_code(const Question& question, std::size_t n_codes) {
    std::vector<std::int32_t> answer_of_code(n_codes, 1);  // whether it is missing: no
    answer_of_code[0] = question.missing;
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        answer_of_code[static_cast<std::size_t>(question.choices[i]) + 1] = question.answers[i];
    return answer_of_code;
}

/// A question in the unit of the values of its column.
template <class Value>
Query<Value> query_for(const Question& question) {
    Query<Value> query;
    query.kind = question.kind;
    query.missing = question.missing;
    query.choices = question.choices;
    query.answers = question.answers;
    if constexpr (std::is_same_v<Value, double>)
        query.pivot = question.pivot.value;
    else
        query.pivot = static_cast<Value>(question.pivot.whole());
    return query;
}

/// The answer of each row to a question about a raw column.
inline std::vector<std::int32_t> answers(std::span<const Row> rows, const Question& question,
                                         const RawColumn& raw) {
    std::vector<std::int32_t> answer_of(rows.size());
    use_values(raw, [&]<class Values>(const Values& values) {
        const auto query = query_for<typename Values::Value>(question);
        for (std::size_t i = 0; i < rows.size(); ++i) answer_of[i] = answer(query, values[rows[i]]);
    });
    return answer_of;
}

}  // namespace bough
