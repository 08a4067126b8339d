#include "check_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

namespace bough {
namespace {

constexpr std::string_view holds{};

/// Looks at the nodes twice: first that links, queries and places of codes lead nowhere else, then
/// at all that they lead to.
class Checker {
  public:
    explicit Checker(const WholeTree& tree)
        : tree_(tree),
          n_cells_(tree.tally.size() / std::max<std::size_t>(tree.size(), 1)),
          width_(n_cells_ / std::max<std::size_t>(tree.n_classes.size(), 1)) {}

    Broken run() {
        const auto n_codes = static_cast<std::int64_t>(tree_.codes.size());
        if (tree_.codes_start.front() != 0 || tree_.codes_start.back() != n_codes)
            return {"codes_start"};
        for (std::size_t id = 0; id < tree_.size(); ++id)
            if (const auto rule = broken_by_links(id); rule != holds) return {rule, id};
        if (next_child_ < static_cast<std::int64_t>(tree_.size()))
            return {"child of no node", static_cast<std::size_t>(next_child_)};
        for (std::size_t id = 0; id < tree_.size(); ++id) {
            if (const auto rule = broken_by_query(id); rule != holds) return {rule, id};
            if (const auto rule = broken_by_place(id); rule != holds) return {rule, id};
        }
        if (!tree_.pivot_int.empty() && !needs_pivot_int_) return {"pivot_int is not needed"};
        if (!tree_.shown.empty() && !needs_shown_) return {"shown is not needed"};
        for (std::size_t id = 0; id < tree_.size(); ++id) {
            if (const auto rule = broken_by_rows(id); rule != holds) return {rule, id};
            if (tree_.codes_start[id] != tree_.codes_start[id + 1])
                if (const Broken found = broken_by_codes(id); found.rule != holds) return found;
            if (const auto rule = broken_by_missing(id); rule != holds) return {rule, id};
            if (const auto rule = broken_by_numbers(id); rule != holds) return {rule, id};
        }
        return {};
    }

  private:
    [[nodiscard]] std::int64_t n_codes(std::size_t id) const {
        return std::int64_t{tree_.codes_start[id + 1]} - tree_.codes_start[id];
    }
    [[nodiscard]] FeatureKind feature_kind(std::size_t id) const {
        return static_cast<FeatureKind>(tree_.kinds[tree_.asked(id)]);
    }

    /// Breadth first, the children of a branch follow those of the branch before. So siblings lie
    /// side by side, and every node but the root has one parent.
    std::string_view broken_by_links(std::size_t id) {
        const std::int64_t count = tree_.n_children[id];
        const std::int64_t first = tree_.first_child[id];
        if (count < 0 || count == 1) return "n_children";
        if (count == 0) return first == -1 ? holds : "first_child at a leaf";
        if (first <= static_cast<std::int64_t>(id)) return "loop";
        if (first + count > static_cast<std::int64_t>(tree_.size())) return "child beyond";
        if (first != next_child_) return "first_child";
        next_child_ += count;
        return holds;
    }

    [[nodiscard]] std::string_view broken_by_query(std::size_t id) const {
        const std::int32_t feature = tree_.feature[id];
        const bool is_leaf = tree_.is_leaf(id);
        if (tree_.n_rows[id] < 1) return "no rows";
        if (is_leaf) return feature == -1 && tree_.query_kind[id] == 0 ? holds : "query at a leaf";
        if (feature < 0 || feature >= std::ssize(tree_.kinds)) return "feature";
        const Kind kind = tree_.kind(id);
        if (kind > Kind::is_missing) return "query_kind";
        const bool asks_values = kind == Kind::each_value || kind == Kind::one_of;
        const bool is_choice = feature_kind(id) == FeatureKind::choice;
        if (kind != Kind::is_missing && is_choice != asks_values) return "kind of feature";
        if (kind != Kind::each_value && tree_.n_children[id] != 2) return "two answers";
        return holds;
    }

