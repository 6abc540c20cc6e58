#include "sim/run/counterexample.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "sim/run/check_scope.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> kClaimNames{"safety", "deadlock", "liveness", "extreme", "wait"};

std::string_view name_of(checker::ClaimKind kind) {
  return kClaimNames[static_cast<std::size_t>(kind)];
}

checker::ClaimKind claim_of(checker::FindingKind kind) {
  switch (kind) {
    case checker::FindingKind::safety:
    case checker::FindingKind::sometimes:
      return checker::ClaimKind::safety;
    case checker::FindingKind::deadlock:
      return checker::ClaimKind::deadlock;
    case checker::FindingKind::liveness:
      return checker::ClaimKind::liveness;
  }
  return checker::ClaimKind::safety;
}

// Facts stand one to a line.
Json lines_of(const std::string& text) {
  Json lines = Json::array();
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

Json loop_of(const checker::Trace& trace) {
  if (!trace.is_loop) {
    return nullptr;
  }
  return {{"after_step", trace.loop_begin}, {"steps", trace.loop_steps()}};
}

// "executing_max" of "executing_max/a".
std::string figure_of(const std::string& name) {
  return name.substr(0, name.find('/'));
}

}  // namespace

std::string render_counterexample(const Counterexample& counterexample) {
  const checker::Trace& trace = counterexample.trace;
  Json steps = Json::array();
  for (const checker::TraceStep& step : trace.steps) {
    steps.push_back(
        {{"action", step.action}, {"choice", step.choice}, {"changes", step.changes}, {"state", lines_of(step.state)}});
  }
  const auto& no_return = counterexample.point_of_no_return;
  const Json document = {
      {"schema", 1},
      {"kind", "counterexample"},
      {"headroom_version", HEADROOM_VERSION},
      {"claim",
       {{"kind", name_of(counterexample.claim.kind)},
        {"name", counterexample.claim.name},
        {"who", counterexample.claim.who},
        {"shows", counterexample.shows}}},
      {"point_of_no_return", no_return ? Json(*no_return) : Json(nullptr)},
      {"loop", loop_of(trace)},
      {"initial", {{"choice", trace.initial_choice}, {"state", lines_of(trace.initial)}}},
      {"steps", std::move(steps)},
      {"scenario", {{"file", counterexample.scenario_file}, {"text", counterexample.scenario_text}}}};
  return document.dump(1) + "\n";
}

std::vector<CounterexampleFile> counterexamples_of(CheckReport& report, const std::string& file,
                                                   const std::string& document) {
  std::vector<CounterexampleFile> files;
  std::set<std::string> taken;
  const auto add = [&](std::string name, Counterexample counterexample) {
    counterexample.scenario_file = file;
    counterexample.scenario_text = document;
    std::string text = render_counterexample(counterexample);
    files.push_back({std::move(name), std::move(text), std::move(counterexample)});
    return files.back().name;
  };
  for (std::size_t i = 0; i < report.result.findings.size(); ++i) {
    const checker::Finding& finding = report.result.findings[i];
    if (finding.verdict != checker::Verdict::fail || !finding.trace) {
      continue;
    }
    std::string name = "counterexample-" + finding.name;
    if (!taken.insert(name).second) {
      name += "-" + std::string(name_of(claim_of(finding.kind)));
    }
    report.judgements[i].file = add(name + ".json", {.claim = {claim_of(finding.kind), finding.name},
                                                     .shows = finding.reason,
                                                     .point_of_no_return = finding.point_of_no_return,
                                                     .trace = *finding.trace});
  }
  std::size_t number = 0;
  for (const checker::ExtremeFound& extreme : report.result.extremes) {
    if (extreme.trace && extreme.value) {
      add(fmt::format("extreme-{}-{}.json", ++number, figure_of(extreme.name)),
          {.claim = {checker::ClaimKind::extreme, extreme.name},
           .shows = std::to_string(*extreme.value),
           .trace = *extreme.trace});
    }
  }
  for (const checker::WaitFound& wait : report.result.waits) {
    if (wait.trace && (wait.steps > 0 || wait.verdict == checker::Verdict::fail)) {
      const bool endless = wait.verdict == checker::Verdict::fail;
      add(fmt::format("extreme-{}-{}.json", ++number, figure_of(wait.name)),
          {.claim = {checker::ClaimKind::wait, wait.name, wait.who},
           .shows = endless ? "without bound" : std::to_string(wait.steps),
           .trace = *wait.trace});
    }
  }
  return files;
}

namespace {

template <class M>
bool begins_so(const M& model, const checker::Trace& trace) {
  const std::vector<typename M::State> initial = model.initial_states();
  return trace.initial_choice < initial.size() &&
         checker::text_of(model.facts(initial[trace.initial_choice])) == trace.initial;
}

template <class M>
std::optional<Diagnostic> why_not_confirmed(const M& model, const std::string& path,
                                            const Counterexample& counterexample) {
  const checker::Trace& trace = counterexample.trace;
  if (!begins_so(model, trace)) {
    return Diagnostic{path, "/initial", "the model does not begin in this state", "the version that wrote the file"};
  }
  const std::optional<checker::Walk<M>> walk = checker::walk_again(model, trace);
  if (!walk) {
    std::size_t taken = 0;
    static_cast<void>(checker::replay(model, trace, [&](const auto& /*step*/) { ++taken; }));
    return Diagnostic{path, "/steps/" + std::to_string(taken), "the model does not take this step",
                      "the version that wrote the file"};
  }
  const std::optional<std::string> shown = checker::Confirmer<M>(model, trace, *walk).confirm(counterexample.claim);
  if (shown == counterexample.shows) {
    return std::nullopt;
  }
  return Diagnostic{path, "/claim", "the steps do not show it: " + shown.value_or("nothing is wrong after them"),
                    "\"" + counterexample.shows + "\""};
}

}  // namespace

Result<Replay> replay_counterexample(const std::string& path) {
  Result<Counterexample> read = read_counterexample(path);
  if (!read) {
    return read.faults();
  }
  Result<Scenario> scenario = read_scenario_text(read.value().scenario_text, read.value().scenario_file);
  if (!scenario) {
    return scenario.faults();
  }
  if (std::optional<Diagnostic> fault = why_not_checked(scenario.value())) {
    return *std::move(fault);
  }
  Replay replay{.counterexample = std::move(read.value()), .scenario = std::move(scenario.value())};
  replay.fault = with_model(replay.scenario, true,
                            [&](const auto& model) { return why_not_confirmed(model, path, replay.counterexample); });
  replay.confirmed = !replay.fault;
  return replay;
}

}  // namespace headroom
