#include "sim/scenario/reading.hpp"

#include <algorithm>
#include <utility>

#include "sim/scenario/json_text.hpp"

namespace headroom {
namespace {

const std::string kOverrideOption = "--set";

// "/a/b" is at or below "/a", but "/ab" is not.
bool at_or_below(std::string_view pointer, std::string_view place) {
  return pointer.starts_with(place) && (pointer.size() == place.size() || pointer[place.size()] == '/');
}

}  // namespace

Reading::Step::Step(Reading& reading, std::string_view key) : reading_(reading), length_(reading.pointer_.size()) {
  append_pointer_step(reading.pointer_, key);
}

void Reading::fault(std::string wrong, std::string right) {
  fault_at(pointer_, std::move(wrong), std::move(right));
}

void Reading::fault_at(std::string pointer, std::string wrong, std::string right) {
  const bool overridden =
      std::ranges::any_of(overrides_, [&](const std::string& place) { return at_or_below(pointer, place); });
  add({overridden ? kOverrideOption : file_, std::move(pointer), std::move(wrong), std::move(right)});
}

void Reading::override_fault(std::string pointer, std::string wrong, std::string right) {
  add({kOverrideOption, std::move(pointer), std::move(wrong), std::move(right)});
}

void Reading::add(Diagnostic fault) {
  ++count_;
  if (faults_.size() < kMaxFaults) {
    faults_.push_back(std::move(fault));
  } else if (faults_.size() == kMaxFaults) {
    faults_.push_back({file_, "", "more than " + std::to_string(kMaxFaults) + " faults", "the rest is not listed"});
  }
}

Reading Reading::standing_at(std::string pointer) const {
  Reading reading(file_, folder_);
  reading.pointer_ = std::move(pointer);
  return reading;
}

bool Reading::sound(std::string_view pointer) const {
  return std::ranges::none_of(faults_, [&](const Diagnostic& fault) {
    return at_or_below(fault.pointer, pointer) || at_or_below(pointer, fault.pointer);
  });
}

}  // namespace headroom
