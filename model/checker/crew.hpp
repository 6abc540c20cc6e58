// Threads that share out numbered tasks.
//
//   Crew crew(2);
//   crew.run(blocks.size(), [&](std::size_t task, unsigned worker) { expand(blocks[task], scratch[worker]); });
//
// The calling thread is worker 0, so a crew of one has no thread of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace headroom::checker {

class Crew {
 public:
  using Task = std::function<void(std::size_t task, unsigned worker)>;

  explicit Crew(unsigned workers);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  [[nodiscard]] unsigned workers() const { return static_cast<unsigned>(threads_.size()) + 1; }
  // Does tasks 0 to tasks - 1, each once, and returns when all are done. Which worker does which is not determined. A
  // single task is done by worker 0.
  void run(std::size_t tasks, const Task& task);

 private:
  void serve(unsigned worker);
  void take_tasks(const Task& task, std::size_t tasks, unsigned worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  const Task* task_ = nullptr;
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::size_t busy_ = 0;
  std::uint64_t round_ = 0;
  bool ends_ = false;
};

}  // namespace headroom::checker
