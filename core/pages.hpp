// Memory for large arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace bough {

struct FreePages {
    void operator()(std::uint8_t* bytes) const {
        ::operator delete[](bytes, std::align_val_t{std::size_t{1} << 21});
    }
};

/// Bytes that begin at the start of a large page, where a system has them: the processor then finds
/// its way through many columns at once, and the system hands the memory out in fewer steps.
using Pages = std::unique_ptr<std::uint8_t[], FreePages>;

inline Pages make_pages(std::size_t n_bytes) {
    constexpr std::align_val_t large{std::size_t{1} << 21};
    auto* bytes = static_cast<std::uint8_t*>(::operator new[](n_bytes, large));
#if defined(MADV_HUGEPAGE)
    madvise(bytes, n_bytes, MADV_HUGEPAGE);  // where it cannot, small pages do as well
#endif
    return Pages(bytes);
}

}  // namespace bough
