#include "sim/run/replay_clients.hpp"

#include <algorithm>

#include "model/cluster/requests.hpp"

namespace headroom {

void ReplayClients::before(const checker::GateModel::Action& action) {
  if (action.kind == checker::GateModel::Kind::arrive) {
    tell_({.kind = ClientEvent::Kind::called, .tenant = action.tenant});
  }
}

void ReplayClients::after(std::span<const Effect> effects, Time at) {
  for (const Effect& effect : effects) {
    after(effect, at);
  }
}

void ReplayClients::after(const Effect& effect, Time at) {
  switch (effect.kind) {
    case EffectKind::request_queued:
    case EffectKind::request_admitted:
      if (effect.kind == EffectKind::request_queued || effect.live) {  // else it has been there
        arrive(effect.request, at);
      }
      break;
    case EffectKind::request_refused:
      if (!effect.live) {
        arrive(effect.request, at);
      }
      tell(ClientEvent::Kind::gave_up, effect, at);
      break;
    case EffectKind::request_gone:
    case EffectKind::request_abandoned:
      tell(ClientEvent::Kind::timed_out, effect, at);
      tell(ClientEvent::Kind::gave_up, effect, at);
      break;
    case EffectKind::request_finished:
      if (effect.detail == static_cast<std::uint8_t>(HandlerOutcome::succeeded)) {
        tell(effect.live ? ClientEvent::Kind::answered : ClientEvent::Kind::dead_answer, effect, at);
      } else if (effect.live) {
        tell(ClientEvent::Kind::gave_up, effect, at);
      }
      break;
    default:
      break;
  }
}

void ReplayClients::arrive(RequestId request, Time at) {
  arrived_.resize(std::max<std::size_t>(arrived_.size(), request.value() + std::size_t{1}));
  arrived_[request.value()] = at;
}

void ReplayClients::tell(ClientEvent::Kind kind, const Effect& effect, Time at) {
  tell_({.kind = kind, .tenant = effect.name, .since_call = at - arrived_[effect.request.value()]});
}

}  // namespace headroom
