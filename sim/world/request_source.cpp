#include "sim/world/request_source.hpp"

#include "model/base/hash.hpp"

namespace headroom {

RequestSource::RequestSource(const RequestsSpec& spec, NamespaceId name, const Layout& layout, std::uint64_t seed)
    : spec_(spec),
      seed_(seed),
      entity_(layout.config(name).entity),
      service_(spec.service),
      think_stream_(seed, entity_, Purpose::request_think),
      draws_(seed, entity_, Purpose::retry_after),
      retries_(spec.client.retry, Stream(seed, entity_, Purpose::retry)) {
  if (spec.client.patience) {
    patience_.emplace(*spec.client.patience);
  }
  if (const auto* loop = std::get_if<ClosedLoopArrivals>(&spec.arrivals)) {
    clients_ = loop->clients;
    think_.emplace(loop->think);
    return;
  }
  arrivals_.emplace(spec.arrivals, Stream(seed, entity_, Purpose::requests));
  if (const auto* trace = std::get_if<TraceArrivals>(&spec.arrivals); trace != nullptr && trace->has_service) {
    trace_services_ = trace->entries;
  }
}

Stream RequestSource::stream_of(std::uint64_t logical, std::uint32_t retries, Purpose purpose) const {
  return {seed_, stable_hash(entity_, stable_hash(logical, retries)), purpose};
}

Duration RequestSource::service(std::uint64_t logical, std::uint32_t retries) const {
  if (trace_services_ && logical < trace_services_->size()) {
    return (*trace_services_)[static_cast<std::size_t>(logical)].service;
  }
  Stream stream = stream_of(logical, retries, Purpose::request_service);
  return service_.draw(stream);
}

bool RequestSource::fails(std::uint64_t logical, std::uint32_t retries) const {
  if (spec_.failure.billionths <= 0) {
    return false;
  }
  Stream stream = stream_of(logical, retries, Purpose::request_failure);
  return stream.chance(spec_.failure);
}

std::optional<Duration> RequestSource::patience(std::uint64_t logical) const {
  if (!patience_) {
    return std::nullopt;
  }
  Stream stream = stream_of(logical, 0, Purpose::patience);
  return patience_->draw(stream);
}

}  // namespace headroom
