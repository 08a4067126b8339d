// What the nodes of a tree say where their labels are numbers that add up: level by level, from
// sums that are kept for all of them. Few words hold these, but where labels or weights differ by
// many orders.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "node_writer.hpp"
#include "threads.hpp"

namespace bough {

/// What one output of a node's rows adds up to.
struct NarrowSum {
    using Weight = std::int64_t;

    Int128 sum = 0;   // of the labels, times weight
    Wide<3> squares;  // likewise
    Range given;      // the labels as the user gave them

    void add(Int128 point, Weight weight) {
        const Int128 heavy = point * weight;
        sum += heavy;
        squares += product_below(heavy, point);
    }
    /// What the mean costs the rows, which have this weight; times the weight.
    [[nodiscard]] Wide<3> cost(Weight weight) const {
        std::array<std::uint64_t, 3> limbs{};
        Unsigned128 carry = 0;
        for (std::size_t i = 0; i < limbs.size(); ++i) {
            carry += static_cast<Unsigned128>(squares.limb(i)) * static_cast<std::uint64_t>(weight);
            limbs[i] = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
        return Wide<3>::of(limbs.data(), limbs.size()) - product_below(sum, sum);
    }

  private:
    /// The product of two integers of the same sign, which is below 2^191.
    static Wide<3> product_below(Int128 a, Int128 b) {
        const auto x = static_cast<Unsigned128>(a < 0 ? -a : a);
        const auto y = static_cast<Unsigned128>(b < 0 ? -b : b);
        const auto low = [](Unsigned128 value) { return static_cast<std::uint64_t>(value); };
        const auto high = [](Unsigned128 value) { return static_cast<std::uint64_t>(value >> 64); };
        const Unsigned128 first = static_cast<Unsigned128>(low(x)) * low(y);
        const Unsigned128 one = static_cast<Unsigned128>(low(x)) * high(y);
        const Unsigned128 other = static_cast<Unsigned128>(high(x)) * low(y);
        const Unsigned128 second = static_cast<Unsigned128>(high(first)) + low(one) + low(other);
        const std::uint64_t third = high(second) + high(one) + high(other) + high(x) * high(y);
        const std::array<std::uint64_t, 3> limbs{low(first), low(second), third};
        return Wide<3>::of(limbs.data(), limbs.size());
    }
};

/// The same in as many words as any labels and weights need.
struct LargeSum {
    using Weight = Int128;

    Wide<4> sum;
    Wide<6> squares;
    Range given;

    void add(Int128 point, Weight weight) {
        const Wide<4> heavy = product(point, weight);
        sum += heavy;
        squares += product(heavy, Wide<2>(point));
    }
    [[nodiscard]] Wide<8> cost(Weight weight) const {
        return product(squares, Wide<2>(weight)) - product(sum, sum);
    }
};

/// Works out what the nodes say, the deepest first: nodes are numbered breadth first.
template <class Criterion, class Sum>
class NumberFinisher {
  public:
    using Weight = typename Sum::Weight;

    NumberFinisher(const FixedLabels<NumberLabels>& fixed, FlatTree& flat,
                   std::span<const RowRange> places, std::span<const Row> rows)
        : fixed_(fixed),
          labels_(fixed.view()),
          flat_(flat),
          places_(places),
          rows_(rows),
          writer_(fixed, fixed.weight_of(rows), places.size(), flat),
          n_outputs_(labels_.n_outputs()) {}

    /// With `keeps_levels` return the level of each node.
    std::vector<double> finish(bool keeps_levels, Threads& threads, const Cancel& cancel) {
        levels_.resize(keeps_levels ? places_.size() : 0);
        const std::vector<std::size_t> starts = depth_starts();
        for (std::size_t depth = starts.size() - 1; depth-- > 0;) {
            here_.start(starts[depth], starts[depth + 1] - starts[depth], n_outputs_);
            // Nodes of a depth do not depend on each other.
            const std::vector<std::size_t> shares = shares_of(starts[depth], starts[depth + 1]);
            threads.parallel_for(shares.size() - 1, [&](std::size_t i) {
                cancel.check();
                for (std::size_t id = shares[i]; id < shares[i + 1]; ++id) finish_node(id);
            });
            std::swap(here_, below_);
        }
        return std::move(levels_);
    }

