// The tenants of a scenario one by one: a group with `count` stands for as many members.
//
//   const std::vector<TenantInstance> tenants = expand_tenants(scenario.tenants);
//   scenario.tenants[tenants[namespace_id.value()].spec_index].quota
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace headroom {

struct TenantInstance {
  std::string name;
  std::uint64_t entity = 0;             // stable hash of the id: what keys and streams hang on
  std::size_t spec_index = 0;           // into Scenario::tenants
  std::optional<std::uint32_t> member;  // of a group: 1 to its count
  friend bool operator==(const TenantInstance&, const TenantInstance&) = default;
};

// "NAME_1" to "NAME_<count>", with leading zeros to equal length. Needs 1 <= member <= count.
[[nodiscard]] std::string member_name(const std::string& name, std::uint32_t member, std::uint32_t count);

// In the byte order of their names: the index is the NamespaceId.
[[nodiscard]] std::vector<TenantInstance> expand_tenants(const std::vector<TenantSpec>& tenants);

// Number of tenants, members counted.
[[nodiscard]] std::uint64_t count_tenants(const std::vector<TenantSpec>& tenants);

}  // namespace headroom
