// M5 of the metamorphic properties: the same scenario and seed give the same run, in whatever order the file has its
// keys and declares its tenants.
#include <utility>

#include "reports/render/json.hpp"
#include "sim/engine/stream.hpp"
#include "sim/run/run_scenario.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/reading.hpp"
#include "tests/property/check.hpp"
#include "tests/property/cluster/generated_scenario.hpp"
#include "tests/property/metamorphic/sweep_trace.hpp"

namespace headroom::test {
namespace {

template <class List>
void shuffle(List& list, Stream& stream) {
  for (std::size_t i = list.size(); i > 1; --i) {
    std::swap(list[i - 1], list[stream.below(i)]);
  }
}

// Keys of all objects, at any depth.
void shuffle_keys(JsonNode& node, Stream& stream) {
  if (JsonObject* object = node.object(); object != nullptr) {
    shuffle(*object, stream);
    for (JsonMember& member : *object) {
      shuffle_keys(member.node, stream);
    }
  } else if (JsonArray* array = node.array(); array != nullptr) {
    for (JsonNode& entry : *array) {
      shuffle_keys(entry, stream);
    }
  }
}

std::string shuffled(const std::string& text, std::uint64_t how) {
  Reading reading("generated.json");
  std::optional<JsonNode> document = parse_json(text, reading);
  RC_ASSERT(document.has_value());
  Stream stream(how, std::string_view("shuffle"), Purpose::tie_break);
  shuffle_keys(*document, stream);
  shuffle(*find_member(*document->object(), "tenants")->array(), stream);
  return indented_text(*document);
}

TEST_CASE("neither the order of keys nor that in which tenants are declared changes a run", "[property]") {
  const ScenarioShape shape{.planners = {"rotating", "fixed_order", "deficit_round_robin", "unscoped"},
                            .claimed_counts = {"owned_or_started", "started", "owned_shards"},
                            .ceiling_growth = {"settled", "immediate"}};
  check_property("same_run.any_order", [shape] {
    const DraftScenario draft = *any_scenario(shape);
    const std::string text = draft.text({"exactly_once", "slice"});
    const std::string other = shuffled(text, *rc::gen::arbitrary<std::uint64_t>());
    const auto seed = static_cast<std::uint64_t>(any(1, 1000));
    const RunResult first = run_scenario({.scenario = scenario_of(text), .seed = seed}).result;
    const RunResult second = run_scenario({.scenario = scenario_of(other), .seed = seed}).result;
    RC_ASSERT(first.event_digest == second.event_digest);
    RC_ASSERT(first.scenario_digest == second.scenario_digest);
    RC_ASSERT(render_result_json(first) == render_result_json(second));
  });
}

TEST_CASE("another seed gives another run", "[property]") {
  // Else a digest of nothing would do.
  check_broken("same_run.seed", [] {
    const Scenario scenario = scenario_of((*any_scenario({})).text({}));
    RC_ASSERT(run_scenario({.scenario = scenario, .seed = 1}).result.event_digest ==
              run_scenario({.scenario = scenario, .seed = 2}).result.event_digest);
  });
}

}  // namespace
}  // namespace headroom::test
