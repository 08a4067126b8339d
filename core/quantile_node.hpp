// A node whose guess is a quantile: its labels by rank, and what queries gain.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "label_order.hpp"
#include "quantile_lists.hpp"
#include "quantile_sides.hpp"

namespace bough {

/// The rows of a node in the order of each label, as places among its rows. That of the first label
/// is the order of the rows themselves.
using LabelOrders = std::vector<std::span<const Entry>>;

template <class Criterion>
class QuantileNode {
  public:
    using Less = Distances<Int128>;

    /// One label of all rows.
    struct Output {
        RankedLabels labels;
        std::vector<LabelWeight> exact;   // by rank, from 0
        std::span<const Entry> order;     // the rows by rank, from 0; empty: as they are
        std::vector<std::uint32_t> rank;  // of each row, from 1; empty as well

        [[nodiscard]] std::size_t place_of(std::size_t i) const {
            return order.empty() ? i : order[i].place();
        }
        [[nodiscard]] std::uint32_t rank_of(Entry entry) const {
            return rank.empty() ? entry.place() + 1 : rank[entry.place()];
        }
    };

    explicit QuantileNode(const FixedLabels<NumberLabels>& fixed)
        : fixed_(fixed), outputs_(fixed.view().n_outputs()) {}

    /// Become the node of these rows; `orders` are those of all labels but the first.
    void set(std::span<const Row> rows, const LabelOrders& orders) {
        rows_ = rows;
        is_pure_ = true;
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            Output& output = outputs_[i];
            read(i, i > 0 ? orders[i - 1] : std::span<const Entry>{});
            is_pure_ = is_pure_ && output.exact.front().given == output.exact.back().given;
        }
        if (is_pure_) return;
        weight_ = weight_of(outputs_[0].exact);
        scale();
    }

    [[nodiscard]] std::span<const Row> rows() const { return rows_; }
    [[nodiscard]] const std::vector<Output>& outputs() const { return outputs_; }
    [[nodiscard]] bool has_weights() const { return fixed_.view().weights.of_row != nullptr; }
    [[nodiscard]] bool is_pure() const { return is_pure_; }
    [[nodiscard]] bool is_exact() const { return is_exact_; }
    [[nodiscard]] double level() const { return fixed_.view().level; }
    [[nodiscard]] double weight() const { return to_double(weight_); }
    [[nodiscard]] double tie() const { return tie_share * impurity_; }
    /// How far a gain in double may be from the exact one, with room to spare.
    [[nodiscard]] double slack() const { return slack_; }
    [[nodiscard]] Gain gain(double value) const { return {value, weight(), unit_exponent_}; }
    /// What is guessed for rows whose first label has these ranks in the middle.
    [[nodiscard]] double level(const std::array<std::uint32_t, 2>& ranks) const {
        const auto& exact = outputs_[0].exact;
        return level_of(ExactGuess{exact[ranks[0] - 1].point + exact[ranks[1] - 1].point, 2});
    }

