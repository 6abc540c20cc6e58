// Reads a scenario file (or refuses it, with every fault that it has).
//
//   Result<Scenario> scenario = read_scenario("scenarios/bursty_tenant.json", {{"/cluster/nodes=4"}});
//   if (!scenario) for (const Diagnostic& fault : scenario.faults()) print(fault.text());
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/base/result.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// `overrides` are "/json/pointer=VALUE", applied in order. Bounded in time and memory whatever the file holds.
[[nodiscard]] Result<Scenario> read_scenario(const std::string& path, std::span<const std::string> overrides = {});

// The same for a text that is there already; `file` is its name in messages, and files that it names are relative to
// it.
[[nodiscard]] Result<Scenario> read_scenario_text(std::string_view text, const std::string& file,
                                                  std::span<const std::string> overrides = {});

}  // namespace headroom
