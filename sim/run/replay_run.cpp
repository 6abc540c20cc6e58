#include "sim/run/replay_run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/arithmetic.hpp"
#include "model/base/assert.hpp"
#include "model/properties/property.hpp"
#include "sim/run/check_scope.hpp"
#include "sim/run/event_digest.hpp"
#include "sim/run/recording.hpp"
#include "sim/run/replay_clients.hpp"
#include "sim/run/stopwatch.hpp"
#include "sim/run/verdict.hpp"
#include "sim/run/watch.hpp"
#include "sim/scenario/exact_number.hpp"
#include "sim/scenario/tenants.hpp"

namespace headroom {
namespace {

using checker::Claim;
using checker::ClaimKind;
using checker::ClusterModel;
using checker::GateModel;
using checker::Trace;

// How often `stop` and `progress` are asked, in steps.
constexpr std::uint64_t kStepsBetweenChecks = 4096;

// The steps of a trace in virtual time: its stem once, its loop again and again.
class Timetable {
 public:
  Timetable(const Trace& trace, Duration poll_interval)
      : trace_(trace),
        rounds_(trace.is_loop && trace.loop_steps() > 0 ? kLoopRounds : 1),
        idle_(trace.is_loop && trace.loop_steps() == 0 ? kLoopRounds : 0) {
    const auto longest = kMaxDuration / static_cast<std::int64_t>(intervals());
    interval_ = std::max(Duration::nanoseconds(1), std::min(poll_interval, longest));
  }

  [[nodiscard]] std::uint64_t steps() const {
    return trace_.steps.size() + std::uint64_t{rounds_ - 1} * trace_.loop_steps();
  }
  // Which step of the trace is the i-th, from 0.
  [[nodiscard]] std::size_t step(std::uint64_t i) const {
    return i < trace_.steps.size() ? static_cast<std::size_t>(i)
                                   : trace_.loop_begin + (i - trace_.loop_begin) % trace_.loop_steps();
  }
  [[nodiscard]] Time at(std::uint64_t i) const { return Time::at(interval_ * static_cast<std::int64_t>(i + 1)); }
  [[nodiscard]] Duration interval() const { return interval_; }
  [[nodiscard]] Duration duration() const { return interval_ * static_cast<std::int64_t>(intervals()); }
  [[nodiscard]] Duration window() const {
    return interval_ * static_cast<std::int64_t>(div_ceil(intervals(), kMostWindows));
  }

  [[nodiscard]] std::string in_words() const {
    std::string text = fmt::format("{} steps, one every {}", trace_.steps.size(), format_duration(interval_));
    if (trace_.is_loop && trace_.loop_steps() > 0) {
      text += fmt::format("; the last {} repeat for ever, and are taken {} times", trace_.loop_steps(), rounds_);
    } else if (trace_.is_loop) {
      text += fmt::format("; then nothing more needs to happen for ever, and {} intervals pass", idle_);
    }
    return text;
  }

 private:
  [[nodiscard]] std::uint64_t intervals() const { return steps() + 1 + idle_; }

  const Trace& trace_;
  std::uint32_t rounds_;
  std::uint32_t idle_;
  Duration interval_;
};

bool is_violation(ClaimKind kind) {
  switch (kind) {
    case ClaimKind::safety:
    case ClaimKind::deadlock:
    case ClaimKind::liveness:
      return true;
    case ClaimKind::extreme:
    case ClaimKind::wait:
      return false;
  }
  return false;
}

// The claim as what a run may be expected to be, with the bounds that the scenario gives it.
std::vector<Expectation> expectation_of(const Claim& claim, const Scenario& scenario) {
  if (!is_violation(claim.kind) || find_property(claim.name) == nullptr) {
    return {};
  }
  for (const Expectation& expectation : scenario.expect) {
    const auto* property = std::get_if<PropertyExpectation>(&expectation);
    if (property != nullptr && property->property == claim.name) {
      PropertyExpectation expected = *property;
      expected.broken = false;
      return {std::move(expected)};
    }
  }
  return {PropertyExpectation{.property = claim.name}};
}

// The scenario without all that decides its steps otherwise: these are the counterexample's.
Scenario scenario_of(const Replay& replay, const Timetable& timetable) {
  const Counterexample& shown = replay.counterexample;
  Scenario scenario = replay.scenario;
  const bool of_requests = scenario.check->requests_per_tenant.has_value();
  const std::string what = is_violation(shown.claim.kind) ? "counterexample of " : "way to the extreme ";
  scenario.description = fmt::format("A {}{} ({}): {}.{}{}", what, shown.claim.name, shown.shows, timetable.in_words(),
                                     scenario.description.empty() ? "" : " ", scenario.description);
  scenario.duration = timetable.duration();
  scenario.warmup = Duration::zero();
  scenario.drain = Duration::zero();
  scenario.window = timetable.window();
  scenario.swarm = false;
  scenario.latency_shifts.clear();
  scenario.faults.clear();
  scenario.expect = expectation_of(shown.claim, scenario);
  for (TenantSpec& tenant : scenario.tenants) {
    if (!of_requests) {
      tenant.requests.reset();
    } else if (!tenant.requests) {
      tenant.requests.emplace();
    }
  }
  if (!of_requests) {
    scenario.admission.reset();
  }
  return scenario;
}

// Who follows the run, and how far it has come.
class Course {
 public:
  Course(const Scenario& scenario, const std::vector<TenantInstance>& tenants, const Cluster& cluster,
         const ReplayRequest& request)
      : scenario_(scenario),
        limits_(request.limits),
        recording_(scenario, tenants, cluster, std::nullopt),
        watch_(scenario, tenants, cluster, true, request.sweeps, &recording_) {
    next_window_ = Time::at(scenario.window);
    watch_.on_phase(Phase::measurement, cluster, Time::zero());
  }

