#include "model/checker/crew.hpp"

#include <algorithm>

namespace headroom::checker {

Crew::Crew(unsigned workers) {
  threads_.reserve(std::max(workers, 1U) - 1);
  for (unsigned worker = 1; worker < workers; ++worker) {
    threads_.emplace_back([this, worker] { serve(worker); });
  }
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void Crew::take_tasks(const Task& task, std::size_t tasks, unsigned worker) {
  for (std::size_t i = next_.fetch_add(1); i < tasks; i = next_.fetch_add(1)) {
    task(i, worker);
  }
}

void Crew::run(std::size_t tasks, const Task& task) {
  next_ = 0;
  if (threads_.empty() || tasks <= 1) {
    take_tasks(task, tasks, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    tasks_ = tasks;
    busy_ = threads_.size();
    ++round_;
  }
  work_.notify_all();
  take_tasks(task, tasks, 0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

void Crew::serve(unsigned worker) {
  std::uint64_t served = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [&] { return ends_ || round_ != served; });
    if (ends_) {
      return;
    }
    served = round_;
    const Task& task = *task_;
    const std::size_t tasks = tasks_;
    lock.unlock();
    take_tasks(task, tasks, worker);
    lock.lock();
    if (--busy_ == 0) {
      done_.notify_one();
    }
  }
}

}  // namespace headroom::checker
