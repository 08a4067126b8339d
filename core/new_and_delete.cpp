// `new` and `delete` of the core, so that each of its vectors keeps to the budget. They are hidden
// when the module is linked: no other library gets memory from here, or gives any back.
#include <cstddef>
#include <new>

#include "spill.hpp"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr auto usual = std::align_val_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__};

void* taken(std::size_t n_bytes, std::align_val_t alignment = usual) {
    void* block = bough::take_block(n_bytes, static_cast<std::size_t>(alignment));
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

}  // namespace

void* operator new(std::size_t n_bytes) { return taken(n_bytes); }
void* operator new[](std::size_t n_bytes) { return taken(n_bytes); }
void* operator new(std::size_t n_bytes, std::align_val_t alignment) {
    return taken(n_bytes, alignment);
}
void* operator new(std::size_t n_bytes, const std::nothrow_t& /*null*/) noexcept {
    return bough::take_block(n_bytes, static_cast<std::size_t>(usual));
}

void operator delete(void* block) noexcept { bough::give_back(block); }
void operator delete[](void* block) noexcept { bough::give_back(block); }
void operator delete(void* block, std::size_t /*n_bytes*/) noexcept { bough::give_back(block); }
void operator delete[](void* block, std::size_t /*n_bytes*/) noexcept { bough::give_back(block); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
    bough::give_back(block);
}
void operator delete(void* block, std::size_t /*n_bytes*/, std::align_val_t /*one*/) noexcept {
    bough::give_back(block);
}
void operator delete(void* block, const std::nothrow_t& /*null*/) noexcept {
    bough::give_back(block);
}

#endif
