#include "sim/cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace headroom {
namespace {

std::atomic<bool> interrupt_wanted = false;

void on_interrupt(int /*signal*/) {
  interrupt_wanted = true;
}

}  // namespace

void watch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupted() {
  return interrupt_wanted;
}

}  // namespace headroom
