#include "model/checker/facts.hpp"

#include <deque>
#include <fmt/format.h>
#include <map>
#include <string_view>

namespace headroom::checker {

std::string text_of(const Facts& facts) {
  std::string text;
  for (const Fact& fact : facts) {
    text += fmt::format("{}: {}\n", fact.name, fact.value);
  }
  return text;
}

std::vector<std::string> changes_between(const Facts& before, const Facts& after) {
  std::map<std::string_view, std::deque<std::string_view>> former;
  for (const Fact& fact : before) {
    former[fact.name].push_back(fact.value);
  }
  std::vector<std::string> changes;
  for (const Fact& fact : after) {
    std::deque<std::string_view>& values = former[fact.name];
    if (values.empty()) {
      changes.push_back(fmt::format("{}: new, {}", fact.name, fact.value));
    } else if (values.front() != fact.value) {
      changes.push_back(fmt::format("{}: {} -> {}", fact.name, values.front(), fact.value));
    }
    if (!values.empty()) values.pop_front();
  }
  for (const auto& [name, values] : former) {
    for (const std::string_view value : values) {
      changes.push_back(fmt::format("{}: {} -> gone", name, value));
    }
  }
  return changes;
}

}  // namespace headroom::checker
