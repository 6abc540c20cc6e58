#include "sim/scenario/checking.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "sim/scenario/nearest.hpp"
#include "sim/scenario/rule.hpp"

namespace headroom {

std::string pointer_in(std::string_view list, std::size_t index, std::string_view key) {
  return "/" + std::string(list) + "/" + std::to_string(index) + "/" + std::string(key);
}

bool usable(std::initializer_list<std::string_view> pointers, const Reading& reading) {
  return std::ranges::all_of(pointers, [&](std::string_view pointer) { return reading.sound(pointer); });
}

void check_node(NodeId node, const std::string& pointer, const Scenario& scenario, Reading& reading) {
  if (usable({pointer, "/cluster/nodes"}, reading) && node.value() >= scenario.cluster.nodes) {
    reading.fault_at(pointer, "there is no node " + name_of_node(node),
                     scenario.cluster.nodes == 1 ? "the only node is n1"
                                                 : "nodes are n1 to n" + std::to_string(scenario.cluster.nodes));
  }
}

void check_tenant_name(const std::string& name, const std::string& pointer, const Scenario& scenario,
                       Reading& reading) {
  if (!usable({pointer, "/tenants"}, reading)) {
    return;
  }
  std::set<std::string_view> known;
  for (const TenantSpec& tenant : scenario.tenants) {
    known.insert(tenant.name);
  }
  if (!known.contains(name)) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    reading.fault_at(pointer, "there is no tenant " + in_quotes(name), suggest(name, names));
  }
}

}  // namespace headroom
