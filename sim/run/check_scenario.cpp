#include "sim/run/check_scenario.hpp"

#include <algorithm>
#include <variant>

#include "model/checker/check.hpp"
#include "model/checker/dot.hpp"
#include "sim/run/check_scope.hpp"

namespace headroom {
namespace {

using checker::Finding;
using checker::FindingKind;
using checker::Verdict;

// Stuck is never meant, and a goal that is never reached makes a proof worth nothing.
bool decides(const CheckSection& check, const Finding& finding) {
  return finding.kind == FindingKind::deadlock || finding.kind == FindingKind::sometimes || check.properties.empty() ||
         std::ranges::find(check.properties, finding.name) != check.properties.end();
}

bool expected_broken(const Scenario& scenario, const Finding& finding) {
  return std::ranges::any_of(scenario.expect, [&](const Expectation& expectation) {
    const auto* property = std::get_if<PropertyExpectation>(&expectation);
    return property != nullptr && property->broken && property->property == finding.name;
  });
}

// A property that is to be broken is, when any part of it is.
Verdict verdict_of_broken(const std::vector<Finding>& findings, const std::string& name) {
  Verdict verdict = Verdict::fail;
  for (const Finding& finding : findings) {
    if (finding.name != name) {
      continue;
    }
    if (finding.verdict == Verdict::fail) {
      return Verdict::pass;
    }
    verdict = finding.verdict == Verdict::undecided ? Verdict::undecided : verdict;
  }
  return verdict;
}

std::vector<CheckJudgement> judge(const CheckRequest& request, const std::vector<Finding>& findings) {
  std::vector<CheckJudgement> judgements;
  judgements.reserve(findings.size());
  for (const Finding& finding : findings) {
    const bool broken =
        request.expect && finding.kind != FindingKind::sometimes && expected_broken(request.scenario, finding);
    judgements.push_back({.decides = decides(*request.scenario.check, finding),
                          .broken = broken,
                          .verdict = broken ? verdict_of_broken(findings, finding.name) : finding.verdict});
  }
  return judgements;
}

// Nothing that was not exhausted is called proved.
Verdict verdict_of(const CheckReport& report) {
  Verdict verdict = report.result.exhausted() ? Verdict::pass : Verdict::undecided;
  for (const CheckJudgement& judgement : report.judgements) {
    if (!judgement.decides) {
      continue;
    }
    if (judgement.verdict == Verdict::fail) {
      return Verdict::fail;
    }
    if (judgement.verdict == Verdict::undecided) {
      verdict = Verdict::undecided;
    }
  }
  return verdict;
}

// What a `properties` names must be among what the model tells.
template <class M>
std::optional<Diagnostic> unknown_property(const Scenario& scenario, const checker::Properties<M>& properties) {
  const std::vector<std::string>& wanted = scenario.check->properties;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto is_it = [&](const auto& property) { return property.name == wanted[i]; };
    if (std::ranges::none_of(properties.safety, is_it) && std::ranges::none_of(properties.liveness, is_it)) {
      return Diagnostic{scenario.file, "/check/properties/" + std::to_string(i),
                        "a check of this scope does not tell \"" + wanted[i] + "\"", "leave it out"};
    }
  }
  return std::nullopt;
}

// The figure that each wait counts for: those of a gate are named so.
std::vector<std::string> wait_figures(const checker::GateModel& /*model*/, const checker::CheckResult& result) {
  std::vector<std::string> figures;
  figures.reserve(result.waits.size());
  for (const checker::WaitFound& wait : result.waits) {
    figures.push_back(wait.name);
  }
  return figures;
}
// Those of a cluster are of each pair of a node and a tenant; what is reported is the worst of a tenant.
std::vector<std::string> wait_figures(const checker::ClusterModel& model, const checker::CheckResult& result) {
  const std::vector<NamespaceConfig>& tenants = model.scope().config.namespaces;
  std::vector<std::string> figures;
  figures.reserve(result.waits.size());
  for (std::size_t i = 0; i < result.waits.size(); ++i) {
    figures.push_back(result.waits[i].name + "/" + tenants[i % tenants.size()].name);
  }
  return figures;
}

}  // namespace

Result<CheckReport> run_check(const CheckRequest& request) {
  if (std::optional<Diagnostic> fault = why_not_checked(request.scenario)) {
    return *std::move(fault);
  }
  CheckReport report{.scenario_name = request.scenario.name,
                     .scenario_digest = request.scenario.digest,
                     .scope = scope_in_words(request.scenario)};
  return with_model(request.scenario, request.options.symmetry, [&](const auto& model) -> Result<CheckReport> {
    if (std::optional<Diagnostic> fault = unknown_property(request.scenario, model.properties())) {
      return *std::move(fault);
    }
    report.result = checker::check(model, request.options);
    report.wait_figures = wait_figures(model, report.result);
    report.judgements = judge(request, report.result.findings);
    report.verdict = verdict_of(report);
    return std::move(report);
  });
}

std::optional<std::string> draw_check(const Scenario& scenario, const checker::Options& options) {
  return with_model(scenario, options.symmetry, [&](const auto& model) { return checker::dot_of(model, options); });
}

}  // namespace headroom
