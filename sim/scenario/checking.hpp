// What the checks of a scenario share: where its parts stand, and whether they can be compared.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "sim/scenario/reading.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// "/tenants/3/rows"
[[nodiscard]] std::string pointer_in(std::string_view list, std::size_t index, std::string_view key);

// Whether nothing at these places was found wrong.
[[nodiscard]] bool usable(std::initializer_list<std::string_view> pointers, const Reading& reading);

// Reports a node that is not there.
void check_node(NodeId node, const std::string& pointer, const Scenario& scenario, Reading& reading);
// Reports a tenant or group that is not there.
void check_tenant_name(const std::string& name, const std::string& pointer, const Scenario& scenario, Reading& reading);

// Parts of check_scenario: latency shifts and faults; the gate, what it protects and whom it serves.
void check_events(const Scenario& scenario, Reading& reading);
void check_admission(const Scenario& scenario, Reading& reading);
// Whether the metrics that are expected something of are there.
void check_metrics(const Scenario& scenario, Reading& reading);
// Whether the scope of a check is one that can be explored.
void check_check(const Scenario& scenario, Reading& reading);

}  // namespace headroom
