// What the fast search counts where rows have weights.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "statistic.hpp"
#include "wide.hpp"

namespace bough {

/// The weights of some rows as integers of which no sum has more than `sum_bits` bits: those of the
/// table's grid, or that many bits fewer.
class GridWeights {
  public:
    /// `weight(i)` is the i-th on the table's grid.
    template <class Weight>
    GridWeights(std::size_t count, const Weight& weight, int sum_bits) {
        Int128 total = 0;
        Int128 most = 0;
        for (std::size_t i = 0; i < count; ++i) {
            total += weight(i);
            most = std::max<Int128>(most, weight(i));
        }
        shift_ = std::max({0, bits_of(total) + 1 - sum_bits, bits_of(most) - row_bits});
        total_ = static_cast<std::int64_t>(total >> shift_);
    }

    static constexpr int row_bits = 55;  // of one row's weight

    [[nodiscard]] std::int64_t total() const { return total_; }
    [[nodiscard]] bool is_exact() const { return shift_ == 0; }
    /// Whether doubles hold all sums.
    [[nodiscard]] bool is_whole() const { return std::bit_width(as_unsigned(total_)) < 53; }

    /// A weight on this grid; one that takes part weighs something.
    [[nodiscard]] std::int64_t operator()(Int128 weight) const {
        if (shift_ == 0) return static_cast<std::int64_t>(weight);
        const Int128 half = static_cast<Int128>(1) << (shift_ - 1);
        const auto point = static_cast<std::int64_t>((weight + half) >> shift_);
        return weight > 0 ? std::max<std::int64_t>(point, 1) : 0;
    }

  private:
    static std::uint64_t as_unsigned(std::int64_t value) {
        return static_cast<std::uint64_t>(value);
    }
    static int bits_of(Int128 value) {
        const auto high = static_cast<std::uint64_t>(value >> 64);
        return static_cast<int>(high != 0 ? 64 + std::bit_width(high)
                                          : std::bit_width(static_cast<std::uint64_t>(value)));
    }

    int shift_ = 0;
    std::int64_t total_ = 0;
};

/// Classes of rows that have weights.
struct ClassWeights {
    /// A class and a weight in one word.
    struct Label {
        std::uint64_t word = 0;

        [[nodiscard]] std::size_t code() const { return word & 0xff; }
        [[nodiscard]] std::int64_t weight() const { return static_cast<std::int64_t>(word >> 8); }
        friend bool operator==(Label a, Label b) { return a.code() == b.code(); }
    };
    using Cell = std::int64_t;  // of a bin: its rows, then the weight of each class
    static constexpr bool is_weighted = true;
    static constexpr bool has_grid = true;

    std::size_t n_classes = 2;
    Precision how_precise;

    [[nodiscard]] std::size_t width() const { return n_classes + 1; }
    [[nodiscard]] std::size_t n_parts() const { return n_classes; }
    [[nodiscard]] Precision precision() const { return how_precise; }
    [[nodiscard]] static double doubt() { return 0; }

    template <class Fixed, class RowOf>
    void read(const Fixed& fixed, std::size_t count, const RowOf& row_of, int sum_bits,
              std::vector<Label>& out, Threads& /*threads*/) {
        const auto& labels = fixed.view();
        const auto weight = [&](std::size_t i) { return labels.weights[row_of(i)]; };
        const GridWeights grid(count, weight, sum_bits);
        how_precise = {.weights_are_exact = grid.is_exact(), .is_whole = grid.is_whole()};
        for (std::size_t i = 0; i < count; ++i)
            out[i].word = static_cast<std::uint64_t>(grid(weight(i))) << 8 |
                          static_cast<std::uint64_t>(labels.codes[row_of(i)]);
    }

