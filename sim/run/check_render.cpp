#include "sim/run/check_render.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "reports/render/json.hpp"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;
using checker::Ended;
using checker::Finding;
using checker::FindingKind;
using checker::Trace;

std::string ended_in_words(Ended ended) {
  switch (ended) {
    case Ended::exhausted:
      return "exhausted";
    case Ended::max_states:
      return "cut short by --max-states";
    case Ended::max_memory:
      return "cut short by the limit of memory";
    case Ended::max_seconds:
      return "cut short by --max-seconds";
    case Ended::stopped:
      return "interrupted";
    case Ended::first_violation:
      return "stopped at the first violation";
  }
  return {};
}

// "executing_max/a" is figure "executing_max" of "a".
std::pair<std::string, std::string> figure_and_key(const std::string& name) {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? std::pair(name, std::string("all"))
                                    : std::pair(name.substr(0, slash), name.substr(slash + 1));
}

// The greatest over those that share a key; "unbounded" where there is no bound, null where nothing was seen.
Json extremes_of(const CheckReport& report) {
  Json extremes = Json::object();
  for (const checker::ExtremeFound& extreme : report.result.extremes) {
    const auto [figure, key] = figure_and_key(extreme.name);
    extremes[figure][key] = extreme.value ? Json(*extreme.value) : Json(nullptr);
  }
  for (std::size_t i = 0; i < report.result.waits.size(); ++i) {
    const checker::WaitFound& wait = report.result.waits[i];
    const auto [figure, key] = figure_and_key(report.wait_figures[i]);
    Json& value = extremes[figure][key];
    if (wait.verdict == checker::Verdict::fail) {
      value = "unbounded";
    } else if (!value.is_string()) {
      value = std::max(value.is_number() ? value.get<std::uint64_t>() : 0, wait.steps);
    }
  }
  return extremes;
}

Json to_json(const Finding& finding, const CheckJudgement& judgement) {
  Json entry = {{"name", finding.name}, {"kind", name_of(finding.kind)}};
  if (judgement.broken) {
    entry["broken"] = true;
  }
  entry["verdict"] = name_of(judgement.verdict);
  entry["decides"] = judgement.decides;
  entry["reason"] = finding.reason;
  entry["counterexample"] = judgement.file.empty() ? Json(nullptr) : Json(judgement.file);
  entry["violations"] = finding.violations;
  entry["steps"] = finding.trace ? finding.trace->steps.size() : 0;
  entry["loop_steps"] = finding.trace ? finding.trace->loop_steps() : 0;
  entry["point_of_no_return"] = finding.point_of_no_return ? Json(*finding.point_of_no_return) : Json(nullptr);
  return entry;
}

// "proved", where it is.
std::string verdict_in_words(const Finding& finding, const CheckJudgement& judgement) {
  if (judgement.broken) {
    return fmt::format("{} (is to be broken)", name_of(judgement.verdict));
  }
  if (finding.kind == FindingKind::sometimes) {
    return judgement.verdict == checker::Verdict::fail   ? "NEVER"
           : judgement.verdict == checker::Verdict::pass ? "pass"
                                                         : "undecided";
  }
  if (judgement.verdict == checker::Verdict::pass) {
    return "proved";
  }
  return std::string(judgement.verdict == checker::Verdict::fail ? "VIOLATED" : "undecided");
}

std::string finding_text(const Finding& finding, const CheckJudgement& judgement) {
  std::string text =
      fmt::format("  {:<10} {:<24} {}", name_of(finding.kind), finding.name, verdict_in_words(finding, judgement));
  if (!judgement.decides) {
    text += " (for information)";
  }
  if (!finding.reason.empty()) {
    text += ": " + finding.reason;
  }
  return text + "\n";
}

std::string counterexample_text(const Finding& finding, const CheckJudgement& judgement) {
  std::string text = fmt::format("\n{} in {} steps: {}\n", finding.name, finding.trace->steps.size(), finding.reason);
  text += render_trace(*finding.trace, finding.point_of_no_return, finding.trace->steps.size());
  if (!judgement.file.empty()) {
    text += fmt::format("  replay with: headroom replay {}\n", judgement.file);
  }
  return text;
}

