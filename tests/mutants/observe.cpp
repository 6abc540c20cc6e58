#include "tests/mutants/observe.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>

#include "sim/run/check_scenario.hpp"
#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace headroom::mutants {
namespace {

constexpr std::array<std::string_view, 3> kWords{"holds", "broken", "nothing"};

template <class T>
const T& or_exit(const Result<T>& result) {
  if (!result) {
    for (const Diagnostic& fault : result.faults()) {
      fmt::print(stderr, "{}\n", fault.text());
    }
    std::exit(2);
  }
  return result.value();
}

Says says_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return Says::holds;
    case Verdict::fail:
      return Says::broken;
    case Verdict::undecided:
      return Says::nothing;
  }
  return Says::nothing;
}

// Of the properties; what is expected to be broken is no judge of faults.
std::vector<Observation> observe_run(const Scenario& scenario) {
  const RunResult result = run_scenario({.scenario = scenario, .seed = scenario.seed}).result;
  std::vector<Observation> observations;
  for (const std::vector<Judgement>* judgements : {&result.expectations, &result.information}) {
    for (const Judgement& judgement : *judgements) {
      if (judgement.kind == JudgementKind::property && !judgement.broken) {
        observations.push_back({judgement.name, says_of(judgement.verdict), judgement.reason});
      }
    }
  }
  return observations;
}

std::vector<Observation> observe_check(const Scenario& scenario) {
  const Result<CheckReport> report =
      run_check({.scenario = scenario, .options = {.threads = 1, .stop_at_first = true}});
  std::vector<Observation> observations;
  for (const checker::Finding& finding : or_exit(report).result.findings) {
    if (finding.kind != checker::FindingKind::sometimes) {
      observations.push_back({finding.name, says_of(finding.verdict), finding.reason});
    }
  }
  return observations;
}

}  // namespace

std::vector<Observation> observe(Engine engine, const std::string& path) {
  const Result<Scenario> scenario = read_scenario(path);
  return engine == Engine::run ? observe_run(or_exit(scenario)) : observe_check(or_exit(scenario));
}

void print(const std::vector<Observation>& observations) {
  for (const Observation& each : observations) {
    fmt::print("{}\t{}\t{}\n", kWords[static_cast<std::size_t>(each.says)], each.property, each.reason);
  }
}

std::vector<Observation> parse_observations(std::string_view text) {
  std::vector<Observation> observations;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t first = line.find('\t');
    const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
    const auto word = std::ranges::find(kWords, line.substr(0, first));
    if (second != std::string_view::npos && word != kWords.end()) {
      observations.push_back({.property = std::string(line.substr(first + 1, second - first - 1)),
                              .says = static_cast<Says>(word - kWords.begin()),
                              .reason = std::string(line.substr(second + 1))});
    }
  }
  return observations;
}

}  // namespace headroom::mutants
