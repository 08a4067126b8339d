// What the rows of a node have in the cells of sparse columns.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "counts.hpp"
#include "sparse_cells.hpp"

namespace bough {

/// Labels of the table's rows, one output after the other.
template <class Statistic>
struct RowLabels {
    const typename Statistic::Label* first;
    std::size_t n_rows;
};

/// A count of the rows of a node that knows which cells have any, so that a small node costs no
/// more than its rows do.
template <class Statistic>
class SparseCounts {
  public:
    using Cell = typename Statistic::Cell;

    SparseCounts(const SparseCells& cells, std::size_t width)
        : cells_(cells),
          width_(width),
          sums_(cells.n_cells() * width),
          seen_(cells.n_cells() / 64 + 1),
          seen_words_(seen_.size() / 64 + 1) {}

    [[nodiscard]] const std::vector<Cell>& sums() const { return sums_; }

    void count(std::span<const Row> rows, const Counts<Statistic>& counts,
               const RowLabels<Statistic>& labels) {
        clear();
        for (const Row row : rows) {
            for (const std::uint32_t cell : cells_.of_row(row)) {
                counts.add(sums_.data() + cell * width_, labels.first + row, labels.n_rows);
                seen_[cell / 64] |= std::uint64_t{1} << cell % 64;
                seen_words_[cell / 4096] |= std::uint64_t{1} << cell / 64 % 64;
            }
        }
    }

    /// Call `use` with each cell that has rows, in order.
    template <class Use>
    void for_each_seen(const Use& use) const {
        for_each_bit(seen_words_, 0, seen_words_.size(), [&](std::size_t word) {
            for_each_bit(seen_, word, word + 1,
                         [&](std::size_t cell) { use(static_cast<std::uint32_t>(cell)); });
        });
    }

    /// Take this count from that of the node whose child it is.
    void subtract_from(std::vector<Cell>& whole) const {
        for_each_seen([&](std::uint32_t cell) {
            for (std::size_t i = cell * width_; i < (cell + 1) * width_; ++i) whole[i] -= sums_[i];
        });
    }

  private:
    template <class Use>
    static void for_each_bit(const std::vector<std::uint64_t>& words, std::size_t begin,
                             std::size_t end, const Use& use) {
        for (std::size_t word = begin; word < end; ++word)
            for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1)
                use(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
    }

    void clear() {
        for_each_seen([&](std::uint32_t cell) {
            std::fill_n(sums_.begin() + static_cast<std::ptrdiff_t>(cell * width_), width_, Cell{});
        });
        for_each_bit(seen_words_, 0, seen_words_.size(),
                     [&](std::size_t word) { seen_[word] = 0; });
        std::fill(seen_words_.begin(), seen_words_.end(), 0);
    }

    const SparseCells& cells_;
    std::size_t width_;
    std::vector<Cell> sums_;                 // of each cell
    std::vector<std::uint64_t> seen_;        // a bit for each cell that has rows
    std::vector<std::uint64_t> seen_words_;  // a bit for each word of them that is not 0
};

}  // namespace bough
