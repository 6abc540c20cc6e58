// The figures of a run against a computation of its own from the list of all its events. That has none of the
// recorder's code: it keeps every effect of every step, and adds up afterwards.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/run/simulation.hpp"
#include "sim/run/watch.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

namespace {

using Nanoseconds = std::int64_t;

struct Event {
  Nanoseconds at = 0;
  Effect effect;
};
struct ClientSaw {
  Nanoseconds at = 0;
  ClientEvent event;
};

class EventList final : public RunObserver {
 public:
  void on_step(const Cluster& /*cluster*/, std::span<const Effect> effects, Time at) override {
    for (const Effect& effect : effects) {
      events.push_back({at.nanoseconds(), effect});
    }
  }
  void on_client(const ClientEvent& event, Time at) override { clients.push_back({at.nanoseconds(), event}); }
  std::vector<Event> events;
  std::vector<ClientSaw> clients;
};

struct Run {
  Scenario scenario;
  std::vector<TenantInstance> tenants;
  EventList list;
  RunResult result;
  Nanoseconds from = 0;  // of the measured part
  Nanoseconds until = 0;
};

Run run_of(const std::string& name, const std::vector<std::string>& overrides) {
  const char* source = std::getenv("HEADROOM_SOURCE_DIR");
  REQUIRE(source != nullptr);
  Result<Scenario> read = read_scenario(std::string(source) + "/scenarios/" + name + ".json", overrides);
  REQUIRE(read);
  Run run{.scenario = std::move(read.value())};
  Simulation simulation(run.scenario, run.scenario.seed);
  Watch watch(run.scenario, simulation, true, nullptr);
  simulation.observe(watch);
  simulation.observe(run.list);
  simulation.run({});
  run.tenants = simulation.tenants();
  run.result = watch.recorder().take_result();
  run.from = run.scenario.warmup.count();
  run.until = run.scenario.duration.count();
  return run;
}

// Members of the tenant or group of this name.
std::set<std::uint32_t> members_of(const Run& run, const std::string& name) {
  std::set<std::uint32_t> members;
  for (std::uint32_t i = 0; i < run.tenants.size(); ++i) {
    if (run.scenario.tenants[run.tenants[i].spec_index].name == name) {
      members.insert(i);
    }
  }
  return members;
}

// The part of [a, b] within the measured part.
Nanoseconds clipped(const Run& run, Nanoseconds a, Nanoseconds b) {
  return std::max<Nanoseconds>(0, std::min(b, run.until) - std::max(a, run.from));
}

// What of the list concerns some tenants, added up.
struct Figures {
  std::map<EffectKind, std::uint64_t> before_end;  // of this kind, before the end of the measured part
  std::map<EffectKind, std::uint64_t> measured;
  std::uint64_t there_at_beginning = 0;
  std::vector<Nanoseconds> waits;
  std::vector<Nanoseconds> claim_waits;
  std::vector<Nanoseconds> sojourns;
  Int128 executing = 0;
  Int128 in_system = 0;
};

bool is_final(const Effect& effect) {
  return (effect.kind == EffectKind::recorded && effect.detail == 0) || effect.kind == EffectKind::dead_lettered ||
         effect.kind == EffectKind::cancelled;
}

Figures add_up(const Run& run, const std::set<std::uint32_t>& members) {
  Figures figures;
  std::map<std::uint64_t, Nanoseconds> appended;  // by key, rows in the system
  std::map<std::uint64_t, Nanoseconds> due;
  std::map<std::uint64_t, Nanoseconds> claimed;
  struct Execution {
    Nanoseconds started = 0;
    Nanoseconds due = 0;
  };
  std::map<std::uint32_t, Execution> running;
  for (const auto& [at, effect] : run.list.events) {
    if (effect.name.is_none() || !members.contains(effect.name.value())) {
      continue;
    }
    const std::uint64_t key = effect.key.word();
    const bool measured = at >= run.from && at < run.until;
    if (at < run.until && !(effect.kind == EffectKind::recorded && effect.detail != 0)) {
      ++figures.before_end[effect.kind];
      figures.measured[effect.kind] += measured ? 1 : 0;
    }
    if (effect.kind == EffectKind::appended) {
      appended[key] = at;
      figures.there_at_beginning += at < run.from ? 1 : 0;
    } else if (effect.kind == EffectKind::became_due) {
      due[key] = at;
    } else if (effect.kind == EffectKind::claimed) {
      claimed[key] = at;
    } else if (effect.kind == EffectKind::started) {
      running[effect.execution.value()] = {at, due[key]};
      if (measured && effect.live) {
        figures.waits.push_back(at - due[key]);
        figures.claim_waits.push_back(claimed[key] - due[key]);
      }
    } else if (effect.kind == EffectKind::finished || effect.kind == EffectKind::execution_died) {
      const Execution execution = running[effect.execution.value()];
      running.erase(effect.execution.value());
      figures.executing += clipped(run, execution.started, at);
      if (measured && effect.kind == EffectKind::finished) {
        figures.sojourns.push_back(at - execution.due);
      }
    }
    if (is_final(effect)) {
      figures.in_system += clipped(run, appended[key], at);
      figures.there_at_beginning -= at < run.from ? 1 : 0;
      appended.erase(key);
    }
  }
  for (const auto& [execution, since] : running) {
    figures.executing += clipped(run, since.started, run.until);
  }
  for (const auto& [key, since] : appended) {
    figures.in_system += clipped(run, since, run.until);
  }
  return figures;
}

Nanoseconds of_rank(const std::vector<Nanoseconds>& sorted, std::size_t percent) {
  return sorted[(sorted.size() * percent + 99) / 100 - 1];
}

void check_distribution(const char* what, std::vector<Nanoseconds> samples, const DistributionSummary& reported) {
  INFO(what);
  REQUIRE(reported.count == samples.size());
  if (samples.empty()) {
    return;
  }
  std::ranges::sort(samples);
  Int128 sum = 0;
  for (const Nanoseconds sample : samples) {
    sum += sample;
  }
  CHECK((reported.sum == sum));
  CHECK(reported.max == samples.back());
  for (const auto& [percent, value] :
       {std::pair(50, reported.p50), std::pair(90, reported.p90), std::pair(99, reported.p99)}) {
    const Nanoseconds exact = of_rank(samples, static_cast<std::size_t>(percent));
    INFO("p" << percent << ": " << value << ", exactly " << exact);
    CHECK(std::abs(static_cast<double>(value - exact)) <= 0.01 * static_cast<double>(exact));
  }
}

void check_tenant(const Run& run, const std::string& name, const TenantFigures& reported) {
  INFO(name);
  Figures own = add_up(run, members_of(run, name));
  CHECK(reported.appended == own.before_end[EffectKind::appended]);
  CHECK(reported.claimed == own.before_end[EffectKind::claimed]);
  CHECK(reported.completed == own.before_end[EffectKind::recorded]);
  CHECK(reported.failed == own.before_end[EffectKind::dead_lettered]);
  CHECK(reported.cancelled == own.before_end[EffectKind::cancelled]);
  CHECK(reported.retries == own.before_end[EffectKind::retried]);
  CHECK(reported.rearmed == own.before_end[EffectKind::rearmed]);
  CHECK(reported.demand == own.there_at_beginning + own.measured[EffectKind::appended]);
  CHECK(reported.served == own.measured[EffectKind::recorded]);
  check_distribution("wait", own.waits, reported.wait);
  check_distribution("claim_wait", own.claim_waits, reported.claim_wait);
  check_distribution("sojourn", own.sojourns, reported.sojourn);
  CHECK((reported.executing_time == own.executing));
  Int128 causes = 0;
  for (const auto& [cause, time] : reported.wait_causes) {
    causes += time;
  }
  CHECK((causes == own.in_system));
  if (own.in_system > 0) {
    CHECK(reported.littles_residual == 0.0);
  }
}

// Executing rows with a live fence against the quota of one tenant, nanosecond by nanosecond as far as they change.
QuotaExcess executing_excess(const Run& run, std::uint32_t tenant) {
  std::int64_t quota = run.scenario.tenants[run.tenants[tenant].spec_index].quota;
  std::set<std::uint64_t> executing;
  QuotaExcess excess;
  Nanoseconds since = 0;
  for (std::size_t i = 0; i < run.list.events.size(); ++i) {
    const auto& [at, effect] = run.list.events[i];
    const std::int64_t over = std::max<std::int64_t>(0, static_cast<std::int64_t>(executing.size()) - quota);
    const Nanoseconds lasted = clipped(run, since, at);
    excess.time_over += Duration::nanoseconds(over > 0 ? lasted : 0);
    excess.over_integral += Int128{over} * lasted;
    excess.peak_executing_over = lasted > 0 ? std::max(excess.peak_executing_over, over) : excess.peak_executing_over;
    since = at;
    if (effect.name.is_none() || effect.name.value() != tenant) {
      continue;
    }
    if (effect.kind == EffectKind::started && effect.live) {
      executing.insert(effect.key.word());
    } else if (is_final(effect) || effect.kind == EffectKind::retried || effect.kind == EffectKind::rearmed ||
               effect.kind == EffectKind::execution_died || effect.kind == EffectKind::released) {
      executing.erase(effect.key.word());
    } else if (effect.kind == EffectKind::quota_changed) {
      quota = effect.value;
    }
  }
  return excess;
}

void check_quotas(const Run& run) {
  QuotaExcess worst;
  for (std::uint32_t tenant = 0; tenant < run.tenants.size(); ++tenant) {
    const QuotaExcess own = executing_excess(run, tenant);
    worst.time_over = std::max(worst.time_over, own.time_over);
    worst.over_integral = std::max(worst.over_integral, own.over_integral);
    worst.peak_executing_over = std::max(worst.peak_executing_over, own.peak_executing_over);
  }
  CHECK(run.result.cluster.quota.time_over == worst.time_over);
  CHECK((run.result.cluster.quota.over_integral == worst.over_integral));
  // Rows that execute for no time at all count towards the reported peak.
  CHECK(run.result.cluster.quota.peak_executing_over >= worst.peak_executing_over);
}

double jain(const std::vector<double>& figures) {
  double sum = 0;
  double squares = 0;
  for (const double figure : figures) {
    sum += figure;
    squares += figure * figure;
  }
  return sum * sum / (static_cast<double>(figures.size()) * squares);
}

struct Fairness {
  std::optional<double> index;
  std::optional<double> worst;
};

// A tenant is backlogged in a window when it was active at every sweep planned in it; `amounts`: served, by window and
// tenant.
Fairness fairness(const Run& run, const std::map<Nanoseconds, std::map<std::uint32_t, double>>& amounts) {
  std::map<Nanoseconds, std::set<std::uint32_t>> backlogged;  // by window; absent: no sweep in it
  std::set<std::pair<std::uint16_t, std::uint32_t>> active;
  const Nanoseconds window = run.scenario.window.count();
  for (const auto& [at, effect] : run.list.events) {
    if (effect.kind == EffectKind::became_active) {
      active.insert({effect.node.value(), effect.name.value()});
    } else if (effect.kind == EffectKind::became_inactive) {
      active.erase({effect.node.value(), effect.name.value()});
    } else if (effect.kind == EffectKind::sweep_planned) {
      std::set<std::uint32_t> now;
      for (const auto& [node, name] : active) {
        if (node == effect.node.value()) {
          now.insert(name);
        }
      }
      const auto [entry, first] = backlogged.insert({at / window, now});
      if (!first) {
        std::erase_if(entry->second, [&](std::uint32_t name) { return !now.contains(name); });
      }
    }
  }
  Fairness result;
  std::map<std::uint32_t, std::pair<double, double>> totals;  // served, entitled
  for (const auto& [number, names] : backlogged) {
    if (names.size() < 2 || number * window < run.from || (number + 1) * window > run.until) {
      continue;
    }
    double served = 0;
    double weight = 0;
    std::vector<double> normalised;
    const auto amount = [&](std::uint32_t name) {
      const auto found = amounts.find(number);
      return found == amounts.end() || !found->second.contains(name) ? 0 : found->second.at(name);
    };
    const auto weight_of = [&](std::uint32_t name) {
      return static_cast<double>(run.scenario.tenants[run.tenants[name].spec_index].weight);
    };
    for (const std::uint32_t name : names) {
      served += amount(name);
      weight += weight_of(name);
      normalised.push_back(amount(name) / weight_of(name));
    }
    if (served == 0) {
      continue;
    }
    result.worst = std::min(result.worst.value_or(1), jain(normalised));
    for (const std::uint32_t name : names) {
      totals[name].first += amount(name);
      totals[name].second += served * weight_of(name) / weight;
    }
  }
  std::vector<double> satisfaction;
  for (const auto& [name, total] : totals) {
    satisfaction.push_back(total.first / total.second);
  }
  if (!satisfaction.empty()) {
    result.index = jain(satisfaction);
  }
  return result;
}

void check_index(const std::optional<double>& reported, const std::optional<double>& own) {
  REQUIRE(reported.has_value() == own.has_value());
  if (own) {
    CHECK(*reported == Approx(*own).epsilon(1e-9));
  }
}

void check_fairness(const Run& run) {
  const Nanoseconds window = run.scenario.window.count();
  std::map<Nanoseconds, std::map<std::uint32_t, double>> rows;
  std::map<Nanoseconds, std::map<std::uint32_t, double>> times;
  std::map<std::uint32_t, Nanoseconds> started;
  const auto add_time = [&](std::uint32_t name, Nanoseconds a, Nanoseconds b) {
    for (Nanoseconds number = a / window; number <= b / window; ++number) {
      times[number][name] += static_cast<double>(std::min(b, (number + 1) * window) - std::max(a, number * window));
    }
  };
  for (const auto& [at, effect] : run.list.events) {
    if (effect.kind == EffectKind::claimed) {
      ++rows[at / window][effect.name.value()];
    } else if (effect.kind == EffectKind::started) {
      started[effect.execution.value()] = at;
    } else if (effect.kind == EffectKind::finished || effect.kind == EffectKind::execution_died) {
      add_time(effect.name.value(), started[effect.execution.value()], at);
    }
  }
  const Fairness in_rows = fairness(run, rows);
  const Fairness in_time = fairness(run, times);
  check_index(run.result.cluster.jain_index, in_rows.index);
  check_index(run.result.cluster.jain_worst_window, in_rows.worst);
  check_index(run.result.cluster.executing_jain_index, in_time.index);
  check_index(run.result.cluster.executing_jain_worst_window, in_time.worst);
}

void check_gate(const Run& run, const std::string& name, const GateFigures& reported) {
  INFO(name);
  const std::set<std::uint32_t> members = members_of(run, name);
  std::map<std::uint32_t, Nanoseconds> arrived;  // by request
  std::map<std::uint32_t, Nanoseconds> admitted;
  GateCounts own;
  std::uint64_t gone = 0;
  std::uint64_t finished = 0;
  std::map<std::string, std::uint64_t> by_reason;
  std::vector<Nanoseconds> waits;
  std::vector<Nanoseconds> handling;
  Int128 inside = 0;
  for (const auto& [at, effect] : run.list.events) {
    if (at >= run.until || effect.name.is_none() || !members.contains(effect.name.value())) {
      continue;
    }
    const std::uint32_t request = effect.request.value();
    const bool measured = at >= run.from;
    if (effect.kind == EffectKind::request_queued) {
      ++own.arrived;
      arrived[request] = at;
    } else if (effect.kind == EffectKind::request_admitted) {
      ++own.admitted;
      own.arrived += effect.live ? 1 : 0;
      admitted[request] = at;
      if (measured) {
        waits.push_back(effect.live ? 0 : at - arrived[request]);
      }
    } else if (effect.kind == EffectKind::request_refused) {
      own.arrived += effect.live ? 0 : 1;
      ++(of_tenant(static_cast<Refusal>(effect.detail)) ? own.rejected_429 : own.rejected_503);
      ++by_reason[std::string(name_of(static_cast<Refusal>(effect.detail)))];
    } else if (effect.kind == EffectKind::request_gone) {
      ++gone;
    } else if (effect.kind == EffectKind::request_finished) {
      ++finished;
      inside += clipped(run, admitted[request], at);
      if (measured) {
        handling.push_back(at - admitted[request]);
      }
      admitted.erase(request);
    }
  }
  for (const auto& [request, since] : admitted) {
    inside += clipped(run, since, run.until);
  }
  std::map<ClientEvent::Kind, std::uint64_t> seen;
  for (const auto& [at, event] : run.list.clients) {
    seen[event.kind] += at < run.until && members.contains(event.tenant.value()) ? 1 : 0;
  }
  using Kind = ClientEvent::Kind;
  CHECK(reported.counts.arrived == own.arrived);
  CHECK(reported.counts.admitted == own.admitted);
  CHECK(reported.counts.rejected_429 == own.rejected_429);
  CHECK(reported.counts.rejected_503 == own.rejected_503);
  CHECK(reported.counts.goodput == seen[Kind::answered]);
  CHECK(reported.gone == gone);
  CHECK(reported.finished == finished);
  CHECK(reported.dead_work == seen[Kind::dead_answer]);
  for (const auto& [reason, times] : reported.rejected_by) {
    CHECK(times == by_reason[reason]);
  }
  if (seen[Kind::called] > 0) {
    CHECK(*reported.amplification == Approx(static_cast<double>(seen[Kind::called] + seen[Kind::retried]) /
                                            static_cast<double>(seen[Kind::called])));
  }
  check_distribution("gate wait", waits, reported.wait);
  check_distribution("handling", handling, reported.handling);
  CHECK(reported.mean_inflight == Approx(static_cast<double>(inside) / static_cast<double>(run.until - run.from)));
}

void check_nodes(const Run& run) {
  std::map<std::uint32_t, std::pair<std::uint16_t, Nanoseconds>> running;
  std::map<std::uint16_t, Int128> busy;
  for (const auto& [at, effect] : run.list.events) {
    if (effect.kind == EffectKind::started) {
      running[effect.execution.value()] = {effect.node.value(), at};
    } else if (effect.kind == EffectKind::finished || effect.kind == EffectKind::execution_died) {
      const auto [node, since] = running[effect.execution.value()];
      busy[node] += clipped(run, since, at);
      running.erase(effect.execution.value());
    }
  }
  Int128 all = 0;
  for (std::uint16_t node = 0; node < run.result.nodes.size(); ++node) {
    for (const auto& [execution, place] : running) {
      busy[node] += place.first == node ? clipped(run, place.second, run.until) : 0;
    }
    CHECK((run.result.nodes[node].busy_time == busy[node]));
    all += busy[node];
  }
  if (run.scenario.cluster.workers) {
    const double offered = static_cast<double>(run.until - run.from) * *run.scenario.cluster.workers *
                           static_cast<double>(run.result.nodes.size());
    CHECK(*run.result.cluster.utilisation == Approx(static_cast<double>(all) / offered));
  }
}

void check_shares(const Run& run) {
  double served = 0;
  double executing = 0;
  std::map<std::string, std::uint64_t> demand;
  for (const TenantSpec& tenant : run.scenario.tenants) {
    Figures own = add_up(run, members_of(run, tenant.name));
    served += static_cast<double>(own.measured[EffectKind::recorded]);
    executing += static_cast<double>(own.executing);
  }
  const auto check = [&](const TenantFigures& figures) {
    if (served > 0) {
      CHECK(*figures.share == Approx(static_cast<double>(figures.served) / served));
      CHECK(*figures.executing_share == Approx(static_cast<double>(figures.executing_time) / executing));
    }
  };
  for (const TenantResult& tenant : run.result.tenants) {
    check(tenant.figures);
  }
  for (const GroupResult& group : run.result.groups) {
    check(group.pooled);
  }
}

// Each member of a group by itself, each counted once.
void check_spreads(const Run& run, const GroupResult& group) {
  std::vector<Nanoseconds> completed;
  std::vector<Nanoseconds> p99;
  for (const std::uint32_t member : members_of(run, group.name)) {
    Figures own = add_up(run, {member});
    completed.push_back(static_cast<Nanoseconds>(own.before_end[EffectKind::recorded]));
    if (!own.waits.empty()) {
      std::ranges::sort(own.waits);
      p99.push_back(of_rank(own.waits, 99));
    }
  }
  std::ranges::sort(completed);
  std::ranges::sort(p99);
  CHECK((group.across_members.completed ==
         Spread{completed.front(), of_rank(completed, 50), of_rank(completed, 99), completed.back()}));
  // Fewer samples than a histogram keeps as they are: exact.
  CHECK((group.across_members.wait_p99 == Spread{p99.front(), of_rank(p99, 50), of_rank(p99, 99), p99.back()}));
}

void check_run(const Run& run) {
  for (const TenantResult& tenant : run.result.tenants) {
    check_tenant(run, tenant.name, tenant.figures);
    if (tenant.figures.gate) {
      check_gate(run, tenant.name, *tenant.figures.gate);
    }
  }
  for (const GroupResult& group : run.result.groups) {
    check_tenant(run, group.name, group.pooled);
  }
  check_nodes(run);
  check_shares(run);
  check_quotas(run);
  check_fairness(run);
}

}  // namespace

