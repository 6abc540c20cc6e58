#include "model/properties/property_set.hpp"

#include <bit>
#include <utility>

namespace headroom {

void PropertySet::add(std::unique_ptr<Property> property) {
  for (const EffectKind kind : property->watches()) {
    watchers_[static_cast<std::size_t>(kind)].push_back(static_cast<std::uint8_t>(properties_.size()));
  }
  properties_.push_back(std::move(property));
}

void PropertySet::observe(const Cluster& cluster, std::span<const Effect> effects, Time at) {
  causes_.observe(cluster, effects, at);
  std::uint64_t touched = 0;
  for (const Effect& effect : effects) {
    if (UnservedRuns::watches(effect.kind)) {
      runs_.on(effect, cluster, at, ended_);
    }
    for (const std::uint8_t index : watchers_[static_cast<std::size_t>(effect.kind)]) {
      properties_[index]->on(effect, cluster, at);
      touched |= std::uint64_t{1} << index;
    }
  }
  if (!ended_.empty()) {
    tell_runs(cluster);
  }
  for (; touched != 0; touched &= touched - 1) {
    properties_[static_cast<std::size_t>(std::countr_zero(touched))]->after_step(cluster, at);
  }
}

std::vector<NamespaceId> PropertySet::close_window(const Cluster& cluster, Time at) {
  std::vector<NamespaceId> backlogged = runs_.backlogged(cluster);
  for (const auto& property : properties_) {
    property->on_window(backlogged, cluster, at);
    property->on_causes(causes_, cluster, at);
  }
  runs_.open_window();
  return backlogged;
}

void PropertySet::skip_window(const Cluster& cluster, Time at) {
  for (const auto& property : properties_) {
    property->on_window({}, cluster, at);
    property->on_causes(causes_, cluster, at);
  }
  runs_.open_window();
}

void PropertySet::finish(const Cluster& cluster, Time at) {
  runs_.finish(cluster, at, ended_);
  tell_runs(cluster);
  causes_.settle_all(cluster, at);
  for (const auto& property : properties_) {
    property->on_causes(causes_, cluster, at);
    property->finish(cluster, at);
  }
}

void PropertySet::tell_runs(const Cluster& cluster) {
  for (const UnservedRun& run : ended_) {
    for (const auto& property : properties_) {
      property->on_run(run, cluster);
    }
    if (run_listener_) {
      run_listener_(run);
    }
  }
  ended_.clear();
}

}  // namespace headroom
