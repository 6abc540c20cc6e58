// What happens to a cluster while it runs: latency shifts and faults.
#include <limits>

#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"

namespace headroom {
namespace {

constexpr Duration kShortest = Duration::nanoseconds(1);

struct Target {
  ShiftTarget kind = ShiftTarget::tenant;
  std::string name;
};

Rule<Target> target_rule() {
  const auto named = [](ShiftTarget kind, const Rule<std::string>& name) {
    return mapped<Target>(name, [kind](std::string value, Reading&) { return Target{kind, std::move(value)}; });
  };
  const Rule<std::string> node = mapped<std::string>(node_name(), [](NodeId id, Reading&) { return name_of_node(id); });
  const Rule<Target> part = one_key<Target>(R"(an object with one key, such as {"tenant": "noisy"})",
                                            {{name_of(ShiftTarget::tenant), named(ShiftTarget::tenant, text(1, 255))},
                                             {name_of(ShiftTarget::route), named(ShiftTarget::route, text(1, 255))},
                                             {name_of(ShiftTarget::node), named(ShiftTarget::node, node)}});
  std::vector<std::pair<std::string_view, Target>> shared;
  for (const ShiftTarget kind : {ShiftTarget::store, ShiftTarget::database_pool, ShiftTarget::downstream}) {
    shared.push_back({name_of(kind), Target{kind, {}}});
  }
  return text_or(words(shared), part);
}

// The keys of every shape; each shape knows some of them.
struct ShiftKeys {
  Target on;
  Decimal factor = Decimal::whole(1);
  Time at = Time::zero();
  Duration over;
  Duration duration;
  Duration every;
};

ObjectRule<ShiftKeys> common_shift_keys() {
  ObjectRule<ShiftKeys> object;
  object.required("on", &ShiftKeys::on, target_rule(), "what slows down");
  object.required("factor", &ShiftKeys::factor, decimal(Decimal{0}, Decimal::whole(1'000'000), true),
                  "by how much longer things take");
  return object;
}

void require_at(ObjectRule<ShiftKeys>& object) {
  object.required("at", &ShiftKeys::at, instant(), "when it begins");
}
void require_for(ObjectRule<ShiftKeys>& object, std::string_view summary) {
  object.required("for", &ShiftKeys::duration, duration(kShortest), summary);
}

template <class MakeShape>
auto to_shift(MakeShape make_shape) {
  return [make_shape](ShiftKeys keys, Reading&) {
    return LatencyShift{keys.on.kind, std::move(keys.on.name), keys.factor, keys.at, make_shape(keys)};
  };
}

Rule<LatencyShift> make_latency_shift_rule() {
  KindRule<LatencyShift> kinds("a latency shift", "kind");

  ObjectRule<ShiftKeys> step = common_shift_keys();
  require_at(step);
  require_for(step, "how long it lasts");
  kinds.add("step", "the factor for a while", step,
            to_shift([](const ShiftKeys& keys) -> ShiftShape { return StepShift{keys.duration}; }));

  ObjectRule<ShiftKeys> ramp = common_shift_keys();
  require_at(ramp);
  ramp.required("over", &ShiftKeys::over, duration(kShortest), "how long it grows");
  require_for(ramp, "how long it stays after that");
  kinds.add("ramp", "grows evenly to the factor, then stays", ramp,
            to_shift([](const ShiftKeys& keys) -> ShiftShape { return RampShift{keys.over, keys.duration}; }));

  ObjectRule<ShiftKeys> spike = common_shift_keys();
  require_at(spike);
  require_for(spike, "how long it takes to fall back");
  kinds.add("spike", "jumps to the factor and falls evenly back", spike,
            to_shift([](const ShiftKeys& keys) -> ShiftShape { return SpikeShift{keys.duration}; }));

  ObjectRule<ShiftKeys> periodic = common_shift_keys();
  periodic.key("at", &ShiftKeys::at, instant(), "when it begins");
  periodic.required("every", &ShiftKeys::every, duration(kShortest), "from one beginning to the next");
  require_for(periodic, "how long it lasts each time");
  periodic.check([](const ShiftKeys& keys, Reading& reading) {
    if (keys.duration > keys.every) {
      const auto step_in = reading.enter("for");
      reading.fault(format_duration(keys.duration) + " is longer than \"every\"",
                    "at most " + format_duration(keys.every));
    }
  });
  kinds.add("periodic", "the factor for a while, again and again", periodic,
            to_shift([](const ShiftKeys& keys) -> ShiftShape { return PeriodicShift{keys.every, keys.duration}; }));
  return kinds.rule();
}

// The keys of every fault; each kind knows some of them.
struct FaultKeys {
  NodeId node;
  std::uint32_t shard = 0;
  NodeId to;
  DrainFault drain;
  LimitChangeFault change;
  std::optional<Time> at;
  std::optional<Duration> every;
};

void add_times(ObjectRule<FaultKeys>& object) {
  object.key("at", &FaultKeys::at, instant(), "when it first happens (default: after one \"every\")");
  object.key("every", &FaultKeys::every, duration(kShortest), "from one time to the next");
  object.later({"rate"});
  object.check([](const FaultKeys& keys, Reading& reading) {
    if (!keys.at && !keys.every) {
      const auto step = reading.enter("at");
      reading.fault("is missing", "\"at\", \"every\", or both");
    }
  });
}

template <class MakeKind>
auto to_fault(MakeKind make_kind) {
  return [make_kind](const FaultKeys& keys, Reading&) {
    const Duration first = keys.every.value_or(Duration::zero());
    return Fault{make_kind(keys), keys.at.value_or(Time::at(first)), keys.every};
  };
}

// Which processes: `part` is where the fault keeps it.
template <class Part>
void add_processes(ObjectRule<FaultKeys>& object, Part FaultKeys::* part) {
  object.key_into(
      "node", node_name(), [part](FaultKeys& keys, NodeId node) { (keys.*part).node = node; },
      "whose processes (default: those of all nodes)");
  object.key_into(
      "process", whole<std::uint16_t>(1, kMaxProcesses),
      [part](FaultKeys& keys, std::uint16_t process) { (keys.*part).process = process; },
      "which of the node's processes (default: all)");
  object.check([part](const FaultKeys& keys, Reading& reading) {
    if ((keys.*part).process && (keys.*part).node.is_none()) {
      const auto step = reading.enter("node");
      reading.fault("is missing", "the node of the process");
    }
  });
}

void add_drain(KindRule<Fault>& kinds) {
  ObjectRule<FaultKeys> object;
  add_processes(object, &FaultKeys::drain);
  object.key_into(
      "for", duration(kShortest), [](FaultKeys& keys, Duration length) { keys.drain.duration = length; },
      "until they are back (default: never)");
  add_times(object);
  object.check([](const FaultKeys& keys, Reading& reading) {
    if (keys.every && keys.drain.duration && *keys.drain.duration > *keys.every) {
      const auto step = reading.enter("for");
      reading.fault(format_duration(*keys.drain.duration) + " is longer than \"every\"",
                    "at most " + format_duration(*keys.every));
    }
  });
  kinds.add("drain", "processes admit nothing new and finish what they have", object,
            to_fault([](const FaultKeys& keys) -> FaultKind { return keys.drain; }));
}

void add_limit_change(KindRule<Fault>& kinds) {
  ObjectRule<FaultKeys> object;
  add_processes(object, &FaultKeys::change);
  object.key_into(
      "tenant", text(1, 255), [](FaultKeys& keys, std::string name) { keys.change.tenant = std::move(name); },
      "whose limits in them (default: the processes' own)");
  object.key_into(
      "max_inflight", inflight_rule(0),
      [](FaultKeys& keys, std::optional<std::uint32_t> limit) { keys.change.max_inflight = limit; },
      "requests that run at once");
  object.key_into(
      "max_queue_depth", queue_depth_rule(),
      [](FaultKeys& keys, std::optional<std::uint32_t> limit) { keys.change.max_queue_depth = limit; },
      "requests that wait");
  object.key_into(
      "rate_limit", rate_limit_rule(),
      [](FaultKeys& keys, std::optional<RateLimit> limit) { keys.change.rate_limit = limit; },
      "arrivals of the tenant");
  add_times(object);
  object.check([](const FaultKeys& keys, Reading& reading) {
    const LimitChangeFault& change = keys.change;
    if (!change.max_inflight && !change.max_queue_depth && !change.rate_limit) {
      reading.fault("changes no limit", "\"max_inflight\", \"max_queue_depth\" or \"rate_limit\"");
    }
    if (change.rate_limit && change.tenant.empty()) {
      const auto step = reading.enter("tenant");
      reading.fault("is missing", "rate limits are those of a tenant");
    }
  });
  kinds.add("limit_change", "limits of gates change", object,
            to_fault([](const FaultKeys& keys) -> FaultKind { return keys.change; }));
}

Rule<Fault> make_fault_rule() {
  KindRule<Fault> kinds("a fault", "kind");

  ObjectRule<FaultKeys> one_node;
  one_node.required("node", &FaultKeys::node, node_name(), "which node");
  add_times(one_node);
  kinds.add("crash", "a node stops; survivors adopt its shards", one_node,
            to_fault([](const FaultKeys& keys) -> FaultKind { return CrashFault{keys.node}; }));
  kinds.add("restart", "a crashed node comes back", one_node,
            to_fault([](const FaultKeys& keys) -> FaultKind { return RestartFault{keys.node}; }));

  ObjectRule<FaultKeys> handoff;
  handoff.required("shard", &FaultKeys::shard, whole<std::uint32_t>(0, kMaxShards - 1), "which shard");
  handoff.required("to", &FaultKeys::to, node_name(), "its new owner; with \"every\", to and fro");
  add_times(handoff);
  kinds.add("handoff", "a shard changes its owner as planned", handoff,
            to_fault([](const FaultKeys& keys) -> FaultKind { return HandoffFault{ShardId(keys.shard), keys.to}; }));

  add_drain(kinds);
  add_limit_change(kinds);
  kinds.later({"pause", "resume", "partition", "store_error", "store_slowness", "worker_death", "worker_hang",
               "clock_skew", "lost_wake_up", "duplicate_append", "workflow_pause", "workflow_resume", "workflow_end",
               "quota_change", "client_disconnect", "join", "leave"});
  return kinds.rule();
}

}  // namespace

const Rule<LatencyShift>& latency_shift_rule() {
  static const Rule<LatencyShift> rule = defined_as("latency_shift", make_latency_shift_rule());
  return rule;
}

const Rule<Fault>& fault_rule() {
  static const Rule<Fault> rule = defined_as("fault", make_fault_rule());
  return rule;
}

}  // namespace headroom
