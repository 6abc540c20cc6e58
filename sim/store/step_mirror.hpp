// Whoever does over again, step by step, what a model does.
#pragma once

#include <span>

#include "model/base/time.hpp"
#include "model/cluster/action.hpp"
#include "model/cluster/effect.hpp"

namespace headroom {

class Cluster;

class StepMirror {
 public:
  virtual ~StepMirror() = default;
  // What is about to be done to the cluster.
  virtual void before_step(const Cluster& cluster, const Action& action) = 0;
  // It is done, whether it had effects or not.
  virtual void after_step(const Cluster& cluster, const Action& action, std::span<const Effect> effects, Time at) = 0;
  // False once it cannot go on: the run ends with the event that is being handled.
  [[nodiscard]] virtual bool follows() const = 0;
};

}  // namespace headroom
