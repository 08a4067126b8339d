// A large node that waits for its turn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "histogram.hpp"
#include "row_block.hpp"
#include "threads.hpp"

namespace bough {

/// A node that waits, with all that its search needs.
template <class Statistic>
struct WaitingNode {
    using Label = typename Statistic::Label;

    std::size_t node_id = 0;
    std::shared_ptr<Block<Statistic>> block;
    std::span<LocalRow> rows;
    Histogram<Statistic> histogram;
    std::shared_ptr<std::vector<LocalRow>> owner;  // of the rows

    /// The labels of its rows, side by side: those of its block where it has all rows of that, in
    /// their order, else brought together in `room`.
    std::span<const Label> labels(std::vector<Label>& room, Threads& threads) const {
        const std::size_t n_outputs = block->counts.n_outputs();
        const std::size_t size = rows.size() * n_outputs;
        if (rows.size() == block->n_rows) return {block->labels, size};
        room.resize(std::max(room.size(), size));
        for (std::size_t o = 0; o < n_outputs; ++o) {
            const Label* from = block->labels_of(o);
            Label* to = room.data() + o * rows.size();
            threads.for_stretches(rows.size(), [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) to[i] = from[rows[i]];
            });
        }
        return {room.data(), size};
    }

    /// Move into a block of its own.
    void move_to_own_block() {
        block = Block<Statistic>::copy(*block, rows);
        owner = std::make_shared<std::vector<LocalRow>>(rows.size());
        std::iota(owner->begin(), owner->end(), LocalRow{0});
        rows = *owner;
    }

    /// Whether its labels on a grid of their own would be much finer.
    [[nodiscard]] bool may_have_finer_grid() const {
        return Statistic::has_grid && rows.size() * 2 <= block->n_rows_of_grid;
    }
};

}  // namespace bough
