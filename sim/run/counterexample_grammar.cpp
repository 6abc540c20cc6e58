// The reader of counterexample files: strict, as that of scenarios is.
#include <limits>
#include <utility>
#include <variant>

#include "sim/run/counterexample.hpp"
#include "sim/scenario/object_rule.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace headroom {
namespace {

constexpr std::size_t kMaxSteps = 10'000'000;
constexpr std::size_t kMaxLines = 1'000'000;
constexpr std::size_t kMaxText = std::size_t{1} << 30U;
constexpr std::uint64_t kMaxNumber = std::numeric_limits<std::uint32_t>::max();

Rule<std::string> any_text() {
  return text(0, kMaxText);
}

Rule<std::string> facts_rule() {
  return mapped<std::string>(list(any_text(), 0, kMaxLines), [](const std::vector<std::string>& lines, Reading&) {
    std::string facts;
    for (const std::string& line : lines) {
      facts += line + "\n";
    }
    return facts;
  });
}

Rule<std::size_t> number() {
  return mapped<std::size_t>(whole<std::uint64_t>(0, kMaxNumber),
                             [](std::uint64_t value, Reading&) { return static_cast<std::size_t>(value); });
}

// `null` where there is none.
template <class T>
Rule<std::optional<T>> or_null(const Rule<T>& value) {
  Rule<std::optional<T>> rule;
  rule.expected = value.expected + " or null";
  rule.read = [read = value.read](const JsonNode& node, Reading& reading) -> std::optional<std::optional<T>> {
    if (std::holds_alternative<std::nullptr_t>(node.value)) {
      return std::optional<T>();
    }
    std::optional<T> given = read(node, reading);
    return given ? std::optional<std::optional<T>>(std::move(given)) : std::nullopt;
  };
  return rule;
}

struct Loop {
  std::size_t after_step = 0;
  std::size_t steps = 0;
};

struct Keys {
  Counterexample counterexample;
  std::optional<Loop> loop;
};

Rule<checker::TraceStep> step_rule() {
  ObjectRule<checker::TraceStep> object;
  using S = checker::TraceStep;
  object.required("action", &S::action, any_text(), "in words");
  object.required("choice", &S::choice, number(), "its place among those that the model enables");
  object.required("changes", &S::changes, list(any_text(), 0, kMaxLines), "what is different after it");
  object.required("state", &S::state, facts_rule(), "after it");
  return object.rule();
}

Rule<Loop> loop_rule() {
  ObjectRule<Loop> object;
  object.required("after_step", &Loop::after_step, number(), "the step after which it begins");
  object.required("steps", &Loop::steps, number(), "that repeat for ever");
  return object.rule();
}

struct ClaimKeys {
  checker::Claim claim;
  std::string shows;
};

Rule<ClaimKeys> claim_rule() {
  using checker::ClaimKind;
  ObjectRule<ClaimKeys> object;
  object.required_into(
      "kind",
      words<ClaimKind>({{"safety", ClaimKind::safety},
                        {"deadlock", ClaimKind::deadlock},
                        {"liveness", ClaimKind::liveness},
                        {"extreme", ClaimKind::extreme},
                        {"wait", ClaimKind::wait}}),
      [](ClaimKeys& keys, ClaimKind kind) { keys.claim.kind = kind; }, "of what it is a counterexample");
  object.required_into(
      "name", any_text(), [](ClaimKeys& keys, std::string name) { keys.claim.name = std::move(name); }, "of it");
  object.required_into(
      "who", any_text(), [](ClaimKeys& keys, std::string who) { keys.claim.who = std::move(who); }, "who waits");
  object.required("shows", &ClaimKeys::shows, any_text(), "the reason, or the value");
  return object.rule();
}

struct InitialKeys {
  std::size_t choice = 0;
  std::string state;
};

Rule<InitialKeys> initial_rule() {
  ObjectRule<InitialKeys> object;
  object.required("choice", &InitialKeys::choice, number(), "its place among the initial states");
  object.required("state", &InitialKeys::state, facts_rule(), "the state");
  return object.rule();
}

struct ScenarioKeys {
  std::string file;
  std::string text;
};

Rule<ScenarioKeys> scenario_rule_of_file() {
  ObjectRule<ScenarioKeys> object;
  object.required("file", &ScenarioKeys::file, any_text(), "where it was");
  object.required("text", &ScenarioKeys::text, any_text(), "the scenario");
  return object.rule();
}

Rule<Keys> counterexample_rule() {
  ObjectRule<Keys> object;
  object.required_into("schema", whole<std::uint32_t>(1, 1), [](Keys&, std::uint32_t) {}, "version of this format");
  object.required_into("kind", words<int>({{"counterexample", 0}}), [](Keys&, int) {}, "of this file");
  object.required_into("headroom_version", any_text(), [](Keys&, const std::string&) {}, "that wrote it");
  object.required_into(
      "claim", claim_rule(),
      [](Keys& keys, ClaimKeys claim) {
        keys.counterexample.claim = std::move(claim.claim);
        keys.counterexample.shows = std::move(claim.shows);
      },
      "what it shows");
  object.required_into(
      "point_of_no_return", or_null(number()),
      [](Keys& keys, std::optional<std::size_t> step) { keys.counterexample.point_of_no_return = step; },
      "the step before which it could still be avoided");
  object.required_into(
      "loop", or_null(loop_rule()), [](Keys& keys, std::optional<Loop> loop) { keys.loop = loop; }, "what repeats");
  object.required_into(
      "initial", initial_rule(),
      [](Keys& keys, InitialKeys initial) {
        keys.counterexample.trace.initial_choice = initial.choice;
        keys.counterexample.trace.initial = std::move(initial.state);
      },
      "where it begins");
  object.required_into(
      "steps", list(step_rule(), 0, kMaxSteps),
      [](Keys& keys, std::vector<checker::TraceStep> steps) { keys.counterexample.trace.steps = std::move(steps); },
      "what happens");
  object.required_into(
      "scenario", scenario_rule_of_file(),
      [](Keys& keys, ScenarioKeys scenario) {
        keys.counterexample.scenario_file = std::move(scenario.file);
        keys.counterexample.scenario_text = std::move(scenario.text);
      },
      "whose steps these are");
  object.check([](const Keys& keys, Reading& reading) {
    if (keys.loop && keys.loop->after_step + keys.loop->steps != keys.counterexample.trace.steps.size()) {
      const auto step = reading.enter("loop");
      reading.fault(
          "does not end with the last step",
          "\"after_step\" and \"steps\" are " + std::to_string(keys.counterexample.trace.steps.size()) + " together");
    }
  });
  return object.rule();
}

}  // namespace

Result<Counterexample> read_counterexample(const std::string& path) {
  Reading reading(path);
  std::optional<Keys> keys;
  if (const std::optional<JsonNode> document =
          read_json_file(path, "a counterexample that `headroom check --out` wrote", reading)) {
    keys = counterexample_rule().read(*document, reading);
  }
  if (reading.has_faults()) {
    return reading.take_faults();
  }
  Counterexample counterexample = std::move(keys->counterexample);
  if (keys->loop) {
    counterexample.trace.is_loop = true;
    counterexample.trace.loop_begin = keys->loop->after_step;
  }
  return counterexample;
}

}  // namespace headroom
