// What the fast search counts: labels, with weights and without, as integers whose sums are exact.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "label_grids.hpp"
#include "labels.hpp"
#include "sums.hpp"

// A statistic reads the labels of one output of a block of rows, and says how sums of them are kept
// in the cells of a bin, which are integers: they add and subtract without an error.
//
//     read(fixed, output, count, row_of, sum_bits, out, threads)
//                              the labels of the table's rows `row_of(i)`; where rows have no
//                              weights, sums of labels have at most that many bits
//     has_grid                 whether labels are put on a grid of their block
//     width(), n_parts()       cells of a bin, and numbers that it adds to a sum in doubles
//     add(bin, label)          count a row
//     rows(bin), weight(bin), put(bin, part)   a bin in doubles; `part(i)` takes the i-th

namespace bough {

/// How the level of some rows, by which guesses are kept in order, follows from their sums: origin
/// + unit × part ÷ weight, off by `error`, by `weight_error` for each row a unit of weight, and by
/// `sum_error` as often as the side's weight goes into the node's.
struct LevelScale {
    std::size_t part = 0;
    double origin = 0;
    double unit = 1;
    double error = 0;
    double weight_error = 0;
    double sum_error = 0;
};

constexpr int weight_sum_bits = 53;  // so that doubles hold sums of weights

/// Classes.
template <bool Weighted>
struct ClassSums {
    /// A class and a weight in one word.
    struct WeightedClass {
        std::uint64_t word = 0;

        [[nodiscard]] std::size_t code() const { return word & 0xffff; }
        [[nodiscard]] std::int64_t weight() const { return static_cast<std::int64_t>(word >> 16); }
        friend bool operator==(WeightedClass a, WeightedClass b) { return a.code() == b.code(); }
    };
    using Labels = ClassLabels;
    using Label = std::conditional_t<Weighted, WeightedClass, std::uint16_t>;
    // Of a bin: the weight of each class, and behind them the rows where these do not tell.
    using Cell = std::conditional_t<Weighted, std::int64_t, std::uint32_t>;
    static constexpr bool is_weighted = Weighted;
    static constexpr bool has_grid = Weighted;
    static constexpr int weight_bits = weight_sum_bits;
    static constexpr std::size_t most_classes = 1 << 16;

    std::size_t n_classes = 2;
    Precision precision;

    ClassSums() = default;
    ClassSums(const ClassLabels& labels, std::size_t output)
        : n_classes(labels.n_classes[output]) {}

    [[nodiscard]] std::size_t width() const { return n_classes + (Weighted ? 1 : 0); }
    [[nodiscard]] std::size_t n_parts() const { return n_classes; }
    [[nodiscard]] static int unit_exponent() { return 0; }  // classes have no unit
    [[nodiscard]] static bool is_constant() { return false; }
    /// How the share of the second of two classes, the level of some rows, follows from their sums.
    [[nodiscard]] LevelScale levels(const ClassLabels& /*labels*/) const {
        return {.part = 1, .error = 0x1p-50, .weight_error = precision.weights_are_exact ? 0.0 : 2};
    }

    template <class Fixed, class RowOf>
    void read(const Fixed& fixed, std::size_t output, std::size_t count, const RowOf& row_of,
              int /*sum_bits*/, Label* out, Threads& threads) {
        const ClassLabels& labels = fixed.view();
        const std::int32_t* codes = labels.codes + output * labels.n_rows;
        if constexpr (Weighted) {
            const auto weight = [&](std::size_t i) { return labels.weights[row_of(i)]; };
            const GridWeights grid(count, weight, weight_sum_bits);
            precision = {.weights_are_exact = grid.is_exact(), .is_whole = grid.is_whole()};
            for (std::size_t i = 0; i < count; ++i)
                out[i].word = static_cast<std::uint64_t>(grid(weight(i))) << 16 |
                              static_cast<std::uint64_t>(codes[row_of(i)]);
        } else {
            threads.for_stretches(count, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    out[i] = static_cast<Label>(codes[row_of(i)]);
            });
        }
    }

