#include "sim/run/check_scope.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/assert.hpp"
#include "sim/scenario/cluster_config.hpp"
#include "sim/scenario/names.hpp"

namespace headroom {
namespace {

NamespaceId find_namespace(const ClusterConfig& config, const std::string& name) {
  const auto found = std::ranges::find(config.namespaces, name, &NamespaceConfig::name);
  HEADROOM_ASSERT(found != config.namespaces.end(), "tenant {} was not checked", name);
  return NamespaceId(static_cast<std::uint32_t>(found - config.namespaces.begin()));
}

// Those of the expectations that this kind of check can reach; what only a run has is a run's to reach.
std::vector<std::string> gate_goals_of(const Scenario& scenario) {
  std::vector<std::string> goals;
  for (const Expectation& expectation : scenario.expect) {
    const auto* sometimes = std::get_if<SometimesExpectation>(&expectation);
    if (sometimes != nullptr &&
        std::ranges::find(checker::gate_goals(), sometimes->goal) != checker::gate_goals().end()) {
      goals.push_back(sometimes->goal);
    }
  }
  return goals;
}

bool names(const CheckSection& check, std::string_view property) {
  return check.properties.empty() || std::ranges::find(check.properties, property) != check.properties.end();
}

// "3 crashes", "expiries without bound"; empty where there are none.
std::string in_words(const CheckSection::Count& count, std::string_view one, std::string_view many) {
  if (!count) {
    return fmt::format("{} without bound", many);
  }
  return *count == 0 ? std::string() : fmt::format("{} {}", *count, *count == 1 ? one : many);
}

std::vector<std::string> what_may_happen(const Scenario& scenario) {
  const CheckSection& check = *scenario.check;
  const std::string expiries = check.requests_per_tenant ? in_words(check.expiries, "expiry", "expiries") : "";
  const std::string refills = check.requests_per_tenant ? in_words(check.refills, "refill", "refills") : "";
  std::vector<std::string> parts = {
      in_words(check.crashes, "crash", "crashes"),
      in_words(check.restarts, "restart", "restarts"),
      in_words(check.handoffs, "handoff", "handoffs"),
      in_words(check.rearms, "re-arm", "re-arms"),
      in_words(check.reappends, "re-append", "re-appends"),
      in_words(check.failures, "failure", "failures"),
      in_words(check.cancels, "cancel", "cancels"),
      in_words(check.drains, "drain", "drains"),
      in_words(check.pauses, "pause", "pauses"),
      in_words(check.quota_changes, "quota change", "quota changes"),
      in_words(check.quota_errors, "quota error", "quota errors"),
      in_words(check.node_pauses, "node pause", "node pauses"),
      in_words(check.expels, "expulsion", "expulsions"),
      in_words(check.partitions, "partition", "partitions"),
      in_words(check.worker_deaths, "worker death", "worker deaths"),
      in_words(check.store_errors, "store error", "store errors"),
      in_words(check.lost_wakes, "lost wake", "lost wakes"),
      in_words(static_cast<std::uint32_t>(check.limit_changes.size()), "limit change", "limit changes"),
      expiries,
      refills};
  std::erase(parts, std::string());
  return parts;
}

}  // namespace

checker::GateScope gate_scope(const Scenario& scenario) {
  const CheckSection& check = *scenario.check;
  const AdmissionSection& admission = *scenario.admission;
  checker::GateScope scope{.config = cluster_config(scenario)};
  scope.requests = *check.requests_per_tenant;
  scope.crashes = check.crashes;
  scope.restarts = check.restarts;
  scope.failures = check.failures;
  scope.cancels = check.cancels;
  scope.drains = check.drains;
  scope.expiries = check.expiries;
  scope.refills = check.refills;
  for (const CheckSection::LimitChange& change : check.limit_changes) {
    const NamespaceId tenant =
        change.tenant.empty() ? NamespaceId::none() : find_namespace(scope.config, change.tenant);
    scope.limit_changes.push_back({tenant, change.max_inflight, change.max_queue_depth});
  }
  scope.waits_expire = admission.queue_wait.has_value();
  scope.checkouts_expire = {admission.database_pool && admission.database_pool->checkout_timeout,
                            admission.downstream && admission.downstream->checkout_timeout};
  scope.liveness = names(check, "gate_progress");
  scope.goals = gate_goals_of(scenario);
  return scope;
}

checker::ClusterScope cluster_scope(const Scenario& scenario, bool symmetry) {
  const CheckSection& check = *scenario.check;
  checker::ClusterScope scope{.config = cluster_config(scenario)};
  scope.rows_per_tenant = check.rows_per_tenant.value_or(0);
  scope.rows_per_shard = check.rows_per_shard.value_or(0);
  scope.renew = check.renew.value_or(!check.properties.empty() && names(check, "no_starvation"));
  scope.counts.crashes = check.crashes;
  scope.counts.restarts = check.restarts;
  scope.counts.handoffs = check.handoffs;
  scope.counts.rearms = check.rearms;
  scope.counts.reappends = check.reappends;
  scope.counts.failures = check.failures;
  scope.counts.cancels = check.cancels;
  scope.counts.pauses = check.pauses;
  scope.counts.quota_changes = check.quota_changes;
  scope.counts.quota_errors = check.quota_errors;
  scope.counts.node_pauses = check.node_pauses;
  scope.counts.expels = check.expels;
  scope.counts.cuts = check.partitions;
  scope.counts.kills = check.worker_deaths;
  scope.counts.sweep_errors = check.store_errors;
  scope.counts.lost_wakes = check.lost_wakes;
  scope.polls = check.polls;
  for (const SplitStep step : check.split) {
    scope.split.emplace_back(name_of(step));
  }
  scope.properties = check.properties.empty() ? checker::all_cluster_properties() : check.properties;
  for (const Expectation& expectation : scenario.expect) {
    if (const auto* goal = std::get_if<SometimesExpectation>(&expectation)) {
      if (std::ranges::find(checker::all_cluster_goals(), goal->goal) != checker::all_cluster_goals().end()) {
        scope.sometimes.push_back(goal->goal);
      }
    } else if (const auto* property = std::get_if<PropertyExpectation>(&expectation)) {
      const auto slack = property->whole_bounds.find("slack");
      scope.quota_slack = slack == property->whole_bounds.end() ? scope.quota_slack : slack->second;
    }
  }
  scope.symmetry = symmetry;
  return scope;
}

std::string scope_in_words(const Scenario& scenario) {
  const CheckSection& check = *scenario.check;
  const ClusterConfig config = cluster_config(scenario);
  std::vector<std::string> tenants;
  tenants.reserve(config.namespaces.size());
  for (const NamespaceConfig& each : config.namespaces) {
    tenants.push_back(each.name);
  }
  std::string text = fmt::format("{} node{}", config.nodes, config.nodes == 1 ? "" : "s");
  if (check.requests_per_tenant) {
    text +=
        fmt::format(" with {} process{} each", scenario.cluster.processes, scenario.cluster.processes == 1 ? "" : "es");
  } else {
    text += fmt::format(", {} shards", config.shards);
  }
  text += fmt::format(", {} tenant{} ({})", tenants.size(), tenants.size() == 1 ? "" : "s", fmt::join(tenants, ", "));
  if (check.requests_per_tenant) {
    text += fmt::format(", {} of each", in_words(*check.requests_per_tenant, "request", "requests"));
  }
  if (check.rows_per_tenant) {
    text += fmt::format(", {} of each", in_words(check.rows_per_tenant, "row", "rows"));
  }
  if (check.rows_per_shard) {
    text += fmt::format(", {} of each on every shard", in_words(check.rows_per_shard, "row", "rows"));
  }
  text += check.polls ? "" : ", no polls";
  const std::vector<std::string> happens = what_may_happen(scenario);
  return text + (happens.empty() ? "; no faults" : fmt::format("; {}", fmt::join(happens, ", ")));
}

std::optional<Diagnostic> why_not_checked(const Scenario& scenario) {
  if (!scenario.check) {
    return Diagnostic{scenario.file, "/check", "is missing",
                      "the scope to explore, such as {\"requests_per_tenant\": 2}"};
  }
  const CheckSection& check = *scenario.check;
  const bool rows = check.rows_per_tenant || check.rows_per_shard;
  if (check.requests_per_tenant.has_value() == rows) {
    return Diagnostic{scenario.file, "/check",
                      rows ? "rows and requests are checked apart" : "there is nothing to check",
                      "one of \"rows_per_tenant\", \"rows_per_shard\" and \"requests_per_tenant\""};
  }
  if (!rows) {
    return std::nullopt;
  }
  if (!check.limit_changes.empty() || check.drains != CheckSection::Count(0)) {
    return Diagnostic{scenario.file, "/check", "limit changes and drains are of gates",
                      "\"requests_per_tenant\" in place of rows"};
  }
  if (const std::optional<std::string> fault = checker::find_fault(cluster_scope(scenario, true))) {
    return Diagnostic{scenario.file, "/check", *fault, "a scope that can be checked"};
  }
  return std::nullopt;
}

}  // namespace headroom