    static void add(Cell* bin, Label label) {
        ++bin[0];
        bin[1 + label.code()] += label.weight();
    }
    void append(Strip& strip, const Cell* bin) const {
        const std::size_t c = strip.n_cells++;
        std::int64_t weight = 0;
        for (std::size_t k = 0; k < n_classes; ++k) {
            weight += bin[1 + k];
            strip.part(k)[c + 1] = strip.part(k)[c] + static_cast<double>(bin[1 + k]);
        }
        strip.rows()[c + 1] = strip.rows()[c] + static_cast<double>(bin[0]);
        strip.weight()[c + 1] = strip.weight()[c] + static_cast<double>(weight);
    }
    void accumulate(Sums& sums, const Cell* bin) const {
        std::int64_t weight = 0;
        for (std::size_t k = 0; k < n_classes; ++k) {
            weight += bin[1 + k];
            sums.parts[k] += static_cast<double>(bin[1 + k]);
        }
        sums.rows += static_cast<double>(bin[0]);
        sums.weight += static_cast<double>(weight);
    }
    static void join(Cell& to, const Cell& what) { to += what; }
    static void subtract(Cell& from, const Cell& what) { from -= what; }
};

/// Number labels of rows that have weights.
struct WeightedLabelSums {
    struct Label {
        std::int64_t product = 0;  // label × weight
        std::int64_t weight = 0;
        double squares = 0;  // label² × weight
    };
    struct Cell {
        std::int64_t sum = 0;
        std::int64_t weight = 0;
        double squares = 0;
        std::int64_t rows = 0;
    };
    static constexpr bool is_weighted = true;
    static constexpr bool has_grid = true;

    Precision how_precise;
    double squares = 0;  // of all labels of the block, × weight

    [[nodiscard]] static std::size_t width() { return 1; }
    [[nodiscard]] static std::size_t n_parts() { return 2; }
    [[nodiscard]] Precision precision() const { return how_precise; }
    /// How far a sum of squares may be off: they are added in doubles, in any order.
    [[nodiscard]] double doubt() const { return 1e-12 * squares; }

    template <class Fixed, class RowOf>
    void read(const Fixed& fixed, std::size_t count, const RowOf& row_of, int sum_bits,
              std::vector<Label>& out, Threads& threads) {
        const auto weight = [&](std::size_t i) { return fixed.view().weights[row_of(i)]; };
        const GridWeights grid(count, weight, sum_bits);
        std::int64_t lightest = grid.total();
        for (std::size_t i = 0; i < count; ++i) {
            out[i].weight = grid(weight(i));
            if (out[i].weight > 0) lightest = std::min(lightest, out[i].weight);
        }
        std::vector<std::int64_t> products(count);
        const Quantised labels = quantise(
            count, [&](std::size_t i) { return fixed.numbers()[row_of(i)]; },
            [&](std::size_t i) { return out[i].weight; }, grid.total(), products, threads);
        how_precise.labels_are_exact = labels.is_exact;
        how_precise.is_whole = labels.is_whole && grid.is_whole();
        how_precise.weights_are_exact = grid.is_exact();
        how_precise.lightest = static_cast<double>(lightest);
        squares = 0;
        for (std::size_t i = 0; i < count; ++i) {
            out[i].product = products[i];
            if (out[i].weight == 0) continue;
            const auto product = static_cast<double>(products[i]);
            out[i].squares = product * product / static_cast<double>(out[i].weight);
            squares += out[i].squares;
        }
    }

    static void add(Cell* bin, const Label& label) {
        bin->sum += label.product;
        bin->weight += label.weight;
        bin->squares += label.squares;
        ++bin->rows;
    }
    static void append(Strip& strip, const Cell* bin) {
        const std::size_t c = strip.n_cells++;
        strip.rows()[c + 1] = strip.rows()[c] + static_cast<double>(bin->rows);
        strip.weight()[c + 1] = strip.weight()[c] + static_cast<double>(bin->weight);
        strip.part(0)[c + 1] = strip.part(0)[c] + static_cast<double>(bin->sum);
        strip.part(1)[c + 1] = strip.part(1)[c] + bin->squares;
    }
    static void accumulate(Sums& sums, const Cell* bin) {
        sums.rows += static_cast<double>(bin->rows);
        sums.weight += static_cast<double>(bin->weight);
        sums.parts[0] += static_cast<double>(bin->sum);
        sums.parts[1] += bin->squares;
    }
    static void join(Cell& to, const Cell& what) {
        to.sum += what.sum;
        to.weight += what.weight;
        to.squares += what.squares;
        to.rows += what.rows;
    }
    static void subtract(Cell& from, const Cell& what) {
        from.sum -= what.sum;
        from.weight -= what.weight;
        from.squares -= what.squares;
        from.rows -= what.rows;
    }
};

}  // namespace bough
