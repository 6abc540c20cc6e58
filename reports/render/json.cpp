#include "reports/render/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

double milliseconds(Int128 nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e6;
}
double milliseconds(Duration duration) {
  return milliseconds(duration.count());
}
double seconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e9;
}
std::string hex(std::uint64_t word) {
  return fmt::format("{:016x}", word);
}

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json to_json(const Figure& figure) {
  return std::visit(
      [](const auto& value) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return nullptr;
        } else {
          return value;
        }
      },
      figure);
}

// A bound on one side is that number; on both, an object.
Json bound_of(const Judgement& judgement) {
  const bool least = !std::holds_alternative<std::monostate>(judgement.at_least);
  const bool most = !std::holds_alternative<std::monostate>(judgement.at_most);
  if (least && most) {
    return {{"at_least", to_json(judgement.at_least)}, {"at_most", to_json(judgement.at_most)}};
  }
  return to_json(least ? judgement.at_least : judgement.at_most);
}

Json to_json(const std::vector<Judgement>& judgements) {
  Json list = Json::array();
  for (const Judgement& judgement : judgements) {
    Json entry = {{"name", judgement.name}, {"kind", name_of(judgement.kind)}};
    if (judgement.broken) {
      entry["broken"] = true;
    }
    entry["verdict"] = name_of(judgement.verdict);
    entry["bound"] = bound_of(judgement);
    entry["value"] = to_json(judgement.value);
    entry["reason"] = judgement.reason;
    list.push_back(std::move(entry));
  }
  return list;
}

