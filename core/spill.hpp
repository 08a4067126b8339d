// Large blocks of memory: from the heap within a budget, and beyond it from files without a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bough {

/// How much memory large blocks may take from the heap, from now on; the others are mapped from
/// files in a folder, whose pages the system may write out and drop. No budget: none is.
struct Budget {
    std::int64_t n_bytes = -1;  // below 0: there is none
    std::string folder;
};

void set_budget(const Budget& budget);

/// What went wrong when a file was to be made: a number of errno, 0 if nothing did. It is
/// forgotten.
int spill_error();

/// A block, or null; blocks from files are full of zeros.
void* take_block(std::size_t n_bytes, std::size_t alignment);
void* take_zeros(std::size_t n_bytes);
void* resize_block(void* block, std::size_t n_bytes);
void give_back(void* block);

}  // namespace bough