  private:
    /// A node that is worked out, or whose parent is.
    struct Node {
        Weight& weight;
        Amount& cost;  // of its guess
        Sum* sums;     // of each output

        [[nodiscard]] auto cells(std::size_t output) const {
            return Cells<decltype(Sum::sum)>{&sums[output].sum, 1, weight};
        }
    };
    /// The nodes of one depth.
    struct Depth {
        std::size_t first = 0;
        std::size_t n_outputs = 1;
        std::vector<Weight> weights;
        std::vector<Amount> costs;
        std::vector<Sum> sums;

        void start(std::size_t first_id, std::size_t n_nodes, std::size_t outputs) {
            first = first_id;
            n_outputs = outputs;
            weights.assign(n_nodes, 0);
            costs.assign(n_nodes, Amount());
            sums.assign(n_nodes * outputs, Sum());
        }
        Node operator[](std::size_t id) {
            const std::size_t i = id - first;
            return {weights[i], costs[i], &sums[i * n_outputs]};
        }
    };

    [[nodiscard]] std::size_t n_children(std::size_t id) const {
        return static_cast<std::size_t>(flat_.n_children[id]);
    }
    [[nodiscard]] std::span<const Row> rows_of(std::size_t id) const {
        return rows_.subspan(places_[id].begin, places_[id].end - places_[id].begin);
    }

    /// The first node of each depth, and the end.
    [[nodiscard]] std::vector<std::size_t> depth_starts() const {
        std::vector<std::size_t> starts{0, 1};
        for (std::size_t id = 0; starts.back() < places_.size();) {
            std::size_t next = starts.back();
            for (; id < starts.back(); ++id) next += n_children(id);
            starts.push_back(next);
        }
        return starts;
    }
    /// Nodes of a depth whose leaves have so many rows together that a thread is worth it.
    [[nodiscard]] std::vector<std::size_t> shares_of(std::size_t first, std::size_t end) const {
        constexpr std::size_t many_rows = 1 << 14;
        std::vector<std::size_t> starts{first};
        std::size_t n_rows = 0;
        for (std::size_t id = first; id < end; ++id) {
            if (n_rows >= many_rows) {
                starts.push_back(id);
                n_rows = 0;
            }
            n_rows += n_children(id) == 0 ? rows_of(id).size() : n_children(id);
        }
        starts.push_back(end);
        return starts;
    }

    /// Have the first rows of leaves to come ready, which lie far apart, and what is known of them.
    // Inlined, since a compiler leaves out a call that seems to change nothing.
    [[gnu::always_inline]] void fetch(std::size_t id) const {
        constexpr std::size_t ahead = 16;
        if (id + 2 * ahead >= places_.size()) return;
        if (n_children(id + 2 * ahead) == 0)
            __builtin_prefetch(&rows_[places_[id + 2 * ahead].begin]);
        if (n_children(id + ahead) > 0) return;
        const Row row = rows_[places_[id + ahead].begin];
        for (std::size_t output = 0; output < n_outputs_; ++output)
            __builtin_prefetch(fixed_.numbers() + output * labels_.n_rows + row);
        if (labels_.weights.of_row != nullptr) __builtin_prefetch(labels_.weights.of_row + row);
    }

    void finish_node(std::size_t id) {
        fetch(id);
        const Node own = here_[id];
        Amount saved;
        if (n_children(id) == 0) {
            add_rows(own, id);
            own.cost = leaf_cost(own, id);
        } else {
            add_children(own, id);
            saved = saving(own, id);
            own.cost += saved;
        }
        write(own, id, saved);
    }
    void write(const Node& own, std::size_t id, const Amount& saved) {
        flat_.n_rows[id] = static_cast<std::int64_t>(rows_of(id).size());
        const Twofold heavy = to_twofold(Int128{own.weight});
        const Twofold units = heavy * Twofold(static_cast<double>(n_outputs_));
        writer_.write_costs(id, own.cost, saved, units);
        for (std::size_t output = 0; output < n_outputs_; ++output) {
            const Sum& sum = own.sums[output];
            writer_.write_number(id, output, to_twofold(sum.sum), to_twofold(sum.squares), heavy,
                                 sum.given);
        }
        if (levels_.empty()) return;
        if (own.sums->given.is_point())  // the mean of equal labels needs no division
            levels_[id] = to_double(labels_.point(0, own.sums->given.least));
        else
            levels_[id] = level_of(ExactGuess{Wide<4>(own.sums->sum), own.weight});
    }

