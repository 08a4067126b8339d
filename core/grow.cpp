// The loop: search the best query of each node, split, go on with the children.
#include "grow.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "frontier.hpp"
#include "rows.hpp"
#include "search.hpp"
#include "summary.hpp"

namespace bough {
namespace {

/// A hash whose every bit depends on every bit of both arguments.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a + 0x9e3779b97f4a7c15U * (b + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

template <class Criterion>
class Grower {
  public:
    using Labels = typename Criterion::Labels;
    using Cell = typename Labels::Cell;

    Grower(const GrowTable& table, const Settings& settings, std::size_t n_threads,
           const Cancel& cancel)
        : table_(table), settings_(settings), cancel_(cancel), threads_(n_threads),
          rows_(rows_with_weight(table)), frontier_(settings.max_leaf_nodes) {
        fix_weights();
        fix_labels();
        encode_columns();
    }

    FlatTree grow() {
        nodes_.emplace_back();
        nodes_[0].end = rows_.size();
        nodes_[0].trail_hash = mixed(settings_.seed, 0);
        summarise_node(nodes_[0]);
        root_weight_ = to_double(nodes_[0].tally.weight);
        limits_.min_rows = settings_.min_samples_leaf;
        limits_.min_weight = (settings_.min_weight_fraction_leaf - tie_share) * root_weight_;
        limits_.group_choices = settings_.group_choices;
        limits_.draw_one = settings_.draw_pivots;
        frontier_.set_tie(tie_share * nodes_[0].impurity);
        std::vector<std::size_t> fresh{0};
        while (!fresh.empty()) {
            search(fresh);
            for (const std::size_t id : fresh)
                if (nodes_[id].has_query)
                    frontier_.push({id, decrease(nodes_[id]), nodes_[id].query.n_answers()});
            fresh = split(frontier_.take());
        }
        return flatten();
    }

  private:
    // --- the table in fixed point and codes ---------------------------------------------------

    static std::vector<Row> rows_with_weight(const GrowTable& table) {
        std::vector<Row> rows;
        rows.reserve(table.n_rows);
        for (std::size_t row = 0; row < table.n_rows; ++row)
            if (table.weights == nullptr || table.weights[row] > 0)
                rows.push_back(static_cast<Row>(row));
        return rows;
    }

    void fix_weights() {
        if (table_.weights == nullptr) return;
        const std::span<const double> weights(table_.weights, table_.n_rows);
        const int row_bits = static_cast<int>(std::bit_width(table_.n_rows));
        fixed_.weight_exponent = grid_exponent(weights, sum_bits - row_bits);
        fixed_.weights.reserve(weights.size());
        for (const double weight : weights) {
            const Int128 point = on_grid(weight, fixed_.weight_exponent);
            // A row that takes part weighs something, however light it is beside the others.
            fixed_.weights.push_back(weight > 0 && point == 0 ? 1 : point);
        }
        labels_.weights.of_row = fixed_.weights.data();
    }

    void fix_labels() {
        labels_.n_rows = table_.n_rows;
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            labels_.codes = table_.classes;
            labels_.n_classes = table_.n_classes;
            labels_.most_classes =
                *std::max_element(table_.n_classes.begin(), table_.n_classes.end());
        } else {
            const std::span<const double> numbers(table_.numbers,
                                                  table_.n_rows * table_.n_outputs);
            fixed_.label_exponent = grid_exponent(numbers, sum_bits - 1);
            for (const double number : numbers)
                fixed_.points.push_back(on_grid(number, fixed_.label_exponent));
            labels_.outputs = table_.n_outputs;
            labels_.points = fixed_.points.data();
            labels_.centre.assign(table_.n_outputs, 0);
        }
    }

    void encode_columns() {
        columns_.resize(table_.columns.size());
        threads_.parallel_for(columns_.size(), [this](std::size_t i) {
            cancel_.check();
            const RawColumn& raw = table_.columns[i];
            columns_[i] = std::visit([&](const auto& values) { return encoded(values, raw); },
                                     raw.values);
        });
    }

    template <class Value>
    Column encoded(const Strided<Value>& values, const RawColumn& raw) const {
        if constexpr (std::is_same_v<Value, std::int32_t>) {
            if (raw.is_choice) return chosen(values, table_.n_rows, raw.n_choices);
            return ranked_positions(values);
        } else {
            return ranked(values, rows_.all(), table_.n_rows, cancel_);
        }
    }

    /// Positions of ordered values: compared as the numbers they are.
    Column ranked_positions(const Strided<std::int32_t>& positions) const {
        std::vector<double> numbers(table_.n_rows);
        for (std::size_t row = 0; row < table_.n_rows; ++row)
            numbers[row] = is_missing(positions[row]) ? std::numeric_limits<double>::quiet_NaN()
                                                      : positions[row];
        return ranked(Strided<double>{numbers.data()}, rows_.all(), table_.n_rows, cancel_);
    }

    // --- nodes ---------------------------------------------------------------------------------

