// What reports speak of: each tenant by itself, or a group as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/ids.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tenants.hpp"

namespace headroom {

struct Subject {
  std::string name;
  std::size_t spec_index = 0;
  std::vector<NamespaceId> members;  // one for a tenant
  bool group = false;
};

class Subjects {
 public:
  Subjects(const Scenario& scenario, const std::vector<TenantInstance>& tenants);

  // In the byte order of names.
  [[nodiscard]] const std::vector<Subject>& all() const { return all_; }
  [[nodiscard]] std::uint32_t of(NamespaceId name) const { return by_namespace_[name.value()]; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }

 private:
  std::vector<Subject> all_;
  std::vector<std::uint32_t> by_namespace_;
};

}  // namespace headroom
