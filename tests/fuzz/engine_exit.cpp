// A broken assertion ends the process at once, which libFuzzer would take for the end of its run. Linked with
// --wrap=_Exit, so that it becomes a crash, whose input libFuzzer writes down.
#include <cstdlib>

#include "model/base/assert.hpp"

extern "C" {
[[noreturn]] void __real__Exit(int status);  // NOLINT(bugprone-reserved-identifier): the linker's name

[[noreturn]] void __wrap__Exit(int status) {  // NOLINT(bugprone-reserved-identifier)
  if (status == headroom::kFaultExitStatus) {
    std::abort();
  }
  __real__Exit(status);
}
}
