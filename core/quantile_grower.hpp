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

#include "exact_judge.hpp"
#include "frontier.hpp"
#include "plain_quantiles.hpp"
#include "quantile_search.hpp"
#include "raw_rows.hpp"
#include "small_node_context.hpp"

namespace bough {

template <class Criterion>
class QuantileGrower {
  public:
    /// `rows` are in the order of their first label.
    QuantileGrower(const GrowTable& table, const ListContext<Criterion>& context,
                   std::span<Row> rows, Threads& threads)
        : table_(table),
          settings_(context.settings),
          context_(context),
          rows_(rows),
          threads_(threads),
          n_columns_(table.columns.size()),
          lists_(n_columns_ + table.n_outputs - 1, rows.size()) {
        for (std::size_t i = 0; i < threads.count(); ++i)
            works_.push_back(std::make_unique<Work>(context_));
    }

    GrownTree grow() {
        GrownTree nodes(root_node(settings_, rows_.size()));
        Branch root{0, sort_columns(), {}};
        if (settings_.max_leaf_nodes > 0) {
            grow_best_first(std::move(root), nodes);
            return nodes;
        }
        std::vector<Branch> small;  // can be grown apart
        grow_depth_first(std::move(root), [&](Branch&& branch) {
            if (is_large(nodes[branch.node_id]))
                return searched_and_split(branch, nodes, *works_[0], true);
            small.push_back(std::move(branch));
            return std::vector<Branch>{};
        });
        grow_subtrees(std::move(small), nodes, threads_, works_.size(),
                      [&](Branch&& subtree, GrownTree& grown, std::size_t thread) {
                          grow_depth_first(std::move(subtree), [&](Branch&& branch) {
                              return searched_and_split(branch, grown, *works_[thread], false);
                          });
                      });
        return nodes;
    }

  private:
    /// A node that grows.
    struct Branch {
        std::size_t node_id = 0;
        std::vector<OpenList> open;  // the columns that are not constant
        Candidate best;
    };

    /// What a thread works with.
    struct Work {
        QuantileNode<Criterion> node;
        QuantileSearch<Criterion> search;
        PlainLabels<Criterion> labels;
        PlainCuts<Criterion> plain;
        Answers answers;
        std::vector<QuantileLists::Target> targets;
        QuantileLists::Room room;
        std::vector<Row> rows;

        explicit Work(const ListContext<Criterion>& context)
            : node(context.fixed), search(context.limits, context.cancel), plain(context) {}
    };

    /// Columns first, then all labels but the first.
    std::vector<OpenList> sort_columns() {
        const Cancel& cancel = context_.cancel;
        refuse_infinite(table_.columns, table_.n_rows, threads_, cancel);
        std::vector<OpenList> open(n_columns_ + table_.n_outputs - 1);
        threads_.parallel_for(open.size(), [&](std::size_t i) {
            cancel.check();
            if (i < n_columns_) {
                open[i] = lists_.sort(i, encoded(table_.columns[i], rows_, cancel).codes);
                return;
            }
            open[i].number = static_cast<std::uint32_t>(i);
            const auto order = label_order(context_.fixed, rows_, i - n_columns_ + 1);
            const auto list = lists_.list(i, 0, rows_.size());
            for (std::size_t place = 0; place < order.size(); ++place)
                list[place].bits = order[place];
        });
        std::erase_if(
            open, [this](const OpenList& list) { return is_column(list) && list.n_values < 2; });
        return open;
    }

    [[nodiscard]] bool is_column(const OpenList& open) const { return open.number < n_columns_; }
    [[nodiscard]] std::span<Row> rows_of(const GrownNode& node_id) const {
        return rows_.subspan(node_id.begin, node_id.end - node_id.begin);
    }
    [[nodiscard]] ListedColumn column_of(const GrownNode& node_id, const OpenList& open) {
        return {static_cast<std::int32_t>(open.number), &table_.columns[open.number],
                rows_of(node_id), lists_.list(open.number, node_id.begin, node_id.end),
                open.n_missing};
    }
    [[nodiscard]] ListedColumn column_of(const Branch& branch, const GrownNode& node_id,
                                         const Candidate& query) {
        const auto number = static_cast<std::uint32_t>(query.column);
        return column_of(node_id, *std::ranges::find(branch.open, number, &OpenList::number));
    }

    // --- the search ----------------------------------------------------------------------------

