// Gini gains of two classes along a sorted list of rows, many cuts side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sums.hpp"

namespace bough {

/// Two classes: one number says it all, and a stretch of rows is looked at side by side. The number
/// is how far the ones on the first side are from their share, times the rows: ones × all − total ×
/// rows. It is a whole number of 31 bits, since lists have at most 2^15 rows.
class PairRunner {
  public:
    static constexpr std::size_t stretch = 64;

    void start(const Sums& node, const Sums& ahead) {
        all_ = static_cast<std::int32_t>(node.rows);
        total_ = static_cast<std::int32_t>(node.parts[1]);
        away_ = 0;
        skip(static_cast<std::int32_t>(ahead.rows), static_cast<std::int32_t>(ahead.parts[1]));
    }
    /// Take rows that no cut may follow.
    void skip(std::int32_t n_rows, std::int32_t n_ones) {
        away_ += n_ones * all_ - total_ * n_rows;
    }
    /// Take a stretch of labels, each 0 or 1; say whether the gain after any of them may reach
    /// `least`. `before` counts the rows taken so far.
    template <class LabelAt>
    bool take(std::size_t count, double before, double least, const LabelAt& label) {
        std::int32_t away = away_;
        for (std::size_t i = 0; i < count; ++i) {
            away += static_cast<std::int32_t>(label(i)) * all_ - total_;
            aways_[i] = away;
        }
        away_ = away;
        // In floats, of which each step is off by its last bit only; `gain` decides.
        const auto all = static_cast<float>(all_);
        const auto rows = static_cast<float>(before) + 1;
        const auto enough = static_cast<float>(least * static_cast<double>(all_) / 2) * 0.99999F;
        const auto end = static_cast<std::int32_t>(count);
        std::int32_t any = 0;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(stretch); ++i) {
            const float m = rows + static_cast<float>(i);
            const auto off = static_cast<float>(aways_[static_cast<std::size_t>(i)]);
            const std::int32_t reaches = off * off >= enough * (m * (all - m)) ? 1 : 0;
            any |= reaches & (i < end ? 1 : 0);
        }
        return any != 0;
    }
    /// The gain after the i-th row of the stretch, the `before`-th of all.
    [[nodiscard]] double gain(std::size_t i, double before) const {
        const auto away = static_cast<double>(aways_[i]);
        const auto all = static_cast<double>(all_);
        return 2 * away * away / (before * (all - before) * all);
    }

  private:
    std::int32_t all_ = 0;
    std::int32_t total_ = 0;
    std::int32_t away_ = 0;
    std::array<std::int32_t, stretch> aways_{};
};

}  // namespace bough
