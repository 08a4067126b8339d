// Rows that lie close together in memory: the whole table, or the copy of a node that became small.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "coarse_table.hpp"
#include "statistics_of_outputs.hpp"

namespace bough {

using LocalRow = std::uint32_t;

/// The codes of a row in eight columns, on which the processor works side by side.
struct RowCodes {
    using Codes [[gnu::vector_size(16)]] = std::int16_t;
    static constexpr std::size_t n_columns = 8;
    static constexpr int lowest = -0x8000;  // of a missing value, like all below the next
    static constexpr int lowest_known = lowest + static_cast<int>(n_steps);

    Codes codes;

    /// Codes as signed numbers, which every processor can compare.
    static std::int16_t code(std::uint32_t bin, std::uint32_t step) {
        return static_cast<std::int16_t>(static_cast<int>(bin << 8 | step) + lowest);
    }
    static bool any(const Codes& marks) {
        std::array<std::uint64_t, 2> words{};
        std::memcpy(words.data(), &marks, sizeof words);
        return (words[0] | words[1]) != 0;
    }
    /// The columns that are marked, a bit for each.
    static std::size_t subset(const Codes& marks) {
        const Codes bits = marks & Codes{1, 2, 4, 8, 16, 32, 64, 128};
        std::array<std::uint64_t, 2> words{};
        std::memcpy(words.data(), &bits, sizeof words);
        std::uint64_t all = words[0] | words[1];
        all |= all >> 32;
        return (all | all >> 16) & 0xff;
    }
};

/// A block lends each column's codes and each row's label by local row, and knows the table's rows.
template <class Statistic>
struct Block {
    using Label = typename Statistic::Label;

    std::size_t n_rows = 0;
    std::vector<const std::uint8_t*> bins;         // of each column
    std::vector<const std::uint8_t*> table_steps;  // of each column that is compared
    const Label* labels = nullptr;                 // one output after the other
    const Row* table_rows = nullptr;               // none: local rows are the table's
    Counts<Statistic> counts;                      // of these labels
    std::size_t n_rows_of_grid = 0;  // the rows for which the grid of the labels was made
    // What a copy owns.
    std::unique_ptr<std::uint8_t[]> own_bins;
    struct OwnSteps {
        std::once_flag is_read;
        std::unique_ptr<std::uint8_t[]> steps;
    };
    mutable std::vector<OwnSteps> own_steps;  // of each column
    std::vector<Label> own_labels;
    std::vector<Row> own_rows;
    std::vector<RowCodes> row_codes;  // groups of columns one after the other; may be none

    /// Read the labels of the table's rows.
    void fetch_labels(const auto& fixed, Threads& threads) {
        constexpr int sum_bits = 53;  // histograms are added up in doubles
        counts = Counts<Statistic>(fixed.view());
        n_rows_of_grid = n_rows;
        counts.read(
            fixed, n_rows, [&](std::size_t i) { return table_row(static_cast<LocalRow>(i)); },
            sum_bits, own_labels, threads);
        labels = own_labels.data();
    }
    [[nodiscard]] const Label* labels_of(std::size_t output) const {
        return labels + output * n_rows;
    }

    [[nodiscard]] Row table_row(LocalRow row) const {
        return table_rows == nullptr ? row : table_rows[row];
    }

    /// The steps of a column. Few columns are looked into, so a copy fetches them when they are
    /// asked for first.
    [[nodiscard]] const std::uint8_t* steps(std::size_t column) const {
        const std::uint8_t* of_table = table_steps[column];
        if (own_steps.empty() || of_table == nullptr) return of_table;
        OwnSteps& own = own_steps[column];
        std::call_once(own.is_read, [&] {
            own.steps = std::make_unique_for_overwrite<std::uint8_t[]>(n_rows);
            fetch<1>(&of_table, own_rows, own.steps.get());
        });
        return own.steps.get();
    }

    /// Have the codes of each row side by side as well.
    void join_codes(Threads& threads) {
        constexpr std::size_t width = RowCodes::n_columns;
        const std::size_t n_groups = (bins.size() + width - 1) / width;
        row_codes.resize(n_groups * n_rows);
        threads.for_stretches(n_rows, [&](std::size_t begin, std::size_t end) {
            for (std::size_t group = 0; group < n_groups; ++group) {
                RowCodes* to = row_codes.data() + group * n_rows;
                const std::size_t n = std::min(width, bins.size() - group * width);
                for (std::size_t i = begin; i < end; ++i)
                    for (std::size_t k = 0; k < n; ++k)
                        to[i].codes[k] = RowCodes::code(bins[group * width + k][i],
                                                        table_steps[group * width + k][i]);
            }
        });
    }

    /// Copy the rows of a node side by side. Reading a column of them then touches no memory of
    /// rows that are elsewhere.
    static std::unique_ptr<Block> copy(const Block& from, std::span<const LocalRow> rows) {
        auto block = std::make_unique<Block>();
        block->n_rows = rows.size();
        const std::size_t n_columns = from.bins.size();
        block->own_bins = std::make_unique_for_overwrite<std::uint8_t[]>(rows.size() * n_columns);
        block->own_rows.resize(rows.size());
        std::uint8_t* to = block->own_bins.get();
        std::size_t k = 0;
        for (; k + 4 <= n_columns; k += 4) fetch<4>(&from.bins[k], rows, to + k * rows.size());
        for (; k < n_columns; ++k) fetch<1>(&from.bins[k], rows, to + k * rows.size());
        for (k = 0; k < n_columns; ++k) block->bins.push_back(to + k * rows.size());
        block->table_steps = from.table_steps;
        block->own_steps = std::vector<OwnSteps>(n_columns);
        for (std::size_t i = 0; i < rows.size(); ++i) block->own_rows[i] = from.table_row(rows[i]);
        block->table_rows = block->own_rows.data();
        for (std::size_t begin = 0; begin < from.row_codes.size(); begin += from.n_rows)
            for (const LocalRow row : rows) block->row_codes.push_back(from.row_codes[begin + row]);
        block->counts = from.counts;
        block->own_labels.reserve(rows.size() * from.counts.n_outputs());
        for (std::size_t o = 0; o < from.counts.n_outputs(); ++o)
            for (const LocalRow row : rows) block->own_labels.push_back(from.labels_of(o)[row]);
        block->labels = block->own_labels.data();
        block->n_rows_of_grid = from.n_rows_of_grid;
        return block;
    }

  private:
    /// Fetch the codes of some columns; those of a row are on their way together.
    template <std::size_t Count>
    static void fetch(const std::uint8_t* const* codes, std::span<const LocalRow> rows,
                      std::uint8_t* to) {
        std::array<const std::uint8_t*, Count> column;
        std::copy_n(codes, Count, column.begin());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const LocalRow row = rows[i];
            for (std::size_t k = 0; k < Count; ++k) to[k * rows.size() + i] = column[k][row];
        }
    }
};

}  // namespace bough
