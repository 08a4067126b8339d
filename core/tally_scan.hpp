// The rows on either side of a cut as tallies, for criteria that follow from sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "query_score.hpp"

namespace bough {

template <class Criterion>
class TallyScan {
  public:
    using Node = NodeScorer<Criterion>;
    using Part = Tally<typename Criterion::Labels::Cell>;

    /// Put all rows of a node on the second side.
    void start(const Node& node, std::span<const Row> rows) {
        node_ = &node;
        rows_ = rows;
        first_ = Part(node.labels().n_cells());
        second_ = first_;
    }
    /// Take the row at a place of the node to the first side.
    void add(std::size_t place) { node_->labels().add(first_, rows_[place]); }
    /// Take rows there whose part is known.
    template <class Places>
    void add(const Part& part, const Places& /*places*/) {
        first_ += part;
    }

    /// Both sides.
    std::array<const Part*, 2> sides() {
        second_.set_difference(node_->tally(), first_);
        return {&first_, &second_};
    }
    /// What is guessed on each of them.
    [[nodiscard]] std::array<ExactGuess, 2> guesses() const {
        return {exact_guess(node_->labels(), first_), exact_guess(node_->labels(), second_)};
    }

    /// The rows at some places of the node.
    template <class Places>
    [[nodiscard]] Part part_of(const Places& places) const {
        Part part(node_->labels().n_cells());
        for (const auto& item : places) node_->labels().add(part, rows_[item.row]);
        return part;
    }

    /// The orders in which the values of a choice, each with its part, are cut in two.
    template <class Values>
    [[nodiscard]] std::vector<std::vector<std::size_t>> orders(const Values& values) const {
        std::vector<std::vector<std::size_t>> found;
        for (const std::size_t cell : node_->ordering_cells()) {
            found.emplace_back(values.size());
            std::iota(found.back().begin(), found.back().end(), 0);
            std::stable_sort(found.back().begin(), found.back().end(),
                             [&](std::size_t a, std::size_t b) {
                                 return has_lower_mean(values[a].part, values[b].part, cell);
                             });
        }
        return found;
    }

  protected:
    static bool has_lower_mean(const Part& a, const Part& b, std::size_t cell) {
        constexpr std::size_t limbs = sizeof(typename Criterion::Labels::Cell) / 8;
        return product(Wide<limbs>(a.cells[cell]), Wide<2>(b.weight)) <
               product(Wide<limbs>(b.cells[cell]), Wide<2>(a.weight));
    }

    const Node* node_ = nullptr;
    std::span<const Row> rows_;
    Part first_;
    Part second_;
};

}  // namespace bough
