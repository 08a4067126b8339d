// One tally for each bin of each column at a node.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "node_block.hpp"

namespace bough {

/// How many bytes histograms may hold while their nodes wait; those that find no room are counted
/// again when their turn comes.
class HistogramRoom {
  public:
    explicit HistogramRoom(std::size_t most) : most_(most) {}

    void take(std::size_t n_bytes) { held_ += n_bytes; }
    void give_back(std::size_t n_bytes) { held_ -= n_bytes; }
    [[nodiscard]] bool is_full() const { return held_ > most_; }

  private:
    std::size_t most_;
    std::atomic<std::size_t> held_{0};
};

template <class Statistic>
class Histogram {
  public:
    using Cell = typename Statistic::Cell;
    using Label = typename Statistic::Label;

    Histogram() = default;
    Histogram(std::size_t width, std::size_t n_columns, HistogramRoom& room)
        : width_(width), cells_(n_columns * n_bins * width), room_(&room) {
        room_->take(n_bytes());
    }
    Histogram(Histogram&& other) noexcept { swap(other); }
    Histogram& operator=(Histogram&& other) noexcept {
        Histogram taken(std::move(other));
        swap(taken);
        return *this;
    }
    Histogram(const Histogram&) = delete;
    Histogram& operator=(const Histogram&) = delete;
    ~Histogram() {
        if (room_ != nullptr) room_->give_back(n_bytes());
    }

    [[nodiscard]] bool is_empty() const { return cells_.empty(); }
    [[nodiscard]] const Cell* bin(std::size_t column, std::size_t number) const {
        return cells_.data() + (column * n_bins + number) * width_;
    }

    /// Count the columns from `first` up to `last` of the rows; `labels` are theirs, in the same
    /// order, one output after the other.
    void count(const Block<Statistic>& block, std::span<const LocalRow> rows,
               std::span<const Label> labels, std::size_t first, std::size_t last) {
        const std::size_t size = n_bins * width_;
        std::fill(cells_.begin() + static_cast<std::ptrdiff_t>(first * size),
                  cells_.begin() + static_cast<std::ptrdiff_t>(last * size), Cell{});
        std::size_t column = first;
        if constexpr (std::is_same_v<Statistic, ClassSums<false>>) {
            constexpr std::size_t many = 2048;
            if (width_ == 2 && rows.size() >= many)
                for (; column < last; ++column)
                    count_pairs(block.bins[column], rows, labels, cells_.data() + column * size);
        }
        // Two columns at a time read each label once.
        for (; column + 1 < last; column += 2) count_columns<2>(block, rows, labels, column);
        if (column < last) count_columns<1>(block, rows, labels, column);
    }

    /// Become the histogram of a node without one of its two children.
    void subtract(const Histogram& part) {
        for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] -= part.cells_[i];
    }

  private:
    [[nodiscard]] std::size_t n_bytes() const { return cells_.size() * sizeof(Cell); }
    void swap(Histogram& other) noexcept {
        std::swap(width_, other.width_);
        std::swap(cells_, other.cells_);
        std::swap(room_, other.room_);
    }

    template <std::size_t Count>
    void count_columns(const Block<Statistic>& block, std::span<const LocalRow> rows,
                       std::span<const Label> labels, std::size_t column) {
        const std::size_t width = width_;
        const bool are_all = rows.size() == block.n_rows;
        for (std::size_t o = 0; o < block.counts.n_outputs(); ++o) {
            const Statistic statistic = block.counts[o];
            const Label* of_output = labels.data() + o * rows.size();
            std::array<Cell*, Count> cells;
            std::array<const std::uint8_t*, Count> bins;
            for (std::size_t k = 0; k < Count; ++k) {
                cells[k] =
                    cells_.data() + (column + k) * n_bins * width + block.counts.first_cell(o);
                bins[k] = block.bins[column + k];
            }
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const std::size_t row = are_all ? i : rows[i];
                const Label label = of_output[i];
                for (std::size_t k = 0; k < Count; ++k)
                    statistic.add(cells[k] + bins[k][row] * width, label);
            }
        }
    }

    /// Two classes into two tables in turn: rows of the same bin that follow each other need not
    /// wait for each other's sum.
    static void count_pairs(const std::uint8_t* bins, std::span<const LocalRow> rows,
                            std::span<const Label> labels, Cell* cells)
        requires std::is_same_v<Statistic, ClassSums<false>>
    {
        std::array<Cell, 2 * n_bins> other{};
        std::size_t i = 0;
        for (; i + 4 <= rows.size(); i += 4) {
            ++cells[2 * bins[rows[i]] + labels[i]];
            ++other[2U * bins[rows[i + 1]] + labels[i + 1]];
            ++cells[2 * bins[rows[i + 2]] + labels[i + 2]];
            ++other[2U * bins[rows[i + 3]] + labels[i + 3]];
        }
        for (; i < rows.size(); ++i) ++cells[2 * bins[rows[i]] + labels[i]];
        for (std::size_t k = 0; k < other.size(); ++k) cells[k] += other[k];
    }

    std::size_t width_ = 0;
    std::vector<Cell> cells_;
    HistogramRoom* room_ = nullptr;
};

}  // namespace bough
