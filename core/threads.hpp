// One `parallel_for`, and how work is called off.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace bough {

/// Thrown where work notices that it was called off.
struct Cancelled : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

/// A flag that one thread raises and all others look at now and then.
class Cancel {
  public:
    void raise() { raised_.store(true, std::memory_order_relaxed); }
    void check() const {
        if (raised_.load(std::memory_order_relaxed)) throw Cancelled{};
    }

  private:
    std::atomic<bool> raised_{false};
};

/// Threads that live as long as this object: made for one piece of work, so a later `fork` is safe.
class Threads {
  public:
    explicit Threads(std::size_t count) {
        try {
            while (workers_.size() + 1 < count) workers_.emplace_back([this] { wait_for_work(); });
        } catch (const std::exception&) {
            // The system gives no more threads, or no memory for them: these will do. To throw from
            // here would end the process, for those that have started run on.
        }
    }
    ~Threads() {
        {
            const std::scoped_lock lock(mutex_);
            is_over_ = true;
        }
        wake_.notify_all();
        for (auto& worker : workers_) worker.join();
    }

    [[nodiscard]] std::size_t count() const { return workers_.size() + 1; }

    /// Call `task(0)` … `task(n - 1)`, each once, in any order; rethrow the first exception.
    void parallel_for(std::size_t n, const std::function<void(std::size_t)>& task) {
        if (workers_.empty() || n < 2) {
            for (std::size_t i = 0; i < n; ++i) task(i);
            return;
        }
        {
            const std::scoped_lock lock(mutex_);
            task_ = &task;
            n_tasks_ = n;
            next_.store(0);
            n_busy_ = workers_.size();
            ++round_;
        }
        wake_.notify_all();
        run();
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return n_busy_ == 0; });
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

    /// Call `act(begin, end)` for each stretch of 0 … n − 1. Stretches do not depend on the number
    /// of threads.
    void for_stretches(std::size_t n, const auto& act) {
        parallel_for(n_stretches(n), [&](std::size_t part) {
            act(part * stretch, std::min(n, (part + 1) * stretch));
        });
    }
    /// Call `task(i, worker)` for each number below `count`, of which each worker takes the next.
    void share_out(std::size_t n_workers, std::size_t count, const auto& task) {
        std::atomic<std::size_t> next{0};
        parallel_for(n_workers, [&](std::size_t worker) {
            for (std::size_t i = next++; i < count; i = next++) task(i, worker);
        });
    }
    static std::size_t n_stretches(std::size_t n) { return (n + stretch - 1) / stretch; }
    static std::size_t stretch_of(std::size_t i) { return i / stretch; }

  private:
    static constexpr std::size_t stretch = 1 << 16;

    void wait_for_work() {
        std::size_t seen = 0;
        while (true) {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return is_over_ || round_ != seen; });
            if (is_over_) return;
            seen = round_;
            lock.unlock();
            run();
            lock.lock();
            if (--n_busy_ == 0) done_.notify_one();
        }
    }

    void run() {
        try {
            for (std::size_t i = next_++; i < n_tasks_; i = next_++) (*task_)(i);
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            next_.store(n_tasks_);
        }
    }

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    const std::function<void(std::size_t)>* task_ = nullptr;
    std::size_t n_tasks_ = 0;
    std::atomic<std::size_t> next_{0};
    std::size_t n_busy_ = 0;
    std::size_t round_ = 0;
    bool is_over_ = false;
    std::exception_ptr failure_;
};

/// What stretches of rows say, added up in their order, so that no thread can change it.
template <class Part>
Part over_stretches(std::size_t count, Threads& threads, const auto& look) {
    std::vector<Part> parts(Threads::n_stretches(count));
    threads.for_stretches(count, [&](std::size_t begin, std::size_t end) {
        parts[Threads::stretch_of(begin)] = look(begin, end);
    });
    Part all{};
    for (const Part& part : parts) all += part;
    return all;
}

}  // namespace bough
