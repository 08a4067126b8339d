// What the fast search counts: labels small enough for a histogram.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quantise.hpp"
#include "strip.hpp"

// A statistic reads the labels of a block of rows, and says how sums of them are kept:
//
//     read(fixed, count, row_of, sum_bits, out, threads)
//                                                 the labels of the table's rows `row_of(i)`; sums
//                                                 of weights have at most that many bits
//     has_grid                                    whether labels are put on a grid of their block
//     add(bin, label)                             count a row in the cells of a bin
//     append(strip, bin), accumulate(sums, bin)   a bin in doubles
//     precision(), doubt()                        how far sums, and sums of squares, may be off

namespace bough {

/// Classes of rows that all weigh 1.
struct ClassCounts {
    using Label = std::uint8_t;
    using Cell = std::uint32_t;
    static constexpr bool is_weighted = false;
    static constexpr bool has_grid = false;

    std::size_t n_classes = 2;

    [[nodiscard]] std::size_t width() const { return n_classes; }    // cells of a bin
    [[nodiscard]] std::size_t n_parts() const { return n_classes; }  // of its sums
    [[nodiscard]] static Precision precision() { return {}; }
    [[nodiscard]] static double doubt() { return 0; }

    template <class Fixed, class RowOf>
    static void read(const Fixed& fixed, std::size_t count, const RowOf& row_of, int /*sum_bits*/,
                     std::vector<Label>& out, Threads& threads) {
        threads.for_stretches(count, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                out[i] = static_cast<Label>(fixed.view().codes[row_of(i)]);
        });
    }

    static void add(Cell* bin, Label label) { ++bin[label]; }

    /// Append a bin to a strip.
    void append(Strip& strip, const Cell* bin) const {
        const std::size_t c = strip.n_cells++;
        std::uint32_t rows = 0;
        for (std::size_t k = 0; k < n_classes; ++k) {
            rows += bin[k];
            strip.part(k)[c + 1] = strip.part(k)[c] + bin[k];
        }
        strip.rows()[c + 1] = strip.rows()[c] + rows;
    }
    void accumulate(Sums& sums, const Cell* bin) const {
        for (std::size_t k = 0; k < n_classes; ++k) {
            sums.rows += bin[k];
            sums.parts[k] += bin[k];
        }
        sums.weight = sums.rows;
    }
    static void join(Cell& to, const Cell& what) { to += what; }
    static void subtract(Cell& from, const Cell& what) { from -= what; }
};

/// Number labels on a grid, of rows that all weigh 1.
struct LabelSums {
    using Label = std::int64_t;
    struct Cell {
        std::int64_t sum = 0;
        std::int64_t rows = 0;
        double squares = 0;
    };
    static constexpr bool is_weighted = false;
    static constexpr bool has_grid = true;

    Quantised grid;
    double squares = 0;  // of all labels of the block, on their grid

    [[nodiscard]] static std::size_t width() { return 1; }
    [[nodiscard]] static std::size_t n_parts() { return 2; }
    [[nodiscard]] Precision precision() const {
        return {.labels_are_exact = grid.is_exact, .is_whole = grid.is_whole};
    }
    /// How far a sum of squares may be off: they are added in doubles, in any order.
    [[nodiscard]] double doubt() const { return 1e-12 * squares; }

    template <class Fixed, class RowOf>
    void read(const Fixed& fixed, std::size_t count, const RowOf& row_of, int /*sum_bits*/,
              std::vector<Label>& out, Threads& threads) {
        grid = quantise(
            count, [&](std::size_t i) { return fixed.numbers()[row_of(i)]; },
            [](std::size_t /*i*/) { return std::int64_t{1}; }, static_cast<std::int64_t>(count),
            out, threads);
        squares = 0;
        for (const std::int64_t label : out)
            squares += static_cast<double>(label) * static_cast<double>(label);
    }

    static void add(Cell* bin, Label label) {
        const auto value = static_cast<double>(label);
        bin->sum += label;
        bin->squares += value * value;
        ++bin->rows;
    }
    static void append(Strip& strip, const Cell* bin) {
        const std::size_t c = strip.n_cells++;
        strip.rows()[c + 1] = strip.rows()[c] + static_cast<double>(bin->rows);
        strip.part(0)[c + 1] = strip.part(0)[c] + static_cast<double>(bin->sum);
        strip.part(1)[c + 1] = strip.part(1)[c] + bin->squares;
    }
    static void accumulate(Sums& sums, const Cell* bin) {
        sums.rows += static_cast<double>(bin->rows);
        sums.weight = sums.rows;
        sums.parts[0] += static_cast<double>(bin->sum);
        sums.parts[1] += bin->squares;
    }
    static void join(Cell& to, const Cell& what) {
        to.sum += what.sum;
        to.squares += what.squares;
        to.rows += what.rows;
    }
    static void subtract(Cell& from, const Cell& what) {
        from.sum -= what.sum;
        from.squares -= what.squares;
        from.rows -= what.rows;
    }
};

}  // namespace bough
