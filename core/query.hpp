// `Query` and `answer`: which child a value leads to, while growing and while predicting.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bough {

/// In the order in which ties are decided.
enum class Kind : std::uint8_t { below, each_value, one_of, is_missing };

constexpr std::int32_t stop = -1;   // no answer: the node's own guess holds
constexpr std::int32_t every = -2;  // all answers: the row goes on in parts

// What a missing value looks like in each unit.
constexpr std::uint32_t missing_code = 0;    // while growing
constexpr std::int32_t missing_choice = -1;  // positions of choices and ordered values
constexpr std::int32_t unseen_choice = -2;   // a value that no row had when the tree was grown
constexpr std::int64_t missing_integer = std::numeric_limits<std::int64_t>::min();

inline bool is_missing(std::uint32_t code) { return code == missing_code; }
inline bool is_missing(std::int32_t choice) { return choice == missing_choice; }
inline bool is_missing(std::int64_t value) { return value == missing_integer; }
inline bool is_missing(double value) { return std::isnan(value); }

inline bool is_unseen(std::int32_t choice) { return choice == unseen_choice; }
bool is_unseen(auto /*value*/) { return false; }

/// What is asked, but for a pivot.
struct QuestionBase {
    std::int32_t column = -1;
    Kind kind = Kind::below;
    std::int32_t missing = stop;        // the answer of missing values
    std::vector<std::int32_t> choices;  // the values that the node saw, ascending
    std::vector<std::int32_t> answers;  // the answer of each

    [[nodiscard]] std::size_t n_answers() const {
        if (kind != Kind::each_value) return 2;
        return choices.size() + (missing == stop ? 0 : 1);
    }
};

/// A question, in the unit of the values it is asked of.
template <class Value>
struct Query {
    Kind kind = Kind::below;
    std::int32_t missing = stop;  // answer of a missing value
    Value pivot{};
    std::span<const std::int32_t> choices;  // the values that the node saw, ascending
    std::span<const std::int32_t> answers;  // the answer of each
};

/// The answer that a value gives, or `stop`.
template <class Value>
std::int32_t answer(const Query<Value>& query, Value value) {
    if (query.kind == Kind::is_missing) return is_missing(value) ? 0 : 1;
    if (is_missing(value)) return query.missing;
    if (query.kind == Kind::below) {
        if (is_unseen(value)) return stop;
        return value < query.pivot ? 0 : 1;
    }
    const auto choice = static_cast<std::int32_t>(value);
    const auto found = std::ranges::lower_bound(query.choices, choice);
    if (found == query.choices.end() || *found != choice) return stop;
    return query.answers[static_cast<std::size_t>(found - query.choices.begin())];
}

}  // namespace bough
