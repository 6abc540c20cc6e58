#include "sim/run/check_page.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/run/check_render.hpp"

namespace headroom {
namespace {

bool is_extreme(const checker::Claim& claim) {
  return claim.kind == checker::ClaimKind::extreme || claim.kind == checker::ClaimKind::wait;
}

ShownTrace shown(const Counterexample& counterexample, std::string file) {
  const checker::Trace& trace = counterexample.trace;
  ShownTrace shown{.title = fmt::format("{}, {} steps", counterexample.claim.name, trace.steps.size()),
                   .shows = counterexample.shows,
                   .file = std::move(file),
                   .initial = trace.initial,
                   .is_loop = trace.is_loop,
                   .loop_begin = trace.loop_begin,
                   .point_of_no_return = counterexample.point_of_no_return};
  if (is_extreme(counterexample.claim)) {
    shown.shows = fmt::format("The shortest way to {}{}.", counterexample.shows,
                              counterexample.claim.who.empty() ? "" : " of " + counterexample.claim.who);
  }
  for (const checker::TraceStep& step : trace.steps) {
    shown.steps.push_back({step.action, step.changes, step.state});
  }
  return shown;
}

std::string folder_of(const CheckReport& report) {
  for (const CheckJudgement& judgement : report.judgements) {
    if (!judgement.file.empty()) {
      return std::filesystem::path(judgement.file).parent_path().string();
    }
  }
  return "";
}

}  // namespace

CheckedScope page_of(const CheckReport& report, const std::vector<CounterexampleFile>& files,
                     const std::string& command) {
  const auto document = nlohmann::ordered_json::parse(render_check_json(report));
  CheckedScope page{.headroom_version = HEADROOM_VERSION,
                    .scenario_name = report.scenario_name,
                    .scenario_digest = report.scenario_digest,
                    .scope = report.scope,
                    .ended = document["ended"].get<std::string>(),
                    .verdict = report.verdict,
                    .states = report.result.states,
                    .transitions = report.result.transitions,
                    .depth = report.result.depth,
                    .command = command};
  for (std::size_t i = 0; i < report.result.findings.size(); ++i) {
    const checker::Finding& finding = report.result.findings[i];
    const CheckJudgement& judgement = report.judgements[i];
    CheckedProperty property{.name = finding.name,
                             .kind = std::string(name_of(finding.kind)),
                             .verdict = judgement.verdict,
                             .decides = judgement.decides,
                             .broken = judgement.broken,
                             .reason = finding.reason};
    for (std::size_t file = 0; file < files.size(); ++file) {
      if (!judgement.file.empty() && std::filesystem::path(judgement.file).filename() == files[file].name) {
        property.trace = file;
      }
    }
    page.properties.push_back(std::move(property));
  }
  for (const auto& [figure, values] : document["extremes"].items()) {
    for (const auto& [key, value] : values.items()) {
      page.extremes.emplace_back(figure + ", " + key, value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
  const std::filesystem::path folder = folder_of(report);
  for (const CounterexampleFile& file : files) {
    page.traces.push_back(shown(file.counterexample, (folder / file.name).string()));
  }
  return page;
}

CheckedScope page_of(const Replay& replay, const std::string& file, const std::string& command) {
  const bool violated = !is_extreme(replay.counterexample.claim);
  CheckedScope page{.headroom_version = HEADROOM_VERSION,
                    .scenario_name = replay.scenario.name,
                    .scope = "Replayed step by step from " + file + (replay.confirmed ? ": confirmed." : "."),
                    .verdict = violated ? Verdict::fail : Verdict::pass,
                    .command = command};
  page.traces.push_back(shown(replay.counterexample, ""));
  return page;
}

}  // namespace headroom
