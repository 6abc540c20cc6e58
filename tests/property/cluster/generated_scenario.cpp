#include "tests/property/cluster/generated_scenario.hpp"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <ostream>

namespace headroom::test {

int any(int least, int most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}

namespace {

std::string one_of(const std::vector<std::string>& choices) {
  return choices[static_cast<std::size_t>(any(0, static_cast<int>(choices.size()) - 1))];
}

// ---- load

std::string any_schedule() {
  std::vector<std::string> entries;
  for (int i = any(1, 3); i > 0; --i) {
    entries.push_back(fmt::format(R"({{"at": "{}ms", "n": {}}})", any(0, 900), any(1, 20)));
  }
  return fmt::format(R"({{"kind": "schedule", "at": [{}]}})", fmt::join(entries, ", "));
}

std::string any_arrivals(bool of_rows) {
  switch (any(0, of_rows ? 4 : 3)) {
    case 0:
      return any_schedule();
    case 1:
      return fmt::format(R"({{"kind": "poisson", "rate": "{}/s"}})", any(1, 200));
    case 2:
      return fmt::format(
          R"({{"kind": "closed_loop", "clients": {}, "think": {{"kind": "exponential", "mean": "20ms"}}}})", any(1, 8));
    case 3:
      return R"({"kind": "on_off", "rate_on": "400/s", "rate_off": "2/s", "mean_on": "100ms", "mean_off": "200ms"})";
    default:
      return fmt::format(R"({{"kind": "backlog", "n": {}}})", any(1, 20));
  }
}

std::string any_service() {
  return one_of({R"({"kind": "constant", "value": "10ms"})", R"({"kind": "exponential", "mean": "20ms"})",
                 R"({"kind": "uniform", "low": "0ms", "high": "60ms"})", R"({"kind": "constant", "value": "200ms"})"});
}

std::string any_client() {
  const std::string retry =
      one_of({R"({"kind": "none"})", R"({"kind": "fixed", "delay": "30ms", "attempts": 2})",
              R"({"kind": "exponential", "delay": "10ms", "jitter": "full", "attempts": 4})",
              R"({"kind": "fixed", "delay": "5ms", "attempts": 3, "honour_retry_after": false})"});
  const std::string stays = one_of({"", R"(, "timeout": "80ms")", R"(, "timeout": "30ms", "on_timeout": "silent")",
                                    R"(, "patience": {"kind": "exponential", "mean": "100ms"})"});
  return fmt::format(R"({{"retry": {}{}}})", retry, stays);
}

DraftTenant any_tenant() {
  DraftTenant tenant;
  tenant.terms =
      fmt::format(R"("quota": {}, "weight": {}, "routes": [{}])", one_of({"1", "2", "3", "5", "8", "1000", "0"}),
                  any(1, 4), one_of({R"("q")", R"("q", "r", "s")", R"("q", {"queue": "q", "worker_pool": "p"})"}));
  tenant.rows =
      fmt::format(R"("arrivals": {}, "service": {}, "failure": {}, "workflows": {}, "visible_after": "{}ms"{})",
                  any_arrivals(true), any_service(), one_of({"0", "0.1", "0.5"}), any(1, 4), one_of({"0", "30"}),
                  one_of({"", R"(, "visible_jitter": {"kind": "exponential", "mean": "20ms"})"}));
  if (any(0, 3) != 0) {
    tenant.requests = fmt::format(R"("arrivals": {}, "service": {}, "failure": {}, "fan_out": {}, "client": {})",
                                  any_arrivals(false), any_service(), one_of({"0", "0.2"}), any(0, 3), any_client());
  }
  tenant.uses_pool = any(0, 2) == 2;
  return tenant;
}

// ---- the HTTP side

void add_gate(DraftScenario& draft) {
  draft.processes = any(1, 2);
  draft.has_pool = any(0, 1) == 1;
  const std::string pool = draft.has_pool
                               ? fmt::format(R"(, "database_pool": {{"size": {}, "reserve": {}{}}})", any(3, 12),
                                             any(0, 2), one_of({"", R"(, "checkout_timeout": "50ms")"}))
                               : "";
  const std::string caps = one_of({R"("max_inflight": 2)", R"("max_inflight": 1)", R"("max_inflight": 6)"});
  const std::string queue = one_of({R"("max_queue_depth": 4, "queue_wait": "50ms")", R"("max_queue_depth": 0)",
                                    R"("max_queue_depth": 12, "queue_wait": "200ms")"});
  const std::string each = one_of({"", R"(, "tenant": {"max_inflight": 1, "max_queue_depth": 2})",
                                   R"(, "tenant": {"rate_limit": {"rate": "40/s", "burst": 3}})",
                                   R"(, "tenant": {"max_inflight": 2, "rate_limit": {"rate": "7/s", "burst": 1}})"});
  const std::string readiness =
      one_of({"", R"(, "readiness": {"depth_high": 3, "depth_low": 1})",
              R"(, "readiness": {"depth_high": 4, "depth_low": 2, "lag_high": "30ms", "lag_low": "10ms"})"});
  draft.gate =
      fmt::format(R"({}, {}, "queue_order": "{}", "retry_after_jitter": {}{}{}{}{}{})", caps, queue,
                  one_of({"tenant_round_robin", "fifo", "lifo"}), any(0, 2), pool,
                  one_of({"", R"(, "downstream": {"size": 2, "part": 0.5, "checkout_timeout": "40ms"})"}), each,
                  readiness, draft.has_pool ? one_of({"", R"(, "health_check": {"interval": "100ms"})"}) : "");
}

// ---- what goes wrong

DraftFault any_fault(bool all) {
  return {.kind = any(0, all ? 21 : 2),
          .node = any(0, 3),
          .shard = any(0, 15),
          .tenant = any(0, 5),
          .at_ms = any(1, 999),
          .for_ms = any(1, 400),
          .choice = any(0, 2)};
}

class FaultText {
 public:
  FaultText(const DraftScenario& draft, const DraftFault& fault)
      : draft_(draft), fault_(fault), node_(fmt::format(R"("node": "n{}")", fault.node % draft.nodes + 1)) {}

