// A large node that waits for its turn.
#pragma once

#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "block.hpp"
#include "histogram.hpp"

namespace bough {

/// A node that waits, with all that its search needs.
template <class Statistic>
struct WaitingNode {
    std::size_t stem = 0;
    std::shared_ptr<Block<Statistic>> block;
    std::span<LocalRow> rows;
    Histogram<Statistic> histogram;
    std::shared_ptr<std::vector<LocalRow>> owner;  // of the rows

    /// Move into a block of its own.
    void settle() {
        block = Block<Statistic>::copy(*block, rows);
        owner = std::make_shared<std::vector<LocalRow>>(rows.size());
        std::iota(owner->begin(), owner->end(), LocalRow{0});
        rows = *owner;
    }

    /// Whether its labels on a grid of their own would be much finer.
    [[nodiscard]] bool may_have_finer_grid() const {
        return Statistic::has_grid && rows.size() * 8 <= block->n_rows_of_grid;
    }
};

}  // namespace bough
