#include "sim/run/subjects.hpp"

#include <algorithm>

namespace headroom {

Subjects::Subjects(const Scenario& scenario, const std::vector<TenantInstance>& tenants)
    : by_namespace_(tenants.size(), 0) {
  for (std::size_t spec = 0; spec < scenario.tenants.size(); ++spec) {
    all_.push_back({scenario.tenants[spec].name, spec, {}, scenario.tenants[spec].count.has_value()});
  }
  std::ranges::sort(all_, {}, &Subject::name);
  std::vector<std::uint32_t> by_spec(all_.size());
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    by_spec[all_[i].spec_index] = i;
  }
  for (std::uint32_t i = 0; i < tenants.size(); ++i) {
    by_namespace_[i] = by_spec[tenants[i].spec_index];
    all_[by_namespace_[i]].members.push_back(NamespaceId(i));
  }
}

}  // namespace headroom
