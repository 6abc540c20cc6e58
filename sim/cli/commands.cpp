#include "sim/cli/commands.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <utility>

#include "sim/scenario/exact_number.hpp"

namespace headroom {

void print_faults(std::span<const Diagnostic> faults) {
  for (const Diagnostic& fault : faults) {
    fmt::print(stderr, "{}\n", fault.text());
  }
}

bool make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    print_faults(std::vector{Diagnostic{path, "", "cannot make the folder: " + error.message(),
                                        "--out names a folder that can be written"}});
  }
  return !error;
}

bool parse_instant(const std::string& option, const std::string& text, std::optional<Time>& at) {
  if (text.empty()) {
    return true;
  }
  const ParsedDuration given = parse_duration(text);
  if (given.exactness != Exactness::exact || given.value < Duration::zero() || given.value > kMaxDuration) {
    print_faults(std::vector{Diagnostic{option, "", "\"" + text + "\" is no instant of the run",
                                        "a time since its start, such as \"90s\""}});
    return false;
  }
  at = Time::at(given.value);
  return true;
}

std::optional<std::size_t> parse_size(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::size_t>, 11> units{{{"", 1},
                                                                            {"B", 1},
                                                                            {"kB", 1'000},
                                                                            {"KB", 1'000},
                                                                            {"MB", 1'000'000},
                                                                            {"GB", 1'000'000'000},
                                                                            {"KiB", 1U << 10U},
                                                                            {"MiB", 1U << 20U},
                                                                            {"GiB", 1U << 30U},
                                                                            {"M", 1U << 20U},
                                                                            {"G", 1U << 30U}}};
  std::size_t number = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, number);
  const std::string_view rest(end, static_cast<std::size_t>(text_end - end));
  const auto* const unit = std::ranges::find(units, rest, &std::pair<std::string_view, std::size_t>::first);
  if (error != std::errc() || number == 0 || unit == units.end() || number > SIZE_MAX / unit->second) {
    return std::nullopt;
  }
  return number * unit->second;
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
