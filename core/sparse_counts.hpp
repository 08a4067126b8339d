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
        may_be_empty_ = false;
    }

    /// Take some of the counted rows out again.
    void take_out(std::span<const Row> rows, const Counts<Statistic>& counts,
                  const RowLabels<Statistic>& labels) {
        std::vector<Cell> one(width_);
        std::vector<std::size_t> places;  // where it is not 0: few, however many classes there are
        for (const Row row : rows) {
            counts.add(one.data(), labels.first + row, labels.n_rows);
            for (std::size_t i = 0; i < width_; ++i)
                if (one[i] != Cell{}) places.push_back(i);
            for (const std::uint32_t cell : cells_.of_row(row))
                for (const std::size_t i : places) sums_[cell * width_ + i] -= one[i];
            for (const std::size_t i : places) one[i] = Cell{};
            places.clear();
        }
        may_be_empty_ = true;
    }

    /// Call `use` with each cell that has rows, in order.
    template <class Use>
    void for_each_seen(const Counts<Statistic>& counts, const Use& use) const {
        for_each_bit(seen_words_, 0, seen_words_.size(), [&](std::size_t word) {
            for_each_bit(seen_, word, word + 1, [&](std::size_t cell) {
                if (has_rows(cell, counts)) use(static_cast<std::uint32_t>(cell));
            });
        });
    }
    /// The same for the cells of one column.
    template <class Use>
    void for_each_seen(const Counts<Statistic>& counts, const CellRange& range,
                       const Use& use) const {
        for (std::uint32_t cell = range.first; cell < range.end; ++cell)
            if ((seen_[cell / 64] >> cell % 64 & 1) != 0 && has_rows(cell, counts)) use(cell);
    }

  private:
    template <class Use>
    static void for_each_bit(const std::vector<std::uint64_t>& words, std::size_t begin,
                             std::size_t end, const Use& use) {
        for (std::size_t word = begin; word < end; ++word)
            for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1)
                use(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
    }

    [[nodiscard]] bool has_rows(std::size_t cell, const Counts<Statistic>& counts) const {
        return !may_be_empty_ || counts[0].rows(sums_.data() + cell * width_) > 0;
    }

    void clear() {
        for_each_bit(seen_words_, 0, seen_words_.size(), [&](std::size_t word) {
            for_each_bit(seen_, word, word + 1, [&](std::size_t cell) {
                std::fill_n(sums_.begin() + static_cast<std::ptrdiff_t>(cell * width_), width_,
                            Cell{});
            });
            seen_[word] = 0;
        });
        std::fill(seen_words_.begin(), seen_words_.end(), 0);
    }

    const SparseCells& cells_;
    std::size_t width_;
    std::vector<Cell> sums_;                 // of each cell
    std::vector<std::uint64_t> seen_;        // a bit for each cell that has rows, or had some
    bool may_be_empty_ = false;              // and has none now
    std::vector<std::uint64_t> seen_words_;  // a bit for each word of them that is not 0
};

}  // namespace bough
