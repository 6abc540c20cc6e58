#include "model/cluster/fleet_contents.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>

#include "model/base/assert.hpp"
#include "model/cluster/api_fleet.hpp"

namespace headroom {
namespace {

// Where a request stands among all that are inside.
struct Ranked {
  std::uint32_t group = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  RequestId id;
  [[nodiscard]] auto key() const { return std::tie(group, first, second, id); }
};

// A round robin over the tenants heeds the order of arrival within each only.
Ranked rank_of_waiter(const ApiFleet& fleet, const Request& request) {
  const Gate& gate = fleet.gate(request.process);
  const std::uint64_t line = gate.order() == QueueOrder::tenant_round_robin ? request.tenant.value() : 0;
  const std::uint64_t process_and_line = (std::uint64_t{request.process.value()} << 32U) | line;
  return {.group = 0, .first = process_and_line, .second = gate.waiter(request.waiter).turn};
}

Ranked rank_of_handler(const Request& request) {
  const std::uint64_t process_and_tenant = (std::uint64_t{request.process.value()} << 32U) | request.tenant.value();
  const auto stage = static_cast<std::uint64_t>(request.stage);
  return {.group = 3, .first = process_and_tenant, .second = 2 * stage + (request.abandoned ? 1 : 0)};
}

void rank_line(const ApiFleet& fleet, Resource which, std::vector<Ranked>& ranked) {
  const ResourcePool* pool = fleet.resource(which);
  if (pool == nullptr) {
    return;
  }
  std::uint64_t position = 0;
  for (CheckoutId id = pool->first_waiting(); !id.is_none(); id = pool->entry(id).after) {
    const Claimant claimant = pool->entry(id).claimant;
    HEADROOM_ASSERT(claimant.kind == Claimant::Kind::request, "claimant {} is not a request", claimant.id);
    ranked.push_back({.group = 1 + static_cast<std::uint32_t>(which),
                      .first = position++,
                      .second = 0,
                      .id = RequestId(claimant.id)});
  }
}

std::vector<Ranked> rank_requests(const ApiFleet& fleet) {
  const RequestTable& requests = fleet.requests();
  std::vector<Ranked> ranked;
  ranked.reserve(requests.inside_count());
  for (std::uint32_t place = 0; place < requests.places(); ++place) {
    const Request& request = requests[RequestId(place)];
    if (!request.inside || request.stage == Stage::database_checkout || request.stage == Stage::downstream_checkout) {
      continue;
    }
    Ranked rank = request.stage == Stage::waiting ? rank_of_waiter(fleet, request) : rank_of_handler(request);
    rank.id = RequestId(place);
    ranked.push_back(rank);
  }
  rank_line(fleet, Resource::database_pool, ranked);
  rank_line(fleet, Resource::downstream, ranked);
  HEADROOM_ASSERT(ranked.size() == requests.inside_count(), "{} of {} requests inside are somewhere", ranked.size(),
                  requests.inside_count());
  std::ranges::sort(ranked, [](const Ranked& a, const Ranked& b) { return a.key() < b.key(); });
  return ranked;
}

}  // namespace

RequestCounts FleetContents::counts_inside(NamespaceId name) const {
  RequestCounts counts;
  for (const Inside& request : requests) {
    if (request.tenant == name) {
      ++counts.arrived;
      ++(request.stage == Stage::waiting ? counts.waiting : counts.running);
    }
  }
  counts.admitted = counts.running;
  return counts;
}

std::vector<RequestId> read_contents(const ApiFleet& fleet, FleetContents& contents) {
  contents.processes.clear();
  contents.tenants.clear();
  contents.requests.clear();
  for (std::uint16_t i = 0; i < fleet.processes(); ++i) {
    const ProcessId process(i);
    const Gate& gate = fleet.gate(process);
    contents.processes.push_back({gate.standing(), fleet.up(process), fleet.known_ready(process)});
    for (std::uint32_t name = 0; name < gate.tenants(); ++name) {
      contents.tenants.push_back(gate.standing(NamespaceId(name)));
    }
  }
  std::vector<RequestId> places;
  const std::vector<Ranked> ranked = rank_requests(fleet);
  places.reserve(ranked.size());
  contents.requests.reserve(ranked.size());
  for (const Ranked& rank : ranked) {
    const Request& request = fleet.requests()[rank.id];
    const WaiterAge age =
        request.stage == Stage::waiting ? fleet.gate(request.process).waiter(request.waiter).age : WaiterAge::young;
    contents.requests.push_back({request.process, request.tenant, request.stage, age, request.abandoned});
    places.push_back(rank.id);
  }
  return places;
}

void ApiFleet::restore(const FleetContents& contents) {
  requests_.clear();
  for (std::optional<ResourcePool>& each : resources_) {
    if (each) {
      each->clear();
    }
  }
  const std::span<const Gate::TenantStanding> tenants(contents.tenants);
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    const FleetContents::Process& from = contents.processes[i];
    processes_[i].gate.restore(from.gate, tenants.subspan(i * counts_.size(), counts_.size()));
    processes_[i].up = from.up;
    processes_[i].known_ready = from.known_ready;
  }
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    counts_[i] = contents.counts_inside(NamespaceId(static_cast<std::uint32_t>(i)));
  }
  for (const FleetContents::Inside& inside : contents.requests) {
    restore(inside);
  }
}

void ApiFleet::restore(const FleetContents::Inside& inside) {
  const RequestId id = requests_.add(inside.tenant, inside.process, 0, Time::zero());
  Request& request = requests_.at(id);
  request.stage = inside.stage;
  request.abandoned = inside.abandoned;
  if (inside.stage == Stage::waiting) {
    request.waiter = process(inside.process).gate.restore_waiter(inside.tenant, id, inside.age);
  }
  using State = ResourcePool::Entry::State;
  const auto take_place = [&](Resource which, State state) {
    request.checkouts[static_cast<std::size_t>(which)] =
        pool(which)->restore({Claimant::Kind::request, id.value()}, state);
  };
  if (inside.stage != Stage::waiting && pool(Resource::database_pool)) {
    take_place(Resource::database_pool, inside.stage == Stage::database_checkout ? State::waiting : State::held);
  }
  if (inside.stage == Stage::downstream_checkout || inside.stage == Stage::downstream) {
    take_place(Resource::downstream, inside.stage == Stage::downstream_checkout ? State::waiting : State::held);
  }
}

}  // namespace headroom
