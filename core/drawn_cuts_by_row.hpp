// Cuts by chance of all columns of a large node, found row by row: the codes of a row lie side by
// side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "coarse_table.hpp"
#include "finalist.hpp"
#include "random_draws.hpp"
#include "row_block.hpp"

namespace bough {

/// Draws from one node after the other, where no value is missing. Buffers are kept.
template <class Statistic>
class DrawnRows {
  public:
    using Label = typename Statistic::Label;
    using Cell = typename Statistic::Cell;
    static constexpr std::size_t most_cells = 8;  // of a label: what is added up lies near

    DrawnRows(const CoarseTable& table, std::span<const RawColumn> raw) : table_(table), raw_(raw) {
        for (const RawColumn& column : raw) values_.emplace_back(column);
        cuts_.resize(raw.size());
        tells_apart_.resize(raw.size());
    }

    /// Draw a cut of each column by `chance(column)`; say whether no value is missing.
    template <class Chance>
    bool draw(const Block<Statistic>& block, std::span<const LocalRow> rows,
              std::span<const Label> labels, const Chance& chance) {
        block_ = &block;
        rows_ = rows;
        const std::size_t width = block.counts.width();
        cells_.assign(raw_.size() * width, Cell{});
        for (std::size_t group = 0; group * RowCodes::n_columns < raw_.size(); ++group) {
            if (!find_ends(group)) return false;
            for (std::size_t column = begin_of(group); column < end_of(group); ++column)
                draw(column, chance(column));
            sum(group, labels, block.counts[0], width);
        }
        return true;
    }

    /// Whether a column tells the rows apart, and where it is cut then.
    [[nodiscard]] bool tells_apart(std::size_t column) const { return tells_apart_[column] != 0; }
    [[nodiscard]] const Cut& cut(std::size_t column) const { return cuts_[column]; }
    /// What is counted before the cut, but for moments.
    [[nodiscard]] const Cell* cells(std::size_t column) const {
        return cells_.data() + column * block_->counts.width();
    }

  private:
    using Codes = RowCodes::Codes;
    /// The lowest and the highest codes of some rows.
    struct Range {
        Codes low;
        Codes high;

        void add(const Codes& lows, const Codes& highs) {
            low = lows < low ? lows : low;
            high = highs > high ? highs : high;
        }
        [[nodiscard]] bool touches(const Range& other) const {
            return RowCodes::any((other.low == low) | (other.high == high));
        }
    };
    static constexpr std::size_t n_subsets = std::size_t{1} << RowCodes::n_columns;
    static constexpr std::size_t stretch = 64;

    [[nodiscard]] static std::size_t begin_of(std::size_t group) {
        return group * RowCodes::n_columns;
    }
    [[nodiscard]] std::size_t end_of(std::size_t group) const {
        return std::min(raw_.size(), begin_of(group + 1));
    }
    [[nodiscard]] double value_of(std::size_t column, LocalRow row) const {
        return values_[column][block_->table_row(row)];
    }
    [[nodiscard]] bool is_single(std::size_t column, int code) const {
        return table_[column].is_single[static_cast<std::size_t>(code - RowCodes::lowest) >> 8] !=
               0;
    }

    /// Find the least and the greatest value of each column, where they are not missing: among the
    /// rows of two codes, in the few stretches that have these.
    bool find_ends(std::size_t group) {
        const RowCodes* of_row = block_->row_codes.data() + group * block_->n_rows;
        const std::size_t n = rows_.size();
        stretches_.resize((n + stretch - 1) / stretch);
        Range all{of_row[rows_.front()].codes, of_row[rows_.front()].codes};
        for (std::size_t s = 0; s < stretches_.size(); ++s) {
            Range range{of_row[rows_[s * stretch]].codes, of_row[rows_[s * stretch]].codes};
            for (std::size_t i = s * stretch; i < std::min(n, (s + 1) * stretch); ++i)
                range.add(of_row[rows_[i]].codes, of_row[rows_[i]].codes);
            stretches_[s] = range;
            all.add(range.low, range.high);
        }
        const std::size_t n_columns = end_of(group) - begin_of(group);
        for (std::size_t k = 0; k < RowCodes::n_columns; ++k) {
            if (k < n_columns && all.low[k] < RowCodes::lowest_known) return false;
            // Nobody looks for what fills up a group.
            if (k >= n_columns) all.low[k] = all.high[k] = RowCodes::lowest + 1;
        }
        least_.fill(std::numeric_limits<double>::infinity());
        most_.fill(-std::numeric_limits<double>::infinity());
        for (std::size_t s = 0; s < stretches_.size(); ++s) {
            if (!all.touches(stretches_[s])) continue;
            for (std::size_t i = s * stretch; i < std::min(n, (s + 1) * stretch); ++i)
                if (const Codes& codes = of_row[rows_[i]].codes; all.touches({codes, codes}))
                    see_ends(group, rows_[i], codes, all);
        }
        return true;
    }
    void see_ends(std::size_t group, LocalRow row, const Codes& codes, Range& all) {
        for (std::size_t k = 0; k < RowCodes::n_columns; ++k) {
            if (codes[k] != all.low[k] && codes[k] != all.high[k]) continue;
            const double value = value_of(begin_of(group) + k, row);
            least_[k] = std::min(least_[k], value);
            most_[k] = std::max(most_[k], value);
            // Others in the bin have the same value.
            if (!is_single(begin_of(group) + k, codes[k])) continue;
            const bool is_low = codes[k] == all.low[k];
            const bool is_high = codes[k] == all.high[k];
            if (is_low) all.low[k] = RowCodes::lowest + 1;
            if (is_high) all.high[k] = RowCodes::lowest + 1;
        }
    }

