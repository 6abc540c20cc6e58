#include "sim/run/gate_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/properties/gate_mirror.hpp"

namespace headroom {
namespace {

template <class T>
T& grown_at(std::vector<T>& list, std::size_t index) {
  if (index >= list.size()) {
    list.resize(index + 1);
  }
  return list[index];
}

std::optional<double> ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? std::nullopt : std::optional(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

GateRecorder::GateRecorder(const Scenario& scenario, const Subjects& subjects, SeriesRecorder& series,
                           const Cluster& cluster)
    : scenario_(scenario), subjects_(subjects), series_(series), accounts_(subjects.size()) {
  const ApiFleet& api = *cluster.api();
  for (const Resource which : {Resource::database_pool, Resource::downstream}) {
    if (const ResourcePool* pool = api.resource(which)) {
      ResourceAccount account;
      account.figures.size = pool->size();
      account.figures.reserve = pool->reserve();
      resources_[static_cast<std::size_t>(which)] = std::move(account);
    }
  }
  fleet_.processes = api.processes();
  fleet_.max_inflight = api.gate(ProcessId(0)).limits().max_inflight;
  fleet_.derived_from_pool = fleet_.max_inflight && !scenario.admission->max_inflight;
  end_part_from_ = Time::at(scenario.duration - (scenario.duration - scenario.warmup) / 5);
  unready_since_.assign(api.processes(), Time::max());
}

void GateRecorder::change(Level& level, std::int64_t by, Time at) {
  if (measuring_) {
    level.integral += static_cast<Int128>(level.now) * (at - std::max(level.since, measured_from_)).count();
  }
  level.now += by;
  level.since = at;
}

void GateRecorder::on_effect(const Effect& effect, const Cluster& cluster, Time at) {
  switch (effect.kind) {
    case EffectKind::resource_awaited:
    case EffectKind::resource_granted:
    case EffectKind::resource_returned:
    case EffectKind::resource_timed_out:
      on_resource(effect, at);
      break;
    case EffectKind::became_ready:
    case EffectKind::became_unready:
      on_readiness(effect, at);
      break;
    default:
      if (!effect.request.is_none()) {
        on_request(effect, *cluster.api(), at);
      }
      break;
  }
}

void GateRecorder::on_request(const Effect& effect, const ApiFleet& api, Time at) {
  Account& account = accounts_[subjects_.of(effect.name)];
  SeriesMeter& meter = series_.meter(subjects_.of(effect.name));
  const Gate& gate = api.gate(effect.process);
  switch (effect.kind) {
    case EffectKind::request_admitted:
      if (effect.live) {
        on_arrival(account, at);
      }
      account.figures.counts.admitted += counting_ ? 1 : 0;
      account.figures.measured.admitted += measuring_ ? 1 : 0;
      if (measuring_) {
        account.wait.record((at - api.requests()[effect.request].arrived_at).count());
      }
      grown_at(admitted_at_, effect.request.value()) = at;
      change(account.inflight, +1, at);
      meter.inflight.add(1);
      ++meter.admitted;
      if (!effect.live) {
        change(account.waiting, -1, at);
        meter.waiting.add(-1);
      }
      note_peak(fleet_.peak_inflight, gate.inflight());
      break;
    case EffectKind::request_queued:
      on_arrival(account, at);
      change(account.waiting, +1, at);
      meter.waiting.add(1);
      note_peak(fleet_.peak_queue_depth, gate.depth());
      break;
    case EffectKind::request_refused:
      if (effect.live) {
        change(account.waiting, -1, at);
        meter.waiting.add(-1);
      }
      on_refused(effect, account, at);
      break;
    case EffectKind::request_gone:
      account.figures.gone += counting_ ? 1 : 0;
      change(account.waiting, -1, at);
      meter.waiting.add(-1);
      break;
    case EffectKind::request_abandoned:
      account.figures.abandoned += counting_ ? 1 : 0;
      break;
    case EffectKind::request_finished:
      on_finished(effect, account, at);
      meter.inflight.add(-1);
      break;
    default:
      break;
  }
}

void GateRecorder::on_arrival(Account& account, Time at) const {
  account.figures.counts.arrived += counting_ ? 1 : 0;
  account.figures.measured.arrived += measuring_ ? 1 : 0;
  account.at_once = account.last_arrival == at ? account.at_once + 1 : 1;
  account.last_arrival = at;
  note_peak(account.figures.peak_at_once, account.at_once);
}

void GateRecorder::on_refused(const Effect& effect, Account& account, Time at) {
  if (!effect.live) {
    on_arrival(account, at);
  }
  const auto refusal = static_cast<Refusal>(effect.detail);
  SeriesMeter& meter = series_.meter(subjects_.of(effect.name));
  ++(of_tenant(refusal) ? meter.refused_429 : meter.refused_503);
  const auto add = [&](GateCounts& counts) { ++(of_tenant(refusal) ? counts.rejected_429 : counts.rejected_503); };
  if (counting_) {
    add(account.figures.counts);
    ++account.rejected_by[effect.detail];
  }
  if (measuring_) {
    add(account.figures.measured);
  }
}

void GateRecorder::on_finished(const Effect& effect, Account& account, Time at) {
  change(account.inflight, -1, at);
  const Time admitted = admitted_at_[effect.request.value()];
  if (measuring_) {
    account.handling.record((at - admitted).count());
    account.residence += (at - std::max(admitted, measured_from_)).count();
  }
  if (!counting_) {
    return;
  }
  ++account.figures.finished;
  switch (static_cast<HandlerOutcome>(effect.detail)) {
    case HandlerOutcome::succeeded:
      break;
    case HandlerOutcome::failed:
      ++account.figures.failed;
      break;
    case HandlerOutcome::database_timeout:
      ++account.figures.database_timeouts;
      break;
    case HandlerOutcome::downstream_timeout:
      ++account.figures.downstream_timeouts;
      break;
    case HandlerOutcome::crashed:
      ++account.figures.crashed;
      break;
  }
}

void GateRecorder::on_client(const ClientEvent& event, Time at) {
  Account& account = accounts_[subjects_.of(event.tenant)];
  GateFigures& figures = account.figures;
  if (event.kind == ClientEvent::Kind::answered) {
    ++goodput_;
    ++series_.meter(subjects_.of(event.tenant)).goodput;
    figures.measured.goodput += measuring_ ? 1 : 0;
    ++account.goodput_in_window;
    if (measuring_) {
      account.response.record(event.since_call.count());
    }
  }
  if (!counting_) {
    return;
  }
  switch (event.kind) {
    case ClientEvent::Kind::called:
      ++figures.calls;
      break;
    case ClientEvent::Kind::retried:
      account.retries_at_once = account.last_retry == at ? account.retries_at_once + 1 : 1;
      account.last_retry = at;
      note_peak(figures.peak_retries_at_once, account.retries_at_once);
      ++figures.retries;
      break;
    case ClientEvent::Kind::unreachable:
      ++figures.unreachable;
      break;
    case ClientEvent::Kind::timed_out:
      ++figures.timeouts;
      break;
    case ClientEvent::Kind::answered:
      ++figures.counts.goodput;
      break;
    case ClientEvent::Kind::dead_answer:
      ++figures.dead_work;
      break;
    case ClientEvent::Kind::gave_up:
      ++figures.gave_up;
      break;
  }
}

// -- resources and readiness ------------------------------------------------------------------------------------------

Time& GateRecorder::awaited_since(const Effect& effect) {
  if (!effect.request.is_none()) {
    return grown_at(request_awaits_, effect.request.value());
  }
  if (!effect.execution.is_none()) {
    return grown_at(execution_awaits_, effect.execution.value());
  }
  return grown_at(health_check_awaits_, effect.process.value());
}

void GateRecorder::on_resource(const Effect& effect, Time at) {
  ResourceAccount& account = *resources_[effect.detail];
  const bool health_check = effect.request.is_none() && effect.execution.is_none();
  switch (effect.kind) {
    case EffectKind::resource_awaited:
      awaited_since(effect) = at;
      ++account.waiting;
      note_peak(account.figures.peak_waiting, account.waiting);
      break;
    case EffectKind::resource_granted:
      account.waiting -= effect.live ? 1 : 0;
      ++account.in_use;
      note_peak(account.figures.peak_in_use, account.in_use);
      if (measuring_ && !health_check) {
        account.wait.record(effect.live ? (at - awaited_since(effect)).count() : 0);
      }
      break;
    case EffectKind::resource_returned:
      --account.in_use;
      break;
    default:
      --account.waiting;
      if (measuring_ && !health_check) {
        account.wait.record((at - awaited_since(effect)).count());
      }
      if (counting_) {
        ++(health_check ? account.figures.health_check_timeouts : account.figures.timeouts);
      }
      break;
  }
  FleetMeter& meter = series_.fleet();
  if (effect.detail == static_cast<std::uint8_t>(Resource::database_pool)) {
    meter.database_in_use.set(account.in_use);
    meter.database_waiting.set(account.waiting);
  } else {
    meter.downstream_in_use.set(account.in_use);
    meter.downstream_waiting.set(account.waiting);
  }
}

void GateRecorder::on_readiness(const Effect& effect, Time at) {
  Time& since = unready_since_[effect.process.value()];
  const bool ready = effect.kind == EffectKind::became_ready;
  series_.fleet().unready.add(ready ? -1 : 1);
  fleet_.readiness_changes += counting_ ? 1 : 0;
  if (!ready) {
    since = at;
    return;
  }
  if (measuring_) {
    fleet_.unready_time += (at - std::max(since, measured_from_)).count();
  }
  since = Time::max();
}

// -- parts of the run -------------------------------------------------------------------------------------------------

void GateRecorder::on_window(Time start) {
  const bool at_end = start >= end_part_from_;
  windows_at_end_ += at_end ? 1 : 0;
  for (Account& account : accounts_) {
    const std::uint64_t goodput = std::exchange(account.goodput_in_window, 0);
    account.goodput_at_end += at_end ? goodput : 0;
  }
}

void GateRecorder::begin_measurement(Time at) {
  measured_from_ = at;
  measuring_ = true;
}

void GateRecorder::end_measurement(const Cluster& cluster, Time at) {
  const RequestTable& requests = cluster.api()->requests();
  for (std::uint32_t place = 0; measuring_ && place < requests.places(); ++place) {
    const Request& request = requests[RequestId(place)];
    if (request.running()) {
      accounts_[subjects_.of(request.tenant)].residence += (at - std::max(admitted_at_[place], measured_from_)).count();
    }
  }
  for (Account& account : accounts_) {
    account.figures.inside_at_end =
        static_cast<std::uint64_t>(account.inflight.now) + static_cast<std::uint64_t>(account.waiting.now);
    change(account.inflight, 0, at);
    change(account.waiting, 0, at);
  }
  for (const Time since : unready_since_) {
    if (measuring_ && since != Time::max()) {
      fleet_.unready_time += (at - std::max(since, measured_from_)).count();
    }
  }
  for (std::optional<ResourceAccount>& account : resources_) {
    if (account) {
      account->figures.in_use_at_end = account->in_use;
    }
  }
  const ApiFleet& api = *cluster.api();
  fleet_.at_end.reserve(api.processes());
  for (std::uint16_t i = 0; i < api.processes(); ++i) {
    const ProcessId id(i);
    const Gate& gate = api.gate(id);
    fleet_.at_end.push_back(
        {process_name(cluster, id), api.up(id) && gate.ready(), api.up(id), gate.depth(), gate.inflight()});
  }
  measured_until_ = at;
  measuring_ = false;
  counting_ = false;
}

GateFigures GateRecorder::figures_of(std::size_t subject) const {
  const Account& account = accounts_[subject];
  GateFigures figures = account.figures;
  for (std::size_t i = 0; i < kRefusals; ++i) {
    figures.rejected_by[std::string(name_of(static_cast<Refusal>(i)))] = account.rejected_by[i];
  }
  figures.wait = summarise(account.wait);
  figures.handling = summarise(account.handling);
  figures.response = summarise(account.response);
  const double measured = static_cast<double>((measured_until_ - measured_from_).count());
  if (measured > 0) {
    figures.mean_inflight = static_cast<double>(account.inflight.integral) / measured;
    figures.mean_waiting = static_cast<double>(account.waiting.integral) / measured;
    if (account.inflight.integral > 0) {
      const double by_law = static_cast<double>(account.residence) / measured;
      figures.little_residual = std::abs(figures.mean_inflight - by_law) / figures.mean_inflight;
    }
  }
  if (windows_at_end_ > 0) {
    figures.goodput_at_end_per_second =
        static_cast<double>(account.goodput_at_end) * 1e9 /
        (static_cast<double>(windows_at_end_) * static_cast<double>(scenario_.window.count()));
  }
  figures.success_rate = ratio(figures.counts.goodput, figures.counts.goodput + figures.gave_up);
  figures.amplification = ratio(figures.calls + figures.retries, figures.calls);
  return figures;
}

FleetFigures GateRecorder::fleet() const {
  FleetFigures fleet = fleet_;
  const auto figures = [&](Resource which) -> std::optional<ResourceFigures> {
    const std::optional<ResourceAccount>& account = resources_[static_cast<std::size_t>(which)];
    if (!account) {
      return std::nullopt;
    }
    ResourceFigures resource = account->figures;
    resource.wait = summarise(account->wait);
    return resource;
  };
  fleet.database_pool = figures(Resource::database_pool);
  fleet.downstream = figures(Resource::downstream);
  return fleet;
}

}  // namespace headroom
