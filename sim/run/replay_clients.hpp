// The clients of a counterexample's requests: each tries once.
//
//   ReplayClients clients([&](const ClientEvent& event) { watch.on_client(event, now); });
//   clients.before(action);
//   clients.after(effects, now);      // of the step
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "model/checker/gate/gate_model.hpp"
#include "model/cluster/effect.hpp"
#include "sim/run/simulation.hpp"

namespace headroom {

class ReplayClients {
 public:
  using Tell = std::function<void(const ClientEvent&)>;
  explicit ReplayClients(Tell tell) : tell_(std::move(tell)) {}

  void before(const checker::GateModel::Action& action);
  void after(std::span<const Effect> effects, Time at);

 private:
  void after(const Effect& effect, Time at);
  void arrive(RequestId request, Time at);
  void tell(ClientEvent::Kind kind, const Effect& effect, Time at);

  Tell tell_;
  std::vector<Time> arrived_;  // by request
};

}  // namespace headroom