Json to_json(const DistributionSummary& summary) {
  if (summary.count == 0) {
    return {{"count", 0}, {"mean", nullptr}, {"p50", nullptr}, {"p90", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  }
  return {{"count", summary.count},
          {"mean", static_cast<double>(summary.sum) / static_cast<double>(summary.count) / 1e6},
          {"p50", milliseconds(summary.p50)},
          {"p90", milliseconds(summary.p90)},
          {"p99", milliseconds(summary.p99)},
          {"max", milliseconds(summary.max)}};
}

Json to_json(const GateCounts& counts) {
  return {{"arrived", counts.arrived},
          {"admitted", counts.admitted},
          {"rejected_429", counts.rejected_429},
          {"rejected_503", counts.rejected_503},
          {"goodput", counts.goodput}};
}

Json to_json(const GateFigures& gate) {
  return {{"arrived", gate.counts.arrived},
          {"admitted", gate.counts.admitted},
          {"finished", gate.finished},
          {"rejected_429", gate.counts.rejected_429},
          {"rejected_503", gate.counts.rejected_503},
          {"gone", gate.gone},
          {"inside_at_end", gate.inside_at_end},
          {"rejected_by", gate.rejected_by},
          {"calls", gate.calls},
          {"retries", gate.retries},
          {"timeouts", gate.timeouts},
          {"gave_up", gate.gave_up},
          {"unreachable", gate.unreachable},
          {"abandoned", gate.abandoned},
          {"goodput", gate.counts.goodput},
          {"dead_work", gate.dead_work},
          {"failed", gate.failed},
          {"crashed", gate.crashed},
          {"database_timeouts", gate.database_timeouts},
          {"downstream_timeouts", gate.downstream_timeouts},
          {"measured", to_json(gate.measured)},
          {"peak_at_once", gate.peak_at_once},
          {"peak_retries_at_once", gate.peak_retries_at_once},
          {"wait_ms", to_json(gate.wait)},
          {"handling_ms", to_json(gate.handling)},
          {"response_ms", to_json(gate.response)},
          {"mean_inflight", gate.mean_inflight},
          {"mean_waiting", gate.mean_waiting},
          {"little_residual", number_or_null(gate.little_residual)},
          {"success_rate", number_or_null(gate.success_rate)},
          {"amplification", number_or_null(gate.amplification)},
          {"goodput_at_end_per_second", number_or_null(gate.goodput_at_end_per_second)}};
}

Json to_json(const ResourceFigures& resource) {
  return {{"size", resource.size},
          {"reserve", resource.reserve},
          {"peak_in_use", resource.peak_in_use},
          {"peak_waiting", resource.peak_waiting},
          {"wait_ms", to_json(resource.wait)},
          {"timeouts", resource.timeouts},
          {"health_check_timeouts", resource.health_check_timeouts}};
}

Json to_json(const FleetFigures& fleet) {
  return {{"processes", fleet.processes},
          {"max_inflight", fleet.max_inflight ? Json(*fleet.max_inflight) : Json(nullptr)},
          {"max_inflight_from", !fleet.max_inflight       ? Json(nullptr)
                                : fleet.derived_from_pool ? Json("database_pool")
                                                          : Json("scenario")},
          {"peak_inflight", fleet.peak_inflight},
          {"peak_queue_depth", fleet.peak_queue_depth},
          {"readiness_changes", fleet.readiness_changes},
          {"unready_ms", milliseconds(fleet.unready_time)}};
}

double row_seconds(Int128 row_nanoseconds) {
  return static_cast<double>(row_nanoseconds) / 1e9;
}

Json to_json(const QuotaExcess& quota) {
  return {{"peak_ceiling_sum_over", quota.peak_ceiling_sum_over},
          {"ceiling_seconds_over", seconds(quota.ceiling_time_over)},
          {"ceiling_row_seconds_over", row_seconds(quota.ceiling_over_integral)},
          {"peak_executing_over", quota.peak_executing_over},
          {"seconds_over", seconds(quota.time_over)},
          {"row_seconds_over", row_seconds(quota.over_integral)},
          {"peak_under", quota.peak_under},
          {"seconds_under", seconds(quota.time_under)},
          {"row_seconds_under", row_seconds(quota.under_integral)},
          {"peak_stranded", quota.peak_stranded},
          {"seconds_stranded", seconds(quota.time_stranded)},
          {"row_seconds_stranded", row_seconds(quota.stranded_integral)}};
}

Json to_json(const std::optional<NoiseAmplification>& noise) {
  if (!noise) {
    return {{"without", nullptr}, {"p99_ms", nullptr},        {"twin_p99_ms", nullptr},
            {"ratio", nullptr},   {"difference_ms", nullptr}, {"success_difference", nullptr}};
  }
  return {{"without", noise->without},
          {"p99_ms", milliseconds(noise->p99)},
          {"twin_p99_ms", milliseconds(noise->twin_p99)},
          {"ratio", number_or_null(noise->ratio)},
          {"difference_ms", milliseconds(noise->difference)},
          {"success_difference", noise->success_difference}};
}

Json to_json(const TenantFigures& figures) {
  Json causes = Json::object();
  for (const auto& [cause, nanoseconds] : figures.wait_causes) {
    causes[cause] = milliseconds(nanoseconds);
  }
  Json json = {{"quota", figures.quota},
               {"weight", figures.weight},
               {"noisy", figures.noisy},
               {"appended", figures.appended},
               {"claimed", figures.claimed},
               {"completed", figures.completed},
               {"failed", figures.failed},
               {"cancelled", figures.cancelled},
               {"pending_at_end", figures.pending_at_end},
               {"claimed_at_end", figures.claimed_at_end},
               {"duplicates_ignored", figures.duplicates_ignored},
               {"retries", figures.retries},
               {"rearmed", figures.rearmed},
               {"demand", figures.demand},
               {"served", figures.served},
               {"oldest_unclaimed_ms", milliseconds(figures.oldest_unclaimed)},
               {"wait_ms", to_json(figures.wait)},
               {"claim_wait_ms", to_json(figures.claim_wait)},
               {"sojourn_ms", to_json(figures.sojourn)},
               {"wait_causes_ms", std::move(causes)},
               {"longest_starvation",
                {{"ms", milliseconds(figures.longest_starvation.time)}, {"sweeps", figures.longest_starvation.sweeps}}},
               {"at_ceiling_ms", milliseconds(figures.at_ceiling)},
               {"executing_ms", milliseconds(figures.executing_time)},
               {"share", number_or_null(figures.share)},
               {"executing_share", number_or_null(figures.executing_share)},
               {"entitled_share", number_or_null(figures.entitled_share)},
               {"max_min_ratio", number_or_null(figures.max_min_ratio)},
               {"noise_amplification", to_json(figures.noise)},
               {"quota_use", to_json(figures.quota_use)},
               {"littles_residual", number_or_null(figures.littles_residual)}};
  if (figures.gate) {
    json["gate"] = to_json(*figures.gate);
  }
  return json;
}

// Divided by `unit`: 1e6 for milliseconds, 1 for counts.
Json to_json(const std::optional<Spread>& spread, std::int64_t unit) {
  const auto figure = [&](std::int64_t value) -> Json {
    return unit == 1 ? Json(value) : Json(static_cast<double>(value) / static_cast<double>(unit));
  };
  if (!spread) {
    return {{"min", nullptr}, {"median", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  }
  return {{"min", figure(spread->min)},
          {"median", figure(spread->median)},
          {"p99", figure(spread->p99)},
          {"max", figure(spread->max)}};
}

Json to_json(const GroupResult& group) {
  constexpr std::int64_t in_ms = 1'000'000;
  const MemberSpreads& across = group.across_members;
  Json json = {{"members", group.members}};
  Json pooled = to_json(group.pooled);
  json.insert(pooled.begin(), pooled.end());
  json["across_members"] = {
      {"completed", to_json(across.completed, 1)},
      {"wait_ms",
       {{"p50", to_json(across.wait_p50, in_ms)},
        {"p99", to_json(across.wait_p99, in_ms)},
        {"max", to_json(across.wait_max, in_ms)}}},
      {"longest_starvation",
       {{"ms", to_json(across.starvation, in_ms)}, {"sweeps", to_json(across.starvation_sweeps, 1)}}}};
  return json;
}

std::optional<double> utilisation(Int128 busy, Int128 offered) {
  if (offered == 0) {
    return std::nullopt;
  }
  return static_cast<double>(busy) / static_cast<double>(offered);
}

Json to_json(const NodeResult& node) {
  return {{"claims", node.claims},
          {"sweeps", node.sweeps},
          {"executions", node.executions},
          {"busy_ms", milliseconds(node.busy_time)},
          {"utilisation", number_or_null(utilisation(node.busy_time, node.worker_time))},
          {"owned_shards_at_end", node.owned_shards_at_end},
          {"crashes", node.crashes}};
}

Json cluster_json(const RunResult& result) {
  const ClusterResult& cluster = result.cluster;
  Json json = {{"jain_index", number_or_null(cluster.jain_index)},
               {"jain_worst_window", number_or_null(cluster.jain_worst_window)},
               {"jain_worst_window_at_ms",
                cluster.worst_window_at ? Json(milliseconds(cluster.worst_window_at->since_start())) : Json(nullptr)},
               {"jain_windows", cluster.windows_judged},
               {"executing_jain_index", number_or_null(cluster.executing_jain_index)},
               {"executing_jain_worst_window", number_or_null(cluster.executing_jain_worst_window)},
               {"quota", to_json(cluster.quota)},
               {"utilisation", number_or_null(cluster.utilisation)},
               {"littles_residual", number_or_null(cluster.littles_residual)},
               {"duplicate_executions", cluster.duplicate_executions},
               {"stale_completions", cluster.stale_completions},
               {"goodput_per_second", number_or_null(cluster.goodput_per_second)},
               {"recovery_ms", cluster.recovery ? Json(milliseconds(*cluster.recovery)) : Json(nullptr)}};
  if (cluster.fleet) {
    json["gate"] = to_json(*cluster.fleet);
    if (cluster.fleet->database_pool) {
      json["database_pool"] = to_json(*cluster.fleet->database_pool);
    }
    if (cluster.fleet->downstream) {
      json["downstream"] = to_json(*cluster.fleet->downstream);
    }
  }
  return json;
}

Json drain_json(const DrainResult& drain) {
  return {{"seconds", seconds(drain.time)},
          {"drained", drain.drained},
          {"completed", drain.completed},
          {"failed", drain.failed},
          {"left",
           {{"pending", drain.left_pending},
            {"claimed", drain.left_claimed},
            {"waiting", drain.left_waiting},
            {"running", drain.left_running}}}};
}

// An object with a member for each entry. Written to the end of it without a search for the key, since names are
// unique and there may be many thousands.
template <class Entries, class Value>
Json object_of(const Entries& entries, Value value) {
  Json object = Json::object();
  auto& members = object.get_ref<Json::object_t&>();
  members.reserve(entries.size());
  for (const auto& entry : entries) {
    members.push_back({entry.name, value(entry)});
  }
  return object;
}

std::string_view name_of_subject(const RunResult& result, std::uint32_t subject) {
  const std::size_t tenants = result.tenants.size();
  return subject < tenants ? result.tenants[subject].name : result.groups[subject - tenants].name;
}

// In all, and who got least of its optimum; the cells themselves may be many.
Json to_json(const ShareWindow& window, const RunResult& result) {
  ShareCell sum;
  const ShareCell* worst = nullptr;
  for (const ShareCell& cell : window.cells) {
    sum.demand += cell.demand;
    sum.served += cell.served;
    sum.optimum += cell.optimum;
    if (cell.optimum > 0 && (worst == nullptr || cell.served * worst->optimum < worst->served * cell.optimum)) {
      worst = &cell;
    }
  }
  return {{"start_ms", milliseconds(window.start.since_start())},
          {"end_ms", milliseconds(window.end.since_start())},
          {"jain_index", number_or_null(window.jain)},
          {"demand", sum.demand},
          {"served", sum.served},
          {"optimum", sum.optimum},
          {"worst", worst == nullptr ? Json(nullptr)
                                     : Json{{"name", name_of_subject(result, worst->subject)},
                                            {"max_min_ratio", worst->served / worst->optimum}}}};
}

Json figures_document(const RunResult& result) {
  Json document = Json::object();
  document["simulated_seconds"] = seconds(result.simulated);
  document["events"] = result.events;
  document["event_digest"] = hex(result.event_digest);
  document["tenants"] = object_of(result.tenants, [](const TenantResult& tenant) { return to_json(tenant.figures); });
  document["groups"] = object_of(result.groups, [](const GroupResult& group) { return to_json(group); });
  document["nodes"] = object_of(result.nodes, [](const NodeResult& node) { return to_json(node); });
  document["cluster"] = cluster_json(result);
  document["drain"] = drain_json(result.drain);
  document["share_windows"] = Json::array();
  for (const ShareWindow& window : result.share_windows) {
    document["share_windows"].push_back(to_json(window, result));
  }
  document["reached"] = Json(result.reached);
  document["engine"] = {{"peak_pending_events", result.peak_pending_events}};
  return document;
}

std::string dump(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string render_result_json(const RunResult& result) {
  Json document = {{"schema", 1},
                   {"headroom_version", result.headroom_version},
                   {"scenario", {{"name", result.scenario_name}, {"digest", hex(result.scenario_digest)}}},
                   {"seed", result.seed},
                   {"verdict", name_of(result.verdict)}};
  if (!result.stopped_early.empty()) {
    document["stopped_early"] = result.stopped_early;
  }
  Json figures = figures_document(result);
  auto& members = figures.get_ref<Json::object_t&>();
  for (auto& [key, value] : members) {
    document[key] = std::move(value);
    if (key == "event_digest") {
      document["expectations"] = to_json(result.expectations);
      document["information"] = to_json(result.information);
    }
  }
  return dump(document);
}

std::string render_timing_json(const RunTiming& timing) {
  Json phases = Json::object();
  for (const auto& [phase, seconds_taken] : timing.phases) {
    phases[phase] = seconds_taken;
  }
  return dump({{"simulate_seconds", timing.simulate_seconds},
               {"events_per_second", timing.events_per_second},
               {"peak_memory_bytes", timing.peak_memory_bytes},
               {"phases", std::move(phases)}});
}

std::vector<MetricValue> metric_values(const RunResult& result, std::span<const std::string> pointers) {
  std::vector<MetricValue> values;
  if (pointers.empty()) {
    return values;
  }
  const Json document = figures_document(result);
  for (const std::string& pointer : pointers) {
    MetricValue metric;
    try {
      const Json& found = document.at(Json::json_pointer(pointer));
      metric.exists = found.is_number() || found.is_boolean() || found.is_null();
      if (found.is_number()) {
        metric.value = found.get<double>();
      } else if (found.is_boolean()) {
        metric.value = found.get<bool>() ? 1 : 0;
      }
    } catch (const Json::exception&) {
      // Not a pointer, or it leads nowhere: no such metric.
      metric = MetricValue{};
    }
    values.push_back(metric);
  }
  return values;
}

}  // namespace headroom
