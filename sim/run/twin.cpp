#include "sim/run/twin.hpp"

#include <algorithm>
#include <optional>

namespace headroom {
namespace {

constexpr std::int64_t kFloor = 1'000'000;  // below 1 ms a ratio says nothing

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

double success_rate(const TenantFigures& figures) {
  if (figures.gate && figures.gate->success_rate) {
    return *figures.gate->success_rate;
  }
  return figures.demand == 0 ? 1 : static_cast<double>(figures.served) / static_cast<double>(figures.demand);
}

const DistributionSummary* wait_at_gate(const TenantFigures& figures) {
  return figures.gate ? &figures.gate->wait : nullptr;
}

std::optional<NoiseAmplification> compare(const std::string& without, const TenantFigures& run,
                                          const TenantFigures& twin) {
  const bool rows = run.wait.count > 0 || twin.wait.count > 0;
  const DistributionSummary* wait = rows ? &run.wait : wait_at_gate(run);
  const DistributionSummary* twin_wait = rows ? &twin.wait : wait_at_gate(twin);
  if (wait == nullptr || twin_wait == nullptr || wait->count == 0 || twin_wait->count == 0) {
    return std::nullopt;
  }
  NoiseAmplification noise{.without = without,
                           .p99 = Duration::nanoseconds(wait->p99),
                           .twin_p99 = Duration::nanoseconds(twin_wait->p99),
                           .difference = Duration::nanoseconds(wait->p99 - twin_wait->p99),
                           .success_difference = success_rate(run) - success_rate(twin)};
  if (twin_wait->p99 >= kFloor) {
    noise.ratio = static_cast<double>(wait->p99) / static_cast<double>(twin_wait->p99);
  }
  return noise;
}

}  // namespace

std::vector<std::string> noisy_tenants(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const TenantSpec& tenant : scenario.tenants) {
    if (tenant.noisy) {
      names.push_back(tenant.name);
    }
  }
  return names.size() == scenario.tenants.size() ? std::vector<std::string>() : names;
}

Scenario silenced(const Scenario& scenario, std::span<const std::string> names) {
  Scenario twin = scenario;
  for (TenantSpec& tenant : twin.tenants) {
    if (!contains(names, tenant.name)) {
      continue;
    }
    tenant.requests.reset();
    if (tenant.rows) {
      tenant.rows->arrivals.reset();
    }
  }
  return twin;
}

void compare_with_twin(std::span<const std::string> left_out, const RunResult& twin, RunResult& result) {
  std::string without;
  for (const std::string& name : left_out) {
    without += (without.empty() ? "" : ", ") + name;
  }
  for (std::size_t i = 0; i < result.tenants.size(); ++i) {
    TenantResult& tenant = result.tenants[i];
    if (!contains(left_out, tenant.name)) {
      tenant.figures.noise = compare(without, tenant.figures, twin.tenants[i].figures);
    }
  }
  for (std::size_t i = 0; i < result.groups.size(); ++i) {
    GroupResult& group = result.groups[i];
    if (!contains(left_out, group.name)) {
      group.pooled.noise = compare(without, group.pooled, twin.groups[i].pooled);
    }
  }
}

}  // namespace headroom