    /// Whether a branch has a query; it is kept there.
    bool find_query(Branch& branch, const GrownNode& node_id, Work& work, bool by_column) {
        if (!settings_.may_split(node_id.end - node_id.begin, node_id.depth)) return false;
        if (work.plain.fits() &&
            std::ranges::all_of(branch.open, [](const auto& of) { return of.n_missing == 0; }) &&
            work.labels.read(context_.fixed, rows_of(node_id))) {
            const FewCuts& cuts = search_plainly(branch, node_id, work, by_column);
            if (cuts.is_empty()) return false;
            if (const auto winner = cuts.winner()) {
                static_cast<RatedQuery&>(branch.best) = *winner;
                return true;
            }
        }
        LabelOrders orders;
        for (std::size_t i = n_columns_; i + 1 < n_columns_ + table_.n_outputs; ++i)
            orders.push_back(lists_.list(i, node_id.begin, node_id.end));
        const QuantileNode<Criterion>& node = work.node;
        work.node.set(rows_of(node_id), orders);
        if (node.is_pure()) return false;
        Finalists finalists = finalists_at(node);
        std::mutex mutex;
        search_columns(
            branch, node_id, work, by_column,
            [&](const OpenList& open, Work& one) {
                Finalists own = finalists_at(node);
                Finalists& found = by_column ? own : finalists;
                const auto chance = settings_.column_numbers.chance(node_id.chance, open.number);
                one.search.run(node, column_of(node_id, open), node_id.bounds, chance, found);
                if (!by_column) return;
                const std::scoped_lock lock(mutex);
                finalists.join(std::move(own));
            },
            [&] { return !finalists.empty(); });
        if (finalists.empty()) return false;
        branch.best = winner(branch, node_id, work, finalists.take());
        return context_.decreases_enough(node.gain(branch.best.gain));
    }

    static Finalists finalists_at(const QuantileNode<Criterion>& node) {
        return {node.tie(), node.slack(), node.is_exact() ? 0 : node.slack()};
    }

    /// The cuts that may be the best of a node where these can be told quickly.
    const FewCuts& search_plainly(const Branch& branch, const GrownNode& node_id, Work& work,
                                  bool by_column) {
        FewCuts& cuts = work.plain.enter(work.labels);
        for (const auto& other : works_)
            if (by_column) other->plain.enter(work.labels);
        search_columns(
            branch, node_id, work, by_column,
            [&](const OpenList& open, Work& one) {
                context_.cancel.check();
                one.plain.scan(open.number, lists_.list(open.number, node_id.begin, node_id.end));
            },
            [&] { return !cuts.is_empty(); });
        for (const auto& other : works_)
            if (by_column && other.get() != &work) cuts.join(other->plain.cuts());
        return cuts;
    }

    /// Search all columns, each on any thread, or draw some until there is a query.
    template <class Search, class HasQuery>
    void search_columns(const Branch& branch, const GrownNode& node_id, Work& work, bool by_column,
                        const Search& search, const HasQuery& has_query) {
        if (settings_.max_features == 0) {
            const auto look = [&](std::size_t i, Work& one) {
                if (is_column(branch.open[i])) search(branch.open[i], one);
            };
            if (by_column)
                return threads_.share_out(
                    works_.size(), branch.open.size(),
                    [&](std::size_t i, std::size_t k) { look(i, *works_[k]); });
            for (std::size_t i = 0; i < branch.open.size(); ++i) look(i, work);
            return;
        }
        DrawnColumns(settings_.column_numbers, n_columns_, node_id.chance)
            .scan_some(
                settings_.max_features,
                [&](std::size_t column) {
                    const auto open = std::ranges::find(branch.open, column, &OpenList::number);
                    if (open == branch.open.end()) return false;  // it is constant
                    search(*open, work);
                    return true;
                },
                has_query);
    }

    /// The query to ask; where gains are not exact, those that part the rows unlike each other are
    /// scored again.
    Candidate winner(const Branch& branch, const GrownNode& node_id, Work& work,
                     std::vector<Candidate>&& finalists) {
        const QuantileNode<Criterion>& node = work.node;
        const bool needs_gain = settings_.max_leaf_nodes > 0 || settings_.min_impurity_decrease > 0;
        const bool at_edge = is_at_edge(finalists, node.tie());
        if (at_edge || (!node.is_exact() && (needs_gain || finalists.size() > 1))) {
            auto [kinds, kind_of] =
                kinds_of(finalists, node.rows().size(), [&](const Candidate& one, Answers& to) {
                    column_of(branch, node_id, one).answer(one, to);
                });
            for (Alike& alike : kinds)
                if (needs_gain || kinds.size() > 1)
                    alike.scored.exact_gain = node.parts(alike.answers, alike.n_answers).gain;
            for (std::size_t i = 0; i < finalists.size(); ++i) {
                finalists[i].exact_gain = kinds[kind_of[i]].scored.exact_gain;
                finalists[i].gain = std::max(0.0, finalists[i].exact_gain.high);
            }
        }
        if (!at_edge && !is_at_edge(finalists, node.tie()))
            return first_of_best(std::move(finalists), node.tie(), 0);
        keep_tied(finalists, exact_tie_share() * node.exact_impurity());
        return first_of_best(std::move(finalists), all_tied, 0);
    }

    // --- splitting -----------------------------------------------------------------------------

