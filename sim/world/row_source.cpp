#include "sim/world/row_source.hpp"

#include "model/base/hash.hpp"

namespace headroom {

RowSource::RowSource(const RowsSpec& spec, NamespaceId name, const Layout& layout, std::uint64_t seed)
    : name_(name),
      layout_(&layout),
      seed_(seed),
      entity_(layout.config(name).entity),
      workflows_(spec.workflows),
      visible_after_(spec.visible_after),
      failure_(spec.failure),
      service_(spec.service),
      think_stream_(seed, entity_, Purpose::think) {
  if (!is_reactive(spec.arrivals)) {
    arrivals_.emplace(spec.arrivals, Stream(seed, entity_, Purpose::arrivals));
  }
  if (const auto* backlog = std::get_if<BacklogArrivals>(&spec.arrivals)) {
    backlog_ = backlog->n;
  } else if (const auto* loop = std::get_if<ClosedLoopArrivals>(&spec.arrivals)) {
    clients_ = loop->clients;
    think_.emplace(loop->think);
  } else if (const auto* trace = std::get_if<TraceArrivals>(&spec.arrivals); trace != nullptr && trace->has_service) {
    trace_services_ = trace->entries;
  }
}

void RowSource::make_rows(std::uint64_t n, Time now, std::vector<NewRow>& rows) {
  const std::uint32_t first_route = layout_->first_route(name_.value());
  const std::uint32_t routes = layout_->first_route(name_.value() + 1) - first_route;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t ordinal = next_ordinal_++;
    const DispatchKey key(name_, ordinal);
    const WorkflowId workflow(layout_->first_workflow(name_.value()) +
                              static_cast<std::uint32_t>(ordinal % workflows_));
    rows.push_back({.key = key,
                    .workflow = workflow,
                    .route = RouteId(first_route + static_cast<std::uint32_t>(ordinal % routes)),
                    .shard = layout_->shard_of(key, workflow),
                    .visible_after = now + visible_after_,
                    .visible = visible_after_ == Duration::zero()});
  }
}

Stream RowSource::stream_of(DispatchKey key, std::uint16_t attempt, Purpose purpose) const {
  return Stream(seed_, stable_hash(entity_, stable_hash(key.ordinal(), attempt)), purpose);
}

Duration RowSource::service(DispatchKey key, std::uint16_t attempt) const {
  if (trace_services_ && key.ordinal() < trace_services_->size()) {
    return (*trace_services_)[static_cast<std::size_t>(key.ordinal())].service;
  }
  Stream stream = stream_of(key, attempt, Purpose::service);
  return service_.draw(stream);
}

bool RowSource::fails(DispatchKey key, std::uint16_t attempt) const {
  if (failure_.billionths <= 0) {
    return false;
  }
  Stream stream = stream_of(key, attempt, Purpose::failure);
  return stream.chance(failure_);
}

}  // namespace headroom
