// Which rows are at which node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
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

/// The answers of the codes of a column of choices: code 0 is a missing value, others are one more
/// than the choice. A code that the node did not see has any. Few rows do not pay for a table of
/// all codes: they look theirs up in what the node saw.
class AnswersOfCodes {
  public:
    AnswersOfCodes(const auto& asked, std::size_t n_codes, std::size_t n_rows)
        : choices_(asked.choices), answers_(asked.answers), missing_(asked.missing) {
        if (n_codes > 4 * n_rows) return;
        table_.assign(n_codes, 1);  // whether it is missing: no
        table_[0] = missing_;
        for (std::size_t i = 0; i < choices_.size(); ++i)
            table_[static_cast<std::size_t>(choices_[i]) + 1] = answers_[i];
    }
    std::int32_t operator[](std::size_t code) const {
        if (!table_.empty()) return table_[code];
        if (code == 0) return missing_;
        const auto choice = static_cast<std::int32_t>(code) - 1;
        const auto found = std::ranges::lower_bound(choices_, choice);
        return found == choices_.end()
                   ? 1
                   : answers_[static_cast<std::size_t>(found - choices_.begin())];
    }

  private:
    std::span<const std::int32_t> choices_;
    std::span<const std::int32_t> answers_;
    std::int32_t missing_;
    std::vector<std::int32_t> table_;
};

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

}  // namespace bough
