// What every answer of a query must have.
#pragma once

#include <algorithm>
#include <cstdint>

namespace bough {

struct Limits {
    std::int64_t min_rows = 1;  // of an answer
    double min_weight = 0;      // of an answer, in units of the weights' grid
    bool group_choices = false;
    bool draw_one = false;  // one query by chance for each column

    // Where all rows weigh 1:

    /// The rows that an answer must have.
    [[nodiscard]] double least() const {
        return std::max({static_cast<double>(min_rows), min_weight, 1.0});
    }
    /// Whether both sides of a cut have rows enough.
    [[nodiscard]] bool admit(double before, double all) const {
        return std::min(before, all - before) >= least();
    }
};

}  // namespace bough
