// Growing by criteria whose guess is a quantile: every column is sorted once, and its list of rows
// is parted at each split, so that the work of a node does not grow with the table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "frontier.hpp"
#include "grow.hpp"
#include "quantile_search.hpp"
#include "raw_rows.hpp"

namespace bough {

template <class Criterion, bool HasWeights>
class PresortedGrower {
  public:
    /// `rows` are in the order of their first label.
    PresortedGrower(const GrowTable& table, const Settings& settings,
                    const FixedLabels<NumberLabels>& fixed, const Limits& limits,
                    std::span<Row> rows, Threads& threads, const Cancel& cancel)
        : table_(table),
          settings_(settings),
          fixed_(fixed),
          limits_(limits),
          rows_(rows),
          threads_(threads),
          cancel_(cancel),
          n_columns_(table.columns.size()),
          lists_(n_columns_ + table.n_outputs - 1, rows.size()) {}

    std::vector<Stem> grow() {
        Branch root;
        root.end = rows_.size();
        root.trail_hash = mixed(settings_.seed, 0);
        for (const std::uint64_t answer : settings_.trail)
            root.trail_hash = mixed(root.trail_hash, answer);
        root.open = sort_columns();
        root_weight_ = fixed_.weight_of(rows_);
        if (settings_.max_leaf_nodes > 0) return grow_best_first(std::move(root));
        std::vector<Stem> stems(1);
        std::vector<Branch> small = grow_large(std::move(root), stems);
        std::vector<std::vector<Stem>> subtrees(small.size());
        threads_.parallel_for(small.size(), [&](std::size_t i) {
            Lent work(*this);
            subtrees[i] = grow_subtree(small[i], *work);
        });
        for (std::size_t i = 0; i < small.size(); ++i)
            graft(stems, small[i].stem, std::move(subtrees[i]));
        return stems;
    }

  private:
    /// A node that grows.
    struct Branch {
        std::size_t stem = 0;
        std::size_t begin = 0;
        std::size_t end = 0;
        std::int64_t depth = 0;
        std::uint64_t trail_hash = 0;
        std::vector<OpenList> open;  // the columns that are not constant
        Bounds bounds;
        Candidate best;
        double decrease = 0;

        [[nodiscard]] std::size_t size() const { return end - begin; }
    };

    /// What a thread works with.
    struct Work {
        QuantileNode<Criterion> node;
        QuantileSearch<Criterion, HasWeights> search;
        std::vector<std::uint32_t> answer_of;
        std::vector<PresortedLists::Target> targets;
        PresortedLists::Room room;
        std::vector<Row> rows;

        Work(const FixedLabels<NumberLabels>& fixed, const Limits& limits, const Cancel& cancel)
            : node(fixed), search(limits, cancel) {}
    };
    /// Work that is given back for the next to use.
    class Lent {
      public:
        explicit Lent(PresortedGrower& grower) : grower_(grower) {
            const std::scoped_lock lock(grower.mutex_);
            if (grower.idle_.empty()) {
                work_ = std::make_unique<Work>(grower.fixed_, grower.limits_, grower.cancel_);
            } else {
                work_ = std::move(grower.idle_.back());
                grower.idle_.pop_back();
            }
        }
        Lent(const Lent&) = delete;
        Lent& operator=(const Lent&) = delete;
        ~Lent() {
            const std::scoped_lock lock(grower_.mutex_);
            grower_.idle_.push_back(std::move(work_));
        }
        Work& operator*() const { return *work_; }

      private:
        PresortedGrower& grower_;
        std::unique_ptr<Work> work_;
    };

