// The tree while it grows, and as flat arrays when it has grown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "monotonic.hpp"
#include "pivot.hpp"
#include "query.hpp"
#include "random_draws.hpp"
#include "twofold.hpp"

namespace bough {

/// What a branch asks.
struct Question : QuestionBase {
    Pivot pivot{};
};

/// The question of a query that was found, but for its pivot.
inline Question question_of(const QuestionBase& asked) { return {asked}; }

/// A node while the tree grows: which rows it has. What it says of its rows is worked out when the
/// tree has grown, by one exact function.
struct GrownNode {
    std::uint32_t begin = 0;  // its rows lie side by side
    std::uint32_t end = 0;
    std::int32_t depth = 0;
    std::uint32_t first_child = 0;  // 0: a leaf
    std::uint32_t question = 0;     // the number of what it asks
    std::uint64_t chance = 0;       // what it draws by, where anything is drawn
    LevelBounds bounds;             // what it guesses lies between, where that has a direction

    [[nodiscard]] bool is_leaf() const { return first_child == 0; }
    [[nodiscard]] std::size_t n_rows() const { return end - begin; }
};

/// A tree while it grows: leaves, of which there are many, have no room for a question, and the
/// choices of all questions lie side by side.
class GrownTree {
  public:
    /// What a branch asks, but for choices.
    struct Asked {
        Pivot pivot;
        std::int32_t column = -1;
        std::int32_t missing = stop;
        std::uint32_t n_choices = 0;
        Kind kind = Kind::below;
        std::size_t first_choice = 0;  // among those of all questions
    };

    explicit GrownTree(const GrownNode& root = {}) : nodes_{root} {}

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    /// Of all questions.
    [[nodiscard]] std::size_t n_choices() const { return choices_.size(); }
    GrownNode& operator[](std::size_t node_id) { return nodes_[node_id]; }
    const GrownNode& operator[](std::size_t node_id) const { return nodes_[node_id]; }
    [[nodiscard]] const Asked& asked(const GrownNode& branch) const {
        return asked_[branch.question];
    }
    [[nodiscard]] Question question(const GrownNode& branch) const {
        Question question;
        read_question(branch, question);
        return question;
    }
    /// The same into one that has room.
    void read_question(const GrownNode& branch, Question& question) const {
        const Asked& asked = asked_[branch.question];
        question.column = asked.column;
        question.kind = asked.kind;
        question.missing = asked.missing;
        question.pivot = asked.pivot;
        const auto first = static_cast<std::ptrdiff_t>(asked.first_choice);
        const auto last = first + static_cast<std::ptrdiff_t>(asked.n_choices);
        question.choices.assign(choices_.begin() + first, choices_.begin() + last);
        question.answers.assign(answers_.begin() + first, answers_.begin() + last);
    }
    /// Say between which values a question cuts, if that was left for later.
    void set_pivot(const GrownNode& branch, const Pivot& pivot) {
        asked_[branch.question].pivot = pivot;
    }
    /// Have the question of a branch ready.
    void fetch_question(const GrownNode& branch) const {
        __builtin_prefetch(&asked_[branch.question]);
    }
    void reserve(std::size_t n_nodes) {
        nodes_.reserve(n_nodes);
        asked_.reserve(n_nodes / 2);
    }

    /// Give a node its question and a child for each answer, whose rows begin at `starts`, the last
    /// of which is the end; return the first child.
    std::size_t add_children(std::size_t parent, const Question& question,
                             std::span<const std::size_t> starts) {
        const std::size_t first = nodes_.size();
        nodes_[parent].question = static_cast<std::uint32_t>(asked_.size());
        nodes_[parent].first_child = static_cast<std::uint32_t>(first);
        asked_.push_back({question.pivot, question.column, question.missing,
                          static_cast<std::uint32_t>(question.choices.size()), question.kind,
                          choices_.size()});
        choices_.insert(choices_.end(), question.choices.begin(), question.choices.end());
        answers_.insert(answers_.end(), question.answers.begin(), question.answers.end());
        GrownNode child = nodes_[parent];
        child.first_child = 0;
        ++child.depth;
        for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
            child.begin = static_cast<std::uint32_t>(starts[i]);
            child.end = static_cast<std::uint32_t>(starts[i + 1]);
            child.chance = mixed(nodes_[parent].chance, i);
            nodes_.push_back(child);
        }
        return first;
    }

