#include "sim/scenario/schema.hpp"

#include "sim/scenario/grammar.hpp"

namespace headroom {
std::string scenario_schema() {
  JsonNode schema = json_object({{"$schema", json_text("https://json-schema.org/draft/2020-12/schema")},
                                 {"title", json_text("A scenario of headroom")}});
  const JsonObject& scenario = *scenario_rule().schema.object();
  schema.object()->insert(schema.object()->end(), scenario.begin(), scenario.end());
  schema.object()->push_back({"$defs", json_object({{"distribution", distribution_rule().definition},
                                                    {"arrivals", arrivals_rule().definition},
                                                    {"rate_limit", rate_limit_rule().definition},
                                                    {"tenant_limits", tenant_limits_rule().definition},
                                                    {"tenant", tenant_rule().definition},
                                                    {"latency_shift", latency_shift_rule().definition},
                                                    {"fault", fault_rule().definition},
                                                    {"expectation", expectation_rule().definition}})});
  return indented_text(schema);
}

}  // namespace headroom
