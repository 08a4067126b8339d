// Which rows are at which node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "candidate.hpp"
#include "table.hpp"

namespace bough {

// The rows of a node are neighbours in `order`. Splitting node [a..f] by its answers keeps them
// neighbours and keeps the order within each child, so that the result does not depend on the
// number of threads:
//
//     before   a b c d e f          answers   0 1 1 0 1 0
//     after    a d f | b c e
//              child 0  child 1
class Rows {
  public:
    explicit Rows(std::vector<Row> order) : order_(std::move(order)) {}

    [[nodiscard]] std::size_t size() const { return order_.size(); }
    [[nodiscard]] std::span<const Row> all() const { return order_; }
    [[nodiscard]] std::span<const Row> between(std::size_t begin, std::size_t end) const {
        return std::span(order_).subspan(begin, end - begin);
    }

    /// Split the rows of a node; return where each child begins, and where the last one ends.
    std::vector<std::size_t> split(std::size_t begin, std::size_t end, const Candidate& candidate,
                                   const Column& column) {
        Query<std::uint32_t> query;
        query.kind = candidate.kind;
        query.missing = candidate.missing;
        query.pivot = candidate.high;
        // Codes count from 1 and choices from 0.
        std::vector<std::int32_t> codes = candidate.choices;
        for (auto& code : codes) ++code;
        query.choices = codes;
        query.answers = candidate.answers;

        const std::size_t n_answers = candidate.n_answers();
        std::vector<std::size_t> bounds(n_answers + 1, begin);
        std::vector<std::int32_t> answer_of(end - begin);
        for (std::size_t i = begin; i < end; ++i) {
            const std::int32_t child = answer(query, column.codes[order_[i]]);
            answer_of[i - begin] = child;
            ++bounds[static_cast<std::size_t>(child) + 1];
        }
        for (std::size_t child = 0; child < n_answers; ++child)
            bounds[child + 1] += bounds[child] - begin;
        std::vector<Row> sorted(end - begin);
        std::vector<std::size_t> next(bounds.begin(), bounds.end() - 1);
        for (std::size_t i = begin; i < end; ++i)
            sorted[next[static_cast<std::size_t>(answer_of[i - begin])]++ - begin] = order_[i];
        std::copy(sorted.begin(), sorted.end(),
                  order_.begin() + static_cast<std::ptrdiff_t>(begin));
        return bounds;
    }

  private:
    std::vector<Row> order_;
};

}  // namespace bough
