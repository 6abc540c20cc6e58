// A promise of the system, watched while it runs. Written once, used by every engine.
//
//   PropertySet properties(cluster, chosen);
//   cluster.step(action, now, effects);
//   properties.observe(cluster, effects, now);
//   for (const auto& property : properties.all()) report(property->name(), property->outcome());
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/time.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom {

class WaitCauses;

// What a scenario may ask of a property beyond its name; each property reads those that its registry entry lists.
struct PropertyBounds {
  std::optional<std::int64_t> at_most_sweeps;    // no_starvation: unserved sweeps in a row
  std::optional<double> at_most_ms;              // no_starvation: from the first unserved sweep to the service
  std::optional<std::int64_t> slack;             // quota_sum: executing rows beyond the bound
  std::optional<double> at_least;                // fairness: mean of Jain's index over backlogged windows
  std::optional<double> worst_window_at_least;   // fairness: the least index of a window
  std::optional<double> max_min_share_at_least;  // fairness: the least share of a tenant against its fair one
};

enum class Held : std::uint8_t {
  yes,
  no,
  undefined,  // there was nothing to judge
};

struct PropertyOutcome {
  Held held = Held::yes;
  std::optional<double> value;
  std::optional<double> bound;
  std::string reason;      // in words, with the numbers in it
  std::optional<Time> at;  // of the first violation
  std::uint64_t violations = 0;
};

// Consecutive completed sweeps of a node in which a namespace was active and not served (spec 1.0), once it has ended.
struct UnservedRun {
  NodeId node;
  NamespaceId name;
  std::uint64_t sweeps = 0;
  Duration lasted = {};            // from its first sweep to its end; zero if no sweep passed
  std::uint64_t allowed = 0;       // K: the run is too long from here on; 0 when sweeps < K is certain
  std::uint64_t active_names = 0;  // D, where `allowed` is given
  bool served = false;
  Time ended = {};
};

class Property {
 public:
  virtual ~Property() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  // The kinds of effect for which `on` is called.
  [[nodiscard]] virtual std::span<const EffectKind> watches() const = 0;
  // Called after the step, once for each effect of a watched kind.
  virtual void on(const Effect& effect, const Cluster& cluster, Time at) = 0;
  // Called after the effects of a step in which `on` was called.
  virtual void after_step(const Cluster& /*cluster*/, Time /*at*/) {}
  // At the end of every window, and of the run.
  virtual void on_causes(const WaitCauses& /*causes*/, const Cluster& /*cluster*/, Time /*at*/) {}
  virtual void on_run(const UnservedRun& /*run*/, const Cluster& /*cluster*/) {}
  // The end of a window of the measurement part; `backlogged`: active at every sweep of the window.
  virtual void on_window(std::span<const NamespaceId> /*backlogged*/, const Cluster& /*cluster*/, Time /*end*/) {}
  // The end of the run.
  virtual void finish(const Cluster& /*cluster*/, Time /*at*/) {}
  [[nodiscard]] virtual PropertyOutcome outcome() const { return first_; }
  // So far; what is judged as a whole at the end is not among it.
  [[nodiscard]] bool violated() const { return first_.violations > 0; }

 protected:
  // Keeps the first reason and counts the others; `reason` is a function that makes the text.
  template <class Reason>
  void violate(Time at, Reason reason) {
    if (first_.violations++ == 0) {
      first_.held = Held::no;
      first_.at = at;
      first_.reason = reason();
    }
  }
  [[nodiscard]] const PropertyOutcome& first() const { return first_; }

 private:
  PropertyOutcome first_;
};

// What a bound of a property is measured in.
enum class BoundKind : std::uint8_t {
  whole,         // a count
  index,         // 0 to 1
  milliseconds,  // not negative
};

// A member of PropertyBounds that a property reads.
struct BoundInfo {
  std::string_view name;
  BoundKind kind;
  std::string_view summary;
};

// One line per property: what the registry knows of it.
struct PropertyInfo {
  std::string_view name;
  std::string_view summary;
  std::span<const BoundInfo> bounds;
  bool needs_bound;  // an expectation says nothing without one
  std::unique_ptr<Property> (*make)(const Cluster& cluster, const PropertyBounds& bounds);
};

// In the order of spec 2.4.
[[nodiscard]] std::span<const PropertyInfo> all_properties();
[[nodiscard]] const PropertyInfo* find_property(std::string_view name);

}  // namespace headroom
