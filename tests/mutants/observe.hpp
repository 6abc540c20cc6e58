// What the judges of one run or one check say, without or with a fault planted in this process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mutants/registry.hpp"

namespace headroom::mutants {

enum class Says : std::uint8_t {
  holds,
  broken,
  nothing,  // there was nothing to judge
};

struct Observation {
  std::string property;
  Says says = Says::nothing;
  std::string reason;
};

// Simulates (checks) the scenario at this path. Exits with status 2, and a message, if it cannot be read.
[[nodiscard]] std::vector<Observation> observe(Engine engine, const std::string& path);

// A line for each, and back; what is no such line is left out.
void print(const std::vector<Observation>& observations);
[[nodiscard]] std::vector<Observation> parse_observations(std::string_view text);

}  // namespace headroom::mutants
