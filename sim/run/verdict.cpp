#include "sim/run/verdict.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "reports/render/json.hpp"

namespace headroom {
namespace {

Figure figure(const std::optional<double>& value) {
  return value ? Figure(*value) : Figure();
}

Judgement judge_property(const Property& property, bool broken, bool complete) {
  const PropertyOutcome outcome = property.outcome();
  Judgement judgement{.name = std::string(property.name()), .kind = JudgementKind::property, .broken = broken};
  judgement.value = figure(outcome.value);
  // A bound of an index is a least value, every other one a greatest.
  (property.name() == "fairness" ? judgement.at_least : judgement.at_most) = figure(outcome.bound);
  judgement.reason =
      complete || outcome.held == Held::no ? outcome.reason : "the run was ended early; so far: " + outcome.reason;
  if (outcome.violations > 1) {
    judgement.reason += fmt::format(" (the first of {})", outcome.violations);
  }
  if (outcome.at) {
    judgement.reason += fmt::format(" [at {} ms]", static_cast<double>(outcome.at->nanoseconds()) / 1e6);
  }
  if (outcome.held == Held::no) {
    judgement.verdict = broken ? Verdict::pass : Verdict::fail;
  } else if (outcome.held == Held::undefined || !complete) {
    judgement.verdict = Verdict::undecided;
  } else {
    judgement.verdict = broken ? Verdict::fail : Verdict::pass;
  }
  return judgement;
}

Judgement judge_metric(const MetricExpectation& expectation, const MetricValue& found, bool complete) {
  Judgement judgement{.name = expectation.metric, .kind = JudgementKind::metric};
  judgement.at_least = figure(expectation.at_least);
  judgement.at_most = figure(expectation.at_most);
  if (!found.value || !complete) {
    judgement.verdict = Verdict::undecided;
    judgement.reason = !found.exists  ? "there is no such figure in the result"
                       : !found.value ? "the figure does not exist in this run: no sample, or undefined"
                                      : "the run was ended early";
    return judgement;
  }
  judgement.value = *found.value;
  const bool holds = (!expectation.at_least || *found.value >= *expectation.at_least) &&
                     (!expectation.at_most || *found.value <= *expectation.at_most);
  judgement.verdict = holds ? Verdict::pass : Verdict::fail;
  judgement.reason = fmt::format("{}", *found.value);
  if (expectation.at_least) {
    judgement.reason += fmt::format(", at least {}", *expectation.at_least);
  }
  if (expectation.at_most) {
    judgement.reason += fmt::format(", at most {}", *expectation.at_most);
  }
  return judgement;
}

Judgement judge_goal(const SometimesExpectation& expectation, const RunResult& result, bool complete) {
  const auto found = result.reached.find(expectation.goal);
  const std::uint64_t times = found == result.reached.end() ? 0 : found->second;
  Judgement judgement{.name = expectation.goal, .kind = JudgementKind::sometimes};
  judgement.value = static_cast<std::int64_t>(times);
  judgement.verdict = times > 0 ? Verdict::pass : complete ? Verdict::fail : Verdict::undecided;
  judgement.reason = times > 0 ? fmt::format("reached {} times", times) : "never reached";
  return judgement;
}

Judgement not_evaluated(const PropertyExpectation& expectation) {
  return {.name = expectation.property,
          .kind = JudgementKind::property,
          .verdict = Verdict::undecided,
          .broken = expectation.broken,
          .reason = "properties were not evaluated"};
}

}  // namespace

void judge(const Scenario& scenario, const Watch& watch, RunResult& result) {
  const bool complete = result.stopped_early.empty();
  std::vector<std::string> pointers;
  for (const Expectation& expectation : scenario.expect) {
    if (const auto* metric = std::get_if<MetricExpectation>(&expectation)) {
      pointers.push_back(metric->metric);
    }
  }
  const std::vector<MetricValue> values = metric_values(result, pointers);
  std::size_t next_value = 0;
  for (std::size_t i = 0; i < scenario.expect.size(); ++i) {
    if (const auto* property = std::get_if<PropertyExpectation>(&scenario.expect[i])) {
      result.expectations.push_back(watch.expected(i) == nullptr
                                        ? not_evaluated(*property)
                                        : judge_property(*watch.expected(i), property->broken, complete));
    } else if (const auto* metric = std::get_if<MetricExpectation>(&scenario.expect[i])) {
      result.expectations.push_back(judge_metric(*metric, values[next_value++], complete));
    } else {
      result.expectations.push_back(judge_goal(std::get<SometimesExpectation>(scenario.expect[i]), result, complete));
    }
  }
  for (const Property* property : watch.others()) {
    result.information.push_back(judge_property(*property, false, complete));
  }
  const auto any = [&](Verdict verdict) {
    return std::ranges::find(result.expectations, verdict, &Judgement::verdict) != result.expectations.end();
  };
  result.verdict = any(Verdict::fail)                     ? Verdict::fail
                   : any(Verdict::undecided) || !complete ? Verdict::undecided
                                                          : Verdict::pass;
}

}  // namespace headroom