    void draw(std::size_t column, std::uint64_t chance) {
        const double least = least_[column % RowCodes::n_columns];
        const double most = most_[column % RowCodes::n_columns];
        Cut& cut = cuts_[column];
        cut = Cut{};  // nothing is before it
        tells_apart_[column] = least < most ? 1 : 0;
        if (!tells_apart(column)) return;
        const double place = drawn_between(least, most, chance);
        const std::uint32_t code = table_.code_of(column, as_float(place));
        cut.level = Cut::Level::place;
        cut.bin = static_cast<std::uint8_t>(code >> 8);
        cut.step = static_cast<std::uint8_t>(code);
        cut.set(place);
    }

    /// Add up what is before each cut. A row is counted once, by the columns whose cuts it is
    /// before; a column then has what is counted by the sets that it is in.
    void sum(std::size_t group, std::span<const Label> labels, const Statistic& counted,
             std::size_t width) {
        const RowCodes* of_row = block_->row_codes.data() + group * block_->n_rows;
        const std::size_t n_columns = end_of(group) - begin_of(group);
        Codes cut_codes = Codes{} + static_cast<std::int16_t>(RowCodes::lowest);
        for (std::size_t k = 0; k < n_columns; ++k)
            cut_codes[k] =
                RowCodes::code(cuts_[begin_of(group) + k].bin, cuts_[begin_of(group) + k].step);
        Codes near_codes = cut_codes;  // where values tell
        for (std::size_t k = n_columns; k < RowCodes::n_columns; ++k)
            near_codes[k] = RowCodes::lowest + 1;
        subsets_.assign(n_subsets * width, Cell{});
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Codes codes = of_row[rows_[i]].codes;
            std::size_t subset = RowCodes::subset(codes < cut_codes);
            if (RowCodes::any(codes == near_codes))
                for (std::size_t k = 0; k < n_columns; ++k) {
                    if (codes[k] != near_codes[k]) continue;
                    const std::size_t column = begin_of(group) + k;
                    if (value_of(column, rows_[i]) <= cuts_[column].value) {
                        subset |= std::size_t{1} << k;
                        if (is_single(column, codes[k])) ++cut_codes[k];
                    }
                    if (is_single(column, codes[k])) near_codes[k] = RowCodes::lowest + 1;
                }
            counted.add_sum(subsets_.data() + subset * width, labels[i]);
        }
        for (std::size_t k = 0; k < n_columns; ++k)
            for (std::size_t subset = 0; subset < n_subsets; ++subset)
                if ((subset >> k & 1) != 0)
                    for (std::size_t c = 0; c < width; ++c)
                        cells_[(begin_of(group) + k) * width + c] += subsets_[subset * width + c];
    }

    const CoarseTable& table_;
    std::span<const RawColumn> raw_;
    std::vector<NumberValues> values_;
    const Block<Statistic>* block_ = nullptr;
    std::span<const LocalRow> rows_;
    std::vector<Range> stretches_;
    std::array<double, RowCodes::n_columns> least_{};  // values of each column of a group
    std::array<double, RowCodes::n_columns> most_{};
    std::vector<Cut> cuts_;
    std::vector<std::uint8_t> tells_apart_;
    std::vector<Cell> subsets_;
    std::vector<Cell> cells_;  // before the cut of each column
};

}  // namespace bough