    void summarise_node(Node<Cell>& node) {
        summarise<Criterion>(node, labels_, fixed_, table_.numbers,
                             rows_.between(node.begin, node.end));
    }

    [[nodiscard]] bool may_split(const Node<Cell>& node) const {
        return !node.is_pure && node.tally.rows >= settings_.min_samples_split &&
               (settings_.max_depth < 0 || node.depth < settings_.max_depth);
    }

    /// gain × node weight ÷ table weight, in units of the grid.
    [[nodiscard]] double decrease(const Node<Cell>& node) const {
        return node.query.gain * (to_double(node.tally.weight) / root_weight_);
    }

    [[nodiscard]] bool decreases_enough(const Node<Cell>& node) const {
        const double least = settings_.min_impurity_decrease;
        return least <= 0 ||
               scaled(decrease(node), 2 * fixed_.label_exponent) >= least - tie_share;
    }

    // --- the search ----------------------------------------------------------------------------

    /// A node's labels, seen from near their mean, and its tally from there.
    struct Centred {
        Labels labels;
        Tally<Cell> tally;
    };

    Centred centred(const Node<Cell>& node) const {
        Centred view{labels_, node.tally};
        if constexpr (std::is_same_v<Labels, NumberLabels>) {
            for (std::size_t output = 0; output < labels_.outputs; ++output) {
                const Twofold mean =
                    to_twofold(node.tally.cells[output]) / to_twofold(node.tally.weight);
                const Int128 centre = static_cast<Int128>(mean.high) + static_cast<Int128>(mean.low);
                view.labels.centre[output] = centre;
                view.tally.cells[output] -= product(centre, node.tally.weight);
            }
        }
        return view;
    }

    void search(const std::vector<std::size_t>& fresh) {
        std::vector<std::size_t> small;
        for (const std::size_t id : fresh) {
            if (!may_split(nodes_[id])) continue;
            const std::size_t work = (nodes_[id].end - nodes_[id].begin) * columns_.size();
            if (work >= large_work && settings_.max_features == 0)
                search_by_column(nodes_[id]);
            else
                small.push_back(id);
        }
        share_out(small.size(), [&](std::size_t first, std::size_t step) {
            ColumnSearch<Criterion> column_search(limits_, cancel_);
            for (std::size_t i = first; i < small.size(); i += step)
                search_whole(nodes_[small[i]], column_search);
        });
    }

    /// Share nodes out over the threads, `work(first, step)` for each; a few are not worth waking
    /// a thread for.
    template <class Work>
    void share_out(std::size_t n_nodes, const Work& work) {
        constexpr std::size_t few = 8;
        const std::size_t n_tasks = n_nodes < few ? 1 : threads_.count() * tasks_per_thread;
        threads_.parallel_for(n_tasks, [&](std::size_t task) { work(task, n_tasks); });
    }

    void search_by_column(Node<Cell>& node) {
        const Centred view = centred(node);
        const NodeScorer<Criterion> scorer(view.labels, view.tally, node.impurity);
        std::vector<std::vector<Candidate>> by_column(columns_.size());
        threads_.parallel_for(columns_.size(), [&](std::size_t column) {
            ColumnSearch<Criterion> column_search(limits_, cancel_);
            by_column[column] = search_column(column_search, scorer, node, column).finalists;
        });
        decide(node, scorer, std::move(by_column));
    }

    void search_whole(Node<Cell>& node, ColumnSearch<Criterion>& column_search) {
        const Centred view = centred(node);
        const NodeScorer<Criterion> scorer(view.labels, view.tally, node.impurity);
        std::vector<std::vector<Candidate>> by_column;
        std::size_t n_drawn = 0;
        bool any = false;
        for (const std::size_t column : column_order(node)) {
            cancel_.check();
            auto result = search_column(column_search, scorer, node, column);
            if (!result.tells_apart) continue;
            any = any || !result.finalists.empty();
            by_column.push_back(std::move(result.finalists));
            if (++n_drawn >= settings_.max_features && settings_.max_features > 0 && any) break;
        }
        decide(node, scorer, std::move(by_column));
    }

