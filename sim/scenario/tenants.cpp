#include "sim/scenario/tenants.hpp"

#include <algorithm>

#include "model/base/hash.hpp"

namespace headroom {

std::string member_name(const std::string& name, std::uint32_t member, std::uint32_t count) {
  const std::size_t width = std::to_string(count).size();
  const std::string digits = std::to_string(member);
  return name + "_" + std::string(width - digits.size(), '0') + digits;
}

std::vector<TenantInstance> expand_tenants(const std::vector<TenantSpec>& tenants) {
  std::vector<TenantInstance> instances;
  instances.reserve(count_tenants(tenants));
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    const TenantSpec& tenant = tenants[i];
    if (!tenant.count) {
      instances.push_back({tenant.name, stable_hash(tenant.id), i, std::nullopt});
      continue;
    }
    for (std::uint32_t member = 1; member <= *tenant.count; ++member) {
      instances.push_back({member_name(tenant.name, member, *tenant.count),
                           stable_hash(member_name(tenant.id, member, *tenant.count)), i, member});
    }
  }
  std::ranges::sort(instances, {}, &TenantInstance::name);
  return instances;
}

std::uint64_t count_tenants(const std::vector<TenantSpec>& tenants) {
  std::uint64_t total = 0;
  for (const TenantSpec& tenant : tenants) {
    total += tenant.count.value_or(1);
  }
  return total;
}

}  // namespace headroom
