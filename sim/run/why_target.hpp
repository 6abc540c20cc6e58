// Whom a question of `why` is about, found among the tenants of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/result.hpp"
#include "model/outbox/dispatch_key.hpp"
#include "sim/run/simulation.hpp"
#include "sim/run/why.hpp"

namespace headroom {

// Whom the question is about.
struct WhyTarget {
  std::vector<NamespaceId> names;  // ascending
  std::optional<DispatchKey> row;
  std::optional<std::uint64_t> logical;
};

// The faults say which option names nothing, and what would.
[[nodiscard]] Result<WhyTarget> target_of(const WhyQuestion& question, const Simulation& simulation);

}  // namespace headroom
