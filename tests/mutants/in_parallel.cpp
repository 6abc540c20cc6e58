#include "tests/mutants/in_parallel.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace headroom::mutants {

void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& done) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::vector<bool> finished(count, false);
  std::size_t told = 0;
  const auto crew_member = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      work(i);
      const std::lock_guard lock(mutex);
      finished[i] = true;
      for (; told < count && finished[told]; ++told) {
        done(told);
      }
    }
  };
  std::vector<std::jthread> crew;
  for (unsigned i = 0; i < jobs; ++i) {
    crew.emplace_back(crew_member);
  }
}

}  // namespace headroom::mutants
