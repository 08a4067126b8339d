// A small node, as its lists know it.
#pragma once

#include <cstddef>

namespace bough {

/// Where the entries of a node lie in every list, and on which grid its labels are.
struct ListSegment {
    std::size_t begin;
    std::size_t end;
    std::size_t node_id;
    std::size_t grid;
    std::size_t n_rows_of_grid;
    bool is_loose;  // only one list is in order

    [[nodiscard]] std::size_t n_rows() const { return end - begin; }
};

/// What an answer gets of the rows of a node that is split.
struct ListSide {
    std::size_t n_rows = 0;
    std::size_t first_row = 0;
    std::size_t next = 0;   // where the next row goes, if they are left
    bool is_mixed = false;  // labels differ
    bool goes_on = false;   // rows are split further
};

}  // namespace bough
