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
  if (spec.visible_jitter) {
    visible_jitter_.emplace(*spec.visible_jitter);
  }
  if (!spec.arrivals) {
    return;
  }
  if (!is_reactive(*spec.arrivals)) {
    arrivals_.emplace(*spec.arrivals, Stream(seed, entity_, Purpose::arrivals));
  }
  if (const auto* backlog = std::get_if<BacklogArrivals>(&*spec.arrivals)) {
    backlog_ = backlog->n;
  } else if (const auto* loop = std::get_if<ClosedLoopArrivals>(&*spec.arrivals)) {
    clients_ = loop->clients;
    think_.emplace(loop->think);
  } else if (const auto* trace = std::get_if<TraceArrivals>(&*spec.arrivals); trace != nullptr && trace->has_service) {
    trace_services_ = trace->entries;
  }
}

// Workflows and routes come in turn.
NewRow RowSource::row_for(DispatchKey key, std::uint64_t number, Time now) const {
  const std::uint32_t first_route = layout_->first_route(name_.value());
  const std::uint32_t routes = layout_->first_route(name_.value() + 1) - first_route;
  const WorkflowId workflow(layout_->first_workflow(name_.value()) + static_cast<std::uint32_t>(number % workflows_));
  const Duration invisible = invisible_for(key);
  return {.key = key,
          .workflow = workflow,
          .route = RouteId(first_route + static_cast<std::uint32_t>(number % routes)),
          .shard = layout_->shard_of(key, workflow),
          .visible_after = now + invisible,
          .visible = invisible == Duration::zero()};
}

Duration RowSource::invisible_for(DispatchKey key) const {
  if (!visible_jitter_) {
    return visible_after_;
  }
  Stream stream = stream_of(key, 0, Purpose::visibility);
  return visible_after_ + visible_jitter_->draw(stream);
}

void RowSource::repeat_rows(std::uint32_t n, Time now, Stream& stream, std::vector<NewRow>& rows) const {
  for (std::uint32_t i = 0; i < n && next_ordinal_ > 0; ++i) {
    const std::uint64_t ordinal = stream.below(next_ordinal_);
    rows.push_back(row_for(DispatchKey(name_, ordinal), ordinal, now));
  }
}

void RowSource::make_rows(std::uint64_t n, Time now, std::vector<NewRow>& rows) {
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t ordinal = next_ordinal_++;
    rows.push_back(row_for(DispatchKey(name_, ordinal), ordinal, now));
  }
}

void RowSource::make_rows_of_request(std::uint64_t logical, std::uint32_t fan_out, Time now,
                                     std::vector<NewRow>& rows) const {
  for (std::uint32_t row = 0; row < fan_out; ++row) {
    rows.push_back(row_for(DispatchKey::of_request(name_, logical, fan_out, row), logical * fan_out + row, now));
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