  [[nodiscard]] std::string text() const {
    switch (fault_.kind) {
      case 0:
        return once(
            "handoff",
            fmt::format(R"("shard": {}, "to": "n{}")", fault_.shard % draft_.shards, fault_.node % draft_.nodes + 1),
            fault_.choice == 2);
      case 1:
        return once("crash", node_);
      case 2:
        return once("restart", node_);
      case 3:
        return once("pause", node_ + lasting());
      case 4:
        return once("partition", node_ + lasting() + (fault_.choice == 0 ? "" : R"(, "one_way": true)"));
      case 5:
        // The first node is there from the start, so that somebody is.
        return draft_.nodes == 1 ? once("crash", node_) : once(fault_.choice == 0 ? "leave" : "join", other_node());
      case 6:
        return once("store_error", fault_.choice == 0 ? "" : fault_.choice == 1 ? node_ : R"("claimed": "leak")");
      case 7:
        return once("store_slowness", R"("factor": 5)" + lasting());
      case 8:
        return once("worker_death", "");
      case 9:
        return once("worker_hang", lasting().substr(2));
      case 10:
        return once("clock_skew", node_ + fmt::format(R"(, "offset": "{}ms")", fault_.for_ms - 200));
      case 11:
        return once("lost_wake_up", node_);
      default:
        return of_tenant();
    }
  }

