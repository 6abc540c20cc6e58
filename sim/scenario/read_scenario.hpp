// Reads a scenario file (or refuses it, with every fault that it has).
//
//   Result<Scenario> scenario = read_scenario("scenarios/bursty_tenant.json", {{"/cluster/nodes=4"}});
//   if (!scenario) for (const Diagnostic& fault : scenario.faults()) print(fault.text());
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/base/result.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/reading.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// `overrides` are "/json/pointer=VALUE", applied in order. Bounded in time and memory whatever the file holds.
[[nodiscard]] Result<Scenario> read_scenario(const std::string& path, std::span<const std::string> overrides = {});

// The same for a text that is there already; `file` is its name in messages, and files that it names are relative to
// it.
[[nodiscard]] Result<Scenario> read_scenario_text(std::string_view text, const std::string& file,
                                                  std::span<const std::string> overrides = {});

// A file of JSON, or nothing and its faults in `reading`; `what` it should be, in words.
[[nodiscard]] std::optional<JsonNode> read_json_file(const std::string& path, const std::string& what,
                                                     Reading& reading);

// The document as read, overrides applied, in one form: read_scenario_text makes the same scenario of it.
[[nodiscard]] Result<std::string> read_document(const std::string& path, std::span<const std::string> overrides = {});

}  // namespace headroom
