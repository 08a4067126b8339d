// One tally for each bin of each column at a node.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "row_block.hpp"

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
        if constexpr (std::is_same_v<Statistic, ClassSums<false>>) {
            constexpr std::size_t many = 2048;
            if (width_ == 2 && rows.size() >= many)
                return in_pairs(first, last, [&]<std::size_t Count>(std::size_t column) {
                    count_two_classes<Count>(block, rows, labels, column);
                });
        }
        const auto size = static_cast<std::ptrdiff_t>(n_bins * width_);
        std::fill(cells_.begin() + static_cast<std::ptrdiff_t>(first) * size,
                  cells_.begin() + static_cast<std::ptrdiff_t>(last) * size, Cell{});
        in_pairs(first, last, [&]<std::size_t Count>(std::size_t column) {
            count_columns<Count>(block, rows, labels, column);
        });
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

    /// Two columns at a time read each row's number and label once.
    static void in_pairs(std::size_t first, std::size_t last, const auto& count) {
        std::size_t column = first;
        for (; column + 1 < last; column += 2) count.template operator()<2>(column);
        if (column < last) count.template operator()<1>(column);
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

    /// Two classes, rows in turn into one of two tables: of rows of the same bin that follow each
    /// other none need wait for the other's sum.
    template <std::size_t Count>
    void count_two_classes(const Block<Statistic>& block, std::span<const LocalRow> rows,
                           std::span<const Label> labels, std::size_t column) {
        constexpr std::size_t size = 2 * n_bins;
        std::array<const std::uint8_t*, Count> bins;
        std::copy_n(&block.bins[column], Count, bins.begin());
        std::array<std::array<Cell, Count * size>, 2> tables{};
        const auto add = [&](auto& table, std::size_t i) {
            const LocalRow row = rows[i];
            const std::size_t label = labels[i];
            for (std::size_t k = 0; k < Count; ++k) ++table[k * size + 2U * bins[k][row] + label];
        };
        std::size_t i = 0;
        for (; i + 2 <= rows.size(); i += 2) {
            add(tables[0], i);
            add(tables[1], i + 1);
        }
        if (i < rows.size()) add(tables[0], i);
        Cell* cells = cells_.data() + column * size;
        for (std::size_t k = 0; k < Count * size; ++k) cells[k] = tables[0][k] + tables[1][k];
    }

    std::size_t width_ = 0;
    std::vector<Cell> cells_;
    HistogramRoom* room_ = nullptr;
};

}  // namespace bough
