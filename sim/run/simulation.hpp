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
#include "sim/world/row_source.hpp"
#include "sim/world/slowdown.hpp"

namespace headroom {

// The parts of a run: warm-up, measurement, drain (spec 2.3).
enum class Phase : std::uint8_t { warmup, measurement, drain };

// Follows a run. All calls come in the order of simulated time.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // After every step that had effects.
  virtual void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) = 0;
  // `phase` begins; the one before is over.
  virtual void on_phase(Phase /*phase*/, const Cluster& /*cluster*/, Time /*at*/) {}
  // A window of the scenario ends, in the warm-up and the measurement.
  virtual void on_window(const Cluster& /*cluster*/, Time /*end*/) {}
  virtual void on_end(const Cluster& /*cluster*/, Time /*at*/) {}
};

struct RunLimits {
  std::optional<std::uint64_t> max_events;
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
    std::optional<Time> orphaned_at;  // when its shards may be adopted; none while it is up
  };

  void schedule_start();
  void push(Time at, Priority priority, Event event);
  // The parts and windows of the run begin and end before anything else that happens at their instant, in whatever
  // order that comes; so they are not events.
  [[nodiscard]] Time next_boundary() const;
  void cross_boundary();
  // Handles one event; true if it changed the model.
  bool handle(const Event& event);
  void step(const Action& action);
  void react(std::size_t first_effect);
  void digest(const Effect& effect);

  // Rows.
  void schedule_arrival(NamespaceId name);
  bool arrive(NamespaceId name);
  void append(NamespaceId name, std::uint64_t n);
  void row_is_final(NamespaceId name);
  void start_service(const Effect& effect);
  bool finish_execution(ExecutionId execution);
  bool go_stale();
  void arm_stale_timer();

  // Sweeps (simulation_sweeps.cpp).
  bool poll(NodeId node);
  bool woken(NodeId node);
  void arm_wake(NodeId node);
  bool begin_sweep(NodeId node);
  bool sweep_step(NodeId node);
  void make_claim(NodeId node);
  [[nodiscard]] bool sweeps_take_time() const;

  // Ownership (simulation_ownership.cpp).
  bool strike(std::uint32_t index);
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
  std::vector<std::optional<RowSource>> sources_;  // by namespace
  std::vector<Arrival> next_arrivals_;             // by namespace: the batch that its pending event will append
  Slowdown slowdown_;
  std::vector<NodeClock> clocks_;
  std::vector<NodeId> handed_from_;  // by fault: the owner before a repeated handoff
  std::vector<RunObserver*> observers_;
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
