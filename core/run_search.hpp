// A node as the fast search sees it, and the cuts between the values of the few steps where the
// best may be.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cut_scan.hpp"
#include "finalist.hpp"
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
    std::span<const typename Statistic::Label> labels;  // of the rows, where a query is drawn
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
    const bool any = missing.rows > 0;
    for (int turn = any ? 0 : 1; turn < 2; ++turn)  // so that what it does is compiled once
        act(turn == 0 ? missing : nothing, any ? turn : stop);
}

/// The last stage of a column's search, the only one that reads values.
template <class Criterion, class Statistic>
class RunSearch {
  public:
    using Node = FastNode<Criterion, Statistic>;

    RunSearch(std::span<const RawColumn> raw, std::size_t n_parts, const Limits& limits)
        : raw_(raw), cuts_(limits), nothing_(n_parts), missing_(n_parts) {}

    /// Look at every cut inside the runs of a column; `rows` are some of the node's, among them all
    /// that are in a run.
    void scan(const Node& node, std::size_t column, std::span<const LocalRow> rows,
              std::span<const Run> runs, Shortlist& shortlist) {
        node_ = &node;
        column_ = column;
        rows_ = rows;
        cuts_.enter(node.scores, node.levels, column);
        missing_.clear();
        node.block.counts.accumulate(missing_, node.histogram.bin(column, 0));
        use_values(raw_[column], [&](const auto& values) { scan_values(values, runs, shortlist); });
    }

  private:
    static constexpr std::uint16_t none = BinSlots::none;

    template <class Values>
    void scan_values(const Values& values, std::span<const Run> runs, Shortlist& shortlist) {
        struct Item {
            std::uint32_t run;
            typename Values::Value value;
            LocalRow row;
        };
        run_of_.assign(n_bins * n_steps, none);
        slots_.clear();
        for (std::size_t i = 0; i < runs.size(); ++i) {
            run_of_[runs[i].bin * n_steps + runs[i].step] = static_cast<std::uint16_t>(i);
            slots_.of_bin[runs[i].bin] = 0;
        }
        std::vector<Item> items;
        const std::uint8_t* bins = node_->block.bins[column_];
        const std::uint8_t* steps = node_->block.steps(column_);
        for (const LocalRow row : slots_.rows_in(rows_, bins, kept_rows_)) {
            const std::uint16_t run = run_of_[bins[row] * n_steps + steps[row]];
            if (run != none) items.push_back({run, values[node_->block.table_row(row)], row});
        }
        std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
            return a.run != b.run ? a.run < b.run : a.value < b.value;
        });
        for (std::size_t begin = 0; begin < items.size();) {
            std::size_t end = begin;
            while (end < items.size() && items[end].run == items[begin].run) ++end;
            scan_run(runs[items[begin].run], std::span(items).subspan(begin, end - begin),
                     shortlist);
            begin = end;
        }
    }

    template <class Items>
    void scan_run(const Run& run, const Items& items, Shortlist& shortlist) {
        if (is_pruned(run.bound, shortlist.cutoff())) return;
        const Block<Statistic>& block = node_->block;
        RunningSums running(block.counts.n_parts(), items.size(), Statistic::is_weighted);
        std::vector<std::size_t> last;  // item of each cell
        running.start(run.before);
        std::vector<typename Statistic::Cell> cell(block.counts.width());
        for (std::size_t i = 0; i < items.size(); ++i) {
            block.counts.add(cell.data(), block.labels + items[i].row, block.n_rows);
            if (i + 1 < items.size() && items[i].value == items[i + 1].value) continue;
            Sums upto = run.before;  // and what is counted since: rounded once, however many cells
            block.counts.accumulate(upto, cell.data());
            running.mark(upto);
            last.push_back(i);
        }
        if (running.n_cells < 2) return;
        for_each_side(missing_, nothing_, [&](const Sums& ahead, std::int32_t side) {
            const Inside inside{running.rows()[0], running.rows()[running.n_cells], run.bound};
            cuts_.offer(running, ahead, side, inside, shortlist, [&](std::size_t number) {
                Cut cut;
                cut.level = Cut::Level::value;
                cut.bin = run.bin;
                cut.step = run.step;
                cut.set(items[last[number]].value);
                return cut;
            });
        });
    }

    std::span<const RawColumn> raw_;
    CutScan<Criterion> cuts_;
    const Node* node_ = nullptr;
    std::size_t column_ = 0;
    std::span<const LocalRow> rows_;
    Sums nothing_;
    Sums missing_;
    BinSlots slots_;
    std::vector<LocalRow> kept_rows_;
    std::vector<std::uint16_t> run_of_;  // of each step of each bin
};

}  // namespace bough
