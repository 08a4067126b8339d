// What is drawn by chance, always by a hash of the seed, the trail of answers that leads to a node,
// and the column: no order of threads or rows can change it.
//
// With `max_features` the columns that tell the node's rows apart are drawn in the order of
// `drawn_order`. With `splitter="random"` each column that is drawn gives one query:
//
//   Below      a number is drawn evenly between the least and the greatest value of the node's
//              rows; the pivot lies between its two neighbours among their values. Where values are
//              missing, their answer is drawn too.
//   OneOf      one of the groupings that are considered, and the answer of missing values.
//   EachValue  is the only one of its column.
//   IsMissing  beside the query above, in one of two draws; always, where it is the only one.
//
// A query that is drawn and may not be asked is not replaced.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bough {

/// A hash whose every bit depends on every bit of both arguments.
inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a + 0x9e3779b97f4a7c15U * (b + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// Put columns in the order in which a node draws them.
template <class Columns, class NumberOf>
void drawn_order(Columns& columns, std::uint64_t trail_hash, const NumberOf& number_of) {
    std::sort(columns.begin(), columns.end(), [&](const auto& a, const auto& b) {
        return mixed(trail_hash, number_of(a)) < mixed(trail_hash, number_of(b));
    });
}

/// What is drawn about one column of a node.
class Draw {
  public:
    Draw(std::uint64_t trail_hash, std::size_t column) : hash_(mixed(~trail_hash, column)) {}

    /// A share of a range, from 0 up to but not including 1.
    [[nodiscard]] double fraction() const { return static_cast<double>(hash_ >> 11) * 0x1p-53; }
    /// A number of the range, evenly; it may be off by the rounding of doubles.
    [[nodiscard]] double number(double least, double most) const {
        return least * (1 - fraction()) + most * fraction();
    }
    /// One of so many.
    [[nodiscard]] std::size_t place(std::size_t count) const { return hash_ % count; }
    /// The answer of missing values.
    [[nodiscard]] std::int32_t missing() const { return static_cast<int>(mixed(hash_, 0) & 1U); }
    /// Whether it is asked, too, if the value is missing.
    [[nodiscard]] bool asks_if_missing() const { return (mixed(hash_, 1) & 1U) != 0; }

  private:
    std::uint64_t hash_;
};

}  // namespace bough