std::string extremes_text(const CheckReport& report) {
  std::string text;
  const Json extremes = extremes_of(report);
  for (const auto& [figure, values] : extremes.items()) {
    text += fmt::format("  {}{}:", figure, report.result.exhausted() ? "" : " (so far)");
    for (const auto& [key, value] : values.items()) {
      text += fmt::format(" {} {}", key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string render_check_json(const CheckReport& report) {
  const checker::CheckResult& result = report.result;
  Json properties = Json::array();
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    properties.push_back(to_json(result.findings[i], report.judgements[i]));
  }
  const Json document = {{"schema", 1},
                         {"headroom_version", HEADROOM_VERSION},
                         {"scenario",
                          {{"name", report.scenario_name},
                           {"digest", fmt::format("{:016x}", report.scenario_digest)},
                           {"scope", report.scope}}},
                         {"verdict", name_of(report.verdict)},
                         {"exhausted", result.exhausted()},
                         {"ended", ended_in_words(result.ended)},
                         {"states", result.states},
                         {"transitions", result.transitions},
                         {"depth", result.depth},
                         {"symmetry", result.symmetry},
                         {"properties", std::move(properties)},
                         {"extremes", extremes_of(report)},
                         {"seconds", result.seconds},
                         {"states_per_second", result.states_per_second()},
                         {"bytes_per_state", result.bytes_per_state()}};
  return document.dump(2) + "\n";
}

std::string render_check_summary(const CheckReport& report) {
  const checker::CheckResult& result = report.result;
  std::string text = fmt::format("{}: {}\n", report.scenario_name, report.scope);
  text += fmt::format("{}: {} states, {} transitions, depth {}{}\n", ended_in_words(result.ended), result.states,
                      result.transitions, result.depth, result.symmetry ? ", up to symmetry" : "");
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    text += finding_text(result.findings[i], report.judgements[i]);
  }
  text += extremes_text(report);
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    if (result.findings[i].verdict == checker::Verdict::fail && result.findings[i].trace) {
      text += counterexample_text(result.findings[i], report.judgements[i]);
    }
  }
  text += fmt::format("{}\n", report.verdict == checker::Verdict::pass   ? "PASS"
                              : report.verdict == checker::Verdict::fail ? "FAIL"
                                                                         : "UNDECIDED: the scope was not exhausted");
  return text;
}

std::string render_trace(const Trace& trace, std::optional<std::size_t> point_of_no_return, std::size_t until) {
  std::string text;
  for (std::size_t i = 0; i < std::min(until, trace.steps.size()); ++i) {
    if (trace.is_loop && i == trace.loop_begin) {
      text += fmt::format("  -- from here {} steps repeat for ever\n", trace.loop_steps());
    }
    text += fmt::format("  {:>3}. {}\n", i + 1, trace.steps[i].action);
    for (const std::string& change : trace.steps[i].changes) {
      text += fmt::format("         {}\n", change);
    }
    if (point_of_no_return && *point_of_no_return == i + 1) {
      text += "  -- after this step it cannot be avoided any more\n";
    }
  }
  if (trace.is_loop && trace.loop_steps() == 0 && until >= trace.steps.size()) {
    text += "  -- from here nothing more needs to happen\n";
  }
  return text;
}

std::string render_replay_json(const Replay& replay, const RunResult& result) {
  const Counterexample& shown = replay.counterexample;
  Json steps = Json::array();
  for (const checker::TraceStep& step : shown.trace.steps) {
    steps.push_back({{"action", step.action}, {"changes", step.changes}});
  }
  Json document = Json::parse(render_result_json(result));
  document["counterexample"] = {{"name", shown.claim.name},
                                {"shows", shown.shows},
                                {"confirmed", replay.confirmed},
                                {"steps", std::move(steps)},
                                {"loop_steps", shown.trace.loop_steps()}};
  return document.dump(2) + "\n";
}

std::string render_replay(const Replay& replay, std::size_t until) {
  const Counterexample& shown = replay.counterexample;
  std::string text = fmt::format("{}: {}\nfrom\n", replay.scenario.name, shown.claim.name);
  for (std::size_t from = 0; from < shown.trace.initial.size();) {
    const std::size_t end = std::min(shown.trace.initial.find('\n', from), shown.trace.initial.size());
    text += "  " + shown.trace.initial.substr(from, end - from) + "\n";
    from = end + 1;
  }
  text += render_trace(shown.trace, shown.point_of_no_return, until);
  if (until >= shown.trace.steps.size() && replay.confirmed) {
    text += fmt::format("confirmed: {}\n", shown.shows);
  }
  return text;
}

}  // namespace headroom