    /// What is gained where scaled distances become less by so much: exactly, if all are exact.
    [[nodiscard]] double gain(const Less& less) const {
        return std::max(0.0, rounded(cost_by<Criterion, Twofold>(less, level()) * Twofold(unit_)));
    }
    /// The same within the slack of doubles.
    [[nodiscard]] double near_gain(const Less& less) const {
        const Distances<double> near{near_double(less.above), near_double(less.below)};
        return cost_by<Criterion, double>(near, level()) * unit_;
    }
    /// The distances of all rows, by each label, exactly.
    [[nodiscard]] std::vector<Distances<Wide<4>>> distances() const {
        std::vector<Distances<Wide<4>>> found;
        for (const Output& output : outputs_) found.push_back(distances_of(output.exact, level()));
        return found;
    }
    /// What is gained exactly where so much is left of an output's distances.
    template <class DistancesOf>
    [[nodiscard]] Twofold exact_gain(std::span<const Distances<Wide<4>>> before,
                                     const DistancesOf& left) const {
        Twofold gained;
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            Distances<Wide<4>> less = before[i];
            less -= left(i);
            gained += scaled(cost_by<Criterion, Twofold>(less, level()),
                             fixed_.view().exponents[i] - unit_exponent_);
        }
        const Twofold units = to_twofold(weight_) * Twofold(static_cast<double>(outputs_.size()));
        return gained / units;
    }

    /// How mixed the rows are, with all its digits: what is gained where no distance is left.
    [[nodiscard]] Twofold exact_impurity() const {
        return exact_gain(distances(), [](std::size_t /*output*/) { return Distances<Wide<4>>{}; });
    }

    /// The parts that the answers make of the rows, scored exactly.
    struct Part {
        std::int64_t rows;
        Int128 weight;
        double level;  // of the first label
    };
    struct Parts {
        Twofold gain;
        std::vector<Part> of_answer;
    };
    [[nodiscard]] Parts parts(std::span<const std::uint32_t> answer_of,
                              std::size_t n_answers) const {
        Parts found;
        std::vector<std::vector<LabelWeight>> labels(n_answers);
        found.gain = exact_gain(distances(), [&](std::size_t output) {
            for (auto& of_answer : labels) of_answer.clear();
            part_labels(outputs_[output], answer_of, labels);
            Distances<Wide<4>> left;
            for (const auto& of_answer : labels) {
                left += distances_of(of_answer, level());
                if (output == 0)
                    found.of_answer.push_back(
                        {static_cast<std::int64_t>(of_answer.size()), weight_of(of_answer),
                         level_of(QuantileLabels(of_answer, level()).exact_guess())});
            }
            return left;
        });
        return found;
    }
    /// The orders in which the values of a choice are cut in two: by guess and mean of each label.
    template <class Runs>
    [[nodiscard]] std::vector<std::vector<std::size_t>> orders(const Runs& runs) const {
        std::vector<std::uint32_t> value_of(rows_.size(), static_cast<std::uint32_t>(runs.size()));
        for (std::size_t i = 0; i < runs.size(); ++i)
            for (const auto entry : runs[i].entries)
                value_of[entry.place()] = static_cast<std::uint32_t>(i);
        std::vector<std::vector<std::size_t>> found;
        for (const Output& output : outputs_) {
            std::vector<std::vector<LabelWeight>> labels(runs.size() + 1);  // missing ones last
            part_labels(output, value_of, labels);
            labels.pop_back();
            std::vector<Centre> centres;
            for (const auto& of_value : labels)
                centres.push_back({QuantileLabels(of_value, level()).twice(), sum_of(of_value),
                                   weight_of(of_value)});
            auto& order = found.emplace_back(runs.size());
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return centres[a] < centres[b]; });
        }
        return found;
    }
    /// Weight of a row, exactly.
    [[nodiscard]] Int128 weight_at(std::size_t place) const {
        return fixed_.view().weights[rows_[place]];
    }

  private:
    /// What orders the values of a choice.
    struct Centre {
        Int128 twice_guess;
        Wide<4> sum;
        Int128 weight;

        friend bool operator<(const Centre& left, const Centre& right) {
            if (left.twice_guess != right.twice_guess) return left.twice_guess < right.twice_guess;
            return product(left.sum, Wide<2>(right.weight)) <
                   product(right.sum, Wide<2>(left.weight));
        }
    };

    void read(std::size_t number, std::span<const Entry> order) {
        const NumberLabels& view = fixed_.view();
        Output& output = outputs_[number];
        output.order = order;
        output.exact.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Row row = rows_[output.place_of(i)];
            const double given = fixed_.given(number, row);
            output.exact[i] = {given, view.point(number, given), view.weights[row]};
        }
        if (order.empty()) return;
        output.rank.resize(rows_.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            output.rank[order[i].place()] = static_cast<std::uint32_t>(i) + 1;
    }

    static void part_labels(const Output& output, std::span<const std::uint32_t> answer_of,
                            std::vector<std::vector<LabelWeight>>& labels) {
        for (std::size_t i = 0; i < answer_of.size(); ++i)
            labels[answer_of[output.place_of(i)]].push_back(output.exact[i]);
    }

    /// Divided by so many powers of two, and rounded.
    static Int128 shifted_down(Int128 value, int shift) {
        if (value == 0 || shift > 126) return 0;
        if (shift <= 0) return value << -shift;
        return (value + (Int128{1} << (shift - 1))) >> shift;
    }

    /// Work out distances from the guess, scaled so that all sums fit.
    void scale() {
        const std::vector<int>& exponents = fixed_.view().exponents;
        const int weight_shift = std::max(0, bits_of(weight_) - 60);
        const int weight_bits = bits_of(weight_) - weight_shift + 1;
        const int room = 120 - static_cast<int>(std::bit_width(outputs_.size()));
        int finest = std::numeric_limits<int>::max();
        int farthest = std::numeric_limits<int>::min();
        std::vector<Int128> centres;
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const auto& exact = outputs_[i].exact;
            const Int128 centre = exact[quantile_place(exact, level())].point;
            centres.push_back(centre);
            const int bits = std::max(bits_of(exact.back().point - centre),
                                      bits_of(exact.front().point - centre));
            if (bits == 0) continue;
            finest = std::min(finest, exponents[i]);
            farthest = std::max(farthest, exponents[i] + bits);
        }
        unit_exponent_ = std::max(finest, farthest + weight_bits - room);
        is_exact_ = weight_shift == 0 && unit_exponent_ == finest;
        double cost = 0;
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            scale(outputs_[i], centres[i], unit_exponent_ - exponents[i], weight_shift);
            cost += cost_by<Criterion, double>(outputs_[i].labels.distances(), level());
        }
        unit_ = std::ldexp(1.0, weight_shift) /
                (to_double(weight_) * static_cast<double>(outputs_.size()));
        impurity_ = cost * unit_;
        slack_ = 1e-14 * impurity_;
        if (is_exact_) return;
        // Rounding a label costs half a unit for each weight, rounding a weight one of the farthest
        // label, and so does the rounding of a double; for all rows and for the parts.
        const double range = std::ldexp(1.0, farthest - unit_exponent_);
        const auto weight = std::ldexp(1.0, weight_bits);
        slack_ += 2 * unit_ * static_cast<double>(outputs_.size()) *
                  (weight + static_cast<double>(rows_.size()) * range + 0x1p-51 * weight * range);
    }

    void scale(Output& output, Int128 centre, int label_shift, int weight_shift) const {
        RankedLabels& labels = output.labels;
        const std::size_t size = output.exact.size();
        labels.points.resize(size + 2);
        labels.points[0] = labels.points[size + 1] = 0;
        for (std::size_t i = 0; i < size; ++i)
            labels.points[i + 1] = shifted_down(output.exact[i].point - centre, label_shift);
        labels.weight = 0;
        labels.sum = 0;
        labels.weights.assign(size + 2, 0);
        labels.sums.assign(size + 2, 0);
        for (std::size_t i = 1; i <= size; ++i) {
            const auto weight =
                static_cast<std::int64_t>(shifted_down(output.exact[i - 1].weight, weight_shift));
            labels.weights[i] = std::max<std::int64_t>(weight, 1);
            labels.sums[i] = labels.points[i] * labels.weights[i];
            labels.weight += labels.weights[i];
            labels.sum += labels.sums[i];
        }
        const std::int64_t least = least_weight(level(), labels.weight);
        labels.guess = 1;
        labels.below = 0;
        labels.sum_below = 0;
        for (; labels.below + labels.weights[labels.guess] < least; ++labels.guess) {
            labels.below += labels.weights[labels.guess];
            labels.sum_below += labels.sums[labels.guess];
        }
    }

    const FixedLabels<NumberLabels>& fixed_;
    std::span<const Row> rows_;
    std::vector<Output> outputs_;
    Int128 weight_ = 0;
    bool is_pure_ = false;
    bool is_exact_ = true;
    int unit_exponent_ = 0;  // of the unit of scaled labels, of impurity and gains
    double unit_ = 1;        // of scaled distances
    double impurity_ = 0;
    double slack_ = 0;
};

}  // namespace bough
