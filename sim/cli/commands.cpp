#include "sim/cli/commands.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>

namespace headroom {

void print_faults(std::span<const Diagnostic> faults) {
  for (const Diagnostic& fault : faults) {
    fmt::print(stderr, "{}\n", fault.text());
  }
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace headroom
