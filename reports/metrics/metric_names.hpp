// Every figure of result.json that an expectation may name, as a JSON pointer. `headroom list`, the reader of scenarios
// and the test of result.json go by this table.
//
//   for (const MetricName& metric : metric_names()) ...     // "/tenants/NAME/wait_ms/p99"
//   matches("/tenants/NAME/wait_ms/p99", {{"tenants", "quiet", "wait_ms", "p99"}})
//
// NAME stands for a tenant (under /tenants) or a group (under /groups), NODE for a node, GOAL for what a `sometimes`
// may ask for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct MetricName {
  std::string pattern;
  std::string summary;
};

// In the order of result.json.
[[nodiscard]] const std::vector<MetricName>& metric_names();

// Whether the pointer, taken apart at its slashes (and unescaped), has the form of the pattern.
[[nodiscard]] bool matches(std::string_view pattern, std::span<const std::string> steps);

// The pointer's steps, unescaped. Needs a JSON pointer (RFC 6901).
[[nodiscard]] std::vector<std::string> steps_of(std::string_view pointer);

}  // namespace headroom