    /// Columns first, then all labels but the first.
    std::vector<OpenList> sort_columns() {
        refuse_infinite(table_.columns, table_.n_rows, threads_, cancel_);
        std::vector<OpenList> open(n_columns_ + table_.n_outputs - 1);
        threads_.parallel_for(open.size(), [&](std::size_t i) {
            cancel_.check();
            if (i < n_columns_) {
                open[i] = lists_.sort(i, encoded(table_.columns[i], rows_, cancel_).codes);
                return;
            }
            open[i].number = static_cast<std::uint32_t>(i);
            const auto order = label_order(fixed_, rows_, i - n_columns_ + 1);
            const auto list = lists_.list(i, 0, rows_.size());
            for (std::size_t place = 0; place < order.size(); ++place)
                list[place].bits = order[place];
        });
        std::erase_if(
            open, [this](const OpenList& list) { return is_column(list) && list.n_values < 2; });
        return open;
    }

    // --- the search ----------------------------------------------------------------------------

    /// Whether a branch has a query; it is kept there.
    bool find_query(Branch& branch, Work& work, bool by_column) {
        if (!settings_.may_split(branch.size(), branch.depth)) return false;
        const QuantileNode<Criterion>& node = node_of(branch, work);
        if (node.is_pure()) return false;
        Contenders contenders(node.tie(), node.slack());
        if (by_column && settings_.max_features == 0)
            search_by_column(branch, node, contenders);
        else
            search_in_turn(branch, work, contenders);
        if (contenders.empty()) return false;
        const bool needs_gain = settings_.max_leaf_nodes > 0 || settings_.min_impurity_decrease > 0;
        if (!node.is_exact() && (needs_gain || contenders.are_many()))
            rescore(branch, work, contenders);
        branch.best = contenders.take();
        branch.decrease = branch.best.gain * (node.weight() / root_weight_);
        return settings_.decreases_enough(
            scaled(branch.decrease, Criterion::degree * fixed_.label_exponent()));
    }

    const QuantileNode<Criterion>& node_of(const Branch& branch, Work& work) {
        LabelOrders orders;
        for (std::size_t i = n_columns_; i + 1 < n_columns_ + table_.n_outputs; ++i)
            orders.push_back(lists_.list(i, branch.begin, branch.end));
        work.node.set(rows_.subspan(branch.begin, branch.size()), orders);
        return work.node;
    }
    [[nodiscard]] ListedColumn column_of(const Branch& branch, const OpenList& open) {
        return {static_cast<std::int32_t>(open.number), &table_.columns[open.number],
                rows_.subspan(branch.begin, branch.size()),
                lists_.list(open.number, branch.begin, branch.end), open.n_missing};
    }
    [[nodiscard]] bool is_column(const OpenList& open) const { return open.number < n_columns_; }

    void search_column(const Branch& branch, const OpenList& open,
                       const QuantileNode<Criterion>& node, Work& work, Contenders& contenders) {
        const Draw draw(branch.trail_hash, open.number);
        work.search.run(node, column_of(branch, open), branch.bounds,
                        settings_.draw_pivots ? &draw : nullptr, contenders);
    }

    void search_by_column(const Branch& branch, const QuantileNode<Criterion>& node,
                          Contenders& contenders) {
        threads_.parallel_for(branch.open.size(), [&](std::size_t i) {
            if (!is_column(branch.open[i])) return;
            Lent work(*this);
            Contenders own(node.tie(), node.slack());
            search_column(branch, branch.open[i], node, *work, own);
            const std::scoped_lock lock(mutex_);
            contenders.join(std::move(own));
        });
    }

    void search_in_turn(const Branch& branch, Work& work, Contenders& contenders) {
        const std::size_t most = settings_.max_features;
        std::vector<OpenList> drawn;
        if (most > 0) drawn = branch.open;
        if (most > 0)
            drawn_order(drawn, branch.trail_hash, [](const OpenList& open) { return open.number; });
        std::size_t n_drawn = 0;
        for (const OpenList& open : most > 0 ? drawn : branch.open) {
            if (!is_column(open)) continue;
            search_column(branch, open, work.node, work, contenders);
            if (++n_drawn >= most && most > 0 && !contenders.empty()) break;
        }
    }

