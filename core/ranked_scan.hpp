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
    using Part = typename Node::Part;

    /// Put all rows of a node on the second side.
    void start(const Node& node, std::span<const Row> /*rows*/) {
        node_ = &node;
        const std::size_t n_outputs = node.outputs().size();
        outputs_.resize(n_outputs);
        for (std::size_t i = 0; i < n_outputs; ++i) {
            outputs_[i].sums.reset(node.outputs()[i].points);
            outputs_[i].first = outputs_[i].second = {};
        }
        first_ = {};
        first_.outputs.resize(n_outputs);
        second_ = first_;
    }
    /// Take the row at a place of the node to the first side.
    void add(std::size_t place) {
        const auto weight = node_->weight_at(place);
        ++first_.rows;
        first_.weight += weight;
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            outputs_[i].add(node_->outputs()[i].rank[place], weight, node_->product_at(i, place));
    }

    /// Take rows there whose part is known.
    template <class Places>
    void add(const Part& /*part*/, const Places& places) {
        for (const auto& item : places) add(item.row);
    }

    /// How large both sides are.
    std::array<const Part*, 2> sides() {
        second_.rows = static_cast<std::int64_t>(node_->rows().size()) - first_.rows;
        second_.weight = node_->weight() - first_.weight;
        return {&first_, &second_};
    }
    /// What is guessed on each of them, for the first label.
    [[nodiscard]] std::array<ExactGuess, 2> guesses() const {
        const Output& here = outputs_.front();
        const Sums& all = node_->outputs().front().sums;
        const auto guess = [&](RankFound<Numbers> found, const auto& find) -> ExactGuess {
            find(node_->level() - tie_share, found);
            const Int128 low = all.point(found.rank);
            find(node_->level() + tie_share, found);
            return {low + all.point(found.rank), 2};
        };
        return {guess(here.first, [&](double share, auto& at) { here.sums.find(share, at); }),
                guess(here.second,
                      [&](double share, auto& at) { all.find_without(here.sums, share, at); })};
    }
    /// Work out how far their labels lie from what is guessed.
    void settle() {
        const double level = node_->level();
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const auto& all = node_->outputs()[i].sums;
            Output& here = outputs_[i];
            here.sums.find(level, here.first);
            first_.outputs[i] = distances(here.first, here.sums.weight(), here.sums.sum(),
                                          all.point(here.first.rank));
            all.find_without(here.sums, level, here.second);
            second_.outputs[i] =
                distances(here.second, all.weight() - here.sums.weight(),
                          all.sum() - here.sums.sum(), all.point(here.second.rank));
        }
    }

    /// The rows at some places of the node, with what orders them.
    template <class Places>
    [[nodiscard]] Part part_of(const Places& places) const {
        std::vector<Row> rows;
        for (const auto& item : places) rows.push_back(node_->rows()[item.row]);
        Part part;
        part.rows = static_cast<std::int64_t>(rows.size());
        for (const Row row : rows) part.weight += node_->fixed().view().weights[row];
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const auto labels = ordered_labels(node_->fixed(), rows, i);
            part.outputs.push_back(distances_of<Numbers>(labels, node_->level()));
            part.centres.push_back(
                {QuantileLabels(labels, node_->level()).twice(), sum_of(labels)});
        }
        return part;
    }

    /// The orders in which the values of a choice are cut in two: by guess and mean.
    template <class Values>
    [[nodiscard]] std::vector<std::vector<std::size_t>> orders(const Values& values) const {
        std::vector<std::vector<std::size_t>> found(outputs_.size());
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            found[i].resize(values.size());
            std::iota(found[i].begin(), found[i].end(), 0);
            std::stable_sort(found[i].begin(), found[i].end(), [&](std::size_t a, std::size_t b) {
                return is_lower(values[a].part, values[b].part, i);
            });
        }
        return found;
    }

  private:
    using Numbers = typename Node::Numbers;
    using Sums = typename Node::Sums;
    using Sum = typename Node::Sum;
    using Weight = typename Node::Weight;

    /// One label: the rows of the first side, and the quantiles of both.
    struct Output {
        Sums sums;
        RankFound<Numbers> first;
        RankFound<Numbers> second;

        void add(std::size_t rank, const Weight& weight, const Sum& sum) {
            sums.add(rank, weight, sum);
            // Nobody could guess these branches, so there are none.
            const bool is_before_first = rank < first.rank;
            const bool is_before_second = rank < second.rank;
            first.weight += is_before_first ? weight : Weight{};
            first.sum += is_before_first ? sum : Sum{};
            second.weight -= is_before_second ? weight : Weight{};
            second.sum -= is_before_second ? sum : Sum{};
        }
    };

    /// How far labels lie from the one that was found, `weight` and `sum` being those of all.
    static Distances<Sum> distances(const RankFound<Numbers>& found, const Weight& weight,
                                    const Sum& sum, Int128 guess) {
        return {sum - found.sum - Numbers::product(guess, weight - found.weight),
                Numbers::product(guess, found.weight) - found.sum};
    }

    static bool is_lower(const Part& a, const Part& b, std::size_t output) {
        const auto& left = a.centres[output];
        const auto& right = b.centres[output];
        if (left.twice_guess != right.twice_guess) return left.twice_guess < right.twice_guess;
        return product(left.sum, Wide<2>(b.weight)) < product(right.sum, Wide<2>(a.weight));
    }

    const Node* node_ = nullptr;
    std::vector<Output> outputs_;
    Part first_;
    Part second_;
};

}  // namespace bough