  // Moves on to the next step. False: a limit ends the run before it.
  [[nodiscard]] bool go_to(Time at, const Cluster& cluster) {
    if (limits_.until && at > *limits_.until) {
      totals_.stopped_early = "the instant that was asked for was reached";
    } else if (limits_.max_events && totals_.events >= *limits_.max_events) {
      totals_.stopped_early = "the event that was asked for was reached";
    } else if (totals_.events % kStepsBetweenChecks == kStepsBetweenChecks - 1) {
      if (limits_.progress) {
        limits_.progress(now_, totals_.events);
      }
      totals_.stopped_early = limits_.stop ? limits_.stop().value_or("") : "";
    }
    if (!totals_.stopped_early.empty()) {
      return false;
    }
    close_windows(at, cluster);
    now_ = at;
    return true;
  }
  void follow(const Cluster& cluster, std::span<const Effect> effects) {
    for (const Effect& effect : effects) {
      totals_.event_digest = digest_with(totals_.event_digest, effect, now_);
    }
    watch_.on_step(cluster, effects, now_);
  }
  void tell(const ClientEvent& event) { watch_.on_client(event, now_); }
  void count_step() { ++totals_.events; }

  void end(const Cluster& cluster) {
    const Time end = Time::at(scenario_.duration);
    if (totals_.stopped_early.empty() && limits_.until && end > *limits_.until) {
      totals_.stopped_early = "the instant that was asked for was reached";
    }
    if (totals_.stopped_early.empty()) {
      close_windows(end, cluster);
      now_ = end;
      watch_.on_phase(Phase::drain, cluster, now_);
    }
    totals_.ended = now_;
    watch_.on_end(cluster, now_);
  }

  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] const RunTotals& totals() const { return totals_; }
  [[nodiscard]] Watch& watch() { return watch_; }
  [[nodiscard]] Recording& recording() { return recording_; }

 private:
  // They end before anything else that happens at their instant, as in the simulator.
  void close_windows(Time until, const Cluster& cluster) {
    for (; next_window_ <= until; next_window_ = next_window_ + scenario_.window) {
      now_ = next_window_;
      watch_.on_window(cluster, now_);
    }
  }

