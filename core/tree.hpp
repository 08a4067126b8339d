// The tree while it grows, and as flat arrays when it has grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "candidate.hpp"
#include "pivot.hpp"
#include "table.hpp"

namespace bough {

/// A node while the tree grows.
template <class Cell>
struct Node {
    std::size_t begin = 0;  // its rows lie side by side
    std::size_t end = 0;
    std::int64_t depth = 0;
    std::uint64_t trail_hash = 0;
    bool is_pure = false;
    double impurity = 0;  // in units of the grid
    Tally<Cell> tally;    // distances from zero, not from a centre
    std::vector<double> squares;  // number labels: sum of weight × label², in units of the user
    std::vector<double> guess;    // number labels: the mean of each output
    Candidate query;              // while it waits, and once it is split
    bool has_query = false;
    std::size_t first_child = 0;  // 0: a leaf
};

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
    std::vector<std::int64_t> n_rows;
    std::vector<double> impurity;
    std::vector<double> gain;

    /// Append what the query of a node says; `first` is the number of its first child.
    void add_query(const Candidate& query, const Column& column, std::size_t first) {
        const auto child = static_cast<std::int32_t>(first);
        feature.push_back(query.column);
        query_kind.push_back(static_cast<std::uint8_t>(query.kind));
        Pivot between;
        if (query.kind == Kind::below)
            between = std::visit(
                [&](const auto& values) {
                    return pivot_between(values[query.low - 1], values[query.high - 1]);
                },
                column.values);
        pivot.push_back(between.value);
        pivot_int.push_back(between.integer);
        codes.insert(codes.end(), query.choices.begin(), query.choices.end());
        answers.insert(answers.end(), query.answers.begin(), query.answers.end());
        first_child.push_back(child);
        n_children.push_back(static_cast<std::int32_t>(query.n_answers()));
        missing_child.push_back(query.missing == stop ? stop : child + query.missing);
    }

    void add_leaf() {
        feature.push_back(-1);
        query_kind.push_back(0);
        pivot.push_back(Pivot{}.value);
        pivot_int.push_back(0);
        first_child.push_back(-1);
        n_children.push_back(0);
        missing_child.push_back(stop);
    }
};

}  // namespace bough
