// The rows on either side of a cut by the rank of their labels, for criteria that guess a quantile.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "ranked_node.hpp"

namespace bough {

template <class Criterion>
class RankedScan {
  public:
    using Node = RankedNode<Criterion>;
    using Part = CostTally;

    /// Put all rows of a node on the second side.
    void start(const Node& node, std::span<const Row> /*rows*/) {
        node_ = &node;
        const std::size_t n_outputs = node.outputs().size();
        sums_.resize(n_outputs);
        for (std::size_t i = 0; i < n_outputs; ++i) sums_[i].reset(node.outputs()[i].points.size());
        first_ = {};
        first_.outputs.resize(n_outputs);
        second_ = first_;
    }
    /// Take the row at a place of the node to the first side.
    void add(std::size_t place) {
        const auto weight = node_->weight_at(place);
        ++first_.rows;
        first_.weight += weight;
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const auto& output = node_->outputs()[i];
            const std::size_t rank = output.rank[place];
            sums_[i].add(rank, weight, Node::Numbers::product(output.points[rank], weight));
        }
    }

    /// How large both sides are.
    std::array<const Part*, 2> sides() {
        second_.rows = static_cast<std::int64_t>(node_->rows().size()) - first_.rows;
        second_.weight = node_->weight() - first_.weight;
        return {&first_, &second_};
    }
    /// Work out what they cost.
    void settle() {
        const double level = node_->level();
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const auto& all = node_->outputs()[i].sums;
            const auto& first = sums_[i];
            first_.outputs[i].cost = node_->cost(i, first.find(level), first.weight(), first.sum());
            second_.outputs[i].cost =
                node_->cost(i, all.find_without(first, level), all.weight() - first.weight(),
                            all.sum() - first.sum());
        }
    }

    /// The rows at some places of the node.
    template <class Places>
    [[nodiscard]] Part part_of(const Places& places) const {
        std::vector<Row> rows;
        for (const auto& item : places) rows.push_back(node_->rows()[item.row]);
        Part part;
        part.rows = static_cast<std::int64_t>(rows.size());
        for (const Row row : rows) part.weight += node_->fixed().view().weights[row];
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const auto labels = ordered_labels(node_->fixed(), rows, i);
            part.outputs.push_back({.cost = quantile_cost<Criterion>(labels, node_->level()),
                                    .twice_guess = QuantileLabels(labels, node_->level()).twice(),
                                    .sum = sum_of(labels)});
        }
        return part;
    }

    /// The orders in which the values of a choice are cut in two: by guess and mean.
    template <class Values>
    [[nodiscard]] std::vector<std::vector<std::size_t>> orders(const Values& values) const {
        std::vector<std::vector<std::size_t>> found(sums_.size());
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            found[i].resize(values.size());
            std::iota(found[i].begin(), found[i].end(), 0);
            std::stable_sort(found[i].begin(), found[i].end(), [&](std::size_t a, std::size_t b) {
                return is_lower(values[a].part, values[b].part, i);
            });
        }
        return found;
    }

  private:
    static bool is_lower(const Part& a, const Part& b, std::size_t output) {
        const auto& left = a.outputs[output];
        const auto& right = b.outputs[output];
        if (left.twice_guess != right.twice_guess) return left.twice_guess < right.twice_guess;
        return product(left.sum, Wide<2>(b.weight)) < product(right.sum, Wide<2>(a.weight));
    }

    const Node* node_ = nullptr;
    std::vector<typename Node::Sums> sums_;  // of the first side, for each output
    Part first_;
    Part second_;
};

}  // namespace bough
