// One simulated run: virtual time decides which step of the model comes next.
//
//   Simulation simulation(scenario, seed);
//   simulation.observe(recorder);
//   simulation.run(limits);
//
// The same scenario and seed give the same steps at the same instants, whoever observes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/cluster/cluster.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tenants.hpp"
#include "sim/store/step_mirror.hpp"
#include "sim/world/load_balancer.hpp"
#include "sim/world/request_source.hpp"
#include "sim/world/row_source.hpp"
#include "sim/world/slowdown.hpp"

namespace headroom {

// The parts of a run: warm-up, measurement, drain (spec 2.3).
enum class Phase : std::uint8_t { warmup, measurement, drain };

// What a client does, or learns, that the gate does not see.
struct ClientEvent {
  enum class Kind : std::uint8_t {
    called,       // a logical request is tried for the first time
    retried,      // it is tried again
    unreachable,  // the try met a process that is down, or there is none
    timed_out,    // the client stops waiting for the try
    answered,     // a try succeeded in time
    dead_answer,  // a handler succeeded for a client that had left
    gave_up,      // it is not tried again
  };
  Kind kind = Kind::called;
  NamespaceId tenant;
  std::uint64_t logical = 0;
  Duration since_call;  // since the first try
};

// Follows a run. All calls come in the order of simulated time.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // After every step that had effects.
  virtual void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) = 0;
  virtual void on_client(const ClientEvent& /*event*/, Time /*at*/) {}
  // `phase` begins; the one before is over.
  virtual void on_phase(Phase /*phase*/, const Cluster& /*cluster*/, Time /*at*/) {}
  // A window of the scenario ends, in the warm-up and the measurement.
  virtual void on_window(const Cluster& /*cluster*/, Time /*end*/) {}
  virtual void on_end(const Cluster& /*cluster*/, Time /*at*/) {}
};

struct RunLimits {
  std::optional<std::uint64_t> max_events;
  std::optional<Time> until;  // nothing that happens later is simulated
  // Asked now and then; a reason ends the run early.
  std::function<std::optional<std::string>()> stop;
  // Called now and then with the simulated time and the events so far.
  std::function<void(Time, std::uint64_t)> progress;
};

struct RunTotals {
  std::uint64_t events = 0;        // entries taken from the event queue whose step changed the model
  std::uint64_t event_digest = 0;  // of all effects, in order, with their times
  std::uint64_t peak_pending_events = 0;
  Time ended;
  bool drained = false;
  std::string stopped_early;  // empty: it was not
};

class Simulation {
 public:
  Simulation(const Scenario& scenario, std::uint64_t seed);

