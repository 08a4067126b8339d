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
          running_(counts.n_parts(), n_bins, Statistic::is_weighted),
          chunks_(counts.n_parts(), n_chunks, Statistic::is_weighted),
          fine_(counts.n_parts(), n_steps, Statistic::is_weighted),
          cuts_(limits),
          choices_(counts.n_parts(), limits, cancel),
          values_(raw, counts.n_parts(), limits),
          bounds_(std::max(n_bins, n_steps)),
          nothing_(counts.n_parts()),
          missing_(counts.n_parts()) {}

    /// Look at the cuts between bins; return the greatest gain that a cut
    /// inside a bin may have.
    double scan(const Node& node, std::size_t column, Shortlist& shortlist) {
        enter(node, column);
        if (table_[column].is_choice) {
            scan_choices(shortlist);
            return -infinity;
        }
        fill_running();
        choices_.offer_missing(node.scores, missing_, column, shortlist);
        double most = -infinity;
        for_each_side(missing_, nothing_, [&](const Sums& ahead, std::int32_t side) {
            cuts_.offer(running_, ahead, side, {.upto = running_.rows()[running_.n_cells]},
                        shortlist, [](std::size_t cell) {
                            Cut cut;
                            cut.bin = static_cast<std::uint8_t>(cell + 1);
                            return cut;
                        });
            find_bounds(running_, ahead);
            for (std::size_t cell = 0; cell < running_.n_cells; ++cell)
                if (bounds_[cell] > most && may_be_cut(cell, ahead)) most = bounds_[cell];
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
        const bool is_known = table_[column].is_choice ? !table_[column].has_many_choices
                                                       : table_[column].is_single[only] != 0;
        if (only == 0 || is_known) return false;
        return use_values(raw_[column], [&](const auto& values) {
            const auto first = values[node.block.table_row(node.rows.front())];
            return std::any_of(node.rows.begin(), node.rows.end(), [&](LocalRow row) {
                return values[node.block.table_row(row)] != first;
            });
        });
    }

    /// Look at the cuts inside the bins where the best may be: between steps, then between values.
    void refine(const Node& node, std::size_t column, Shortlist& shortlist) {
        enter(node, column);
        fill_running();
        const std::vector<Alive> alive = mark_alive(shortlist.cutoff());
        if (alive.empty()) return;
        count_steps(alive);
        scan_steps(alive, shortlist);
        if (!runs_.empty()) values_.scan(node, column, rows_, runs_, shortlist);
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

    void fill_running() {
        running_.start(nothing_);
        for (std::size_t bin = 1; bin < table_[column_].n_used; ++bin)
            counts().append(running_, node_->histogram.bin(column_, bin));
    }
    [[nodiscard]] const Counts<Statistic>& counts() const { return node_->block.counts; }

    void find_bounds(const RunningSums& running, const Sums& ahead) {
        node_->scores.bounds(running, ahead, cuts_.gains(), bounds_.data());
    }

    /// Whether a cut inside the cell can leave both answers rows enough, and is not known to be
    /// none.
    [[nodiscard]] bool may_be_cut(std::size_t cell, const Sums& ahead) const {
        return table_[column_].is_single[cell + 1] == 0 && holds_cut(running_, cell, ahead);
    }
    [[nodiscard]] bool holds_cut(const RunningSums& running, std::size_t cell,
                                 const Sums& ahead) const {
        const Sums& all = node_->scores.node();
        const double before = running.rows()[cell] + ahead.rows;
        const double upto = running.rows()[cell + 1] + ahead.rows;
        return upto - before >= 2 &&
               limits_.reach(upto - 1, running.weight()[cell + 1] + ahead.weight) &&
               limits_.reach(all.rows - before - 1,
                             all.weight - running.weight()[cell] - ahead.weight);
    }

    void scan_choices(Shortlist& shortlist) {
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
        choices_.scan(node_->scores, missing_, column_, 0, shortlist);
    }

    // --- inside bins ---------------------------------------------------------------------------

    /// The bins in which the best may be, the most promising first.
    std::vector<Alive> mark_alive(double least) {
        std::array<double, n_bins> most;
        most.fill(-infinity);
        for_each_side(missing_, nothing_, [&](const Sums& ahead, std::int32_t /*side*/) {
            cuts_.score(running_, ahead);
            find_bounds(running_, ahead);
            for (std::size_t cell = 0; cell < running_.n_cells; ++cell)
                if (bounds_[cell] > most[cell + 1] && may_be_cut(cell, ahead))
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
            n_alive += running_.rows()[one.bin] - running_.rows()[one.bin - 1];
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
        const std::uint8_t* steps = node_->block.steps(column_);
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

    /// Look at the cuts between chunks of steps, and between the steps of those where the best
    /// may be.
    void scan_steps(const std::vector<Alive>& alive, Shortlist& shortlist) {
        runs_.clear();
        for (std::size_t slot = 0; slot < alive.size(); ++slot) {
            if (is_pruned(alive[slot].bound, shortlist.cutoff())) break;
            const std::size_t bin = alive[slot].bin;
            const auto* cells = steps_.data() + slots_.of_bin[bin] * n_steps * counts().width();
            fill_chunks(bin, cells);
            const auto most = look_at(
                chunks_, {running_.rows()[bin - 1], running_.rows()[bin], alive[slot].bound},
                shortlist, [&](std::size_t cell) {
                    return step_cut(bin, (cell + 1) * n_steps / n_chunks - 1);
                });
            for (std::size_t i = 0; i < n_chunks; ++i)
                if (most[i] > -infinity && !is_pruned(most[i], shortlist.cutoff()))
                    scan_chunk(bin, i, cells, most[i], shortlist);
        }
        std::erase_if(runs_,
                      [&](const Run& run) { return is_pruned(run.bound, shortlist.cutoff()); });
    }

    void scan_chunk(std::size_t bin, std::size_t chunk, const typename Statistic::Cell* cells,
                    double bound, Shortlist& shortlist) {
        fine_.start(chunks_.before(chunk));
        append_steps(cells, chunk * n_steps / n_chunks, (chunk + 1) * n_steps / n_chunks);
        const auto most =
            look_at(fine_, {chunks_.rows()[chunk], chunks_.rows()[chunk + 1], bound}, shortlist,
                    [&](std::size_t cell) { return step_cut(bin, step_of_[cell]); });
        for (std::size_t cell = 0; cell < fine_.n_cells; ++cell)
            if (most[cell] > -infinity && !is_pruned(most[cell], shortlist.cutoff()))
                runs_.push_back({static_cast<std::uint8_t>(bin), step_of_[cell], most[cell],
                                 fine_.before(cell)});
    }

    /// Offer the cuts of a running; return for each cell the greatest gain of a cut inside it.
    std::array<double, n_steps> look_at(const RunningSums& running, const Inside& inside,
                                        Shortlist& shortlist, const CutMaker& make_cut) {
        std::array<double, n_steps> most;
        std::fill_n(most.begin(), running.n_cells, -infinity);
        for_each_side(missing_, nothing_, [&](const Sums& ahead, std::int32_t side) {
            cuts_.offer(running, ahead, side, inside, shortlist, make_cut);
            find_bounds(running, ahead);
            for (std::size_t cell = 0; cell < running.n_cells; ++cell)
                if (bounds_[cell] > most[cell] && holds_cut(running, cell, ahead))
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

    void fill_chunks(std::size_t bin, const typename Statistic::Cell* cells) {
        const std::size_t width = counts().width();
        const std::size_t size = n_steps / n_chunks * width;
        chunks_.start(running_.before(bin - 1));
        for (std::size_t i = 0; i < n_chunks; ++i) {
            together_.assign(width, typename Statistic::Cell{});
            for (std::size_t k = 0; k < size; k += width)
                for (std::size_t j = 0; j < width; ++j) together_[j] += cells[i * size + k + j];
            counts().append(chunks_, together_.data());
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

    static constexpr std::size_t n_chunks = 16;  // of the steps of a bin

    const CoarseTable& table_;
    std::span<const RawColumn> raw_;
    Limits limits_;
    const Node* node_ = nullptr;
    std::size_t column_ = 0;
    RunningSums running_;
    RunningSums chunks_;
    RunningSums fine_;
    CutScan<Criterion> cuts_;
    ChoiceSearch<Criterion, Statistic> choices_;
    ChoiceTally<Statistic> many_;
    RunSearch<Criterion, Statistic> values_;
    std::vector<double> bounds_;  // of the running that was scored last
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
