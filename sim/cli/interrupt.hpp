// Ctrl-C as a question that a long command asks itself.
#pragma once

namespace headroom {

// From here on SIGINT and SIGTERM do not end the program.
void watch_interrupts();
[[nodiscard]] bool interrupted();

}  // namespace headroom
