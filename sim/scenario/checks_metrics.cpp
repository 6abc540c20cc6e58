// Whether the metrics that a scenario expects something of are figures of its result.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "reports/metrics/metric_names.hpp"
#include "sim/scenario/checking.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/names.hpp"
#include "sim/scenario/nearest.hpp"
#include "sim/scenario/rule.hpp"

namespace headroom {
namespace {

using Steps = std::vector<std::string>;

bool known(const Steps& steps) {
  return std::ranges::any_of(metric_names(), [&](const MetricName& name) { return matches(name.pattern, steps); });
}

// "/tenants/NAME/wait_ms/p9" for "/tenants/a/wait_ms/p9", so that names do not count when metrics are compared.
std::string general(const Steps& steps, std::string_view pointer) {
  const bool named = steps.size() > 1 && (steps[0] == "tenants" || steps[0] == "groups" || steps[0] == "nodes");
  if (!named) {
    return std::string(pointer);
  }
  std::string text = "/" + steps[0] + (steps[0] == "nodes" ? "/NODE" : "/NAME");
  for (std::size_t i = 2; i < steps.size(); ++i) {
    append_pointer_step(text, steps[i]);
  }
  return text;
}

// With the name put back that `general` took out.
std::string nearest_metric(const Steps& steps, std::string_view pointer) {
  std::vector<std::string_view> patterns;
  for (const MetricName& name : metric_names()) {
    patterns.push_back(name.pattern);
  }
  std::string found = suggest(general(steps, pointer), patterns);
  if (!found.starts_with("did you mean")) {
    return "one of those that `headroom list` names";
  }
  for (const std::string_view placeholder : {"/NAME/", "/NODE/"}) {
    const std::size_t at = found.find(placeholder);
    if (at != std::string::npos && steps.size() > 1) {
      std::string name;
      append_pointer_step(name, steps[1]);
      found.replace(at, placeholder.size(), name + "/");
    }
  }
  return found;
}

void check_named_tenant(const Steps& steps, const std::string& pointer, const Scenario& scenario, Reading& reading) {
  const bool group = steps[0] == "groups";
  std::vector<std::string_view> names;
  const TenantSpec* tenant = nullptr;
  for (const TenantSpec& each : scenario.tenants) {
    if (each.count.has_value() == group) {
      names.push_back(each.name);
      tenant = each.name == steps[1] ? &each : tenant;
    }
  }
  if (tenant == nullptr) {
    const bool other = std::ranges::find(scenario.tenants, steps[1], &TenantSpec::name) != scenario.tenants.end();
    reading.fault_at(pointer, "there is no " + std::string(group ? "group " : "tenant ") + in_quotes(steps[1]),
                     other ? std::string(group ? "it is a tenant: \"/tenants/...\"" : "it is a group: \"/groups/...\"")
                           : suggest(steps[1], names));
  } else if (steps[2] == "gate" && !tenant->requests) {
    reading.fault_at(pointer, in_quotes(steps[1]) + " has no figures of a gate", "it sends no \"requests\"");
  }
}

void check_metric(const std::string& metric, const std::string& pointer, const Scenario& scenario, Reading& reading) {
  const Steps steps = steps_of(metric);
  if (!known(steps)) {
    reading.fault_at(pointer, in_quotes(metric) + " is no figure of result.json", nearest_metric(steps, metric));
  } else if (steps[0] == "tenants" || steps[0] == "groups") {
    if (reading.sound("/tenants")) {
      check_named_tenant(steps, pointer, scenario, reading);
    }
  } else if (steps[0] == "nodes" && usable({"/cluster/nodes"}, reading)) {
    std::vector<std::string> nodes;
    for (std::uint16_t i = 0; i < scenario.cluster.nodes; ++i) {
      nodes.push_back(name_of_node(NodeId(i)));
    }
    if (std::ranges::find(nodes, steps[1]) == nodes.end()) {
      reading.fault_at(pointer, "there is no node " + in_quotes(steps[1]), "n1 to " + nodes.back());
    }
  } else if (steps[0] == "reached") {
    std::vector<std::string_view> goals;
    for (const GoalName& goal : goal_names()) {
      goals.push_back(goal.name);
    }
    if (std::ranges::find(goals, steps[1]) == goals.end()) {
      reading.fault_at(pointer, in_quotes(steps[1]) + " is nothing that a run reaches", suggest(steps[1], goals));
    }
  } else if (steps[0] == "cluster" && reading.sound("/admission")) {
    const bool missing = (steps[1] == "gate" && !scenario.admission) ||
                         (steps[1] == "database_pool" && !(scenario.admission && scenario.admission->database_pool)) ||
                         (steps[1] == "downstream" && !(scenario.admission && scenario.admission->downstream));
    if (missing) {
      reading.fault_at(pointer, "there is no " + in_quotes(steps[1] == "gate" ? "admission" : steps[1]),
                       "a scenario that has it");
    }
  }
}

}  // namespace

void check_metrics(const Scenario& scenario, Reading& reading) {
  for (std::size_t i = 0; i < scenario.expect.size(); ++i) {
    const std::string pointer = pointer_in("expect", i, "metric");
    const auto* metric = std::get_if<MetricExpectation>(&scenario.expect[i]);
    if (metric != nullptr && usable({pointer}, reading)) {
      check_metric(metric->metric, pointer, scenario, reading);
    }
  }
}

}  // namespace headroom
