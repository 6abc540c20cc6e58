// Tenants: their rows, requests and limits.
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"

namespace headroom {
namespace {

Rule<RouteSpec> route_rule() {
  ObjectRule<RouteSpec> object;
  object.required("queue", &RouteSpec::queue, text(1, 255), "name of the queue");
  object.key("worker_pool", &RouteSpec::worker_pool, text(1, 255), "the pool that the rows are pinned to");
  return text_or(
      mapped<RouteSpec>(text(1, 255), [](std::string queue, Reading&) { return RouteSpec{std::move(queue), {}}; }),
      object.rule());
}

// The keys of `rows`: which of them are there matters.
struct RowsKeys {
  std::optional<ArrivalSpec> arrivals;
  std::optional<DistributionSpec> service;
  std::optional<Decimal> failure;
  std::optional<std::uint32_t> workflows;
  std::optional<Duration> visible_after;
  std::optional<DistributionSpec> visible_jitter;
  std::optional<bool> database_pool;
};

// Rows without arrivals of their own may come with requests, which are read elsewhere.
std::optional<RowsSpec> to_rows(RowsKeys keys, Reading& reading) {
  if (!keys.arrivals && !keys.service && !keys.failure && !keys.workflows && !keys.visible_after &&
      !keys.visible_jitter && !keys.database_pool) {
    return std::nullopt;
  }
  const auto* trace = keys.arrivals ? std::get_if<TraceArrivals>(&*keys.arrivals) : nullptr;
  if (trace != nullptr && !trace->service.empty() && keys.service) {
    const auto step = reading.enter("service");
    reading.fault("the trace gives the service times already", "leave out one of the two");
  }
  RowsSpec rows;
  rows.arrivals = std::move(keys.arrivals);
  rows.service = keys.service ? std::move(*keys.service) : rows.service;
  rows.failure = keys.failure.value_or(rows.failure);
  rows.workflows = keys.workflows.value_or(rows.workflows);
  rows.visible_after = keys.visible_after.value_or(rows.visible_after);
  rows.visible_jitter = std::move(keys.visible_jitter);
  rows.database_pool = keys.database_pool.value_or(rows.database_pool);
  return rows;
}

Rule<std::optional<RowsSpec>> rows_rule() {
  ObjectRule<RowsKeys> object;
  object.key("arrivals", &RowsKeys::arrivals, arrivals_rule(),
             "when rows come by themselves; absent: only with requests");
  object.key("service", &RowsKeys::service, distribution_rule(),
             "how long a row executes (default: exponential, 50ms)");
  object.key("failure", &RowsKeys::failure, decimal(Decimal{0}, Decimal::whole(1)),
             "probability that a try fails (default: 0)");
  object.key("workflows", &RowsKeys::workflows, whole<std::uint32_t>(1, kMaxCount),
             "number of workflows; rows belong to them in turn (default: 1)");
  object.key("visible_after", &RowsKeys::visible_after, duration(),
             "from the append until the row is visible (default: 0s)");
  object.key("visible_jitter", &RowsKeys::visible_jitter, distribution_rule(),
             "further time of each row: they do not become visible in order (default: none)");
  object.key("database_pool", &RowsKeys::database_pool, flag(),
             "whether an executing row holds a database connection (default: false)");
  return mapped<std::optional<RowsSpec>>(object.rule(), to_rows);
}

Rule<TenantSpec> make_tenant_rule() {
  ObjectRule<TenantSpec> object;
  object.required("name", &TenantSpec::name, text(1, 255), "name in plans and reports");
  object.key_into(
      "id", text(1, 255), [](TenantSpec& tenant, std::string id) { tenant.id = std::move(id); },
      "what streams and keys hang on (default: the name)");
  object.key("count", &TenantSpec::count, whole<std::uint32_t>(1, kMaxCount), "makes a group of so many members");
  object.key("quota", &TenantSpec::quota, whole<std::uint32_t>(0, static_cast<std::uint32_t>(kMaxQuota)),
             "rows that may execute at once, cluster-wide");
  object.key("weight", &TenantSpec::weight, whole<std::uint32_t>(1, 1'000'000), "share under deficit_round_robin");
  object.key("routes", &TenantSpec::routes, list(route_rule(), 1, 1024), "queues that its rows use in turn");
  object.key("noisy", &TenantSpec::noisy, flag(), "marks the tenant whose noise is measured");
  object.key("rows", &TenantSpec::rows, rows_rule(), "the tenant's rows");
  object.key("requests", &TenantSpec::requests, requests_rule(), "the tenant's requests");
  object.key("admission", &TenantSpec::limits, tenant_limits_rule(),
             "its own limits, where they differ from those of all tenants");
  return object.rule();
}

}  // namespace

const Rule<TenantSpec>& tenant_rule() {
  static const Rule<TenantSpec> rule = defined_as("tenant", make_tenant_rule());
  return rule;
}

}  // namespace headroom