    /// Give contenders their exact gains; equal parts of the rows are scored once.
    void rescore(const Branch& branch, Work& work, Contenders& contenders) {
        std::vector<std::pair<std::uint64_t, double>> known;
        contenders.rescore([&](Candidate& candidate) {
            const std::size_t n_answers = answer(branch, candidate, work);
            std::uint64_t key = 0;
            for (std::size_t i = 0; i < branch.size(); ++i)
                key += mixed(work.answer_of[i] == work.answer_of[0] ? 0 : 1, i);
            const auto found = std::find_if(known.begin(), known.end(),
                                            [&](const auto& pair) { return pair.first == key; });
            candidate.gain = found != known.end() ? found->second
                                                  : work.node.parts(work.answer_of, n_answers).gain;
            if (found == known.end()) known.emplace_back(key, candidate.gain);
        });
    }

    /// Work out the answer of each row.
    std::size_t answer(const Branch& branch, const Candidate& query, Work& work) {
        work.answer_of.resize(branch.size());
        return column_of(branch, list_of(branch, query)).answer(query, work.answer_of);
    }
    static const OpenList& list_of(const Branch& branch, const Candidate& query) {
        return *std::find_if(branch.open.begin(), branch.open.end(), [&](const OpenList& open) {
            return open.number == static_cast<std::uint32_t>(query.column);
        });
    }

    // --- splitting -----------------------------------------------------------------------------

    /// Split a branch by its query. Its children are stems behind all others.
    std::vector<Branch> split(const Branch& branch, std::vector<Stem>& stems, Work& work,
                              bool by_column) {
        const std::size_t n_answers = answer(branch, branch.best, work);
        stems[branch.stem].question = std::make_unique<Question>(question_of(branch));
        stems[branch.stem].first_child = stems.size();
        std::vector<std::size_t> bounds(n_answers + 1, 0);
        for (const std::uint32_t of_row : work.answer_of) ++bounds[of_row + 1];
        for (std::size_t i = 0; i < n_answers; ++i) bounds[i + 1] += bounds[i];
        std::vector<Branch> children(n_answers);
        for (std::size_t i = 0; i < n_answers; ++i) {
            Branch& child = children[i];
            child.stem = stems.size();
            child.begin = branch.begin + bounds[i];
            child.end = branch.begin + bounds[i + 1];
            child.depth = branch.depth + 1;
            child.trail_hash = mixed(branch.trail_hash, i);
            child.bounds = branch.bounds;
            Stem& grown = stems.emplace_back();
            grown.begin = child.begin;
            grown.end = child.end;
            grown.depth = child.depth;
        }
        part_bounds(branch, children, work, n_answers);
        part_rows(branch, bounds, work);
        part_lists(branch, bounds, work, by_column, children);
        return children;
    }

    [[nodiscard]] Question question_of(const Branch& branch) {
        const Candidate& best = branch.best;
        Question question;
        question.column = best.column;
        question.kind = best.kind;
        question.missing = best.missing;
        question.choices = best.choices;
        question.answers = best.answers;
        if (best.kind == Kind::below)
            question.pivot = column_of(branch, list_of(branch, best)).pivot(best.low);
        return question;
    }

    void part_rows(const Branch& branch, const std::vector<std::size_t>& bounds, Work& work) {
        const auto rows = rows_.subspan(branch.begin, branch.size());
        std::vector<std::uint32_t> next(bounds.size() - 1, 0);
        work.targets.resize(branch.size());
        work.rows.assign(rows.begin(), rows.end());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::uint32_t child = work.answer_of[i];
            const std::uint32_t place = next[child]++;
            work.targets[i] = {child, place};
            rows[bounds[child] + place] = work.rows[i];
        }
    }

    void part_lists(const Branch& branch, const std::vector<std::size_t>& bounds, Work& work,
                    bool by_column, std::vector<Branch>& children) {
        const std::size_t n_open = branch.open.size();
        std::vector<OpenList> parts(n_open * children.size());
        const auto part = [&](std::size_t i, Work& with) {
            lists_.part(
                branch.open[i], branch.begin, work.targets, bounds, with.room,
                [&](std::size_t child, const OpenList& list) { parts[child * n_open + i] = list; });
        };
        if (by_column)
            threads_.parallel_for(n_open, [&](std::size_t i) {
                Lent lent(*this);
                part(i, *lent);
            });
        else
            for (std::size_t i = 0; i < n_open; ++i) part(i, work);
        for (std::size_t child = 0; child < children.size(); ++child) {
            children[child].open.reserve(n_open);
            for (const OpenList& list : std::span(parts).subspan(child * n_open, n_open))
                if (list.n_values > 1 || !is_column(list)) children[child].open.push_back(list);
        }
    }

