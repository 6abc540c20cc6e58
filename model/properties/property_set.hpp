// Properties watched together: each effect goes only to those that watch its kind.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "model/properties/property.hpp"
#include "model/properties/unserved_runs.hpp"
#include "model/properties/wait_causes.hpp"

namespace headroom {

class PropertySet {
 public:
  explicit PropertySet(const Cluster& cluster) : runs_(cluster), causes_(cluster) {}

  void add(std::unique_ptr<Property> property);
  // Also tells of every run of unserved sweeps that ends.
  void on_run(std::function<void(const UnservedRun&)> listener) { run_listener_ = std::move(listener); }

  // Call after every step with its effects.
  void observe(const Cluster& cluster, std::span<const Effect> effects, Time at);
  // Judges the window that ends now; gives the namespaces that were backlogged in it.
  std::vector<NamespaceId> close_window(const Cluster& cluster, Time at);
  // Ends a window that is not to be judged.
  void skip_window(const Cluster& cluster, Time at);
  void finish(const Cluster& cluster, Time at);
  [[nodiscard]] std::vector<UnservedRun> open_runs(const Cluster& cluster, Time at) const {
    return runs_.open_runs(cluster, at);
  }

  // Why rows have waited so far.
  [[nodiscard]] const WaitCauses& causes() const { return causes_; }
  void settle_causes(const Cluster& cluster, Time at) { causes_.settle_all(cluster, at); }

  [[nodiscard]] std::span<const std::unique_ptr<Property>> all() const { return properties_; }

 private:
  void tell_runs(const Cluster& cluster);

  UnservedRuns runs_;
  WaitCauses causes_;
  std::vector<UnservedRun> ended_;
  std::function<void(const UnservedRun&)> run_listener_;
  std::vector<std::unique_ptr<Property>> properties_;
  std::array<std::vector<std::uint8_t>, kEffectKinds> watchers_;  // indices into properties_
};

}  // namespace headroom