    void add_rows(const Node& own, std::size_t id) const {
        for (const Row row : rows_of(id)) {
            const auto weight = static_cast<Weight>(labels_.weights[row]);
            own.weight += weight;
            for (std::size_t output = 0; output < n_outputs_; ++output) {
                const double number = fixed_.given(output, row);
                own.sums[output].add(labels_.point(output, number), weight);
                own.sums[output].given.add(number);
            }
        }
    }
    /// Call `act` with each child of a node.
    template <class Act>
    void for_each_child(std::size_t id, const Act& act) {
        const auto first = static_cast<std::size_t>(flat_.first_child[id]);
        for (std::size_t child = first; child < first + n_children(id); ++child) act(below_[child]);
    }
    /// Add what the children of a node add up to, and what they cost.
    void add_children(const Node& own, std::size_t id) {
        for_each_child(id, [&](const Node& child) {
            own.weight += child.weight;
            own.cost += child.cost;
            for (std::size_t output = 0; output < n_outputs_; ++output) {
                own.sums[output].sum += child.sums[output].sum;
                own.sums[output].squares += child.sums[output].squares;
                own.sums[output].given += child.sums[output].given;
            }
        });
    }
    [[nodiscard]] Amount leaf_cost(const Node& own, std::size_t id) const {
        Amount total;
        for (std::size_t output = 0; output < n_outputs_; ++output) {
            const Sum& sum = own.sums[output];
            if (sum.given.is_point()) continue;
            Twofold cost;
            if constexpr (std::is_same_v<Criterion, SquaredError>)
                cost = to_twofold(sum.cost(own.weight)) / to_twofold(Int128{own.weight});
            else
                cost = poisson_cost<Twofold>(ordered_labels(fixed_, rows_of(id), output));
            total += labels_.amount(cost, output, Criterion::degree);
        }
        return total;
    }
    /// Gain × node weight × outputs.
    [[nodiscard]] Amount saving(const Node& own, std::size_t id) {
        const auto first = static_cast<std::size_t>(flat_.first_child[id]);
        Amount total;
        for (std::size_t output = 0; output < n_outputs_; ++output) {
            const auto node = own.cells(output);
            Twofold saved;
            if (std::is_same_v<Criterion, SquaredError> && n_children(id) == 2)
                saved = SquaredError::of_two(node, below_[first].cells(output),
                                             below_[first + 1].weight);
            else
                for_each_child(id, [&](const Node& child) {
                    saved += Criterion::template after<Twofold>(node, child.cells(output));
                });
            total += labels_.amount(saved, output, Criterion::degree);
        }
        return total;
    }

    const FixedLabels<NumberLabels>& fixed_;
    const NumberLabels& labels_;
    FlatTree& flat_;
    std::span<const RowRange> places_;
    std::span<const Row> rows_;
    NodeWriter<Criterion> writer_;
    std::size_t n_outputs_;
    Depth here_;
    Depth below_;                 // it
    std::vector<double> levels_;  // of each node, where they are kept
};

/// Whether the sums of all rows are narrow: the largest are weight² × label, which must be below
/// 2^127, and weight² × label², which must be below 2^191.
inline bool has_narrow_sums(const FixedLabels<NumberLabels>& fixed, std::span<const Row> rows) {
    const int weight_bits = std::ilogb(fixed.weight_of(rows)) + 2;
    const auto label_bits = fixed.label_bits();
    return label_bits && weight_bits < 63 && *label_bits + 2 * weight_bits < 127 &&
           2 * (*label_bits + weight_bits) < 191;
}

/// Do so; return the level of each node, where they are kept.
template <class Criterion>
std::vector<double> finish_numbers(const FixedLabels<NumberLabels>& fixed, FlatTree& flat,
                                   std::span<const RowRange> places, std::span<const Row> rows,
                                   bool keeps_levels, Threads& threads, const Cancel& cancel) {
    const auto finish = [&]<class Sum>(const Sum& /*kind*/) {
        return NumberFinisher<Criterion, Sum>(fixed, flat, places, rows)
            .finish(keeps_levels, threads, cancel);
    };
    return has_narrow_sums(fixed, rows) ? finish(NarrowSum{}) : finish(LargeSum{});
}

}  // namespace bough