    /// Where a query goes one way, the guesses below its answers are kept apart.
    void part_bounds(const Branch& branch, std::vector<Branch>& children, Work& work,
                     std::size_t n_answers) {
        const int direction = limits_.direction(branch.best.column);
        if (direction == 0 || branch.best.kind != Kind::below) return;
        const auto parts = node_of(branch, work).parts(work.answer_of, n_answers).of_answer;
        const auto bounds = branch.bounds.parted(direction, parts[0].guess, parts[1].guess);
        for (std::size_t i = 0; i < bounds.size(); ++i) children[i].bounds = bounds[i];
    }

    // --- the order of growth -------------------------------------------------------------------

    /// Grow as long as branches are large, by all threads; what is left can be grown apart.
    std::vector<Branch> grow_large(Branch&& root, std::vector<Stem>& stems) {
        stems[0].end = root.end;
        std::vector<Branch> waiting;
        std::vector<Branch> small;
        waiting.push_back(std::move(root));
        Lent work(*this);
        while (!waiting.empty()) {
            Branch branch = std::move(waiting.back());
            waiting.pop_back();
            if (threads_.count() == 1 || branch.size() * n_columns_ < large_work) {
                small.push_back(std::move(branch));
            } else if (find_query(branch, *work, true)) {
                for (Branch& child : split(branch, stems, *work, true))
                    waiting.push_back(std::move(child));
            }
        }
        return small;
    }

    std::vector<Stem> grow_subtree(Branch& root, Work& work) {
        std::vector<Stem> stems(1);
        stems[0].begin = root.begin;
        stems[0].end = root.end;
        stems[0].depth = root.depth;
        std::vector<Branch> waiting;
        waiting.push_back(root);
        waiting.back().stem = 0;
        while (!waiting.empty()) {
            Branch branch = std::move(waiting.back());
            waiting.pop_back();
            if (!find_query(branch, work, false)) continue;
            for (Branch& child : split(branch, stems, work, false))
                waiting.push_back(std::move(child));
        }
        return stems;
    }

    std::vector<Stem> grow_best_first(Branch&& root) {
        std::vector<Stem> stems(1);
        stems[0].end = root.end;
        Lent work(*this);
        std::vector<Branch> branches;
        Frontier frontier(settings_.max_leaf_nodes);
        const auto push = [&](Branch&& branch) {
            const bool by_column = branch.size() * n_columns_ >= large_work && threads_.count() > 1;
            const bool has_query = find_query(branch, *work, by_column);
            if (branch.stem == 0) frontier.set_tie((*work).node.tie());
            if (!has_query) return;
            std::size_t n_answers = 2;
            if (branch.best.kind == Kind::each_value) n_answers = question_of(branch).n_answers();
            frontier.push({branches.size(), branch.decrease, n_answers});
            branches.push_back(std::move(branch));
        };
        push(std::move(root));
        for (auto taken = frontier.take(); !taken.empty(); taken = frontier.take()) {
            const Branch branch = std::move(branches[taken.front()]);
            for (Branch& child : split(branch, stems, *work, false)) push(std::move(child));
        }
        return stems;
    }

    static constexpr std::size_t large_work = 100'000;

    const GrowTable& table_;
    const Settings& settings_;
    const FixedLabels<NumberLabels>& fixed_;
    Limits limits_;
    std::span<Row> rows_;
    Threads& threads_;
    const Cancel& cancel_;
    std::size_t n_columns_;
    PresortedLists lists_;
    double root_weight_ = 0;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Work>> idle_;
};

}  // namespace bough
