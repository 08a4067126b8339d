// Gains and bounds by entropy, which the gain ratio divides by what the answers say.
#pragma once

#include <array>

#include "gains_and_bounds.hpp"

namespace bough {

/// x log₂ x of every count up to some, which are most of those that are asked for.
class LogTable {
  public:
    static constexpr std::size_t size = 4096;

    static const std::array<double, size>& get() {
        static const auto made = [] {
            std::array<double, size> of{};
            for (std::size_t x = 1; x < size; ++x)
                of[x] = static_cast<double>(x) * std::log2(static_cast<double>(x));
            return of;
        }();
        return made;
    }
};

template <>
class OutputScores<Entropy> {
  public:
    explicit OutputScores(const OutputSums& output)
        : of_(output),
          are_counts_(output.node().weight == output.node().rows),
          per_weight_(1 / output.node().weight),
          whole_(impurity(output.node())) {}

    [[nodiscard]] const OutputSums& sums() const { return of_; }
    [[nodiscard]] Tolerance tolerance() const {
        // x itself may be off, by which x log x changes no faster than the log of the least share.
        constexpr double most_bits = 64;
        return {.tie = tie_share * whole_,
                .error = rounding(2) + most_bits * of_.precision.of_weights(of_.node())};
    }
    [[nodiscard]] double impurity(const Sums& sums) const {
        double bits = bits_of(sums.weight);
        for (std::size_t k = 0; k < of_.count; ++k) bits -= bits_of(of_.part(sums, k));
        return bits;
    }

    void gains(const RunningSums& running, const Sums& ahead, double* out) const {
        for (std::size_t b = 0; b < running.n_boundaries(); ++b) {
            const double before = running.weight()[b] + ahead.weight;
            double rest = bits_of(before) + bits_of(of_.node().weight - before);
            for (std::size_t k = 0; k < of_.count; ++k) {
                const double part = of_.part(running, k)[b] + of_.part(ahead, k);
                rest -= bits_of(part) + bits_of(of_.part(k) - part);
            }
            out[b] = whole_ - rest;
        }
    }

    [[nodiscard]] double gain_of_all(std::span<const Sums* const> answers) const {
        Twofold gain(whole_);  // of many small terms
        for (const Sums* sums : answers) gain -= Twofold(impurity(*sums));
        return gain.high;
    }

    // Remainder = Σ u(L) + v(|L|) with u(x) = −f(x) − f(T − x) concave, so above its chord, and
    // v(m) = f(m) + f(n − m) convex, so above its tangent.
    void bounds(const RunningSums& running, const Sums& ahead, const double* /*gains*/,
                double* out) const {
        const auto u = [this](double part, double total) {
            return -bits_of(part) - bits_of(total - part);
        };
        const double slack = rounding(4);
        for (std::size_t c = 0; c < running.n_cells; ++c) {
            const double a = running.weight()[c] + ahead.weight;
            const double b = running.weight()[c + 1] + ahead.weight;
            const double middle = (a + b) / 2;
            if (a == b || middle <= 0 || middle >= of_.node().weight) {
                out[c] = a == b ? 0 : whole_;
                continue;
            }
            const double slope = std::log2(middle / (of_.node().weight - middle));
            double least =
                bits_of(middle) + bits_of(of_.node().weight - middle) + slope * (a - middle);
            for (std::size_t k = 0; k < of_.count; ++k) {
                const double before = of_.part(running, k)[c] + of_.part(ahead, k);
                const double upto = of_.part(running, k)[c + 1] + of_.part(ahead, k);
                const double start = u(before, of_.part(k));
                least +=
                    start + std::min(0.0, u(upto, of_.part(k)) - start + slope * (upto - before));
            }
            out[c] = whole_ - least + slack;
        }
    }

  private:
    // A term f(x) = x log₂ x, or x log₂ (x / n) where weights are no counts, is off by 3u |f| + 3u
    // x. The terms of both sides add up to at most n (L + 1) with L = log₂ 2K in shares, or n (L +
    // 1 + log₂ n) in counts, and 2K + 3 additions are off by u of that each: together, for the sum
    // of a query and, with `times` 4, of a bound, which has twice as many terms.
    [[nodiscard]] double rounding(double times) const {
        const double classes = static_cast<double>(of_.count);
        double bits = std::log2(2 * classes) + 1;
        if (are_counts_) bits += std::log2(of_.node().weight);
        return times * 0x1p-53 * of_.node().weight * (2 * classes + 8) * bits;
    }

    /// x log₂ x: of counts, or in shares of the node, a factor that cancels out of every gain, and
    /// without which heavy weights would cost digits.
    [[nodiscard]] double bits_of(double x) const {
        if (!are_counts_) return x > 0 ? x * std::log2(x * per_weight_) : 0;
        if (x < static_cast<double>(LogTable::size)) {
            const auto count = static_cast<std::size_t>(x);
            if (static_cast<double>(count) == x) return table_[count];
        }
        return x > 0 ? x * std::log2(x) : 0;
    }

    OutputSums of_;
    const double* table_ = LogTable::get().data();
    bool are_counts_;
    double per_weight_;
    double whole_;
};

}  // namespace bough
