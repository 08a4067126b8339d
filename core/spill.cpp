#include "spill.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#if defined(__linux__)
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace bough {
namespace {

// Smaller blocks are not worth a file, and the system maps only so many of them.
constexpr std::size_t smallest_file = std::size_t{1} << 18;
constexpr std::size_t most_files = 30'000;
constexpr std::size_t page = 4096;
// Of which the system hands out the memory of large blocks, if it is asked to.
constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::size_t usual_alignment = alignof(std::max_align_t);

std::atomic<std::int64_t> left{-1};  // bytes of the heap that large blocks may still take
std::atomic<bool> has_budget{false};
std::atomic<int> error{0};

#if defined(__linux__)

/// Takes memory from the heap as it is: whoever holds the lock below must not ask for it again.
template <class Value>
struct Plain {
    using value_type = Value;
    Plain() = default;
    template <class Other>
    explicit(false) Plain(const Plain<Other>& /*other*/) {}
    Value* allocate(std::size_t n) {
        if (void* block = std::malloc(n * sizeof(Value))) return static_cast<Value*>(block);
        throw std::bad_alloc();
    }
    void deallocate(Value* block, std::size_t /*n*/) { std::free(block); }
    friend bool operator==(const Plain& /*one*/, const Plain& /*other*/) { return true; }
};

/// The blocks that lie in files. Nothing in here may use `new` or `delete`, which come here.
class Files {
  public:
    void keep_to(const Budget& budget) {
        const std::lock_guard lock(mutex_);
        std::snprintf(template_.data(), template_.size(), "%s/bough-XXXXXX", budget.folder.c_str());
        folder_size_ = std::min(budget.folder.size(), template_.size() - 1);
        left = budget.n_bytes;
        has_budget = budget.n_bytes >= 0;
    }

    void* map(std::size_t n_bytes) {
        const std::lock_guard lock(mutex_);
        const int file = opened(n_bytes);
        if (file < 0) return nullptr;
        void* start = mmap(nullptr, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (start == MAP_FAILED) error = errno;
        close(file);
        if (start == MAP_FAILED) return nullptr;
        blocks_.emplace(start, n_bytes);
        return start;
    }

    /// How many bytes a block has in a file; 0 if it lies in none.
    std::size_t size(void* block) {
        if (!may_be_mapped(block)) return 0;
        const std::lock_guard lock(mutex_);
        const auto found = blocks_.find(block);
        return found == blocks_.end() ? 0 : found->second;
    }

    [[nodiscard]] bool are_few() {
        const std::lock_guard lock(mutex_);
        return blocks_.size() < most_files;
    }

    bool unmap(void* block) {
        if (!may_be_mapped(block)) return false;
        const std::lock_guard lock(mutex_);
        const auto found = blocks_.find(block);
        if (found == blocks_.end()) return false;
        munmap(block, found->second);
        blocks_.erase(found);
        return true;
    }

  private:
    /// Few blocks of the heap begin with a page, so that hardly any waits for the others.
    static bool may_be_mapped(void* block) {
        return reinterpret_cast<std::uintptr_t>(block) % page == 0;
    }

    /// A file that has no name, and all its bytes already: no write to it can fail.
    int opened(std::size_t n_bytes) const {
        auto name = template_;
        name[folder_size_] = '\0';
        int file = open(name.data(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (file < 0) {  // not every file system knows files without names
            name = template_;
            file = mkostemp(name.data(), O_CLOEXEC);
            if (file >= 0) unlink(name.data());
        }
        const int failed = file < 0 ? errno : posix_fallocate(file, 0, static_cast<off_t>(n_bytes));
        if (failed == 0) return file;
        error = failed;
        if (file >= 0) close(file);
        return -1;
    }

    std::mutex mutex_;
    std::array<char, 4096> template_{};  // of the names of files, in the folder
    std::size_t folder_size_ = 0;
    std::unordered_map<void*, std::size_t, std::hash<void*>, std::equal_to<>,
                       Plain<std::pair<void* const, std::size_t>>>
        blocks_;  // and how many bytes each has
};

/// They outlive all blocks, also those that are given back when the process ends.
Files& files() {
    static auto* made = new Files;
    return *made;
}

bool is_spilled(std::size_t n_bytes) {
    return n_bytes >= smallest_file && has_budget &&
           left.load(std::memory_order_relaxed) < static_cast<std::int64_t>(n_bytes) &&
           files().are_few();
}

/// Ask for huge pages, which are filled once instead of 512 times, in a block from the heap.
void* on_huge_pages(void* block, std::size_t n_bytes) {
    if (block == nullptr || n_bytes < 2 * huge_page) return block;
    const auto start = reinterpret_cast<std::uintptr_t>(block);
    const std::uintptr_t first = (start + huge_page - 1) / huge_page * huge_page;
    const std::uintptr_t last = (start + n_bytes) / huge_page * huge_page;
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
    return block;
}

/// Count a block that comes from the heap; blocks that were there before the budget free their
/// room, too.
void* counted(void* block, int sign) {
    if (block == nullptr || !has_budget) return block;
    const auto size = static_cast<std::int64_t>(malloc_usable_size(block));
    if (size >= static_cast<std::int64_t>(page))
        left.fetch_sub(sign * size, std::memory_order_relaxed);
    return block;
}

#endif

}  // namespace

#if defined(__linux__)

void set_budget(const Budget& budget) { files().keep_to(budget); }

void* take_block(std::size_t n_bytes, std::size_t alignment) {
    if (is_spilled(n_bytes) && alignment <= page) return files().map(n_bytes);
    if (alignment <= usual_alignment)
        return counted(on_huge_pages(std::malloc(std::max<std::size_t>(n_bytes, 1)), n_bytes), 1);
    return counted(std::aligned_alloc(alignment, (n_bytes + alignment - 1) / alignment * alignment),
                   1);
}

void* take_zeros(std::size_t n_bytes) {
    if (is_spilled(n_bytes)) return files().map(n_bytes);
    return counted(on_huge_pages(std::calloc(std::max<std::size_t>(n_bytes, 1), 1), n_bytes), 1);
}

void* resize_block(void* block, std::size_t n_bytes) {
    const std::size_t mapped = block == nullptr ? 0 : files().size(block);
    if (mapped == 0 && !is_spilled(n_bytes)) {
        const std::int64_t before = has_budget && block != nullptr
                                        ? static_cast<std::int64_t>(malloc_usable_size(block))
                                        : 0;
        void* made = std::realloc(block, std::max<std::size_t>(n_bytes, 1));
        if (made != nullptr && before >= static_cast<std::int64_t>(page)) left.fetch_add(before);
        return counted(made, 1);
    }
    void* made = take_block(n_bytes, usual_alignment);
    if (made == nullptr || block == nullptr) return made;
    const std::size_t size = mapped == 0 ? malloc_usable_size(block) : mapped;
    std::memcpy(made, block, std::min(size, n_bytes));
    give_back(block);
    return made;
}

void give_back(void* block) {
    if (block == nullptr || files().unmap(block)) return;
    counted(block, -1);
    std::free(block);
}

#else

void set_budget(const Budget& /*budget*/) {}
void* take_block(std::size_t n_bytes, std::size_t /*alignment*/) {
    return std::malloc(std::max<std::size_t>(n_bytes, 1));
}
void* take_zeros(std::size_t n_bytes) { return std::calloc(std::max<std::size_t>(n_bytes, 1), 1); }
void* resize_block(void* block, std::size_t n_bytes) {
    return std::realloc(block, std::max<std::size_t>(n_bytes, 1));
}
void give_back(void* block) { std::free(block); }

#endif

int spill_error() { return error.exchange(0); }

}  // namespace bough
