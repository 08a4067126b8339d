// What is counted of a row by all outputs of a tree together.
#pragma once

#include <cstddef>
#include <vector>

#include "statistic.hpp"
#include "sums.hpp"

namespace bough {

/// A statistic for each output: their cells of a bin lie one after the other, and so do their
/// parts.
template <class Statistic>
class Counts {
  public:
    using Cell = typename Statistic::Cell;
    using Label = typename Statistic::Label;

    Counts() = default;
    template <class Labels>
    explicit Counts(const Labels& labels) {
        for (std::size_t output = 0; output < labels.n_outputs(); ++output) {
            outputs_.emplace_back(labels, output);
            first_cell_.push_back(width_);
            first_part_.push_back(n_parts_);
            width_ += outputs_.back().width();
            n_parts_ += outputs_.back().n_parts();
        }
        has_several_ = outputs_.size() > 1;
    }

    [[nodiscard]] std::size_t n_outputs() const { return outputs_.size(); }
    template <class Labels>
    [[nodiscard]] LevelScale levels(const Labels& labels) const {
        return outputs_[0].levels(labels);
    }
    [[nodiscard]] std::size_t width() const { return width_; }
    [[nodiscard]] std::size_t n_parts() const { return n_parts_; }
    [[nodiscard]] const Statistic& operator[](std::size_t output) const { return outputs_[output]; }
    [[nodiscard]] Statistic& operator[](std::size_t output) { return outputs_[output]; }
    [[nodiscard]] std::size_t first_cell(std::size_t output) const { return first_cell_[output]; }
    [[nodiscard]] std::size_t first_part(std::size_t output) const { return first_part_[output]; }

    /// Read the labels of all outputs, one output after the other.
    template <class Fixed, class RowOf>
    void read(const Fixed& fixed, std::size_t count, const RowOf& row_of, int sum_bits,
              std::vector<Label>& out, Threads& threads) {
        out.resize(count * n_outputs());
        for (std::size_t o = 0; o < n_outputs(); ++o)
            outputs_[o].read(fixed, o, count, row_of, sum_bits, out.data() + o * count, threads);
    }
    /// Count a row in all outputs; their labels lie `stride` apart.
    void add(Cell* bin, const Label* label, std::size_t stride) const {
        outputs_.front().add(bin, *label);
        if (has_several_) add_others(bin, label, stride);
    }
    /// Append a bin to a running.
    void append(RunningSums& running, const Cell* bin) const {
        const std::size_t c = running.n_cells++;
        running.rows()[c + 1] = running.rows()[c] + outputs_[0].rows(bin);
        if constexpr (Statistic::is_weighted)
            running.weight()[c + 1] = running.weight()[c] + outputs_[0].weight(bin);
        for (std::size_t i = 0; i < n_parts_; ++i) running.part(i)[c + 1] = running.part(i)[c];
        put(bin, [&](std::size_t i) -> double& { return running.part(i)[c + 1]; });
    }
    void accumulate(Sums& sums, const Cell* bin) const {
        sums.rows += outputs_[0].rows(bin);
        sums.weight += outputs_[0].weight(bin);
        put(bin, [&](std::size_t i) -> double& { return sums.parts[i]; });
    }

  private:
    void add_others(Cell* bin, const Label* label, std::size_t stride) const {
        for (std::size_t o = 1; o < n_outputs(); ++o)
            outputs_[o].add(bin + first_cell_[o], label[o * stride]);
    }
    template <class Part>
    void put(const Cell* bin, const Part& part) const {
        for (std::size_t o = 0; o < n_outputs(); ++o)
            outputs_[o].put(
                bin + first_cell_[o],
                [&, first = first_part_[o]](std::size_t i) -> double& { return part(first + i); });
    }

    std::vector<Statistic> outputs_;
    std::vector<std::size_t> first_cell_;
    std::vector<std::size_t> first_part_;
    bool has_several_ = false;
    std::size_t width_ = 0;
    std::size_t n_parts_ = 0;
};

}  // namespace bough