    /// Where the codes of a node lie, and its pivot.
    std::string_view broken_by_place(std::size_t id) {
        const Kind kind = tree_.kind(id);
        const bool is_branch = !tree_.is_leaf(id);
        const bool is_below = is_branch && kind == Kind::below;
        const bool asks_values = is_branch && (kind == Kind::each_value || kind == Kind::one_of);
        if (n_codes(id) < 0) return "codes_start falls";
        if (asks_values != (n_codes(id) > 0)) return "number of codes";
        const double pivot = tree_.pivot[id];
        const bool has_pivot = !std::isnan(pivot);
        if (has_pivot && !is_below) return "pivot of no query";
        const bool is_whole = is_below && !has_pivot && !tree_.pivot_int.empty();
        if (!tree_.pivot_int.empty() && !is_whole && tree_.pivot_int[id] != 0) return "pivot_int";
        needs_pivot_int_ = needs_pivot_int_ || is_whole;
        if (is_below && !std::isfinite(pivot) &&
            !(is_whole && feature_kind(id) == FeatureKind::integer))
            return "pivot";
        if (is_below && feature_kind(id) == FeatureKind::ordered &&
            !(pivot > 0 && pivot <= tree_.n_choices[tree_.asked(id)] - 1))
            return "ordered pivot";
        if (tree_.shown.empty() || std::isnan(tree_.shown[id])) return holds;
        needs_shown_ = true;
        if (!has_pivot || tree_.n_choices[tree_.asked(id)] != 0) return "shown";
        return std::isfinite(tree_.shown[id]) ? holds : "shown is infinite";
    }

    [[nodiscard]] std::string_view broken_by_rows(std::size_t id) const {
        if (tree_.is_leaf(id)) return holds;
        const auto first = static_cast<std::size_t>(tree_.first_child[id]);
        const auto count = static_cast<std::size_t>(tree_.n_children[id]);
        std::uint64_t below = 0;  // which may overflow, as those of the file may
        for (const std::int64_t rows : tree_.n_rows.subspan(first, count))
            below += static_cast<std::uint64_t>(rows);
        return below == static_cast<std::uint64_t>(tree_.n_rows[id]) ? holds : "rows of children";
    }

    [[nodiscard]] Broken broken_by_codes(std::size_t id) const {
        const auto begin = static_cast<std::size_t>(tree_.codes_start[id]);
        const auto end = static_cast<std::size_t>(tree_.codes_start[id + 1]);
        const bool is_each = tree_.kind(id) == Kind::each_value;
        const std::int32_t n_choices = tree_.n_choices[tree_.asked(id)];
        bool any_other = false;
        for (std::size_t at = begin; at < end; ++at) {
            const std::int32_t code = tree_.codes[at];
            const std::int32_t answer = tree_.answers[at];
            if (code < 0 || code >= n_choices) return {"code", id, at};
            if (at > begin && code <= tree_.codes[at - 1]) return {"order of codes", id, at};
            if (is_each && answer != static_cast<std::int64_t>(at - begin))
                return {"answer of each", id, at};
            if (!is_each && (answer < 0 || answer > (at > begin ? 1 : 0)))
                return {"answer of two", id, at};
            any_other = any_other || answer == 1;
        }
        return is_each || any_other ? Broken{} : Broken{"one answer", id};
    }

    [[nodiscard]] std::string_view broken_by_missing(std::size_t id) const {
        const bool goes_on = tree_.missing_child[id] != -1;
        const std::int64_t count = tree_.n_children[id];
        const std::int64_t answer = std::int64_t{tree_.missing_child[id]} - tree_.first_child[id];
        if (goes_on && (answer < 0 || answer >= count)) return "missing_child";
        if (count == 0) return holds;
        if (tree_.kind(id) == Kind::is_missing && answer != 0) return "missing first";
        if (tree_.kind(id) != Kind::each_value) return holds;
        if (count != n_codes(id) + (goes_on ? 1 : 0)) return "children of each";
        return goes_on && answer != n_codes(id) ? "missing last" : holds;
    }

    [[nodiscard]] std::string_view broken_by_numbers(std::size_t id) const {
        if (const auto rule = broken_by_tally(id); rule != holds) return rule;
        const auto is_measure = [](double value) { return std::isfinite(value) && value >= 0; };
        if (!tree_.share.empty() && !(tree_.share[id] >= 0 && tree_.share[id] <= 1)) return "share";
        if (!is_measure(tree_.impurity[id])) return "impurity";
        if (!std::isfinite(tree_.gain[id])) return "gain";
        if (tree_.is_leaf(id) && tree_.gain[id] != 0) return "gain at a leaf";
        if (!tree_.relevance.empty() && !is_measure(tree_.relevance[id])) return "relevance";
        return holds;
    }

