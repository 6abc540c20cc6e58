// Errors from outside (files, arguments, scenarios) as values.
//
//   Result<Scenario> scenario = read_scenario(path);
//   if (!scenario) return report(scenario.faults());
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/assert.hpp"

namespace headroom {

// One fault of an input: `file: /json/pointer: what is wrong; what would be right`.
struct Diagnostic {
  std::string file;
  std::string pointer;  // JSON pointer to the offending value; empty for the whole document
  std::string wrong;
  std::string right;  // what would be right; may be empty when `wrong` says it all

  [[nodiscard]] std::string text() const {
    std::string line = file + ": " + (pointer.empty() ? "/" : pointer) + ": " + wrong;
    return right.empty() ? line : line + "; " + right;
  }
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

// A value, or all the faults that stand in its way (at least one).
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Diagnostics faults) : content_(std::move(faults)) {
    HEADROOM_ASSERT(!this->faults().empty(), "a failed result needs a fault");
  }
  Result(Diagnostic fault) : content_(Diagnostics{std::move(fault)}) {}

  [[nodiscard]] explicit operator bool() const { return std::holds_alternative<T>(content_); }
  [[nodiscard]] T& value() { return std::get<T>(content_); }
  [[nodiscard]] const T& value() const { return std::get<T>(content_); }
  [[nodiscard]] const Diagnostics& faults() const { return std::get<Diagnostics>(content_); }

 private:
  std::variant<T, Diagnostics> content_;
};

}  // namespace headroom