    /// The columns in the order in which they are drawn: their own, or by chance.
    [[nodiscard]] std::vector<std::size_t> column_order(const Node<Cell>& node) const {
        std::vector<std::size_t> order(columns_.size());
        std::iota(order.begin(), order.end(), 0);
        if (settings_.max_features > 0)
            std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return mixed(node.trail_hash, a) < mixed(node.trail_hash, b);
            });
        return order;
    }

    typename ColumnSearch<Criterion>::Result search_column(ColumnSearch<Criterion>& column_search,
                                                           const NodeScorer<Criterion>& scorer,
                                                           const Node<Cell>& node,
                                                           std::size_t column) const {
        return column_search.run(columns_[column], static_cast<std::int32_t>(column), scorer,
                                 rows_.between(node.begin, node.end),
                                 mixed(~node.trail_hash, column));
    }

    void decide(Node<Cell>& node, const NodeScorer<Criterion>& scorer,
                std::vector<std::vector<Candidate>>&& by_column) const {
        if (std::all_of(by_column.begin(), by_column.end(),
                        [](const auto& finalists) { return finalists.empty(); }))
            return;
        node.query = scorer.choose(std::move(by_column));
        node.has_query = decreases_enough(node);
    }

    // --- splitting -----------------------------------------------------------------------------

    std::vector<std::size_t> split(const std::vector<std::size_t>& parents) {
        std::vector<std::size_t> children;
        for (const std::size_t id : parents) {
            nodes_[id].first_child = nodes_.size();
            for (std::size_t i = 0; i < nodes_[id].query.n_answers(); ++i) {
                children.push_back(nodes_.size());
                nodes_.emplace_back();
            }
        }
        share_out(parents.size(), [&](std::size_t first, std::size_t step) {
            for (std::size_t i = first; i < parents.size(); i += step)
                split_one(nodes_[parents[i]]);
        });
        return children;
    }

    void split_one(const Node<Cell>& parent) {
        cancel_.check();
        const Column& column = columns_[static_cast<std::size_t>(parent.query.column)];
        const auto bounds = rows_.split(parent.begin, parent.end, parent.query, column);
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
            Node<Cell>& child = nodes_[parent.first_child + i];
            child.begin = bounds[i];
            child.end = bounds[i + 1];
            child.depth = parent.depth + 1;
            child.trail_hash = mixed(parent.trail_hash, i);
            summarise_node(child);
        }
    }

    // --- the result ----------------------------------------------------------------------------

    FlatTree flatten() const {
        FlatTree flat;
        std::vector<std::size_t> order{0};
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Node<Cell>& node = nodes_[order[i]];
            if (node.first_child == 0) {
                flat.add_leaf();
            } else {
                flat.add_query(node.query, columns_[static_cast<std::size_t>(node.query.column)],
                               order.size());
                for (std::size_t child = 0; child < node.query.n_answers(); ++child)
                    order.push_back(node.first_child + child);
            }
            flat.codes_start.push_back(static_cast<std::int32_t>(flat.codes.size()));
            add_summary(flat, node);
        }
        return flat;
    }

    void add_summary(FlatTree& flat, const Node<Cell>& node) const {
        flat.n_rows.push_back(node.tally.rows);
        const int unit = 2 * fixed_.label_exponent;
        flat.impurity.push_back(saturated(scaled(node.impurity, unit)));
        const bool is_leaf = node.first_child == 0;
        flat.gain.push_back(is_leaf ? 0 : saturated(scaled(node.query.gain, unit)));
        const auto weight = [this](const Int128& value) {
            return saturated(scaled(to_twofold(value).high, fixed_.weight_exponent));
        };
        if constexpr (std::is_same_v<Labels, ClassLabels>) {
            for (const Int128& cell : node.tally.cells) flat.tally.push_back(weight(cell));
        } else {
            for (std::size_t output = 0; output < labels_.outputs; ++output) {
                flat.guess.push_back(node.guess[output]);
                flat.tally.push_back(weight(node.tally.weight));
                const double sum = to_twofold(node.tally.cells[output]).high;
                flat.tally.push_back(
                    saturated(scaled(sum, fixed_.label_exponent + fixed_.weight_exponent)));
                flat.tally.push_back(node.squares[output]);
            }
        }
    }

    static constexpr int sum_bits = 126;  // a sum of weights stays below 2^126
    static constexpr std::size_t large_work = 100'000;
    static constexpr std::size_t tasks_per_thread = 8;

    const GrowTable& table_;
    const Settings& settings_;
    const Cancel& cancel_;
    Threads threads_;
    Rows rows_;
    Frontier frontier_;
    Limits limits_;
    FixedLabels fixed_;
    Labels labels_;
    std::vector<Column> columns_;
    std::vector<Node<Cell>> nodes_;
    double root_weight_ = 0;
};

/// Call `use` with the criterion of each index in turn.
template <class Use, std::size_t... Index>
void for_each_criterion(const Use& use, std::index_sequence<Index...> /*all*/) {
    (use(std::tuple_element_t<Index, Criteria>{}), ...);
}

template <class Use>
void for_each_criterion(const Use& use) {
    for_each_criterion(use, std::make_index_sequence<std::tuple_size_v<Criteria>>{});
}

}  // namespace

FlatTree grow(const GrowTable& table, const Settings& settings, std::size_t n_threads,
              const Cancel& cancel) {
    FlatTree tree;
    bool is_known = false;
    for_each_criterion([&](auto criterion) {
        using Criterion = decltype(criterion);
        if (Criterion::name != settings.criterion) return;
        is_known = true;
        tree = Grower<Criterion>(table, settings, n_threads, cancel).grow();
    });
    if (!is_known) throw std::invalid_argument("unknown criterion");
    return tree;
}

std::vector<std::pair<std::string_view, std::string_view>> criteria() {
    std::vector<std::pair<std::string_view, std::string_view>> names;
    for_each_criterion([&](auto criterion) {
        names.emplace_back(decltype(criterion)::name, decltype(criterion)::task);
    });
    return names;
}

}  // namespace bough
