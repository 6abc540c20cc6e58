// What is said of a promise in the end, by a run or by a check.
#pragma once

#include <cstdint>
#include <string_view>

namespace headroom {

enum class Verdict : std::uint8_t {
  pass,
  fail,
  undecided,  // a value does not exist, or a limit ended the search before anything was violated
};

[[nodiscard]] constexpr std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::undecided:
      return "undecided";
  }
  return {};
}

}  // namespace headroom
