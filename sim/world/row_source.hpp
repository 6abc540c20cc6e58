// Where a tenant's rows come from: their keys, workflows, routes and shards, and when they come.
//
//   RowSource source(spec, name, layout, seed);
//   while (auto arrival = source.next_arrival()) { source.make_rows(arrival->n, now, rows); }
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/cluster/layout.hpp"
#include "model/outbox/outbox.hpp"
#include "sim/engine/distribution.hpp"
#include "sim/engine/stream.hpp"
#include "sim/world/arrivals.hpp"

namespace headroom {

// What a scenario says of a tenant's rows.
struct RowsSpec {
  std::optional<ArrivalSpec> arrivals;  // absent: only requests append rows
  DistributionSpec service = ExponentialSpec{Duration::milliseconds(50)};
  Decimal failure;                                 // probability that a try fails
  std::uint32_t workflows = 1;                     // rows belong to these in turn
  Duration visible_after = Duration::zero();       // from the append to the instant at which a row may first be claimed
  std::optional<DistributionSpec> visible_jitter;  // further time of each row: they do not become visible in order
  bool database_pool = false;                      // an executing row holds a connection
};

class RowSource {
 public:
  RowSource(const RowsSpec& spec, NamespaceId name, const Layout& layout, std::uint64_t seed);

  // The next batch that comes by itself, in time order; nothing for backlogs and closed loops, which answer to events.
  [[nodiscard]] std::optional<Arrival> next_arrival() { return arrivals_ ? arrivals_->next() : std::nullopt; }
  [[nodiscard]] std::uint64_t backlog() const { return backlog_; }
  [[nodiscard]] std::uint32_t clients() const { return clients_; }
  // How long a client of a closed loop thinks before its next row.
  [[nodiscard]] Duration think() { return think_->draw(think_stream_); }

  // Appends `n` fresh rows to `rows`, with keys in order, workflows and routes in turn.
  void make_rows(std::uint64_t n, Time now, std::vector<NewRow>& rows);
  // `n` of the rows that it has made before, drawn from `stream`; none before the first.
  void repeat_rows(std::uint32_t n, Time now, Stream& stream, std::vector<NewRow>& rows) const;
  // The rows that a logical request appends; the same whichever of its tries does.
  void make_rows_of_request(std::uint64_t logical, std::uint32_t fan_out, Time now, std::vector<NewRow>& rows) const;

  // How long the row's work takes before any latency shift, and whether this try fails. Both hang on the row alone (its
  // key and attempt), so that they are the same whatever the planner makes of it.
  [[nodiscard]] Duration service(DispatchKey key, std::uint16_t attempt) const;
  [[nodiscard]] bool fails(DispatchKey key, std::uint16_t attempt) const;

 private:
  [[nodiscard]] Duration invisible_for(DispatchKey key) const;
  [[nodiscard]] NewRow row_for(DispatchKey key, std::uint64_t number, Time now) const;
  [[nodiscard]] Stream stream_of(DispatchKey key, std::uint16_t attempt, Purpose purpose) const;

  NamespaceId name_;
  const Layout* layout_;
  std::uint64_t seed_;
  std::uint64_t entity_;
  std::uint64_t next_ordinal_ = 0;
  std::uint32_t workflows_;
  Duration visible_after_;
  std::optional<Distribution> visible_jitter_;
  Decimal failure_;
  Distribution service_;
  std::shared_ptr<const std::vector<TraceEntry>> trace_services_;  // by ordinal; none: drawn
  std::optional<ArrivalProcess> arrivals_;
  std::uint64_t backlog_ = 0;
  std::uint32_t clients_ = 0;
  std::optional<Distribution> think_;
  Stream think_stream_;
};

}  // namespace headroom
