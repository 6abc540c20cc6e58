#include "model/checker/result.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::checker {

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::safety:
      return "safety";
    case FindingKind::deadlock:
      return "deadlock";
    case FindingKind::sometimes:
      return "sometimes";
    case FindingKind::liveness:
      return "liveness";
  }
  return {};
}

std::string starves_in_words(std::size_t loop_steps, const std::string& who) {
  if (loop_steps == 0) return fmt::format("nothing more needs to happen; {} waits for ever", who);
  return fmt::format("these {} steps repeat for ever; {} is never served", loop_steps, who);
}

Verdict CheckResult::verdict() const {
  const auto failed = [](const auto& found) { return found.verdict == Verdict::fail; };
  const auto passed = [](const auto& found) { return found.verdict == Verdict::pass; };
  if (std::ranges::any_of(findings, failed)) {
    return Verdict::fail;
  }
  return exhausted() && std::ranges::all_of(findings, passed) ? Verdict::pass : Verdict::undecided;
}

}  // namespace headroom::checker
