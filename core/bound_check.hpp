// The checking build: every cut is looked at, and its gain compared with the bound of its cell.
#pragma once

#include <atomic>
#include <cstdint>

#include "gains_and_bounds.hpp"

namespace bough {

#if defined(BOUGH_CHECK_BOUNDS)
constexpr bool checks_bounds = true;
#else
constexpr bool checks_bounds = false;
#endif

/// How many gains were compared, and how many exceeded their bound.
struct CheckedBounds {
    std::atomic<std::int64_t> checked{0};
    std::atomic<std::int64_t> broken{0};

    static CheckedBounds& all() {
        static CheckedBounds counted;
        return counted;
    }
};

inline void check_bound(double gain, double bound, const Tolerance& tolerance) {
    CheckedBounds& counted = CheckedBounds::all();
    counted.checked.fetch_add(1, std::memory_order_relaxed);
    // What is looked into has a bound of at least the cutoff, which leaves room for both errors.
    if (gain - bound > 0 && gain > bound + gain - tolerance.cutoff(gain) - tolerance.tie)
        counted.broken.fetch_add(1, std::memory_order_relaxed);
}

/// Whether a cell whose gains are at most this is left alone.
inline bool is_pruned(double bound, double cutoff) { return !checks_bounds && bound < cutoff; }

}  // namespace bough
