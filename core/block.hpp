// Rows that lie close together in memory: the whole table, or the copy of a node that became small.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coarse.hpp"
#include "statistic.hpp"

namespace bough {

using LocalRow = std::uint32_t;

/// A block lends each column's bins and each row's label by local row, and knows the table's rows.
template <class Statistic>
struct Block {
    using Label = typename Statistic::Label;

    std::size_t n_rows = 0;
    std::vector<const std::uint8_t*> bins;  // of each column
    const Label* labels = nullptr;
    const Row* table_rows = nullptr;  // none: local rows are the table's
    Statistic statistic;              // of these labels
    // What a copy owns.
    std::vector<std::uint8_t> own_bins;
    std::vector<Label> own_labels;
    std::vector<Row> own_rows;

    /// Read the labels of the table's rows.
    template <class Fixed>
    void fetch_labels(const Statistic& table_statistic, const Fixed& fixed) {
        constexpr int sum_bits = 53;  // histograms are added up in doubles
        statistic = table_statistic;
        own_labels.resize(n_rows);
        statistic.read(
            fixed, n_rows, [&](std::size_t i) { return table_row(static_cast<LocalRow>(i)); },
            sum_bits, own_labels);
        labels = own_labels.data();
    }

    [[nodiscard]] Row table_row(LocalRow row) const {
        return table_rows == nullptr ? row : table_rows[row];
    }

    /// Copy the rows of a node side by side, all but their labels. Reading a column of them then
    /// touches no memory of rows that are elsewhere.
    static std::unique_ptr<Block> copy(const Block& from, std::span<const LocalRow> rows) {
        auto block = std::make_unique<Block>();
        block->n_rows = rows.size();
        block->own_bins.resize(rows.size() * from.bins.size());
        block->own_rows.resize(rows.size());
        for (std::size_t column = 0; column < from.bins.size(); ++column) {
            const std::uint8_t* source = from.bins[column];
            std::uint8_t* target = block->own_bins.data() + column * rows.size();
            for (std::size_t i = 0; i < rows.size(); ++i) target[i] = source[rows[i]];
            block->bins.push_back(target);
        }
        for (std::size_t i = 0; i < rows.size(); ++i) block->own_rows[i] = from.table_row(rows[i]);
        block->table_rows = block->own_rows.data();
        return block;
    }
};

}  // namespace bough
