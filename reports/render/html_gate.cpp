#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "model/admission/refusal.hpp"
#include "reports/render/escape.hpp"
#include "reports/render/gate_wording.hpp"
#include "reports/render/html_cells.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/html_table.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

std::string request_table(const std::vector<RankedTenant>& senders, std::size_t shown) {
  HtmlTable table("Requests, worst success rate first",
                  {{"tenant", ""},
                   {"success", "of the logical requests that were answered or given up, those answered in time"},
                   {"answered in time", "logical requests answered 2xx while the client waited (goodput)"},
                   {"arrived", "tries that reached a gate"},
                   {"429", "tries refused: the tenant's own budget was used up"},
                   {"503", "tries refused: shared capacity was used up"},
                   {"gone", "tries whose client left before the handler started"},
                   {"wait p50 ms", "at the gate, of those admitted in the measured part"},
                   {"wait p99 ms", "at the gate, of those admitted in the measured part"},
                   {"response p50 ms", "from the first try to the answer in time"},
                   {"response p99 ms", "from the first try to the answer in time"},
                   {"handling p99 ms", "from the admission to the end of the handler"},
                   {"dead work", "handlers that succeeded for a client that had left"},
                   {"retries", "tries after the first"},
                   {"tries per request", "retry amplification"},
                   {"timeouts", "of clients"},
                   {"gave up", "logical requests"},
                   {"no process", "tries that found no process"},
                   {"abandoned", "clients that left a running handler"},
                   {"pool timeouts", "handlers that got no database connection in time"},
                   {"downstream timeouts", "handlers that got no place downstream in time"},
                   {"failed", "handlers that failed of themselves"},
                   {"crashed", "handlers whose process died"},
                   {"mean in flight", "over time, in the measured part"},
                   {"in time/s at end", "goodput over the last fifth of the measured part"}});
  for (std::size_t i = 0; i < shown; ++i) {
    const GateFigures& gate = *senders[i].figures->gate;
    table.row({HtmlCell::words(senders[i].label + (senders[i].figures->noisy ? " (noisy)" : "")),
               percent_cell(gate.success_rate),
               count_cell(gate.counts.goodput),
               count_cell(gate.counts.arrived),
               count_cell(gate.counts.rejected_429),
               count_cell(gate.counts.rejected_503),
               count_cell(gate.gone),
               sample_cell(gate.wait, gate.wait.p50),
               sample_cell(gate.wait, gate.wait.p99),
               sample_cell(gate.response, gate.response.p50),
               sample_cell(gate.response, gate.response.p99),
               sample_cell(gate.handling, gate.handling.p99),
               count_cell(gate.dead_work),
               count_cell(gate.retries),
               decimal_cell(gate.amplification, 2),
               count_cell(gate.timeouts),
               count_cell(gate.gave_up),
               count_cell(gate.unreachable),
               count_cell(gate.abandoned),
               count_cell(gate.database_timeouts),
               count_cell(gate.downstream_timeouts),
               count_cell(gate.failed),
               count_cell(gate.crashed),
               decimal_cell(gate.mean_inflight, 2),
               decimal_cell(gate.goodput_at_end_per_second, 1)});
  }
  return table.text();
}

