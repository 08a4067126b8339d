// The labels of the rows of a small node, on grids that are fine enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "small_node_context.hpp"
#include "sorted_lists.hpp"
#include "statistics_of_outputs.hpp"

namespace bough {

/// Labels by local row, one output after the other. All are on one grid until nodes get finer ones.
template <class Criterion, class Statistic>
class ListLabels {
  public:
    using Label = typename Statistic::Label;
    using Entry = SortedLists::Entry;

    explicit ListLabels(const ListContext<Criterion>& context) : fixed_(context.fixed) {}

    /// Read those of these rows; with `codes` there are the labels of their block.
    void read(std::span<const Row> rows, const NodeCodes* codes, const Label* labels_of_block) {
        rows_ = rows;
        grids_.assign(1, Counts<Statistic>(fixed_.view()));
        if (codes == nullptr || Statistic::has_grid || grids_[0].n_outputs() > 1)
            return put_on_grid(grids_[0], rows, labels_);
        labels_.clear();
        for (const LocalRow row : codes->local_rows) labels_.push_back(labels_of_block[row]);
    }
    /// Put the labels of a node, whose rows these are, on a grid of their own; return its number.
    std::size_t add_grid(std::span<const Row> rows, std::span<const Entry> entries) {
        Counts<Statistic> finer(fixed_.view());
        put_on_grid(finer, rows, finer_);
        for (std::size_t o = 0; o < finer.n_outputs(); ++o)
            for (std::size_t i = 0; i < entries.size(); ++i)
                labels_[o * rows_.size() + SortedLists::row_of(entries[i])] =
                    finer_[o * entries.size() + i];
        grids_.push_back(std::move(finer));
        return grids_.size() - 1;
    }

    [[nodiscard]] const std::vector<Label>& all() const { return labels_; }
    [[nodiscard]] const Counts<Statistic>& grid(std::size_t number) const { return grids_[number]; }
    /// Whether two rows have different labels.
    [[nodiscard]] bool differ(std::size_t a, std::size_t b) const {
        if constexpr (std::is_integral_v<Label>)
            if (labels_[a] != labels_[b]) return true;
        return labels_differ(fixed_, rows_[a], rows_[b]);
    }

  private:
    static constexpr int sum_bits = 61;  // lists are added up in 64 bits

    void put_on_grid(Counts<Statistic>& grid, std::span<const Row> rows, std::vector<Label>& out) {
        const auto row_of = [&](std::size_t i) { return rows[i]; };
        grid.read(fixed_, rows.size(), row_of, sum_bits, out, alone_);
    }

    const FixedLabels<typename Criterion::Labels>& fixed_;
    std::span<const Row> rows_;
    std::vector<Label> labels_;
    std::vector<Label> finer_;
    std::vector<Counts<Statistic>> grids_;
    Threads alone_{1};
};

}  // namespace bough
