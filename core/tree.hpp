// The tree while it grows, and as flat arrays when it has grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "pivot.hpp"
#include "query.hpp"

namespace bough {

/// What a branch asks.
struct Question {
    std::int32_t column = -1;
    Kind kind = Kind::below;
    std::int32_t missing = stop;  // the answer of missing values
    Pivot pivot;
    std::vector<std::int32_t> choices;  // the values that the node saw, ascending
    std::vector<std::int32_t> answers;  // the answer of each

    [[nodiscard]] std::size_t n_answers() const {
        if (kind != Kind::each_value) return 2;
        return choices.size() + (missing == stop ? 0 : 1);
    }
};

/// A node while the tree grows: which rows it has, and what it asks. What it says of its rows is
/// worked out when the tree has grown, by one exact function.
struct Stem {
    std::size_t begin = 0;  // its rows lie side by side
    std::size_t end = 0;
    std::int64_t depth = 0;
    std::unique_ptr<Question> question;  // none while it is a leaf
    std::size_t first_child = 0;         // 0: a leaf

    [[nodiscard]] bool is_leaf() const { return first_child == 0; }
};

/// Put the stems of a subtree in the place of its root, and behind all others.
inline void graft(std::vector<Stem>& stems, std::size_t root, std::vector<Stem>&& subtree) {
    const std::size_t shift = stems.size() - 1;
    for (auto& stem : subtree)
        if (!stem.is_leaf()) stem.first_child += shift;
    stems[root] = std::move(subtree[0]);
    stems.insert(stems.end(), std::make_move_iterator(subtree.begin() + 1),
                 std::make_move_iterator(subtree.end()));
}

/// The grown tree, nodes numbered breadth first; see tree.py for the meaning of each array.
struct FlatTree {
    std::vector<std::int32_t> feature;
    std::vector<std::uint8_t> query_kind;
    std::vector<double> pivot;
    std::vector<std::int64_t> pivot_int;
    std::vector<std::int32_t> codes;
    std::vector<std::int32_t> answers;
    std::vector<std::int32_t> codes_start{0};
    std::vector<std::int32_t> first_child;
    std::vector<std::int32_t> n_children;
    std::vector<std::int32_t> missing_child;
    std::vector<double> tally;
    std::vector<double> guess;
    std::vector<double> share;
    std::vector<std::int64_t> n_rows;
    std::vector<double> impurity;
    std::vector<double> gain;

    /// Append what a node asks; `first` is the number of its first child.
    void add_question(const Question& question, std::size_t first) {
        const auto child = static_cast<std::int32_t>(first);
        feature.push_back(question.column);
        query_kind.push_back(static_cast<std::uint8_t>(question.kind));
        pivot.push_back(question.pivot.value);
        pivot_int.push_back(question.pivot.integer);
        codes.insert(codes.end(), question.choices.begin(), question.choices.end());
        answers.insert(answers.end(), question.answers.begin(), question.answers.end());
        first_child.push_back(child);
        n_children.push_back(static_cast<std::int32_t>(question.n_answers()));
        missing_child.push_back(question.missing == stop ? stop : child + question.missing);
        codes_start.push_back(static_cast<std::int32_t>(codes.size()));
    }

    void add_leaf() {
        feature.push_back(-1);
        query_kind.push_back(0);
        pivot.push_back(Pivot{}.value);
        pivot_int.push_back(0);
        first_child.push_back(-1);
        n_children.push_back(0);
        missing_child.push_back(stop);
        codes_start.push_back(static_cast<std::int32_t>(codes.size()));
    }
};

/// Where the rows of a node lie among those of the tree.
struct RowRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The stems of a grown tree as arrays that say what is asked, and where the rows of each node lie.
inline std::pair<FlatTree, std::vector<RowRange>> flattened(const std::vector<Stem>& stems) {
    std::pair<FlatTree, std::vector<RowRange>> found;
    auto& [flat, places] = found;
    std::vector<const Stem*> order{&stems[0]};  // breadth first
    order.reserve(stems.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Stem& stem = *order[i];
        places.push_back({stem.begin, stem.end});
        if (stem.is_leaf()) {
            flat.add_leaf();
            continue;
        }
        flat.add_question(*stem.question, order.size());
        for (std::size_t child = 0; child < stem.question->n_answers(); ++child)
            order.push_back(&stems[stem.first_child + child]);
    }
    return found;
}

}  // namespace bough