// A row for each tenant that was ever refused.
std::string refusal_table(const std::vector<RankedTenant>& senders, std::size_t shown) {
  constexpr std::array<std::string_view, kRefusals> hints = {
      "the tenant's rate limit",
      "the tenant was at its in-flight cap",
      "the tenant's share of the queue was full",
      "waited for too long, with the tenant at its in-flight cap",
      "the process was at its in-flight cap, and nobody may wait",
      "the queue of the process was full",
      "waited for too long for the process",
      "the process was shutting down"};
  std::vector<HtmlColumn> columns = {{"tenant", ""}, {"refused", "tries, of all that reached a gate"}};
  columns.reserve(columns.size() + kRefusals);
  std::array<std::string, kRefusals> titles;
  for (std::size_t i = 0; i < kRefusals; ++i) {
    const auto refusal = static_cast<Refusal>(i);
    titles[i] = fmt::format("{} {}", status_of(refusal), name_of(refusal));
    columns.push_back({titles[i], hints[i]});
  }
  HtmlTable table("Refusals by reason", columns);
  bool any = false;
  for (std::size_t i = 0; i < shown; ++i) {
    const GateFigures& gate = *senders[i].figures->gate;
    const std::uint64_t all = refused(gate.counts);
    if (all == 0) {
      continue;
    }
    any = true;
    std::vector<HtmlCell> cells = {
        HtmlCell::words(senders[i].label),
        percent_cell(static_cast<double>(all) / static_cast<double>(std::max(gate.counts.arrived, all)))};
    for (std::size_t refusal = 0; refusal < kRefusals; ++refusal) {
      const auto found = gate.rejected_by.find(std::string(name_of(static_cast<Refusal>(refusal))));
      cells.push_back(count_cell(found == gate.rejected_by.end() ? 0 : found->second));
    }
    table.row(cells);
  }
  return any ? table.text() : "";
}

std::string process_facts(const FleetFigures& fleet) {
  std::string cap = "none";
  if (fleet.max_inflight) {
    cap = worded_count(*fleet.max_inflight) + (fleet.derived_from_pool ? ", from the database pool" : "");
  }
  std::string text = "<h3>Processes</h3>\n<dl class=\"facts\">\n";
  text += fact("processes", worded_count(fleet.processes));
  text += fact("max_inflight of each", cap);
  text += fact("most in flight in one", worded_count(fleet.peak_inflight));
  text += fact("most waiting in one", worded_count(fleet.peak_queue_depth));
  text += fact("changes of readiness", worded_count(fleet.readiness_changes));
  text += fact("not ready, all processes",
               worded_duration(Duration::nanoseconds(static_cast<std::int64_t>(fleet.unready_time))));
  return text + "</dl>\n";
}

std::string resource_facts(std::string_view title, const std::optional<ResourceFigures>& resource) {
  if (!resource) {
    return "";
  }
  const auto time = [&](std::int64_t nanoseconds) {
    return resource->wait.count == 0 ? "-" : worded_milliseconds(nanoseconds) + " ms";
  };
  std::string text = fmt::format("<h3>{}</h3>\n<dl class=\"facts\">\n", title);
  text += fact("size", worded_count(resource->size));
  text += fact("in reserve", worded_count(resource->reserve));
  text += fact("most in use", worded_count(resource->peak_in_use));
  text += fact("most waiting", worded_count(resource->peak_waiting));
  text += fact("wait p50", time(resource->wait.p50));
  text += fact("wait p99", time(resource->wait.p99));
  text += fact("wait max", time(resource->wait.max));
  text += fact("timeouts", worded_count(resource->timeouts));
  text += fact("timeouts of health checks", worded_count(resource->health_check_timeouts));
  return text + "</dl>\n";
}

}  // namespace

std::string html_gate(const RunResult& result, const std::vector<RankedTenant>& senders) {
  const std::optional<FleetFigures>& fleet = result.cluster.fleet;
  if (!fleet && senders.empty()) {
    return "";
  }
  std::string text = "<section id=\"gate\"><h2>Requests</h2>\n";
  if (!senders.empty()) {
    const std::size_t shown = std::min(senders.size(), kMostTableRows);
    text += request_table(senders, shown);
    if (shown < senders.size()) {
      text += fmt::format("<p>{} more have higher success rates; result.json has all of them.</p>\n",
                          worded_count(senders.size() - shown));
    }
    text += refusal_table(senders, shown);
  }
  if (fleet) {
    text += process_facts(*fleet) + resource_facts("Database pool", fleet->database_pool) +
            resource_facts("Downstream", fleet->downstream);
  }
  return text + "</section>\n";
}

}  // namespace headroom
