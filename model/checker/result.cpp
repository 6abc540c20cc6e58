#include "model/checker/result.hpp"

#include <algorithm>

namespace headroom::checker {

Verdict CheckResult::verdict() const {
  const auto failed = [](const auto& found) { return found.verdict == Verdict::fail; };
  const auto passed = [](const auto& found) { return found.verdict == Verdict::pass; };
  if (std::ranges::any_of(findings, failed)) {
    return Verdict::fail;
  }
  return exhausted() && std::ranges::all_of(findings, passed) ? Verdict::pass : Verdict::undecided;
}

}  // namespace headroom::checker