    void add(Cell* bin, Label label) const {
        if constexpr (Weighted) {
            bin[label.code()] += label.weight();
            ++bin[n_classes];
        } else {
            ++bin[label];
        }
    }
    void add_sum(Cell* bin, Label label) const { add(bin, label); }
    /// Count the rows that are marked with a 1, the others with a 0.
    void add_some(Cell* bin, std::span<const Label> labels, const std::uint8_t* marks) const {
        if constexpr (Weighted) {
            for (std::size_t i = 0; i < labels.size(); ++i) {
                bin[labels[i].code()] += labels[i].weight() & -std::int64_t{marks[i]};
                bin[n_classes] += marks[i];
            }
        } else if (n_classes > 2) {
            for (std::size_t i = 0; i < labels.size(); ++i) bin[labels[i]] += marks[i];
        } else {
            Cell rows = 0;
            Cell ones = 0;
            for (std::size_t i = 0; i < labels.size(); ++i) {
                rows += marks[i];
                ones += static_cast<Cell>(marks[i] & labels[i]);
            }
            bin[0] += rows - ones;
            bin[n_classes - 1] += ones;
        }
    }
    [[nodiscard]] double weight(const Cell* bin) const {
        Cell sum = 0;
        for (std::size_t k = 0; k < n_classes; ++k) sum += bin[k];
        return static_cast<double>(sum);
    }
    [[nodiscard]] double rows(const Cell* bin) const {
        return Weighted ? static_cast<double>(bin[n_classes]) : weight(bin);
    }
    template <class Part>
    void put(const Cell* bin, const Part& part) const {
        for (std::size_t k = 0; k < n_classes; ++k) part(k) += static_cast<double>(bin[k]);
    }
};

/// The moment that tells how mixed rows are, for squared error: the square, from near the mean.
struct SquareMoment {
    static constexpr Origin origin = Origin::mean;
    static constexpr bool counts_positive = false;
    static double of(double label) { return label * label; }
};
/// The same for Poisson deviances. Rows whose label is not 0 are counted: doubles round sums, and a
/// sum of 0 must be told from all others.
struct LogMoment {
    static constexpr Origin origin = Origin::zero;
    static constexpr bool counts_positive = true;
    static double of(double label) { return label > 0 ? label * std::log(label) : 0; }
};

/// Number labels on a grid, and a moment of each.
template <bool Weighted, class Moment>
struct NumberSums {
    struct WeightedNumber {
        std::int64_t product = 0;  // label × weight
        std::int64_t weight = 0;
        std::int64_t moment = 0;  // × weight, in units of `moment_unit`
    };
    using Labels = NumberLabels;
    using Label = std::conditional_t<Weighted, WeightedNumber, std::int64_t>;
    // Of a bin: rows, and of how many the label is not 0 in the upper half; sum, moment, weight.
    using Cell = std::int64_t;
    static constexpr bool is_weighted = Weighted;
    static constexpr bool has_grid = true;
    static constexpr int weight_bits = weight_sum_bits;
    static constexpr int product_bits = 61;  // of sums of label × weight, which doubles round

    Precision precision;
    int exponent = 0;        // of the unit of labels
    double origin = 0;       // what labels are counted from
    double reach = 0;        // no label is farther from it, in units
    bool is_one = false;     // all are equal
    double moment_unit = 1;  // a power of two, so that the sum of all moments fits 62 bits

    NumberSums() = default;
    NumberSums(const NumberLabels& /*labels*/, std::size_t /*output*/) {}

    [[nodiscard]] static std::size_t width() { return Weighted ? 4 : 3; }
    [[nodiscard]] static std::size_t n_parts() { return Moment::counts_positive ? 3 : 2; }
    [[nodiscard]] int unit_exponent() const { return exponent; }
    /// Whether all labels are one. Its unit says nothing then.
    [[nodiscard]] bool is_constant() const { return is_one; }
    /// How the mean, the level of some rows, follows from their sums: in units of the table's grid.
    [[nodiscard]] LevelScale levels(const NumberLabels& labels) const {
        const int table = labels.exponents[0];
        const double unit = scaled(1, exponent - table);
        const double start = scaled(origin, -table);
        const double size = std::abs(start) + reach * unit;
        const double moved = (precision.labels_are_exact ? 0.0 : 1) +
                             (precision.weights_are_exact ? 0.0 : 4 * reach);
        return {.part = 0,
                .origin = start,
                .unit = unit,
                .error = 0x1p-48 * size,
                .weight_error = moved * unit,
                .sum_error = precision.is_whole ? 0 : 0x1p-44 * reach * unit};
    }

    template <class Fixed, class RowOf>
    void read(const Fixed& fixed, std::size_t output, std::size_t count, const RowOf& row_of,
              [[maybe_unused]] int sum_bits, Label* out, Threads& threads) {
        const NumberLabels& labels = fixed.view();
        const double* numbers = fixed.numbers() + output * labels.n_rows;
        const auto number = [&](std::size_t i) { return numbers[row_of(i)]; };
        std::vector<std::int64_t> products;
        Quantised grid;
        if constexpr (Weighted) {
            const auto weight = [&](std::size_t i) { return labels.weights[row_of(i)]; };
            const GridWeights weights(count, weight, weight_bits);
            std::int64_t lightest = weights.total();
            for (std::size_t i = 0; i < count; ++i) {
                out[i].weight = weights(weight(i));
                if (out[i].weight > 0) lightest = std::min(lightest, out[i].weight);
            }
            grid = quantise(
                count, number, [&](std::size_t i) { return out[i].weight; }, weights.total(),
                labels.exponents[output], Moment::origin, product_bits, products, threads);
            precision.weights_are_exact = weights.is_exact();
            precision.is_whole = grid.is_whole && weights.is_whole();
            precision.lightest = static_cast<double>(lightest);
            for (std::size_t i = 0; i < count; ++i) out[i].product = products[i];
        } else {
            grid = quantise(
                count, number, [](std::size_t /*i*/) { return std::int64_t{1}; },
                static_cast<std::int64_t>(count), labels.exponents[output], Moment::origin,
                sum_bits, products, threads);
            precision.is_whole = grid.is_whole;
            std::copy(products.begin(), products.end(), out);
        }
        precision.labels_are_exact = grid.is_exact;
        exponent = grid.exponent;
        origin = grid.origin;
        is_one = grid.is_constant;
        fit_moments(std::span<Label>(out, count), threads);
    }