TEST_CASE("figures of a run with gates, a burst and a handoff are those of its event list") {
  check_run(run_of("bursty_tenant", {"/duration=14s", "/warmup=2500ms", "/latency_shifts/0/at=6s",
                                     "/latency_shifts/0/for=3s", "/faults/0/at=8s"}));
  check_run(run_of("bursty_tenant", {"/duration=10s", "/warmup=2s", "/latency_shifts/0/at=6s",
                                     "/latency_shifts/0/for=3s", "/faults/0/at=8s", "/backpressure/planner=unscoped"}));
}

TEST_CASE("figures of a run with every fault are those of its event list") {
  for (const std::string seed : {"1", "2", "3"}) {
    INFO("seed " << seed);
    check_run(run_of("cases/everything_at_once", {"/seed=" + seed, "/warmup=3s"}));
  }
}

TEST_CASE("figures of a crash and an adoption are those of its event list") {
  check_run(run_of("crash_and_adopt", {}));
}

TEST_CASE("figures of quotas that change and are passed are those of its event list") {
  check_run(run_of("cases/quota_goes_down_up_and_to_zero", {}));
  check_run(run_of("cases/shards_move_owned_shards_immediate", {"/warmup=1s"}));
}

TEST_CASE("figures of weighted tenants in backlog are those of its event list") {
  check_run(run_of("cases/weights_in_proportion", {}));
}

TEST_CASE("figures of a group and their spread over its members are those of its event list") {
  const Run run = run_of("ten_thousand_tenants", {"/duration=3s", "/warmup=1s", "/tenants/0/count=40"});
  REQUIRE(run.result.groups.size() == 1);
  check_run(run);
  check_spreads(run, run.result.groups[0]);
}
