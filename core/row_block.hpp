// Rows that lie close together in memory: the whole table, or the copy of a node that became small.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coarse_table.hpp"
#include "counts.hpp"

namespace bough {

using LocalRow = std::uint32_t;

/// A block lends each column's codes and each row's label by local row, and knows the table's rows.
template <class Statistic>
struct Block {
    using Label = typename Statistic::Label;

    std::size_t n_rows = 0;
    std::vector<const std::uint8_t*> bins;   // of each column
    std::vector<const std::uint8_t*> steps;  // of each column that is compared
    const Label* labels = nullptr;           // one output after the other
    const Row* table_rows = nullptr;         // none: local rows are the table's
    Counts<Statistic> counts;                // of these labels
    std::size_t n_rows_of_grid = 0;          // the rows for which the grid of the labels was made
    // What a copy owns.
    std::vector<std::uint8_t> own_codes;
    std::vector<Label> own_labels;
    std::vector<Row> own_rows;

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

    /// Copy the rows of a node side by side. Reading a column of them then touches no memory of
    /// rows that are elsewhere.
    static std::unique_ptr<Block> copy(const Block& from, std::span<const LocalRow> rows) {
        auto block = std::make_unique<Block>();
        block->n_rows = rows.size();
        block->own_codes.resize(2 * rows.size() * from.bins.size());
        block->own_rows.resize(rows.size());
        std::vector<const std::uint8_t*> codes;
        const auto place = [&](const std::uint8_t* column) -> const std::uint8_t* {
            if (column == nullptr) return nullptr;
            codes.push_back(column);
            return block->own_codes.data() + (codes.size() - 1) * rows.size();
        };
        for (const std::uint8_t* bins : from.bins) block->bins.push_back(place(bins));
        for (const std::uint8_t* steps : from.steps) block->steps.push_back(place(steps));
        std::uint8_t* to = block->own_codes.data();
        std::size_t k = 0;
        for (; k + 4 <= codes.size(); k += 4) fetch<4>(&codes[k], rows, to + k * rows.size());
        for (; k < codes.size(); ++k) fetch<1>(&codes[k], rows, to + k * rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) block->own_rows[i] = from.table_row(rows[i]);
        block->table_rows = block->own_rows.data();
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
