// What goes wrong: the kinds of fault, and when they come.
#include <functional>
#include <optional>
#include <utility>

#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"

namespace headroom {
namespace {

constexpr Duration kShortest = Duration::nanoseconds(1);

// A fault of one kind, as written.
template <class Kind>
struct FaultKeys {
  Kind kind;
  std::optional<Time> at;
  std::optional<Duration> every;
  std::optional<Rate> rate;
  std::optional<Duration> dwell;
};

template <class Kind>
void check_timing(const FaultKeys<Kind>& keys, Reading& reading) {
  if (!keys.at && !keys.every && !keys.rate) {
    const auto step = reading.enter("at");
    reading.fault("is missing", "\"at\", \"every\", both, or \"rate\"");
  }
  if (keys.every && keys.rate) {
    const auto step = reading.enter("rate");
    reading.fault("comes at random, and \"every\" at a period", "one of the two");
  }
  if (keys.dwell && !keys.rate) {
    const auto step = reading.enter("dwell");
    reading.fault("has no effect without \"rate\"", "\"rate\" beside it");
  }
}

// The keys of one kind of fault: its own, then those that say when it comes.
template <class Kind>
class FaultObject {
 public:
  using Keys = FaultKeys<Kind>;

  explicit FaultObject(Kind initial = {}) : object_(Keys{.kind = std::move(initial)}) {}

  template <class M, class Member>
  void key(std::string_view name, Member Kind::* member, const Rule<M>& rule, std::string_view summary) {
    object_.key_into(name, rule, setter<M>(member), summary);
  }
  template <class M, class Member>
  void required(std::string_view name, Member Kind::* member, const Rule<M>& rule, std::string_view summary) {
    object_.required_into(name, rule, setter<M>(member), summary);
  }
  void check(std::function<void(const Kind&, Reading&)> condition) {
    object_.check(
        [condition = std::move(condition)](const Keys& keys, Reading& reading) { condition(keys.kind, reading); });
  }
  // A state that lasts for a while has ended before it begins again.
  void check_ends_before_next() {
    object_.check([](const Keys& keys, Reading& reading) {
      const std::optional<Duration> length = keys.kind.duration;
      if (keys.every && length && *length > *keys.every) {
        const auto step = reading.enter("for");
        reading.fault(format_duration(*length) + " is longer than \"every\"",
                      "at most " + format_duration(*keys.every));
      }
    });
  }

  void add_to(KindRule<Fault>& kinds, std::string_view name, std::string_view summary) && {
    object_.key("at", &Keys::at, instant(), "when it first happens (default: after one \"every\")");
    object_.key("every", &Keys::every, duration(kShortest), "from one time to the next");
    object_.key("rate", &Keys::rate, rate(), "at random instants from \"at\" on (default: from the start), so many");
    object_.key("dwell", &Keys::dwell, duration(), "with \"rate\": least time from one to the next (default: 0s)");
    object_.check(check_timing<Kind>);
    kinds.add(name, summary, std::move(object_), [](Keys keys, Reading&) {
      const Time first = Time::at(keys.every.value_or(Duration::zero()));
      return Fault{std::move(keys.kind), keys.at.value_or(first), keys.every, keys.rate,
                   keys.dwell.value_or(Duration::zero())};
    });
  }

 private:
  template <class M, class Member>
  static auto setter(Member Kind::* member) {
    return [member](Keys& keys, M value) { keys.kind.*member = std::move(value); };
  }

