// Let each allocation fail in turn while threads are started and given work: all work is done.
#include <atomic>
#include <cstdlib>
#include <new>

#include "threads.hpp"

namespace {
std::atomic<long> until_failure{-1};  // allocations that still succeed; negative: all of them do
}

void* operator new(std::size_t size) {
    if (until_failure.load() >= 0 && until_failure.fetch_sub(1) == 0) throw std::bad_alloc{};
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
    constexpr std::size_t n_tasks = 1000;
    for (long failure = 0; failure < 16; ++failure) {
        until_failure.store(failure);
        bough::Threads threads(6);
        until_failure.store(-1);
        std::atomic<std::size_t> sum{0};
        threads.parallel_for(n_tasks, [&](std::size_t i) { sum += i; });
        if (sum.load() != n_tasks * (n_tasks - 1) / 2) return 1;
    }
    return 0;
}
