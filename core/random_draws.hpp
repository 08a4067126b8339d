// What chance decides: by a hash of the seed and of the answers that lead to a node, so that the
// same table gives the same tree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "fixed_point.hpp"

namespace bough {

/// A hash whose every bit depends on every bit of both arguments.
inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a + 0x9e3779b97f4a7c15U * (b + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// The numbers that columns draw by: those of the whole table, so that the others do not matter;
/// or, where there are none, their own.
struct ColumnNumbers {
    std::vector<std::uint64_t> of_column;

    [[nodiscard]] std::uint64_t operator[](std::size_t column) const {
        return of_column.empty() ? column : of_column[column];
    }
    /// What a node draws a query about a column by.
    [[nodiscard]] std::uint64_t chance(std::uint64_t of_node, std::size_t column) const {
        return mixed(~of_node, (*this)[column]);
    }
};

/// The columns in the order in which a node draws them, found one by one: most nodes draw few.
class DrawnColumns {
  public:
    DrawnColumns() = default;
    DrawnColumns(const ColumnNumbers& numbers, std::size_t n_columns, std::uint64_t of_node) {
        start(numbers, n_columns, of_node);
    }
    /// Begin at another node, in the same memory.
    void start(const ColumnNumbers& numbers, std::size_t n_columns, std::uint64_t of_node) {
        n_left_ = n_columns;
        is_heap_ = n_columns > few_columns;
        if (is_heap_) {
            heap_.resize(n_columns);
            for (std::size_t i = 0; i < n_columns; ++i) heap_[i] = {mixed(of_node, numbers[i]), i};
            std::make_heap(heap_.begin(), heap_.end(), std::greater<>{});
            return;
        }
        hashes_.resize(n_columns);
        for (std::size_t i = 0; i < n_columns; ++i)
            hashes_[i] = std::min(mixed(of_node, numbers[i]), taken - 1);
    }

    [[nodiscard]] bool is_empty() const { return n_left_ == 0; }
    /// Scan columns as they are drawn, until so many tell rows apart and there is a query.
    template <class Scan, class HasQuery>
    void scan_some(std::size_t most, const Scan& scan, const HasQuery& has_query) {
        for (std::size_t n_scanned = 0; !is_empty();)
            if (scan(take()) && ++n_scanned >= most && has_query()) return;
    }
    std::size_t take() {
        --n_left_;
        if (is_heap_) {
            std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
            const std::size_t column = heap_.back().second;
            heap_.pop_back();
            return column;
        }
        // The first of the least that are left, without a branch.
        std::size_t least = 0;
        std::uint64_t hash = taken;
        for (std::size_t i = 0; i < hashes_.size(); ++i) {
            const bool is_less = hashes_[i] < hash;
            hash = is_less ? hashes_[i] : hash;
            least = is_less ? i : least;
        }
        hashes_[least] = taken;
        return least;
    }

  private:
    static constexpr std::size_t few_columns = 64;  // are sooner looked through than put in a heap
    static constexpr std::uint64_t taken = std::numeric_limits<std::uint64_t>::max();

    std::vector<std::uint64_t> hashes_;  // of each column
    std::vector<std::pair<std::uint64_t, std::size_t>> heap_;
    std::size_t n_left_ = 0;
    bool is_heap_ = false;
};

/// Scan all columns of a node or, where `most` is not 0, some that are drawn: until so many tell
/// rows apart and there is a query.
template <class Scan, class HasQuery>
void scan_columns(const ColumnNumbers& numbers, std::size_t n_columns, std::uint64_t of_node,
                  std::size_t most, const Scan& scan, const HasQuery& has_query) {
    if (most > 0) return DrawnColumns(numbers, n_columns, of_node).scan_some(most, scan, has_query);
    for (std::size_t column = 0; column < n_columns; ++column) scan(column);
}

/// A place drawn evenly between two values: the cut is between the neighbouring values around it.
inline double drawn_between(double least, double most, std::uint64_t chance) {
    const double share = static_cast<double>(chance >> 11) * 0x1p-53;
    const double place = least * (1 - share) + most * share;  // no overflow
    return place < most ? std::max(place, least) : std::nextafter(most, least);
}
inline std::int64_t drawn_between(std::int64_t least, std::int64_t most, std::uint64_t chance) {
    const auto width = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
    const auto away = static_cast<std::uint64_t>((static_cast<Unsigned128>(chance) * width) >> 64);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + away);
}

/// What is drawn for a column that has missing values at a node: whether they are missing, as often
/// as anything else, or a query that they give this answer to.
struct DrawnMissing {
    bool is_asked = false;
    std::int32_t answer = 0;

    explicit DrawnMissing(std::uint64_t chance)
        : is_asked((mixed(chance, 1) & 1) != 0), answer((mixed(chance, 2) & 1) != 0 ? 1 : 0) {}
};

}  // namespace bough
