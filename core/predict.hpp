// Raw values → what the node says where each row stops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "raw_rows.hpp"
#include "rows_down_tree.hpp"
#include "sparse_columns.hpp"
#include "table.hpp"
#include "threads.hpp"
#include "tree_view.hpp"

namespace bough {

/// An entry for each node, and the places for those of the rows: bytes of any meaning.
struct Entries {
    const std::uint8_t* of_nodes = nullptr;
    std::uint8_t* of_rows = nullptr;
    std::size_t size = 0;  // of one entry
};

/// Where a missing value goes at a query other than `is_missing`.
enum class Missing : std::uint8_t {
    as_grown,  // where such values went when the tree was grown; if there were none, nowhere
    weigh,     // to every answer, each child getting its share of the row
};

/// The nodes that some rows meet in parts, those of one row after the other, from the root down.
struct Parts {
    std::vector<std::int64_t> starts;  // where each row's nodes begin; one more than there are rows
    std::vector<std::int32_t> nodes;
    std::vector<double> shares;       // of the row that comes to the node
    std::vector<std::uint8_t> stops;  // whether it stops there
};

/// A tree made ready to lead rows down. It reads the arrays of the tree, which must outlive it.
class Router {
  public:
    explicit Router(const TreeView& tree);

    [[nodiscard]] std::size_t n_features() const { return tree_.n_choices.size(); }
    [[nodiscard]] std::size_t n_nodes() const { return tree_.size(); }
    /// About how many steps it takes to look rows up.
    [[nodiscard]] std::size_t n_steps(std::size_t n_rows) const {
        return n_rows * (depth_ + asked_.size());
    }

    // A row that meets an infinite number on its way is refused: `InfiniteNumber`. What no query
    // asks of it is not read.

    /// Copy to each row the entry of the node where it stops.
    void look_up(std::span<const RawColumn> columns, std::size_t n_rows, const Entries& entries,
                 std::size_t n_threads, const Cancel& cancel) const;

    void look_up(const SparseRows& rows, const Entries& entries, std::size_t n_threads,
                 const Cancel& cancel) const;

    /// For each feature, how many rows stop at a value of it that their node never saw.
    [[nodiscard]] std::vector<std::int64_t> unseen(std::span<const RawColumn> columns,
                                                   std::size_t n_rows, const Cancel& cancel) const;

    /// For each node, the child that a row would go to from there; `stop` if to none, `every` if to
    /// all of them. Most nodes are not on its way, so infinite numbers are not refused.
    [[nodiscard]] std::vector<std::int32_t> answers(std::span<const RawColumn> columns,
                                                    std::size_t row, Missing missing) const;

    /// The rows that a missing value sends to every answer of some query, under `Missing::weigh`.
    [[nodiscard]] std::vector<std::int64_t> weighed_rows(std::span<const RawColumn> columns,
                                                         std::size_t n_rows, std::size_t n_threads,
                                                         const Cancel& cancel) const;

    /// The nodes that some rows meet under `Missing::weigh`; `flow` is the share of what comes to
    /// its parent that each node gets of such a row.
    [[nodiscard]] Parts parts(std::span<const RawColumn> columns,
                              std::span<const std::int64_t> rows, std::span<const double> flow,
                              const Cancel& cancel) const;

    /// The mean of the entries of the nodes where each of some rows stops, weighted by the parts of
    /// the row; an entry is `size` numbers.
    void mix(std::span<const RawColumn> columns, std::span<const std::int64_t> rows,
             std::span<const double> flow, const double* of_nodes, double* of_rows,
             std::size_t size, std::size_t n_threads, const Cancel& cancel) const;

  private:
    /// Where a row stops, and whether an unseen value stopped it.
    struct Stop {
        std::size_t node = 0;
        bool is_unseen = false;
    };

    /// What a row answers at a branch.
    struct Answer {
        std::int32_t next = stop;
        bool is_missing = false;
        bool is_infinite = false;
    };
    [[nodiscard]] Answer answer_of(std::span<const RawColumn> columns, std::size_t row,
                                   std::size_t node, Missing missing) const;
    /// The same at a branch that it meets on its way, where an infinite number is refused.
    [[nodiscard]] Answer answer_on_way(std::span<const RawColumn> columns, std::size_t row,
                                       std::size_t node, Missing missing) const;
    [[nodiscard]] Stop stop_of(std::span<const RawColumn> columns, std::size_t row) const;
    [[nodiscard]] bool is_weighed(std::span<const RawColumn> columns, std::size_t row) const;
    /// Call `use(node, share, stops)` for each node that a row meets under `Missing::weigh`.
    template <class Use>
    void follow(std::span<const RawColumn> columns, std::size_t row, std::span<const double> flow,
                const Use& use) const;
    /// What one thread needs to lead some rows down after the other.
    struct Scratch {
        std::unique_ptr<double[]> room;
        std::vector<std::uint32_t> nodes;
        bool has_gaps = false;  // many rows have met a missing value
    };
    /// The nodes where the rows from `begin` to before `end` stop.
    [[nodiscard]] std::span<const std::uint32_t> stops(const RawRows& raw, std::size_t begin,
                                                       std::size_t end, Scratch& scratch) const;

    TreeView tree_;
    std::size_t depth_;
    std::vector<std::uint32_t> asked_;       // the features, each once
    std::optional<PivotWalk> pivot_walk_;    // none: the tree asks other queries too
    std::optional<TargetWalk> target_walk_;  // none: there is no way but asking query by query
};

}  // namespace bough
