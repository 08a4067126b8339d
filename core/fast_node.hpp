// A node as the fast search sees it, and what its stages share.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cut_scan.hpp"
#include "histogram.hpp"
#include "row_block.hpp"

namespace bough {

template <class Criterion, class Statistic>
struct FastNode {
    const Block<Statistic>& block;
    std::span<const LocalRow> rows;
    const Histogram<Statistic>& histogram;
    const Scores<Criterion>& scores;
    Levels levels;
};

/// A step in which the best cut may be.
struct Run {
    std::uint8_t bin;
    std::uint8_t step;
    double bound;
    Sums before;
};

/// A number for each bin that matters.
struct BinSlots {
    static constexpr std::uint16_t none = 0xffff;
    std::array<std::uint16_t, n_bins> of_bin{};

    void clear() { of_bin.fill(none); }

    /// The rows whose bin has a slot, put into `kept`.
    std::span<const LocalRow> rows_in(std::span<const LocalRow> rows, const std::uint8_t* bins,
                                      std::vector<LocalRow>& kept) const {
        if (kept.size() <= rows.size()) kept.resize(rows.size() + 1);
        LocalRow* out = kept.data();
        std::size_t n_kept = 0;
        for (const LocalRow row : rows) {
            out[n_kept] = row;
            n_kept += of_bin[bins[row]] != none ? 1 : 0;
        }
        return std::span(kept).first(n_kept);
    }
};

/// Call `act(ahead, side)` with the missing rows, if any, at the first answer, then at the second.
template <class Act>
void for_each_side(const Sums& missing, const Sums& nothing, const Act& act) {
    if (missing.rows > 0) {
        act(missing, 0);
        act(nothing, 1);
    } else {
        act(nothing, stop);
    }
}

}  // namespace bough
