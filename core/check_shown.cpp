#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "check_tree.hpp"

namespace bough {
namespace {

constexpr double slack = 1 + 1e-9;                                 // rounding was by floats
constexpr std::array<double, 3> moments{86'400e6, 3'600e6, 60e6};  // that dates are rounded to
constexpr std::array powers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/// Whether a number is seen to be some pivot rounded: a whole number of up to 15 digits over a
/// power of ten that a double holds is the number that these digits read as.
bool is_seen_rounded(double shown, double off) {
    std::size_t decimals = 0;
    while (decimals + 1 < powers.size() && off * powers[decimals + 1] <= 0.5) ++decimals;
    const double whole = std::rint(shown * powers[decimals]);
    return off * powers[decimals] <= 0.5 && std::fabs(whole) < 1e15 &&
           whole / powers[decimals] == shown;
}

/// The same by the shortest digits that read as the number.
bool is_read_rounded(double shown, double off) {
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
    return is_seen_rounded(shown, off) || is_read_rounded(shown, off);
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