  ObjectRule<Keys> object_;
};

template <class Kind>
FaultObject<Kind> of_node(std::string_view summary = "which node") {
  FaultObject<Kind> object;
  object.required("node", &Kind::node, node_name(), summary);
  return object;
}

template <class Kind>
FaultObject<Kind> of_some_node(std::string_view summary) {
  FaultObject<Kind> object;
  object.key("node", &Kind::node, node_name(), summary);
  return object;
}

template <class Kind>
void require_tenant(FaultObject<Kind>& object) {
  object.required("tenant", &Kind::tenant, text(1, 255), "which tenant; a group stands for all its members");
}

template <class Kind>
FaultObject<Kind> of_tenant() {
  FaultObject<Kind> object;
  require_tenant(object);
  return object;
}

template <class Kind>
void require_for(FaultObject<Kind>& object, std::string_view summary) {
  object.required("for", &Kind::duration, duration(kShortest), summary);
}

// -- nodes ------------------------------------------------------------------------------------------------------------

void add_node_faults(KindRule<Fault>& kinds) {
  of_node<CrashFault>().add_to(kinds, "crash", "a node stops; survivors adopt its shards");
  of_node<RestartFault>().add_to(kinds, "restart", "a crashed node comes back");

  FaultObject<PauseFault> pause = of_node<PauseFault>();
  require_for(pause, "until it goes on, with what it believed");
  pause.check_ends_before_next();
  std::move(pause).add_to(kinds, "pause", "a node stands still; taken for dead, it wakes up as a zombie");

  FaultObject<PartitionFault> partition = of_node<PartitionFault>();
  require_for(partition, "until it can again");
  partition.key("one_way", &PartitionFault::one_way, flag(), "its writes arrive, the replies do not (default: false)");
  partition.check_ends_before_next();
  std::move(partition).add_to(kinds, "partition", "a node cannot reach the store");

  of_node<JoinFault>("which node; not there at the start if this is the first that is planned for it")
      .add_to(kinds, "join", "a node comes, and shards are dealt out evenly");
  of_node<LeaveFault>().add_to(kinds, "leave", "a node hands its shards over and goes");

  FaultObject<ClockSkewFault> skew = of_node<ClockSkewFault>();
  skew.required("offset", &ClockSkewFault::offset, signed_duration(),
                "how far it is ahead from here on; may be negative");
  std::move(skew).add_to(kinds, "clock_skew", "the wall clock of a node steps");

  of_node<LostWakeUpFault>().add_to(kinds, "lost_wake_up", "the next wake of a node is lost");
}

void add_handoff(KindRule<Fault>& kinds) {
  const Rule<ShardId> shard = mapped<ShardId>(whole<std::uint32_t>(0, kMaxShards - 1),
                                              [](std::uint32_t index, Reading&) { return ShardId(index); });
  FaultObject<HandoffFault> handoff;
  handoff.required("shard", &HandoffFault::shard, shard, "which shard");
  handoff.required("to", &HandoffFault::to, node_name(), "its new owner; when it comes again, to and fro");
  std::move(handoff).add_to(kinds, "handoff", "a shard changes its owner as planned");
}

// -- the store and the workers ----------------------------------------------------------------------------------------

Rule<bool> make_store_error_outcome_rule() {
  Rule<bool> rule = words<bool>({{"release", true}, {"leak", false}});
  rule.kinds = {{"release", "what the sweep has claimed goes back to Pending"},
                {"leak", "it stays Claimed with nobody to run it"}};
  return rule;
}

void add_store_faults(KindRule<Fault>& kinds) {
  FaultObject<StoreErrorFault> error = of_some_node<StoreErrorFault>("whose next sweep (default: that of every node)");
  error.key("claimed", &StoreErrorFault::release, store_error_outcome_rule(),
            "what becomes of the rows that it has claimed (default: release)");
  std::move(error).add_to(kinds, "store_error", "a sweep ends in the middle with an error of the store");

  FaultObject<StoreSlownessFault> slowness;
  slowness.required("factor", &StoreSlownessFault::factor, decimal(Decimal{0}, Decimal::whole(1'000'000), true),
                    "by how much longer sweeps and claims take");
  require_for(slowness, "how long it lasts");
  slowness.check_ends_before_next();
  std::move(slowness).add_to(kinds, "store_slowness", "sweeps and claims take longer");

  FaultObject<QuotaErrorFault> unread = of_some_node<QuotaErrorFault>("which node (default: all)");
  require_for(unread, "how long it lasts");
  unread.check_ends_before_next();
  std::move(unread).add_to(kinds, "quota_error", "nodes that cache quotas cannot read them");

  of_some_node<WorkerDeathFault>("on which node (default: any)")
      .add_to(kinds, "worker_death", "a worker dies with the row that it executes");

  FaultObject<WorkerHangFault> hang = of_some_node<WorkerHangFault>("on which node (default: any)");
  require_for(hang, "how much longer it takes");
  std::move(hang).add_to(kinds, "worker_hang", "a worker hangs over the row that it executes");
}

// -- tenants ----------------------------------------------------------------------------------------------------------

FaultObject<WorkflowFault> of_workflow(WorkflowFault::What what) {
  FaultObject<WorkflowFault> object(WorkflowFault{.what = what});
  require_tenant(object);
  object.key("workflow", &WorkflowFault::workflow, whole<std::uint32_t>(1, kMaxCount),
             "which of its workflows, from 1 (default: all)");
  return object;
}

void add_tenant_faults(KindRule<Fault>& kinds) {
  FaultObject<DuplicateAppendFault> append = of_tenant<DuplicateAppendFault>();
  append.key("n", &DuplicateAppendFault::n, whole<std::uint32_t>(1, kMaxCount), "how many rows (default: 1)");
  std::move(append).add_to(kinds, "duplicate_append", "rows are appended that a tenant has appended before");

  FaultObject<WorkflowFault> pause = of_workflow(WorkflowFault::What::pause);
  pause.key("for", &WorkflowFault::duration, duration(kShortest), "until they go on (default: when they are resumed)");
  pause.check_ends_before_next();
  std::move(pause).add_to(kinds, "workflow_pause", "rows of workflows are not claimed");
  of_workflow(WorkflowFault::What::resume).add_to(kinds, "workflow_resume", "paused workflows go on");
  of_workflow(WorkflowFault::What::end).add_to(kinds, "workflow_end", "workflows end: their rows are cancelled");

  FaultObject<QuotaChangeFault> quota = of_tenant<QuotaChangeFault>();
  quota.required("quota", &QuotaChangeFault::quota, whole<std::uint32_t>(0, static_cast<std::uint32_t>(kMaxQuota)),
                 "its quota from here on");
  std::move(quota).add_to(kinds, "quota_change", "a tenant's quota changes");
}

// -- the HTTP side ----------------------------------------------------------------------------------------------------

template <class Kind>
void add_processes(FaultObject<Kind>& object) {
  object.key("node", &Kind::node, node_name(), "whose processes (default: those of all nodes)");
  object.key("process", &Kind::process, whole<std::uint16_t>(1, kMaxProcesses),
             "which of the node's processes (default: all)");
  object.check([](const Kind& kind, Reading& reading) {
    if (kind.process && kind.node.is_none()) {
      const auto step = reading.enter("node");
      reading.fault("is missing", "the node of the process");
    }
  });
}

void add_limit_change(KindRule<Fault>& kinds) {
  FaultObject<LimitChangeFault> change;
  add_processes(change);
  change.key("tenant", &LimitChangeFault::tenant, text(1, 255), "whose limits in them (default: the processes' own)");
  change.key("max_inflight", &LimitChangeFault::max_inflight, inflight_rule(0), "requests that run at once");
  change.key("max_queue_depth", &LimitChangeFault::max_queue_depth, queue_depth_rule(), "requests that wait");
  change.key("rate_limit", &LimitChangeFault::rate_limit, rate_limit_rule(), "arrivals of the tenant");
  change.check([](const LimitChangeFault& changes, Reading& reading) {
    if (!changes.max_inflight && !changes.max_queue_depth && !changes.rate_limit) {
      reading.fault("changes no limit", "\"max_inflight\", \"max_queue_depth\" or \"rate_limit\"");
    }
    if (changes.rate_limit && changes.tenant.empty()) {
      const auto step = reading.enter("tenant");
      reading.fault("is missing", "rate limits are those of a tenant");
    }
  });
  std::move(change).add_to(kinds, "limit_change", "limits of gates change");
}

void add_gate_faults(KindRule<Fault>& kinds) {
  FaultObject<DrainFault> drain;
  add_processes(drain);
  drain.key("for", &DrainFault::duration, duration(kShortest), "until they are back (default: never)");
  drain.check_ends_before_next();
  std::move(drain).add_to(kinds, "drain", "processes admit nothing new and finish what they have");

  add_limit_change(kinds);

  FaultObject<ClientDisconnectFault> leaving = of_tenant<ClientDisconnectFault>();
  leaving.key("stage", &ClientDisconnectFault::stage, choice<ClientDisconnectFault::Stage>(),
              "where its request is (default: any)");
  std::move(leaving).add_to(kinds, "client_disconnect", "a client of a tenant leaves for good");

  of_tenant<HandlerFailureFault>().add_to(kinds, "handler_failure", "a running handler of a tenant will fail");
}

Rule<Fault> make_fault_rule() {
  KindRule<Fault> kinds("a fault", "kind");
  add_node_faults(kinds);
  add_handoff(kinds);
  add_store_faults(kinds);
  add_tenant_faults(kinds);
  add_gate_faults(kinds);
  return kinds.rule();
}

}  // namespace

const Rule<bool>& store_error_outcome_rule() {
  static const Rule<bool> rule = make_store_error_outcome_rule();
  return rule;
}

const Rule<Fault>& fault_rule() {
  static const Rule<Fault> rule = defined_as("fault", make_fault_rule());
  return rule;
}

}  // namespace headroom