    /// Split a branch by its query. Its children are nodes behind all others.
    std::vector<Branch> split(const Branch& branch, GrownTree& nodes, Work& work, bool by_column) {
        const GrownNode& node_id = nodes[branch.node_id];
        const ListedColumn column = column_of(branch, node_id, branch.best);
        work.answers.resize(column.rows.size());
        const std::size_t n_answers = column.answer(branch.best, work.answers);
        Question question = question_of(branch.best);
        if (question.kind == Kind::below)
            question.pivot = column.pivot(static_cast<std::size_t>(branch.best.place));
        const std::vector<std::size_t> bounds =
            part_rows(rows_of(node_id), node_id.begin, n_answers, work);
        const std::size_t first = nodes.add_children(branch.node_id, question, bounds);
        context_.part_bounds(nodes, branch.node_id, [&](std::size_t i) {
            const auto rows = rows_of(nodes[first + i]);
            return std::vector<Row>(rows.begin(), rows.end());
        });
        std::vector<Branch> children(n_answers);
        for (std::size_t i = 0; i < n_answers; ++i) children[i].node_id = first + i;
        part_lists(branch, bounds, work, by_column, children);
        return children;
    }

    /// Put rows in the order of their answers; return where each begins, and the end.
    std::vector<std::size_t> part_rows(std::span<Row> rows, std::size_t begin,
                                       std::size_t n_answers, Work& work) {
        std::vector<std::size_t> bounds(n_answers + 1, 0);
        for (const std::uint32_t answer : work.answers) ++bounds[answer + 1];
        for (std::size_t i = 0; i < n_answers; ++i) bounds[i + 1] += bounds[i];
        std::vector<std::uint32_t> next(n_answers, 0);
        work.targets.resize(rows.size());
        work.rows.assign(rows.begin(), rows.end());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::uint32_t child = work.answers[i];
            const std::uint32_t place = next[child]++;
            work.targets[i] = {child, place};
            rows[bounds[child] + place] = work.rows[i];
        }
        for (std::size_t& bound : bounds) bound += begin;
        return bounds;
    }

    void part_lists(const Branch& branch, std::span<const std::size_t> bounds, Work& work,
                    bool by_column, std::vector<Branch>& children) {
        const std::size_t n_open = branch.open.size();
        std::vector<OpenList> parts(n_open * children.size());
        const auto part = [&](std::size_t i, std::size_t k) {
            lists_.part(
                branch.open[i], work.targets, bounds, by_column ? works_[k]->room : work.room,
                [&](std::size_t child, const OpenList& list) { parts[child * n_open + i] = list; });
        };
        if (by_column)
            threads_.share_out(works_.size(), n_open, part);
        else
            for (std::size_t i = 0; i < n_open; ++i) part(i, 0);
        for (std::size_t child = 0; child < children.size(); ++child) {
            children[child].open.reserve(n_open);
            for (const OpenList& list : std::span(parts).subspan(child * n_open, n_open))
                if (list.n_values > 1 || !is_column(list)) children[child].open.push_back(list);
        }
    }

    // --- the order of growth -------------------------------------------------------------------

    [[nodiscard]] bool is_large(const GrownNode& node_id) const {
        constexpr std::size_t large_work = 100'000;
        return threads_.count() > 1 && node_id.n_rows() * n_columns_ >= large_work;
    }

    /// The children of a branch; none where it stays a leaf.
    std::vector<Branch> searched_and_split(Branch& branch, GrownTree& nodes, Work& work,
                                           bool by_column) {
        if (!find_query(branch, nodes[branch.node_id], work, by_column)) return {};
        return split(branch, nodes, work, by_column);
    }

    void grow_best_first(Branch&& root, GrownTree& nodes) {
        Work& work = *works_[0];
        std::vector<Branch> branches;
        Frontier frontier(settings_.max_leaf_nodes);
        const auto push = [&](Branch&& branch) {
            const GrownNode& node_id = nodes[branch.node_id];
            const QuantileNode<Criterion>& node = work.node;
            const bool has_query = find_query(branch, node_id, work, is_large(node_id));
            if (branch.node_id == 0) frontier.set_tie(context_.decrease(node.gain(node.tie())));
            if (!has_query) return;
            frontier.push({branches.size(), context_.decrease(node.gain(branch.best.gain)),
                           branch.best.n_answers()});
            branches.push_back(std::move(branch));
        };
        push(std::move(root));
        for (auto taken = frontier.take(); !taken.empty(); taken = frontier.take()) {
            const Branch branch = std::move(branches[taken.front()]);
            for (Branch& child : split(branch, nodes, work, is_large(nodes[branch.node_id])))
                push(std::move(child));
        }
    }

    const GrowTable& table_;
    const Settings& settings_;
    ListContext<Criterion> context_;
    std::span<Row> rows_;
    Threads& threads_;
    std::size_t n_columns_;
    QuantileLists lists_;
    std::vector<std::unique_ptr<Work>> works_;  // of each thread
};

}  // namespace bough