    void add(Cell* bin, const Label& label) const {
        bin[0] += one_row(label);
        if constexpr (Weighted) {
            bin[1] += label.product;
            bin[2] += label.moment;
            bin[3] += label.weight;
        } else {
            bin[1] += label;
            bin[2] += on_grid(Moment::of(static_cast<double>(label)));
        }
    }
    /// Count a row, but for its moment.
    void add_sum(Cell* bin, const Label& label) const {
        bin[0] += one_row(label);
        if constexpr (Weighted) {
            bin[1] += label.product;
            bin[3] += label.weight;
        } else {
            bin[1] += label;
        }
    }
    /// Count the rows that are marked with a 1, the others with a 0, but for their moments.
    void add_some(Cell* bin, std::span<const Label> labels, const std::uint8_t* marks) const {
        std::int64_t rows = 0;
        std::int64_t sum = 0;
        std::int64_t weight = 0;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const std::int64_t mask = -std::int64_t{marks[i]};
            rows += one_row(labels[i]) & mask;
            if constexpr (Weighted) {
                sum += labels[i].product & mask;
                weight += labels[i].weight & mask;
            } else {
                sum += labels[i] & mask;
            }
        }
        bin[0] += rows;
        bin[1] += sum;
        if constexpr (Weighted) bin[3] += weight;
    }
    [[nodiscard]] double rows(const Cell* bin) const {
        return static_cast<double>(Moment::counts_positive ? bin[0] & 0xffffffff : bin[0]);
    }
    [[nodiscard]] double weight(const Cell* bin) const {
        return Weighted ? static_cast<double>(bin[3]) : rows(bin);
    }
    template <class Part>
    void put(const Cell* bin, const Part& part) const {
        part(0) += static_cast<double>(bin[1]);
        part(1) += static_cast<double>(bin[2]) * moment_unit;
        if constexpr (Moment::counts_positive) part(2) += static_cast<double>(bin[0] >> 32);
    }

  private:
    /// What a row adds to the first cell.
    [[nodiscard]] static std::int64_t one_row(const Label& label) {
        if constexpr (Moment::counts_positive)
            return label.product > 0 ? (std::int64_t{1} << 32) + 1 : 1;
        else
            return 1;
    }
    [[nodiscard]] std::int64_t on_grid(double moment) const {
        return static_cast<std::int64_t>(moment * per_moment_unit_);
    }
    [[nodiscard]] static double moment_of(const Label& label) {
        if constexpr (Weighted) {
            const auto weight = static_cast<double>(label.weight);
            if (label.weight == 0) return 0;
            return Moment::of(static_cast<double>(label.product) / weight) * weight;
        } else {
            return Moment::of(static_cast<double>(label));
        }
    }

    /// Choose the unit of moments. A moment is off by a unit and four roundings, and running sums
    /// over up to 2^9 cells lose as many last digits of the whole.
    void fit_moments(std::span<Label> labels, Threads& threads) {
        const double whole =
            over_stretches<double>(labels.size(), threads, [&](std::size_t begin, std::size_t end) {
                double sum = 0;
                for (std::size_t i = begin; i < end; ++i) sum += std::abs(moment_of(labels[i]));
                return sum;
            });
        const int bits = whole > 0 ? std::ilogb(whole) + 1 : 0;
        moment_unit = scaled(1, bits - 60);
        per_moment_unit_ = scaled(1, 60 - bits);
        precision.moments = static_cast<double>(labels.size()) * moment_unit + 0x1p-43 * whole;
        reach = 0;
        for (Label& label : labels) {
            if constexpr (Weighted) {
                label.moment = on_grid(moment_of(label));
                if (label.weight == 0) continue;
                reach = std::max(reach, std::abs(static_cast<double>(label.product)) /
                                            static_cast<double>(label.weight));
            } else {
                reach = std::max(reach, std::abs(static_cast<double>(label)));
            }
        }
    }

    double per_moment_unit_ = 1;
};

}  // namespace bough
