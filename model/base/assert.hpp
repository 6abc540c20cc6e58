// Assertions that stay on in release builds: a broken one is a fault of the program itself, never of its input.
//
//   HEADROOM_ASSERT(row.status == Status::claimed, "settled row {} is not claimed", slot);
#pragma once

#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>

namespace headroom {

// What is printed beside a broken assertion: the scenario, the seed, the event and the command that reproduces it.
// Set by whoever runs the model; one per thread.
using FaultContext = std::function<std::string()>;

// Installs a context for this thread while it lives, and puts the former one back after it.
class ScopedFaultContext {
 public:
  explicit ScopedFaultContext(FaultContext context);
  ~ScopedFaultContext();
  ScopedFaultContext(const ScopedFaultContext&) = delete;
  ScopedFaultContext& operator=(const ScopedFaultContext&) = delete;

 private:
  FaultContext former_;
};

// Exit status of a fault of the program itself.
inline constexpr int kFaultExitStatus = 4;

// Prints the failed condition, where it stands and this thread's fault context on stderr; ends the process with
// status 4.
[[noreturn]] void report_fault(const char* condition, const char* file, int line, const std::string& message);

}  // namespace headroom

#define HEADROOM_ASSERT(condition, ...)                                                     \
  do {                                                                                      \
    if (!(condition)) [[unlikely]] {                                                        \
      ::headroom::report_fault(#condition, __FILE__, __LINE__, ::fmt::format(__VA_ARGS__)); \
    }                                                                                       \
  } while (false)
