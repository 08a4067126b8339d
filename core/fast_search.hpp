// The best query of a node from its histogram, looking closer only where the best may be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "choice_search.hpp"
#include "choice_tally.hpp"
#include "cut_scan.hpp"
#include "fast_node.hpp"
#include "finalist.hpp"
#include "run_search.hpp"

namespace bough {

/// Searches one column of one node. Buffers are kept from node to node.
template <class Criterion, class Statistic>
class FastColumnSearch {
  public:
    using Node = FastNode<Criterion, Statistic>;

    FastColumnSearch(const CoarseTable& table, std::span<const RawColumn> raw,
                     const Counts<Statistic>& counts, const Limits& limits, const Cancel& cancel)
        : table_(table),
          raw_(raw),
          limits_(limits),
          strip_(counts.n_parts(), n_bins, Statistic::is_weighted),
          stretches_(counts.n_parts(), n_stretches, Statistic::is_weighted),
          fine_(counts.n_parts(), n_steps, Statistic::is_weighted),
          cuts_(limits),
          choices_(counts.n_parts(), limits, cancel),
          values_(raw, counts.n_parts(), limits),
          bounds_(std::max(n_bins, n_steps)),
          nothing_(counts.n_parts()),
          missing_(counts.n_parts()) {}

    /// Look at the cuts between bins; return the greatest gain that a cut
    /// inside a bin may have.
    double scan(const Node& node, std::size_t column, Podium& podium) {
        enter(node, column);
        if (table_[column].is_choice) {
            scan_choices(podium);
            return -infinity;
        }
        fill_strip();
        choices_.offer_missing(node.scores, missing_, column, podium);
        double most = -infinity;
        for_each_side(missing_, nothing_, [&](const Sums& moved, std::int32_t side) {
            cuts_.offer(strip_, moved, side, {.upto = strip_.rows()[strip_.n_cells]}, podium,
                        [](std::size_t cell) {
                            Cut cut;
                            cut.bin = static_cast<std::uint8_t>(cell + 1);
                            return cut;
                        });
            find_bounds(strip_, moved);
            for (std::size_t cell = 0; cell < strip_.n_cells; ++cell)
                if (bounds_[cell] > most && may_be_cut(cell, moved)) most = bounds_[cell];
        });
        return most;
    }

    /// Whether any rows of a node differ in a column.
    bool tells_apart(const Node& node, std::size_t column) {
        enter(node, column);
        std::size_t n_seen = missing_.rows > 0 ? 1 : 0;
        std::size_t only = 0;
        for (std::size_t bin = 1; bin < table_[column].n_used && n_seen < 2; ++bin)
            if (counts()[0].rows(node.histogram.bin(column, bin)) > 0) {
                ++n_seen;
                only = bin;
            }
        if (n_seen > 1) return true;
        if (only == 0 || table_[column].is_single[only] != 0 ||
            (table_[column].is_choice && !table_[column].has_many_choices))
            return false;
        return use_values(raw_[column], [&](const auto& values) {
            const auto first = values[node.block.table_row(node.rows.front())];
            return std::any_of(node.rows.begin(), node.rows.end(), [&](LocalRow row) {
                return values[node.block.table_row(row)] != first;
            });
        });
    }