    /// Put the nodes of a subtree in the place of its root, and behind all others.
    void graft(std::size_t root, GrownTree&& subtree) {
        const auto shift = static_cast<std::uint32_t>(nodes_.size() - 1);
        const auto question_shift = static_cast<std::uint32_t>(asked_.size());
        for (Asked& asked : subtree.asked_) asked.first_choice += choices_.size();
        for (GrownNode& node : subtree.nodes_) {
            if (node.is_leaf()) continue;
            node.first_child += shift;
            node.question += question_shift;
        }
        nodes_[root] = subtree.nodes_[0];
        nodes_.insert(nodes_.end(), subtree.nodes_.begin() + 1, subtree.nodes_.end());
        asked_.insert(asked_.end(), subtree.asked_.begin(), subtree.asked_.end());
        choices_.insert(choices_.end(), subtree.choices_.begin(), subtree.choices_.end());
        answers_.insert(answers_.end(), subtree.answers_.begin(), subtree.answers_.end());
    }

  private:
    std::vector<GrownNode> nodes_;
    std::vector<Asked> asked_;           // by the branches
    std::vector<std::int32_t> choices_;  // of all questions
    std::vector<std::int32_t> answers_;
};

/// Where the rows of a node lie among those of the tree.
struct RowRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Where a node has few of many classes: those that it has, side by side, and room behind them.
struct SeenClasses {
    std::vector<std::int64_t> start;  // of each node, and the end; empty: tallies have all classes
    std::vector<std::int32_t> code;
    std::vector<double> weight;

    void make_room(std::span<const RowRange> places, std::size_t n_classes) {
        start.assign(1, 0);
        start.reserve(places.size() + 1);
        for (const RowRange& place : places)
            start.push_back(start.back() + static_cast<std::int64_t>(
                                               std::min(place.end - place.begin, n_classes)));
        code.resize(static_cast<std::size_t>(start.back()));
        weight.resize(code.size());
    }
};

/// The grown tree, nodes numbered breadth first; see tree.py for the meaning of each array.
struct FlatTree {
    std::vector<std::int32_t> feature;
    std::vector<std::uint8_t> query_kind;
    std::vector<double> pivot;
    std::vector<std::int64_t> pivot_int;
    std::vector<std::int64_t> gap;  // of each node two entries, as a `Pivot` has them
    std::vector<std::int32_t> codes;
    std::vector<std::int32_t> answers;
    std::vector<std::int32_t> codes_start{0};
    std::vector<std::int32_t> first_child;
    std::vector<std::int32_t> n_children;
    std::vector<std::int32_t> missing_child;
    std::vector<double> tally;
    SeenClasses seen;  // in its place
    std::vector<double> guess;
    std::vector<double> share;
    std::vector<std::int64_t> n_rows;
    std::vector<double> impurity;
    std::vector<double> gain;
    // Where the best are asked first: how much of what all guesses cost each query saves, and what
    // that of the root costs. Doubles in units of the user may be too small or too large for it.
    std::vector<Amount> saved;
    Amount root_cost;

    /// Make room for the questions of so many nodes.
    void reserve(std::size_t n_nodes) {
        feature.reserve(n_nodes);
        query_kind.reserve(n_nodes);
        pivot.reserve(n_nodes);
        pivot_int.reserve(n_nodes);
        gap.reserve(2 * n_nodes);
        codes_start.reserve(n_nodes + 1);
        first_child.reserve(n_nodes);
        n_children.reserve(n_nodes);
        missing_child.reserve(n_nodes);
    }

    /// Append what a node asks; `first` is the number of its first child.
    void add_question(const Question& question, std::size_t first) {
        codes.insert(codes.end(), question.choices.begin(), question.choices.end());
        answers.insert(answers.end(), question.answers.begin(), question.answers.end());
        add_asked(question, question.n_answers(), first);
    }
    /// The same of one with so many answers, whose choices are there if it has any.
    template <class Asked>
    void add_asked(const Asked& asked, std::size_t n_answers, std::size_t first) {
        const auto child = static_cast<std::int32_t>(first);
        feature.push_back(asked.column);
        query_kind.push_back(static_cast<std::uint8_t>(asked.kind));
        pivot.push_back(asked.pivot.value);
        pivot_int.push_back(asked.pivot.integer);
        gap.push_back(asked.pivot.low);
        gap.push_back(asked.pivot.high);
        first_child.push_back(child);
        n_children.push_back(static_cast<std::int32_t>(n_answers));
        missing_child.push_back(asked.missing == stop ? stop : child + asked.missing);
        codes_start.push_back(static_cast<std::int32_t>(codes.size()));
    }