  void observe(RunObserver& observer) { observers_.push_back(&observer); }
  // Every step is done over again by the mirror, inside the step.
  void mirror(StepMirror& mirror) { mirror_ = &mirror; }
  // Called before the first event that changes the model is handled, and before every later one, with its number from
  // 1; for comparing two runs event by event.
  void on_event(std::function<void(std::uint64_t number, std::uint64_t digest_before, Time at)> listener) {
    event_listener_ = std::move(listener);
  }
  // Once.
  void run(const RunLimits& limits);

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] const std::vector<TenantInstance>& tenants() const { return tenants_; }
  [[nodiscard]] const RunTotals& totals() const { return totals_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] Time now() const { return now_; }

 private:
  enum class EventKind : std::uint8_t {
    arrival,     // subject: namespace
    think_over,  // subject: namespace
    visible,     // subject: row, payload: key
    execution,   // subject: execution
    stale,       //
    poll,        // node
    wake,        // node
    sweep_step,  // node, subject: life of the node
    rearm,       // node
    fault,       // subject: index
    adoption,    //

    fault_over,  // subject: index, node: where it struck; payload: what it hit
    expulsion,   // node, subject: episode: the others take it for dead
    rejoining,   // node
    stale_act,   // node: re-arms what it has listed
    quota_read,  // node
    departure,   // node: it goes once it can

    request_arrival,    // subject: namespace
    client_ready,       // subject: namespace: a client of a closed loop has thought
    client_timeout,     // subject: call, payload: its try
    client_leaves,      // subject: call, payload: its serial
    retry,              // subject: call, payload: its serial
    waiter,             // subject: request, payload: serial: the next thing that time does to it
    handler,            // subject: request, payload: serial: its stage is over
    checkout_expiry,    // subject: checkout, payload: use; node: the resource
    refill,             // subject: namespace, payload: process and life of the bucket
    balancer,           // subject: process, payload: what the load balancer learns of it
    health_check,       // subject: process
    health_check_over,  // subject: process
    drain_over,         // subject: process
  };
  struct Event {
    std::uint64_t payload = 0;
    std::uint32_t subject = 0;
    NodeId node = NodeId::none();
    EventKind kind = EventKind::arrival;
  };
  struct NodeClock {
    std::optional<Time> last_start;  // of a sweep
    bool wake_armed = false;
    std::uint32_t life = 0;
    std::uint32_t episode = 0;        // pauses and partitions so far
    bool sweep_held = false;          // a step of its sweep was due while it stood still
    std::optional<bool> store_error;  // its next sweep meets one; true: what was claimed is released
    bool loses_wake = false;
    Duration skew;  // of its wall clock
    Time quota_error_until;
    std::optional<Time> orphaned_at;  // when its shards may be adopted; none while it is up
  };

  // A logical request as its clients see it.
  struct Call {
    NamespaceId tenant;
    std::uint64_t serial = 0;
    std::uint64_t logical = 0;
    std::uint32_t retries = 0;
    std::uint64_t number_of_try = 0;  // of this place; never used twice
    bool open = false;                // false: the place is free
    bool waiting = false;             // for the answer to its present try
    RequestId request;                // of the present try, while it waits for it
    std::uint64_t request_serial = 0;
    Time began;
  };
  // What the world knows of a request inside: for whom it runs, and which try it is.
  struct Handled {
    std::uint32_t call = kNoCall;  // none: its client has stopped waiting
    std::uint64_t logical = 0;
    std::uint32_t retries = 0;
    bool will_fail = false;
  };
  static constexpr std::uint32_t kNoCall = ~std::uint32_t{0};

  void schedule_start();
  void schedule_requests();
  void push(Time at, Priority priority, Event event);
  // The parts and windows of the run begin and end before anything else that happens at their instant, in whatever
  // order that comes; so they are not events.
  [[nodiscard]] Time next_boundary() const;
  void cross_boundary();
  // Handles one event; true if it changed the model.
  bool handle(const Event& event);
  void step(const Action& action);
  void react(std::size_t first_effect);
  void react_to_requests(const Effect& effect);

  // Rows.
  void schedule_arrival(NamespaceId name);
  bool arrive(NamespaceId name);
  void append(NamespaceId name, std::uint64_t n);
  void row_is_final(NamespaceId name);
  void start_service(const Effect& effect);
  void end_at(ExecutionId execution, Time at);
  bool finish_execution(ExecutionId execution, std::uint64_t serial);
  bool go_stale();
  void arm_stale_timer();

  // Sweeps (simulation_sweeps.cpp).
  bool poll(NodeId node);
  bool woken(NodeId node);
  void arm_wake(NodeId node);
  bool begin_sweep(NodeId node);
  bool sweep_step(NodeId node);
  void make_claim(NodeId node);
  [[nodiscard]] bool meets_store_error(NodeId node);
  [[nodiscard]] bool sweeps_take_time() const;

  // Requests and their clients (simulation_requests.cpp).
  bool handle_request_event(const Event& event);
  void schedule_request_arrival(NamespaceId name);
  bool requests_arrive(NamespaceId name);
  void call(NamespaceId name);
  void try_now(std::uint32_t index);
  void try_failed(std::uint32_t index, std::optional<Duration> told);
  void close_call(std::uint32_t index, ClientEvent::Kind how);
  bool client_timed_out(std::uint32_t index, std::uint64_t number_of_try);
  bool client_leaves(std::uint32_t index, std::uint64_t serial);
  void took_in(const Effect& effect);
  void refused(const Effect& effect);
  void ended(const Effect& effect);
  void tell(ClientEvent::Kind kind, const Call& call);

  // Handlers and what they share (simulation_handlers.cpp).
  void arm_waiter(RequestId id);
  bool waiter_due(RequestId id, std::uint64_t serial);
  void begin_stage(const Effect& effect);
  bool stage_over(RequestId id, std::uint64_t serial);
  void await_resource(const Effect& effect);
  void resource_granted(const Effect& effect);
  void tell_balancer(const Effect& effect);
  void balancer_learns(const Event& event);
  [[nodiscard]] std::vector<ProcessId> processes_of(NodeId node, std::optional<std::uint16_t> process) const;

  // Faults (simulation_faults.cpp). One function a kind.
  void draw_swarm();
  void cause(const CrashFault& fault, std::uint32_t index);
  void cause(const RestartFault& fault, std::uint32_t index);
  void cause(const HandoffFault& fault, std::uint32_t index);
  void cause(const DrainFault& fault, std::uint32_t index);
  void cause(const LimitChangeFault& fault, std::uint32_t index);
  void cause(const PauseFault& fault, std::uint32_t index);
  void cause(const PartitionFault& fault, std::uint32_t index);
  void cause(const JoinFault& fault, std::uint32_t index);
  void cause(const LeaveFault& fault, std::uint32_t index);
  void cause(const StoreErrorFault& fault, std::uint32_t index);
  void cause(const StoreSlownessFault& fault, std::uint32_t index);
  void cause(const WorkerDeathFault& fault, std::uint32_t index);
  void cause(const WorkerHangFault& fault, std::uint32_t index);
  void cause(const ClockSkewFault& fault, std::uint32_t index);
  void cause(const LostWakeUpFault& fault, std::uint32_t index);
  void cause(const DuplicateAppendFault& fault, std::uint32_t index);
  void cause(const WorkflowFault& fault, std::uint32_t index);
  void cause(const QuotaChangeFault& fault, std::uint32_t index);
  void cause(const QuotaErrorFault& fault, std::uint32_t index);
  void cause(const ClientDisconnectFault& fault, std::uint32_t index);
  void cause(const HandlerFailureFault& fault, std::uint32_t index);
  bool fault_over(const Event& event);
  void out_of_touch(NodeId node, Duration duration, std::uint32_t index);
  bool expel(NodeId node, std::uint32_t episode);
  void go_on(NodeId node);
  bool depart(NodeId node);
  void rebalance();
  [[nodiscard]] std::vector<NodeId> nodes_of(NodeId node) const;
  [[nodiscard]] std::vector<NamespaceId> tenants_of(const std::string& name) const;
  [[nodiscard]] ExecutionId any_execution(NodeId node, std::uint32_t index);
  void set_workflows(const WorkflowFault& fault, bool paused);

  // Ownership (simulation_ownership.cpp).
  bool strike(std::uint32_t index);
  [[nodiscard]] std::optional<Time> next_strike(std::uint32_t index);
  void crashed(NodeId node);
  bool adopt();
  [[nodiscard]] NodeId adopter() const;

  void enter(Phase phase);
  void stop_arrivals();
  void finish_if_drained();
  [[nodiscard]] bool nothing_left() const;

  const Scenario& scenario_;
  std::uint64_t seed_;
  std::vector<TenantInstance> tenants_;
  Cluster cluster_;
  EventQueue<Event> queue_;
  std::vector<std::optional<RowSource>> sources_;       // by namespace
  std::vector<Arrival> next_arrivals_;                  // by namespace: the batch that its pending event will append
  std::vector<std::optional<RequestSource>> requests_;  // by namespace
  std::vector<Arrival> next_requests_;                  // by namespace
  std::optional<LoadBalancer> balancer_;
  std::vector<Call> calls_;
  std::vector<std::uint32_t> free_calls_;
  std::vector<Handled> handled_;  // by request
  std::uint32_t trying_ = kNoCall;
  std::uint64_t next_call_serial_ = 1;
  Stream drain_draws_;
  Slowdown slowdown_;
  std::vector<NodeClock> clocks_;
  std::vector<Fault> faults_;                    // those of this seed
  std::vector<Stream> fault_draws_;              // by fault
  std::vector<std::uint64_t> execution_serial_;  // by execution: tells its end from that of an earlier one
  std::vector<Time> execution_ends_;             // by execution
  std::vector<Time> slow_until_;                 // by fault: the end of the slowness that it has caused
  std::vector<bool> has_left_;                   // by node: it left as planned, or has not joined yet
  std::vector<NodeId> handed_from_;              // by fault: the owner before a repeated handoff
  std::vector<RunObserver*> observers_;
  StepMirror* mirror_ = nullptr;
  std::function<void(std::uint64_t, std::uint64_t, Time)> event_listener_;
  RunTotals totals_;
  Time now_;
  Time end_of_measurement_;
  Time next_window_;
  Time end_of_drain_ = Time::max();
  Phase phase_ = Phase::warmup;
  bool arrivals_stopped_ = false;
  bool stale_armed_ = false;
  bool over_ = false;
  Effects effects_;  // of the event being handled
  std::vector<NewRow> rows_;
};

}  // namespace headroom