    /// Look at the cuts inside the bins where the best may be: between steps, then between values.
    void refine(const Node& node, std::size_t column, Podium& podium) {
        enter(node, column);
        fill_strip();
        const std::vector<Alive> alive = mark_alive(podium.cutoff());
        if (alive.empty()) return;
        count_steps(alive);
        scan_steps(alive, podium);
        if (!runs_.empty()) values_.scan(node, column, rows_, runs_, podium);
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    /// A bin in which the best may be.
    struct Alive {
        std::size_t bin;
        double bound;
    };

    void enter(const Node& node, std::size_t column) {
        node_ = &node;
        column_ = column;
        cuts_.enter(node.scores, node.levels, column);
        missing_.clear();
        counts().accumulate(missing_, node.histogram.bin(column, 0));
    }

    void fill_strip() {
        strip_.start(nothing_);
        for (std::size_t bin = 1; bin < table_[column_].n_used; ++bin)
            counts().append(strip_, node_->histogram.bin(column_, bin));
    }
    [[nodiscard]] const Counts<Statistic>& counts() const { return node_->block.counts; }

    void find_bounds(const Strip& strip, const Sums& moved) {
        node_->scores.bounds(strip, moved, cuts_.gains(), bounds_.data());
    }

    /// Whether a cut inside the cell can leave both answers rows enough, and is not known to be
    /// none.
    [[nodiscard]] bool may_be_cut(std::size_t cell, const Sums& moved) const {
        return table_[column_].is_single[cell + 1] == 0 && holds_cut(strip_, cell, moved);
    }
    [[nodiscard]] bool holds_cut(const Strip& strip, std::size_t cell, const Sums& moved) const {
        const Sums& all = node_->scores.node();
        const double before = strip.rows()[cell] + moved.rows;
        const double upto = strip.rows()[cell + 1] + moved.rows;
        return upto - before >= 2 &&
               limits_.reach(upto - 1, strip.weight()[cell + 1] + moved.weight) &&
               limits_.reach(all.rows - before - 1,
                             all.weight - strip.weight()[cell] - moved.weight);
    }

    void scan_choices(Podium& podium) {
        choices_.start();
        const auto add = [&](std::size_t code, const typename Statistic::Cell* cells) {
            counts().accumulate(choices_.next(static_cast<std::int32_t>(code) - 1), cells);
        };
        if (table_[column_].has_many_choices) {
            use_choices(raw_[column_], [&](const auto& choices) {
                many_.count(
                    counts(), raw_[column_].n_choices, node_->rows,
                    [&](LocalRow row) { return choices[node_->block.table_row(row)] + 1; },
                    [&](LocalRow row) { return node_->block.labels + row; }, node_->block.n_rows);
            });
            for (const std::size_t code : many_.present())
                if (code > 0) add(code, many_.cells(code));
        } else {
            for (std::size_t bin = 1; bin < table_[column_].n_used; ++bin)
                add(bin, node_->histogram.bin(column_, bin));
        }
        choices_.scan(node_->scores, missing_, column_, 0, podium);
    }

    // --- inside bins ---------------------------------------------------------------------------

    /// The bins in which the best may be, the most promising first.
    std::vector<Alive> mark_alive(double least) {
        std::array<double, n_bins> most;
        most.fill(-infinity);
        for_each_side(missing_, nothing_, [&](const Sums& moved, std::int32_t /*side*/) {
            cuts_.score(strip_, moved);
            find_bounds(strip_, moved);
            for (std::size_t cell = 0; cell < strip_.n_cells; ++cell)
                if (bounds_[cell] > most[cell + 1] && may_be_cut(cell, moved))
                    most[cell + 1] = bounds_[cell];
        });
        std::vector<Alive> alive;
        for (std::size_t bin = 1; bin < n_bins; ++bin)
            if (most[bin] > -infinity && !is_pruned(most[bin], least))
                alive.push_back({bin, most[bin]});
        std::sort(alive.begin(), alive.end(), [](const Alive& a, const Alive& b) {
            return a.bound != b.bound ? a.bound > b.bound : a.bin < b.bin;
        });
        slots_.clear();
        for (std::size_t slot = 0; slot < alive.size(); ++slot)
            slots_.of_bin[alive[slot].bin] = static_cast<std::uint16_t>(slot);
        return alive;
    }

    /// Count the steps of the bins that are alive, and note the rows in them.
    void count_steps(const std::vector<Alive>& alive) {
        double n_alive = 0;
        for (const Alive& one : alive)
            n_alive += strip_.rows()[one.bin] - strip_.rows()[one.bin - 1];
        rows_ = node_->rows;
        if (2 * n_alive < static_cast<double>(rows_.size())) {
            rows_ = slots_.rows_in(rows_, node_->block.bins[column_], kept_rows_);
        } else {
            // Dead bins get a slot too: counting their rows costs less than leaving them out.
            for (auto& slot : slots_.of_bin)
                if (slot == BinSlots::none) slot = static_cast<std::uint16_t>(alive.size());
        }
        const std::size_t width = counts().width();
        steps_.assign((alive.size() + 1) * n_steps * width, typename Statistic::Cell{});
        const std::uint8_t* bins = node_->block.bins[column_];
        const std::uint8_t* steps = node_->block.steps[column_];
        for (std::size_t o = 0; o < counts().n_outputs(); ++o) {
            const Statistic statistic = counts()[o];
            const auto* labels = node_->block.labels_of(o);
            auto* cells = steps_.data() + counts().first_cell(o);
            for (const LocalRow row : rows_) {
                const std::size_t cell = slots_.of_bin[bins[row]] * n_steps + steps[row];
                statistic.add(cells + cell * width, labels[row]);
            }
        }
    }

    /// Look at the cuts between stretches of steps, and between the steps of those where the best
    /// may be.
    void scan_steps(const std::vector<Alive>& alive, Podium& podium) {
        runs_.clear();
        for (std::size_t slot = 0; slot < alive.size(); ++slot) {
            if (is_pruned(alive[slot].bound, podium.cutoff())) break;
            const std::size_t bin = alive[slot].bin;
            const auto* cells = steps_.data() + slots_.of_bin[bin] * n_steps * counts().width();
            fill_stretches(bin, cells);
            const auto most =
                look_at(stretches_, {strip_.rows()[bin - 1], strip_.rows()[bin], alive[slot].bound},
                        podium, [&](std::size_t cell) {
                            return step_cut(bin, (cell + 1) * n_steps / n_stretches - 1);
                        });
            for (std::size_t i = 0; i < n_stretches; ++i)
                if (most[i] > -infinity && !is_pruned(most[i], podium.cutoff()))
                    scan_stretch(bin, i, cells, most[i], podium);
        }
        std::erase_if(runs_, [&](const Run& run) { return is_pruned(run.bound, podium.cutoff()); });
    }

    void scan_stretch(std::size_t bin, std::size_t stretch, const typename Statistic::Cell* cells,
                      double bound, Podium& podium) {
        fine_.start(stretches_.before(stretch));
        append_steps(cells, stretch * n_steps / n_stretches, (stretch + 1) * n_steps / n_stretches);
        const auto most =
            look_at(fine_, {stretches_.rows()[stretch], stretches_.rows()[stretch + 1], bound},
                    podium, [&](std::size_t cell) { return step_cut(bin, step_of_[cell]); });
        for (std::size_t cell = 0; cell < fine_.n_cells; ++cell)
            if (most[cell] > -infinity && !is_pruned(most[cell], podium.cutoff()))
                runs_.push_back({static_cast<std::uint8_t>(bin), step_of_[cell], most[cell],
                                 fine_.before(cell)});
    }

    /// Offer the cuts of a strip; return for each cell the greatest gain of a cut inside it.
    template <class MakeCut>
    std::array<double, n_steps> look_at(const Strip& strip, const Inside& inside, Podium& podium,
                                        const MakeCut& make_cut) {
        std::array<double, n_steps> most;
        std::fill_n(most.begin(), strip.n_cells, -infinity);
        for_each_side(missing_, nothing_, [&](const Sums& moved, std::int32_t side) {
            cuts_.offer(strip, moved, side, inside, podium, make_cut);
            find_bounds(strip, moved);
            for (std::size_t cell = 0; cell < strip.n_cells; ++cell)
                if (bounds_[cell] > most[cell] && holds_cut(strip, cell, moved))
                    most[cell] = bounds_[cell];
        });
        return most;
    }

    static Cut step_cut(std::size_t bin, std::size_t step) {
        Cut cut;
        cut.level = Cut::Level::step;
        cut.bin = static_cast<std::uint8_t>(bin);
        cut.step = static_cast<std::uint8_t>(step);
        return cut;
    }

    void fill_stretches(std::size_t bin, const typename Statistic::Cell* cells) {
        const std::size_t width = counts().width();
        const std::size_t size = n_steps / n_stretches * width;
        stretches_.start(strip_.before(bin - 1));
        for (std::size_t i = 0; i < n_stretches; ++i) {
            together_.assign(width, typename Statistic::Cell{});
            for (std::size_t k = 0; k < size; k += width)
                for (std::size_t j = 0; j < width; ++j) together_[j] += cells[i * size + k + j];
            counts().append(stretches_, together_.data());
        }
    }

    /// Append the steps of a bin from `begin` up to `end` that hold rows.
    void append_steps(const typename Statistic::Cell* cells, std::size_t begin, std::size_t end) {
        for (std::size_t step = begin; step < end; ++step) {
            counts().append(fine_, cells + step * counts().width());
            if (fine_.is_empty(fine_.n_cells - 1))
                --fine_.n_cells;
            else
                step_of_[fine_.n_cells - 1] = static_cast<std::uint8_t>(step);
        }
    }

    static constexpr std::size_t n_stretches = 16;  // of the steps of a bin

    const CoarseTable& table_;
    std::span<const RawColumn> raw_;
    Limits limits_;
    const Node* node_ = nullptr;
    std::size_t column_ = 0;
    Strip strip_;
    Strip stretches_;
    Strip fine_;
    CutScan<Criterion> cuts_;
    ChoiceSearch<Criterion, Statistic> choices_;
    ChoiceTally<Statistic> many_;
    RunSearch<Criterion, Statistic> values_;
    std::vector<double> bounds_;  // of the strip that was scored last
    Sums nothing_;
    Sums missing_;
    BinSlots slots_;                               // of the bins alive
    std::array<std::uint8_t, n_steps> step_of_{};  // of each fine cell
    std::span<const LocalRow> rows_;               // among which those of the bins alive are
    std::vector<LocalRow> kept_rows_;
    std::vector<typename Statistic::Cell> steps_;  // by slot
    std::vector<typename Statistic::Cell> together_;
    std::vector<Run> runs_;
};

}  // namespace bough
