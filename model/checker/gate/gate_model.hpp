// The HTTP side of a cluster as a model for the checker: the gates of a few API processes, the resources behind them,
// and a handful of requests that come, wait, run and leave at any moment.
//
//   const GateModel model({.config = cluster_config, .requests = 4, .cancels = std::nullopt});
//   const CheckResult result = check(model, {.threads = 2});
//
// A step restores an ApiFleet from the state, applies the very function that the simulator calls, and reads the fleet
// again. A state holds what can tell two fleets apart by their steps (fleet_contents.hpp): which of two requests is
// which does not matter beyond its place in a queue, nor do times and what only counts up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/checker/allowance.hpp"
#include "model/checker/model.hpp"
#include "model/checker/properties.hpp"
#include "model/cluster/action.hpp"
#include "model/cluster/api_fleet.hpp"
#include "model/cluster/config.hpp"
#include "model/cluster/fleet_contents.hpp"

namespace headroom::checker {

// A change of limits that happens at most once to each process, at any moment. Absent limits stay as they are.
struct LimitChange {
  using Limit = std::optional<std::uint32_t>;
  NamespaceId tenant = NamespaceId::none();  // none: the process's own
  std::optional<Limit> max_inflight;
  std::optional<Limit> max_queue_depth;
};
inline constexpr std::size_t kMaxLimitChanges = 16;

// What a step may use up.
enum class Budget : std::uint8_t { crash, restart, failure, cancel, drain, expiry, refill };
inline constexpr std::size_t kBudgets = 7;

struct GateScope {
  ClusterConfig config;    // with `admission`; `nodes`, `namespaces` and that are all that counts
  Allowance requests = 1;  // of each tenant
  Allowance crashes = 0;
  Allowance restarts = 0;
  Allowance failures = 0;
  Allowance cancels = 0;
  Allowance drains = 0;
  Allowance expiries = std::nullopt;
  Allowance refills = std::nullopt;
  std::vector<LimitChange> limit_changes = {};
  bool waits_expire = true;                            // `queue_wait` is not unbounded
  std::array<bool, kResources> checkouts_expire = {};  // by resource: `checkout_timeout` is given
  bool liveness = true;                                // gate_progress includes that nobody waits for ever
  std::vector<std::string> goals = {};                 // of gate_goals()
};

// The most requests that can be inside at once; nothing: there is no bound, and the scope is not finite.
[[nodiscard]] std::optional<std::uint64_t> most_inside(const GateScope& scope);
// What a `sometimes` may name in a check of the gate.
[[nodiscard]] std::span<const std::string_view> gate_goals();

class GateModel {
 public:
  struct State {
    FleetContents fleet;
    std::vector<Allowance> requests;     // by tenant: still to come
    std::vector<std::uint32_t> changed;  // by process: a bit for each limit change that has happened
    std::array<Allowance, kBudgets> left;
    friend bool operator==(const State&, const State&) = default;
  };
  enum class Kind : std::uint8_t {
    arrive,
    finish,
    fail,
    enter_downstream,
    expire,  // of a wait at the gate, or for a unit of a resource
    pass_age,
    leave,
    refill,
    change_limits,
    drain,
    resume,
    crash,
    restart,
  };
  struct Action {
    Kind kind = Kind::arrive;
    ProcessId process;
    NamespaceId tenant;
    std::uint32_t request = 0;  // place in FleetContents::requests
    std::uint32_t change = 0;   // place in GateScope::limit_changes
    friend bool operator==(const Action&, const Action&) = default;
  };
  // Requests of `list` are places in the contents before the step; one that arrives has the place after the last.
  struct Effects {
    headroom::Effects list;
    std::optional<ApiFleet> fleet;  // after the step
    std::vector<RequestId> places;  // of the requests before it, in `fleet`
  };

  explicit GateModel(GateScope scope);

  [[nodiscard]] const GateScope& scope() const { return scope_; }
  // As the scope begins, for engines that drive it themselves.
  [[nodiscard]] const ApiFleet& fleet() const { return blank_; }
  // The action as a step of a fleet whose contents are those of the state: contents.requests[i] is places[i] in it.
  [[nodiscard]] headroom::Action step_of(const State& state, const Action& action, std::span<const RequestId> places,
                                         const ApiFleet& fleet) const;
  // The same step, taken.
  void apply(const State& state, const Action& action, std::span<const RequestId> places, ApiFleet& fleet,
             headroom::Effects& effects) const;

  // What goes wrong or is changed from outside, rather than requests that come, wait and go.
  [[nodiscard]] bool is_fault(const Action& action) const;

  [[nodiscard]] std::vector<State> initial_states() const { return {initial_}; }
  void enabled(const State& state, std::vector<Action>& actions) const;
  void step(State& state, const Action& action, Effects& effects) const;
  [[nodiscard]] PackedSize packed_size() const { return {.most = most_bytes_, .fixed = false}; }
  [[nodiscard]] std::size_t pack(const State& state, std::span<std::byte> room) const;
  void unpack(std::span<const std::byte> bytes, State& state) const;
  [[nodiscard]] Facts facts(const State& state) const;
  [[nodiscard]] std::string text(const Step<GateModel>& step) const;
  [[nodiscard]] Properties<GateModel> properties() const;

 private:
  void enable_for_request(const State& state, std::uint32_t place, std::vector<Action>& actions) const;
  void enable_for_process(const State& state, ProcessId process, std::vector<Action>& actions) const;
  void enable_for_nodes(const State& state, std::vector<Action>& actions) const;
  void use_up(State& state, const Action& action) const;
  [[nodiscard]] headroom::Action change_limits(const Action& action, const ApiFleet& fleet) const;
  // What a packed state says, in this order, for writing and for reading.
  template <class Bits, class SomeState>
  void contents(Bits& bits, SomeState& state) const;
  [[nodiscard]] std::string action_text(const Step<GateModel>& step) const;
  [[nodiscard]] std::string effect_text(const Effect& effect) const;
  void add_queue_facts(const State& state, ProcessId process, Facts& facts) const;

  [[nodiscard]] const std::string& tenant_name(NamespaceId name) const {
    return scope_.config.namespaces[name.value()].name;
  }
  [[nodiscard]] std::uint32_t namespaces() const { return static_cast<std::uint32_t>(scope_.config.namespaces.size()); }

  GateScope scope_;
  ApiFleet blank_;
  State initial_;
  std::size_t most_bytes_ = 0;
  bool limits_change_ = false;  // so that states have to say what they are
};

}  // namespace headroom::checker