    [[nodiscard]] std::string_view broken_by_tally(std::size_t id) const {
        const std::size_t n_outputs = tree_.n_classes.size();
        const auto tally = tree_.tally.subspan(id * n_cells_, n_cells_);
        if (!std::ranges::all_of(tally, [](double x) { return std::isfinite(x); })) return "tally";
        for (std::size_t output = 0; output < n_outputs; ++output) {
            const auto cells = tally.subspan(output * width_, width_);
            if (!tree_.guess.empty()) {
                if (cells[0] <= 0) return "weight";
                if (cells[2] < 0) return "squares";
                if (!std::isfinite(tree_.guess[id * n_outputs + output])) return "guess";
                continue;
            }
            if (*std::ranges::min_element(cells) < 0) return "negative weight";
            if (*std::ranges::max_element(cells) == 0) return "empty tally";
            const auto n_classes = static_cast<std::size_t>(tree_.n_classes[output]);
            for (const double beyond : cells.subspan(n_classes))
                if (beyond > 0) return "weight of no class";
        }
        return holds;
    }

    const WholeTree& tree_;
    std::size_t n_cells_;  // of the tally of a node
    std::size_t width_;    // of one output
    std::int64_t next_child_ = 1;
    bool needs_pivot_int_ = false;
    bool needs_shown_ = false;
};

}  // namespace

Broken first_broken(const WholeTree& tree) { return Checker(tree).run(); }

namespace {

constexpr double slack = 1 + 1e-9;                                 // rounding was by floats
constexpr std::array<double, 3> moments{86'400e6, 3'600e6, 60e6};  // that dates are rounded to

/// Whether a number is some pivot rounded, by the shortest digits that read as the number.
bool is_decimal_rounded(double shown, double off) {
    if (shown == 0) return true;  // a rounding of any number; what is asked above says more
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), shown, std::chars_format::scientific)
            .ptr;
    const auto* exponent_sign = std::find(text.data(), end, 'e');
    const auto* point = std::find(text.data(), end, '.');
    int place = 0;
    std::from_chars(exponent_sign[1] == '+' ? exponent_sign + 2 : exponent_sign + 1, end, place);
    if (point < exponent_sign) place -= static_cast<int>(exponent_sign - point) - 1;
    return off <= 0.5 * std::pow(10.0, place) * slack;
}

bool is_rounded(double shown, double pivot, bool is_date) {
    const double off = std::fabs(shown - pivot);
    if (is_date)
        for (const double unit : moments)
            if (std::fmod(shown, unit) == 0) return off <= unit / 2 * slack;
    return is_decimal_rounded(shown, off);
}

/// Between which numbers the values lie that a node asks about, by what is asked above it.
struct Ends {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// Goes down every trail with the ends of each feature's values.
class Trails {
  public:
    explicit Trails(const WholeTree& tree) : tree_(tree), now_(tree.kinds.size()) {}

    Broken run() {
        enter(0);
        while (!trail_.empty() && found_ == none) {
            const auto [node, answer, ends] = trail_.back();
            Ends& here = now_[tree_.asked(node)];
            here = ends;
            if (answer == tree_.n_children[node]) {
                trail_.pop_back();
                continue;
            }
            if (tree_.kind(node) == Kind::below) {  // NaN changes neither
                const double pivot = tree_.pivot[node];
                if (answer == 0)
                    here.high = std::fmin(here.high, std::fmin(said(node), pivot));
                else
                    here.low = std::fmax(here.low, std::fmax(said(node), pivot));
            }
            ++trail_.back().answer;
            enter(static_cast<std::size_t>(tree_.first_child[node] + answer));
        }
        return found_ == none ? Broken{} : Broken{"trail", found_};
    }

  private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    /// A branch on the trail from the root to where the walk is.
    struct Branch {
        std::size_t node;
        std::int32_t answer;  // the next to be walked
        Ends ends;            // of its feature, above it
    };

    /// What words give for the pivot of a node.
    [[nodiscard]] double said(std::size_t node) const {
        return std::isnan(tree_.shown[node]) ? tree_.pivot[node] : tree_.shown[node];
    }

    void enter(std::size_t node) {
        if (tree_.is_leaf(node)) return;
        const Ends& ends = now_[tree_.asked(node)];
        const double pivot = tree_.pivot[node];
        if (std::fmin(said(node), pivot) <= ends.low || std::fmax(said(node), pivot) >= ends.high)
            found_ = node;
        trail_.push_back({node, 0, ends});
    }

    const WholeTree& tree_;
    std::vector<Ends> now_;  // of each feature, where the walk is
    std::vector<Branch> trail_;
    std::size_t found_ = none;
};

}  // namespace

Broken first_broken_shown(const WholeTree& tree) {
    if (tree.shown.empty()) return {};
    for (std::size_t id = 0; id < tree.size(); ++id)
        if (!std::isnan(tree.shown[id]) &&
            !is_rounded(tree.shown[id], tree.pivot[id], tree.are_dates[tree.asked(id)] != 0))
            return {"rounding", id};
    return Trails(tree).run();
}

}  // namespace bough
