#include "model/base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace headroom {
namespace {

thread_local FaultContext current_context;

}  // namespace

ScopedFaultContext::ScopedFaultContext(FaultContext context)
    : former_(std::exchange(current_context, std::move(context))) {}

ScopedFaultContext::~ScopedFaultContext() {
  current_context = std::move(former_);
}

void report_fault(const char* condition, const char* file, int line, const std::string& message) {
  const std::string context = current_context ? current_context() : std::string();
  fmt::print(stderr, "headroom: fault of the program itself at {}:{}: {} ({})\n", file, line, message, condition);
  if (!context.empty()) {
    fmt::print(stderr, "{}\n", context);
  }
  std::fflush(stderr);
  std::_Exit(kFaultExitStatus);
}

}  // namespace headroom