 private:
  [[nodiscard]] std::string of_tenant() const {
    const std::string tenant = fmt::format(R"("tenant": "{}")", draft_.name(place()));
    const bool sends = !draft_.gate.empty() && !draft_.tenants[place()].requests.empty();
    switch (fault_.kind) {
      case 12:
        return once("duplicate_append", tenant + R"(, "n": 3)");
      case 13:
        return once("workflow_pause", tenant + lasting());
      case 14:
        return once("workflow_pause", tenant + R"(, "workflow": 1)");
      case 15:
        return once("workflow_resume", tenant);
      case 16:
        return once("workflow_end", tenant + R"(, "workflow": 1)");
      case 17:
        return once("quota_change", tenant + fmt::format(R"(, "quota": {})", fault_.choice * 4));
      case 18:
        return draft_.gate.empty() ? once("crash", node_) : once("drain", node_ + lasting());
      case 19:
        return draft_.gate.empty() ? once("restart", node_)
                                   : once("limit_change", fmt::format(R"("max_inflight": {})", fault_.choice * 2));
      case 20:
        return sends ? once("client_disconnect", tenant) : once("lost_wake_up", node_);
      default:
        return sends ? once("handler_failure", tenant) : once("worker_death", node_);
    }
  }

  [[nodiscard]] std::string once(std::string_view kind, const std::string& keys, bool again = false) const {
    return fmt::format(R"({{"kind": "{}", {}{}"{}": "{}ms"}})", kind, keys, keys.empty() ? "" : ", ",
                       again ? "every" : "at", fault_.at_ms);
  }
  [[nodiscard]] std::string lasting() const { return fmt::format(R"(, "for": "{}ms")", fault_.for_ms); }
  [[nodiscard]] std::string other_node() const {
    return fmt::format(R"("node": "n{}")", fault_.node % (draft_.nodes - 1) + 2);
  }
  [[nodiscard]] std::size_t place() const { return static_cast<std::size_t>(fault_.tenant) % draft_.tenants.size(); }