    /// What a branch asks.
    [[nodiscard]] Question question(std::size_t id) const {
        Question question;
        question.column = feature[id];
        question.kind = static_cast<Kind>(query_kind[id]);
        if (missing_child[id] != stop) question.missing = missing_child[id] - first_child[id];
        question.pivot = {.value = pivot[id],
                          .integer = pivot_int[id],
                          .low = gap[2 * id],
                          .high = gap[2 * id + 1]};
        question.choices.assign(codes.begin() + codes_start[id],
                                codes.begin() + codes_start[id + 1]);
        question.answers.assign(answers.begin() + codes_start[id],
                                answers.begin() + codes_start[id + 1]);
        return question;
    }

    void add_leaf() {
        add_asked(GrownTree::Asked{}, 0, 0);
        first_child.back() = -1;
    }
};

/// A tree whose nodes ask only where `asks` is not 0; nodes that nothing leads to are left out.
inline FlatTree cut_back(const FlatTree& tree, std::span<const std::uint8_t> asks) {
    FlatTree kept;
    const std::size_t n_nodes = tree.n_rows.size();
    const std::size_t n_cells = tree.tally.size() / n_nodes;
    const std::size_t n_guesses = tree.guess.size() / n_nodes;
    const auto copy = [](auto& to, const auto& from, std::size_t id, std::size_t size) {
        const auto first = from.begin() + static_cast<std::ptrdiff_t>(id * size);
        to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(size));
    };
    std::vector<std::size_t> order{0};  // breadth first
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t id = order[i];
        if (asks[id] != 0) {
            kept.add_question(tree.question(id), order.size());
            for (std::int32_t answer = 0; answer < tree.n_children[id]; ++answer)
                order.push_back(static_cast<std::size_t>(tree.first_child[id] + answer));
        } else {
            kept.add_leaf();
        }
        copy(kept.tally, tree.tally, id, n_cells);
        copy(kept.guess, tree.guess, id, n_guesses);
        if (!tree.share.empty()) kept.share.push_back(tree.share[id]);
        kept.n_rows.push_back(tree.n_rows[id]);
        kept.impurity.push_back(tree.impurity[id]);
        kept.gain.push_back(asks[id] != 0 ? tree.gain[id] : 0);
    }
    return kept;
}

/// The nodes of a grown tree as arrays that say what is asked, and where the rows of each node lie.
inline std::pair<FlatTree, std::vector<RowRange>> flattened(const GrownTree& nodes) {
    std::pair<FlatTree, std::vector<RowRange>> found;
    auto& [flat, places] = found;
    constexpr std::size_t ahead = 16;
    std::vector<std::uint32_t> order{0};  // breadth first
    order.reserve(nodes.size());
    places.reserve(nodes.size());
    flat.reserve(nodes.size());
    flat.codes.reserve(nodes.n_choices());
    flat.answers.reserve(nodes.n_choices());
    Question question;
    for (std::size_t i = 0; i < order.size(); ++i) {
        // Nodes lie in the order in which they grew: those to come are fetched in time.
        if (i + 2 * ahead < order.size()) __builtin_prefetch(&nodes[order[i + 2 * ahead]]);
        if (i + ahead < order.size()) nodes.fetch_question(nodes[order[i + ahead]]);
        const GrownNode& node = nodes[order[i]];
        places.push_back({node.begin, node.end});
        if (node.is_leaf()) {
            flat.add_leaf();
            continue;
        }
        const GrownTree::Asked& asked = nodes.asked(node);
        std::size_t n_answers = 2;
        if (asked.n_choices > 0) {
            nodes.read_question(node, question);
            n_answers = question.n_answers();
            flat.add_question(question, order.size());
        } else {
            flat.add_asked(asked, n_answers, order.size());
        }
        for (std::uint32_t child = 0; child < n_answers; ++child)
            order.push_back(node.first_child + child);
    }
    return found;
}

}  // namespace bough
