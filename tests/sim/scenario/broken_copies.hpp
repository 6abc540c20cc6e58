// Makes malformed scenarios: copies of sound_scenario() with one thing changed.
//
//   Cases cases;
//   cases.set("/cluster/nodes", "0", "out of range");
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/sim/scenario/malformed_cases.hpp"

namespace headroom::test {

class Cases {
 public:
  // Puts a JSON value at a pointer; the fault is expected there, or where it is said.
  void set(const std::string& pointer, const std::string& value, const std::string& word, const std::string& at = {}) {
    nlohmann::json document = nlohmann::json::parse(sound_scenario());
    document[nlohmann::json::json_pointer(pointer)] = nlohmann::json::parse(value);
    cases_.push_back({pointer + " = " + value, document.dump(), at.empty() ? pointer : at, word});
  }

  void remove(const std::string& pointer, const std::string& word, const std::string& at = {}) {
    nlohmann::json document = nlohmann::json::parse(sound_scenario());
    const nlohmann::json::json_pointer place(pointer);
    document[place.parent_pointer()].erase(place.back());
    cases_.push_back({"without " + pointer, document.dump(), at.empty() ? pointer : at, word});
  }

  // Changes the text itself.
  void replace(const std::string& old_text, const std::string& new_text, const std::string& pointer,
               const std::string& word) {
    std::string text = sound_scenario();
    text.replace(text.find(old_text), old_text.size(), new_text);
    cases_.push_back({old_text + " -> " + new_text.substr(0, 40), std::move(text), pointer, word});
  }

  void whole(const std::string& what, std::string text, const std::string& word) {
    cases_.push_back({what, std::move(text), "", word});
  }

  [[nodiscard]] std::vector<MalformedCase> take() { return std::move(cases_); }

 private:
  std::vector<MalformedCase> cases_;
};

// Those of the gate, requests and their clients.
void add_gate_cases(Cases& cases);
// Those of faults, and of switches for what may be believed wrongly.
void add_fault_cases(Cases& cases);

}  // namespace headroom::test