  const DraftScenario& draft_;
  const DraftFault& fault_;
  std::string node_;
};

DraftShift any_shift() {
  return {
      .on = any(0, 3), .node = any(0, 3), .tenant = any(0, 5), .at_ms = any(0, 900), .kind = one_of({"step", "spike"})};
}

std::string text_of(const DraftShift& shift, const DraftScenario& draft) {
  const std::array<std::string, 4> targets{
      fmt::format(R"({{"tenant": "{}"}})", draft.name(static_cast<std::size_t>(shift.tenant) % draft.tenants.size())),
      fmt::format(R"({{"node": "n{}"}})", shift.node % draft.nodes + 1), R"("store")", R"({"route": "q"})"};
  return fmt::format(R"({{"kind": "{}", "on": {}, "factor": 3, "at": "{}ms", "for": "300ms"}})", shift.kind,
                     targets.at(static_cast<std::size_t>(shift.on)), shift.at_ms);
}

std::string text_of(std::size_t place, const DraftScenario& draft) {
  const DraftTenant& tenant = draft.tenants[place];
  const bool holds = tenant.uses_pool && draft.has_pool && !draft.gate.empty();
  const bool sends = !tenant.requests.empty() && !draft.gate.empty();
  const std::string id = draft.names.empty() ? "" : fmt::format(R"("id": "t{}", )", place + 1);
  return fmt::format(R"({{"name": "{}", {}{}, "rows": {{{}{}}}{}}})", draft.name(place), id, tenant.terms, tenant.rows,
                     holds ? R"(, "database_pool": true)" : "",
                     sends ? fmt::format(R"(, "requests": {{{}}})", tenant.requests) : "");
}

// The texts of the parts, and more texts behind them.
template <class Parts, class Text>
std::string list_of(const Parts& parts, Text text, const std::vector<std::string>& more = {}) {
  std::vector<std::string> texts;
  for (const auto& part : parts) {
    texts.push_back(text(part));
  }
  texts.insert(texts.end(), more.begin(), more.end());
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Bounds that hold by definition, where a property says nothing without one: Jain's index of n tenants is at least 1/n.
std::string expectation(std::string_view property) {
  const std::string bound = property == "fairness" ? R"(, "worst_window_at_least": 0.166)" : "";
  return fmt::format(R"({{"property": "{}"{}}})", property, bound);
}

}  // namespace

std::string DraftScenario::name(std::size_t tenant) const {
  return names.empty() ? fmt::format("t{}", tenant + 1) : names[tenant];
}

std::string DraftScenario::text(const std::vector<std::string_view>& properties, std::uint64_t seed) const {
  std::vector<std::size_t> places(tenants.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return fmt::format(
      R"({{"schema": 1, "name": "generated", "seed": {}, "duration": "1s", "drain": "4s", "window": "100ms", {}, )"
      R"("cluster": {{"nodes": {}, "shards": {}, "processes": {}, "worker_pools": {{"p": ["n1"]}}, {}}}, )"
      R"("outbox": {{{}}}, "backpressure": {{{}}}, {}"tenants": [{}], "latency_shifts": [{}], "faults": [{}], )"
      R"("expect": [{}]}})",
      seed, run, nodes, shards, processes, cluster, outbox, backpressure,
      gate.empty() ? "" : fmt::format(R"("admission": {{{}}}, )", gate),
      list_of(
          places, [&](std::size_t place) { return text_of(place, *this); }, more_tenants),
      list_of(shifts, [&](const DraftShift& shift) { return text_of(shift, *this); }),
      list_of(
          faults, [&](const DraftFault& fault) { return FaultText(*this, fault).text(); }, more_faults),
      list_of(properties, expectation));
}

std::ostream& operator<<(std::ostream& out, const DraftScenario& draft) {
  return out << draft.text({});
}

rc::Gen<DraftScenario> any_scenario(const ScenarioShape& shape) {
  return rc::gen::exec([shape] {
    DraftScenario draft;
    draft.nodes = any(1, 4);
    draft.shards = any(1, 16);
    draft.tenants =
        *rc::gen::resize(5, rc::gen::container<std::vector<DraftTenant>>(rc::gen::exec([] { return any_tenant(); })));
    draft.tenants.push_back(*rc::gen::exec([] { return any_tenant(); }));
    const bool all = shape.all_faults;
    draft.faults = *rc::gen::resize(
        8, rc::gen::container<std::vector<DraftFault>>(rc::gen::exec([all] { return any_fault(all); })));
    draft.shifts =
        *rc::gen::resize(2, rc::gen::container<std::vector<DraftShift>>(rc::gen::exec([] { return any_shift(); })));
    if (shape.gates && any(0, 1) == 1) {
      add_gate(draft);
    }
    draft.run = fmt::format(R"("warmup": "{}ms", "tie_break": "{}")", one_of({"0", "200"}), one_of(shape.tie_break));
    draft.cluster = fmt::format(
        R"("workers": {}, "dispatch": "{}", "poll_interval": "{}ms", "wake": {}, "min_sweep_gap": "{}ms", )"
        R"("sweep_cost": "{}ms", "claim_cost": "{}us", "detection_delay": "100ms", "adoption_delay": "50ms", )"
        R"("reconcile_interval": "200ms", "stale_after": "{}ms")",
        one_of({"4", "1", R"("unlimited")"}), one_of(shape.dispatch), one_of({"20", "7"}), one_of(shape.wake),
        one_of({"1", "5"}), one_of({"0", "2"}), one_of(shape.claim_cost_us), one_of({"2000", "300"}));
    draft.outbox =
        fmt::format(R"("max_attempts": {}, "shard_by": "{}")", any(1, 5), one_of({"dispatch_key", "workflow"}));
    draft.backpressure =
        fmt::format(R"("planner": "{}", "batch_size": {}, "claimed_counts": "{}", "ceiling_growth": "{}")",
                    one_of(shape.planners), any(1, 16), one_of(shape.claimed_counts), one_of(shape.ceiling_growth));
    return draft;
  });
}

}  // namespace headroom::test
