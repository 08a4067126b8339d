// Gains and bounds by entropy, which the gain ratio divides by what the answers say.
#pragma once

#include "bound.hpp"

namespace bough {

template <>
class Fast<Entropy> {
  public:
    Fast(const Sums& node, const Precision& precision)
        : node_(node),
          precision_(precision),
          per_weight_(1 / node.weight),
          whole_(impurity(node)) {}

    [[nodiscard]] const Sums& node() const { return node_; }
    [[nodiscard]] const Precision& precision() const { return precision_; }
    [[nodiscard]] Tolerance tolerance() const {
        // Each of the terms x log x may be off by its last bits, and x itself, by which they change
        // no faster than the logarithm of the least share.
        constexpr double most_bits = 64;
        const double terms = 4 * static_cast<double>(node_.parts.size() + 2);
        return {.tie = tie_share * whole_,
                .error = 1e-15 * terms * node_.weight * std::max(1.0, std::log2(node_.rows)) +
                         most_bits * precision_.of_weights(node_)};
    }
    [[nodiscard]] static bool can_tell() { return true; }
    [[nodiscard]] double impurity(const Sums& of) const {
        double bits = bits_of(of.weight);
        for (const double part : of.parts) bits -= bits_of(part);
        return bits;
    }

    void gains(const Strip& strip, const Sums& moved, double* out) const {
        for (std::size_t b = 0; b < strip.n_boundaries(); ++b) {
            const double before = strip.weight()[b] + moved.weight;
            double rest = bits_of(before) + bits_of(node_.weight - before);
            for (std::size_t k = 0; k < strip.n_parts(); ++k) {
                const double part = strip.part(k)[b] + moved.parts[k];
                rest -= bits_of(part) + bits_of(node_.parts[k] - part);
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
    void bounds(const Strip& strip, const Sums& moved, const double* /*gains*/, double* out) const {
        const auto u = [this](double part, double total) {
            return -bits_of(part) - bits_of(total - part);
        };
        for (std::size_t c = 0; c < strip.n_cells; ++c) {
            const double a = strip.weight()[c] + moved.weight;
            const double b = strip.weight()[c + 1] + moved.weight;
            const double middle = (a + b) / 2;
            if (a == b || middle <= 0 || middle >= node_.weight) {
                out[c] = whole_;
                continue;
            }
            const double slope = std::log2(middle / (node_.weight - middle));
            double least = bits_of(middle) + bits_of(node_.weight - middle) + slope * (a - middle);
            for (std::size_t k = 0; k < strip.n_parts(); ++k) {
                const double before = strip.part(k)[c] + moved.parts[k];
                const double upto = strip.part(k)[c + 1] + moved.parts[k];
                const double start = u(before, node_.parts[k]);
                least += start +
                         std::min(0.0, u(upto, node_.parts[k]) - start + slope * (upto - before));
            }
            out[c] = whole_ - least + 1e-13 * node_.weight;
        }
    }

  private:
    /// x log₂ x, with x in shares of the node: a factor that cancels out of every gain, and without
    /// which heavy weights would cost digits.
    [[nodiscard]] double bits_of(double x) const {
        return x > 0 ? x * std::log2(x * per_weight_) : 0;
    }

    const Sums& node_;
    Precision precision_;
    double per_weight_;
    double whole_;
};

template <>
class Fast<GainRatio> : public Fast<Entropy> {
  public:
    using Fast<Entropy>::Fast;
};

}  // namespace bough
