// Rows of a matrix of doubles down a tree of pivots, eight at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "grow.hpp"
#include "predict.hpp"
#include "query.hpp"

namespace bough {

/// A tree laid out for rows whose columns lie at fixed distances from each other: as in an array.
/// It knows pivots only; a row that meets a missing value is left to the general walk.
class MatrixWalk {
  public:
    static constexpr std::size_t n_side_by_side = 8;

    /// None where a branch asks something else, or the columns are no matrix of doubles.
    static std::optional<MatrixWalk> make(const TreeView& tree,
                                          std::span<const RawColumn> columns) {
        MatrixWalk walk;
        bool is_first = true;
        for (std::size_t id = 0; id < tree.feature.size(); ++id) {
            Step step;
            step.next = static_cast<std::uint32_t>(id);
            if (tree.n_children[id] > 0) {
                const auto* column = std::get_if<Strided<double>>(
                    &columns[static_cast<std::size_t>(tree.feature[id])].values);
                if (column == nullptr ||
                    tree.query_kind[id] != static_cast<std::uint8_t>(Kind::below))
                    return std::nullopt;
                if (is_first) {
                    walk.first_ = column->first;
                    walk.stride_ = column->stride;
                    is_first = false;
                }
                const std::ptrdiff_t offset = column->first - walk.first_;
                if (column->stride != walk.stride_ ||
                    offset > std::numeric_limits<std::int32_t>::max() ||
                    offset < std::numeric_limits<std::int32_t>::min())
                    return std::nullopt;
                step.pivot = tree.pivot[id];
                step.offset = static_cast<std::int32_t>(offset);
                step.next = static_cast<std::uint32_t>(tree.first_child[id]) | is_branch;
            }
            walk.steps_.push_back(step);
        }
        if (is_first) return std::nullopt;
        return walk;
    }

    /// The nodes of eight rows from `row` on; false where one of them met a missing value.
    bool stops(std::size_t row, std::int32_t* nodes) const {
        std::array<const double*, n_side_by_side> values;
        std::array<std::uint32_t, n_side_by_side> at{};
        for (std::size_t k = 0; k < n_side_by_side; ++k)
            values[k] = first_ + static_cast<std::int64_t>(row + k) * stride_;
        const Step* steps = steps_.data();
        std::uint32_t any = is_branch;
        bool met_missing = false;
        while (any != 0) {
            any = 0;
            // Independent of each other, so that the processor need not wait for one row's memory
            // before it asks for the next one's.
            for (std::size_t k = 0; k < n_side_by_side; ++k) {
                const Step step = steps[at[k]];
                const double value = values[k][step.offset];
                const std::uint32_t branches = step.next >> 31;
                const std::uint32_t answer = value < step.pivot ? 0 : branches;
                met_missing |= branches != 0 && value != value;
                any |= step.next & is_branch;
                at[k] = (step.next & ~is_branch) + answer;
            }
        }
        for (std::size_t k = 0; k < n_side_by_side; ++k)
            nodes[k] = static_cast<std::int32_t>(at[k]);
        return !met_missing;
    }

  private:
    static constexpr std::uint32_t is_branch = std::uint32_t{1} << 31;

    /// A node: a branch leads to `next` or the node behind it, a leaf to itself.
    struct Step {
        double pivot = 0;
        std::int32_t offset = 0;
        std::uint32_t next = 0;
    };

    std::vector<Step> steps_;
    const double* first_ = nullptr;
    std::int64_t stride_ = 0;
};

}  // namespace bough
