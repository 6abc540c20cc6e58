// Where a tenant's requests come from: when, how much work each is, and what its clients do about a bad answer.
//
//   RequestSource source(spec, name, layout, seed);
//   while (auto arrival = source.next_arrival()) call(source.next_logical());
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/cluster/layout.hpp"
#include "sim/engine/distribution.hpp"
#include "sim/engine/stream.hpp"
#include "sim/world/arrivals.hpp"
#include "sim/world/client.hpp"

namespace headroom {

class RequestSource {
 public:
  RequestSource(const RequestsSpec& spec, NamespaceId name, const Layout& layout, std::uint64_t seed);

  // The next logical requests that come by themselves, in time order; nothing for closed loops.
  [[nodiscard]] std::optional<Arrival> next_arrival() { return arrivals_ ? arrivals_->next() : std::nullopt; }
  [[nodiscard]] std::uint32_t clients() const { return clients_; }
  [[nodiscard]] Duration think() { return think_->draw(think_stream_); }
  [[nodiscard]] std::uint64_t next_logical() { return next_logical_++; }

  [[nodiscard]] const ClientSpec& client() const { return spec_.client; }
  [[nodiscard]] RetryPolicy& retries() { return retries_; }
  [[nodiscard]] std::uint32_t fan_out() const { return spec_.fan_out; }

  // How long the handler works before any latency shift, whether it fails, and how long the client bears with it. They
  // hang on the logical request and the number of the try, so that they are the same whatever the gate makes of it.
  [[nodiscard]] Duration service(std::uint64_t logical, std::uint32_t retries) const;
  [[nodiscard]] bool fails(std::uint64_t logical, std::uint32_t retries) const;
  [[nodiscard]] std::optional<Duration> patience(std::uint64_t logical) const;
  // 64 uniform bits for the jitter of a refusal.
  [[nodiscard]] std::uint64_t draw() { return draws_.next(); }

 private:
  [[nodiscard]] Stream stream_of(std::uint64_t logical, std::uint32_t retries, Purpose purpose) const;

  RequestsSpec spec_;
  std::uint64_t seed_;
  std::uint64_t entity_;
  std::uint64_t next_logical_ = 0;
  Distribution service_;
  std::optional<Distribution> patience_;
  std::shared_ptr<const std::vector<TraceEntry>> trace_services_;  // by logical request; none: drawn
  std::optional<ArrivalProcess> arrivals_;
  std::uint32_t clients_ = 0;
  std::optional<Distribution> think_;
  Stream think_stream_;
  Stream draws_;
  RetryPolicy retries_;
};

}  // namespace headroom
