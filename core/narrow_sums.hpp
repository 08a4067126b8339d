// What the nodes of a tree say by squared error, where few words hold what their rows add up to:
// always, but where labels or weights differ by many orders.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "node_writer.hpp"
#include "threads.hpp"

namespace bough {

/// What one output of a node's rows adds up to.
struct NarrowSum {
    Int128 sum = 0;   // of the labels, times weight
    Wide<3> squares;  // likewise
    Range given;      // the labels as the user gave them

    void add(double number, Int128 point, std::int64_t weight) {
        const Int128 heavy = point * weight;
        sum += heavy;
        squares += product_below(heavy, point);
        given.add(number);
    }
    NarrowSum& operator+=(const NarrowSum& other) {
        sum += other.sum;
        squares += other.squares;
        given += other.given;
        return *this;
    }
    /// What the mean costs the rows, which have this weight; times the weight.
    [[nodiscard]] Wide<3> cost(std::int64_t weight) const {
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

/// Works out what the nodes say, level by level from the last one: nodes are numbered breadth
/// first.
class NarrowFinisher {
  public:
    NarrowFinisher(const FixedLabels<NumberLabels>& fixed, FlatTree& flat,
                   std::span<const RowRange> places, std::span<const Row> rows)
        : fixed_(fixed),
          labels_(fixed.view()),
          flat_(flat),
          places_(places),
          rows_(rows),
          writer_(fixed, fixed.weight_of(rows), places.size(), flat),
          n_outputs_(labels_.n_outputs()) {}

    /// Whether the sums of all rows are narrow: the largest are weight² × label, which must be
    /// below 2^127, and weight² × label², which must be below 2^191. And whether outputs are few,
    /// since the sums of all nodes are kept, with 64 bytes for each output.
    static bool holds(const FixedLabels<NumberLabels>& fixed, std::span<const Row> rows) {
        const int weight_bits = std::ilogb(fixed.weight_of(rows)) + 2;
        const auto label_bits = fixed.label_bits();
        constexpr std::size_t most_outputs = 4;
        return fixed.view().n_outputs() <= most_outputs && label_bits && weight_bits < 63 &&
               *label_bits + 2 * weight_bits < 127 && 2 * (*label_bits + weight_bits) < 191;
    }

    void finish(Threads& threads, const Cancel& cancel) {
        sums_.resize(places_.size() * n_outputs_);
        weights_.resize(places_.size());
        costs_.resize(places_.size());
        const std::vector<std::size_t> shares = leaf_shares();
        threads.parallel_for(shares.size() - 1, [&](std::size_t i) {
            cancel.check();
            for (std::size_t id = shares[i]; id < shares[i + 1]; ++id) {
                fetch(id);
                if (n_children(id) == 0) finish_leaf(id);
            }
        });
        // Nodes of a level do not depend on each other.
        const std::vector<std::size_t> levels = level_starts();
        for (std::size_t level = levels.size() - 1; level-- > 0;) {
            cancel.check();
            const std::size_t first = levels[level];
            threads.for_stretches(levels[level + 1] - first, [&](auto begin, auto end) {
                for (std::size_t id = first + begin; id < first + end; ++id)
                    if (n_children(id) > 0) finish_branch(id);
            });
        }
    }

  private:
    [[nodiscard]] std::size_t n_children(std::size_t id) const {
        return static_cast<std::size_t>(flat_.n_children[id]);
    }
    [[nodiscard]] NarrowSum& sum(std::size_t id, std::size_t output) {
        return sums_[id * n_outputs_ + output];
    }
    [[nodiscard]] Cells<Int128> cells(std::size_t id, std::size_t output) {
        return {&sum(id, output).sum, 1, weights_[id]};
    }

    /// Where each level begins, and the end.
    [[nodiscard]] std::vector<std::size_t> level_starts() const {
        std::vector<std::size_t> starts{0, 1};
        for (std::size_t id = 0; starts.back() < places_.size();) {
            std::size_t next = starts.back();
            for (; id < starts.back(); ++id) next += n_children(id);
            starts.push_back(next);
        }
        return starts;
    }
    /// Nodes whose leaves have so many rows together that a thread is worth it.
    [[nodiscard]] std::vector<std::size_t> leaf_shares() const {
        constexpr std::size_t many_rows = 1 << 14;
        std::vector<std::size_t> starts{0};
        std::size_t n_rows = 0;
        for (std::size_t id = 0; id < places_.size(); ++id) {
            if (n_rows >= many_rows) {
                starts.push_back(id);
                n_rows = 0;
            }
            if (n_children(id) == 0) n_rows += places_[id].end - places_[id].begin;
        }
        starts.push_back(places_.size());
        return starts;
    }

    /// Have the first rows of nodes to come ready, which lie far apart, and the labels of these.
    void fetch(std::size_t id) const {
        constexpr std::size_t ahead = 8;
        if (id + 2 * ahead >= places_.size()) return;
        __builtin_prefetch(&rows_[places_[id + 2 * ahead].begin]);
        __builtin_prefetch(fixed_.numbers() + rows_[places_[id + ahead].begin]);
    }

    void finish_leaf(std::size_t id) {
        add_rows(id);
        const Twofold heavy = to_twofold(Int128{weights_[id]});
        costs_[id] = leaf_cost(id, heavy);
        write(id, heavy, Twofold());
    }
    void finish_branch(std::size_t id) {
        const auto n = n_children(id);
        add_children(id, n);
        const Twofold saved = saving(id, n);
        costs_[id] += saved;
        write(id, to_twofold(Int128{weights_[id]}), saved);
    }
    void write(std::size_t id, const Twofold& heavy, const Twofold& saved) {
        flat_.n_rows[id] = static_cast<std::int64_t>(places_[id].end - places_[id].begin);
        const Twofold units = heavy * Twofold(static_cast<double>(n_outputs_));
        writer_.write_costs(id, costs_[id], saved, units);
        for (std::size_t output = 0; output < n_outputs_; ++output) {
            const NarrowSum& own = sum(id, output);
            writer_.write_number(id, output, to_twofold(own.sum), to_twofold(own.squares), heavy,
                                 own.given);
        }
    }

    void add_rows(std::size_t id) {
        const std::span<const Row> rows =
            rows_.subspan(places_[id].begin, places_[id].end - places_[id].begin);
        const Int128* weights = labels_.weights.of_row;
        for (const Row row : rows) {
            const auto weight = weights == nullptr ? 1 : static_cast<std::int64_t>(weights[row]);
            weights_[id] += weight;
            for (std::size_t output = 0; output < n_outputs_; ++output) {
                const double number = fixed_.given(output, row);
                sum(id, output).add(number, labels_.point(output, number), weight);
            }
        }
    }
    /// Add what the children of a node add up to, and what they cost.
    void add_children(std::size_t id, std::size_t n) {
        const auto first = static_cast<std::size_t>(flat_.first_child[id]);
        for (std::size_t child = first; child < first + n; ++child) {
            weights_[id] += weights_[child];
            costs_[id] += costs_[child];
            for (std::size_t output = 0; output < n_outputs_; ++output)
                sum(id, output) += sum(child, output);
        }
    }
    [[nodiscard]] Twofold leaf_cost(std::size_t id, const Twofold& heavy) {
        Twofold total;
        for (std::size_t output = 0; output < n_outputs_; ++output) {
            const NarrowSum& own = sum(id, output);
            if (own.given.is_point()) continue;
            total += labels_.in_common_unit(to_twofold(own.cost(weights_[id])) / heavy, output,
                                            SquaredError::degree);
        }
        return total;
    }
    /// Gain × node weight × outputs.
    [[nodiscard]] Twofold saving(std::size_t id, std::size_t n) {
        const auto first = static_cast<std::size_t>(flat_.first_child[id]);
        Twofold total;
        for (std::size_t output = 0; output < n_outputs_; ++output) {
            const Cells<Int128> node = cells(id, output);
            Twofold saved;
            if (n == 2)
                saved = SquaredError::of_two(node, cells(first, output), weights_[first + 1]);
            else
                for (std::size_t child = first; child < first + n; ++child)
                    saved += SquaredError::after<Twofold>(node, cells(child, output));
            total += labels_.in_common_unit(saved, output, SquaredError::degree);
        }
        return total;
    }

    const FixedLabels<NumberLabels>& fixed_;
    const NumberLabels& labels_;
    FlatTree& flat_;
    std::span<const RowRange> places_;
    std::span<const Row> rows_;
    NodeWriter<SquaredError> writer_;
    std::size_t n_outputs_;
    std::vector<NarrowSum> sums_;  // of each node and output
    std::vector<std::int64_t> weights_;
    std::vector<Twofold> costs_;  // of the guess of each node, in units of the grids
};

}  // namespace bough