  const Scenario& scenario_;
  const RunLimits& limits_;
  Recording recording_;
  Watch watch_;
  RunTotals totals_;
  Time now_;
  Time next_window_;
};

struct Driven {
  RunResult result;
  RunTotals totals;
};

struct Plan {
  const Scenario& scenario;
  const std::vector<TenantInstance>& tenants;
  const Timetable& timetable;
  const ReplayRequest& request;
  [[nodiscard]] const Trace& trace() const { return request.replay.counterexample.trace; }
};

Driven finish(Course& course, const Cluster& cluster, const Plan& plan, std::vector<Mark> marks) {
  course.end(cluster);
  RunResult result = result_of(plan.scenario, plan.scenario.seed, course.totals(), course.watch());
  result.command = plan.request.command;
  course.recording().take(result);
  judge(plan.scenario, course.watch(), result);
  result.marks = std::move(marks);
  return {std::move(result), course.totals()};
}

// A page with more of them cannot be read.
void mark(std::vector<Mark>& marks, bool is_fault, const std::string& what, Time at) {
  constexpr std::size_t most_marks = 500;
  if (is_fault && marks.size() < most_marks) {
    marks.push_back({Mark::Kind::fault, at, at, what});
  }
}

// Takes the steps one after another, each by take(action), as the actions that the model has enabled in
// `state`, which these change. Gives the marks of what goes wrong.
template <class M, class Take>
std::vector<Mark> take_steps(const M& model, const typename M::State& state, const Cluster& cluster, const Plan& plan,
                             Course& course, Take take) {
  std::vector<Mark> marks;
  std::vector<typename M::Action> actions;
  for (std::uint64_t i = 0; i < plan.timetable.steps() && course.go_to(plan.timetable.at(i), cluster); ++i) {
    const checker::TraceStep& step = plan.trace().steps[plan.timetable.step(i)];
    actions.clear();
    model.enabled(state, actions);
    HEADROOM_ASSERT(step.choice < actions.size(), "step {} was confirmed, and cannot be taken", i + 1);
    const typename M::Action action = actions[step.choice];
    mark(marks, model.is_fault(action), step.action, course.now());
    take(action);
    HEADROOM_ASSERT(checker::text_of(model.facts(state)) == step.state, "step {} leads elsewhere than the check's",
                    i + 1);
    course.count_step();
  }
  return marks;
}

Driven drive(const ClusterModel& model, const Plan& plan) {
  checker::ClusterState state = model.without_rows();
  Course course(plan.scenario, plan.tenants, state.cluster, plan.request);
  const auto follow = [&](const Cluster& cluster, std::span<const Effect> effects) { course.follow(cluster, effects); };
  Effects effects;
  model.append_rows(state, effects, {Time::zero(), follow});
  std::vector<Mark> marks = take_steps(
      model, state, state.cluster, plan, course,
      [&](const checker::ClusterAction& action) { model.step(state, action, effects, {course.now(), follow}); });
  return finish(course, state.cluster, plan, std::move(marks));
}

// The model's fleet, which is restored in every step, beside the cluster's, which just goes on.
Driven drive(const GateModel& model, const Plan& plan) {
  Cluster cluster(model.scope().config);
  Course course(plan.scenario, plan.tenants, cluster, plan.request);
  ReplayClients clients([&](const ClientEvent& event) { course.tell(event); });
  GateModel::State state = model.initial_states()[plan.trace().initial_choice];
  GateModel::Effects of_model;
  FleetContents contents;
  std::vector<RequestId> places = read_contents(*cluster.api(), contents);
  Effects effects;
  std::vector<Mark> marks = take_steps(model, state, cluster, plan, course, [&](const GateModel::Action& action) {
    effects.clear();
    cluster.step(model.step_of(state, action, places, *cluster.api()), course.now(), effects);
    clients.before(action);
    course.follow(cluster, effects);
    clients.after(effects, course.now());
    model.step(state, action, of_model);
    places = read_contents(*cluster.api(), contents);
    HEADROOM_ASSERT(contents == state.fleet, "the cluster went elsewhere than the check's model");
  });
  return finish(course, cluster, plan, std::move(marks));
}

// The check's word, where a run cannot see what it saw.
void judge_by_the_check(const Counterexample& shown, RunResult& result) {
  if (!is_violation(shown.claim.kind) || result.verdict == Verdict::fail || !result.stopped_early.empty()) {
    return;
  }
  const std::string by_the_check = "by the check, in these steps: " + shown.shows;
  if (result.expectations.empty()) {
    result.expectations.push_back({.name = shown.claim.name, .kind = JudgementKind::property});
    result.expectations.back().reason = by_the_check;
  } else {
    std::string& reason = result.expectations.back().reason;
    reason = by_the_check + "; in this run alone: " + reason;
  }
  result.expectations.back().verdict = Verdict::fail;
  result.verdict = Verdict::fail;
}

}  // namespace

RunReport run_counterexample(const ReplayRequest& request) {
  HEADROOM_ASSERT(request.replay.confirmed, "steps that nobody confirmed");
  Stopwatch stopwatch;
  const Counterexample& shown = request.replay.counterexample;
  const Timetable timetable(shown.trace, request.replay.scenario.cluster.poll_interval);
  const Scenario scenario = scenario_of(request.replay, timetable);
  const std::vector<TenantInstance> tenants = expand_tenants(scenario.tenants);
  const ScopedFaultContext context([&] { return "reproduce with: " + request.command; });
  Driven driven = with_model(request.replay.scenario, true,
                             [&](const auto& model) { return drive(model, {scenario, tenants, timetable, request}); });
  RunReport report{.result = std::move(driven.result), .timing = {}};
  judge_by_the_check(shown, report.result);
  report.timing.simulate_seconds = stopwatch.lap();
  report.timing.phases.emplace_back("replay", report.timing.simulate_seconds);
  complete_timing(report.timing, driven.totals);
  return report;
}

}  // namespace headroom
