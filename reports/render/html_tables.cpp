#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

#include "reports/render/escape.hpp"
#include "reports/render/gate_wording.hpp"
#include "reports/render/html_cells.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/html_table.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

// What the tenant got as a part of what it was entitled to, with a bar that is full at 100 %.
HtmlCell ratio_cell(const std::optional<double>& ratio) {
  if (!ratio) {
    return HtmlCell::number("-", std::nullopt);
  }
  HtmlCell cell = HtmlCell::number("", ratio);
  cell.html = fmt::format("<span class=\"bar\"><span style=\"width:{:.0f}%\"></span></span> {:.0f}%",
                          std::min(*ratio, 1.0) * 100, *ratio * 100);
  return cell;
}

HtmlCell noise_cell(const std::optional<NoiseAmplification>& noise) {
  if (!noise) {
    return HtmlCell::number("-", std::nullopt);
  }
  if (noise->ratio) {
    return HtmlCell::number(fmt::format("{:.2f}x", *noise->ratio), *noise->ratio);
  }
  return HtmlCell::number(fmt::format("{:+.3g} ms", static_cast<double>(noise->difference.count()) / 1e6), 0);
}

std::string left_out(std::size_t all, std::string_view why) {
  return all <= kMostTableRows ? ""
                               : fmt::format("<p>{} more {}; result.json has all of them.</p>\n",
                                             worded_count(all - kMostTableRows), why);
}

std::size_t rows_shown(const std::vector<RankedTenant>& ranked) {
  return std::min(ranked.size(), kMostTableRows);
}

std::string member_spreads(const std::vector<RankedTenant>& ranked) {
  HtmlTable table("Across the members of a group", {{"group", ""},
                                                    {"figure", "of each member"},
                                                    {"least", ""},
                                                    {"median", ""},
                                                    {"p99", "of the members, 99 in 100 are not above it"},
                                                    {"greatest", ""}});
  bool any = false;
  for (std::size_t i = 0; i < rows_shown(ranked); ++i) {
    if (ranked[i].group == nullptr) {
      continue;
    }
    const auto row = [&](std::string_view figure, const std::optional<Spread>& spread, auto cell) {
      if (spread) {
        any = true;
        table.row({HtmlCell::words(ranked[i].label), HtmlCell::words(figure), cell(spread->min), cell(spread->median),
                   cell(spread->p99), cell(spread->max)});
      }
    };
    const auto whole = [](std::int64_t value) { return count_cell(static_cast<std::uint64_t>(value)); };
    const MemberSpreads& across = ranked[i].group->across_members;
    row("wait p50 ms", across.wait_p50, time_cell);
    row("wait p99 ms", across.wait_p99, time_cell);
    row("wait max ms", across.wait_max, time_cell);
    row("starved ms", across.starvation, time_cell);
    row("unserved sweeps", across.starvation_sweeps, whole);
    row("completed rows", across.completed, whole);
  }
  return any ? table.text() : "";
}

std::string node_table(const RunResult& result) {
  HtmlTable table("Nodes", {{"node", ""},
                            {"sweeps", ""},
                            {"rows claimed", ""},
                            {"executions", ""},
                            {"busy", "worker time spent on rows, of the worker time there was"},
                            {"shards at end", "owned at the end of the measured part"},
                            {"crashes", ""}});
  for (const NodeResult& node : result.nodes) {
    std::optional<double> busy;
    if (node.worker_time > 0) {
      busy = static_cast<double>(node.busy_time) / static_cast<double>(node.worker_time);
    }
    table.row({HtmlCell::words(node.name), count_cell(node.sweeps), count_cell(node.claims),
               count_cell(node.executions), percent_cell(busy), count_cell(node.owned_shards_at_end),
               count_cell(node.crashes)});
  }
  return table.text();
}

}  // namespace

std::string html_shares(const RunResult& result, const std::vector<RankedTenant>& by_share) {
  if (by_share.empty()) {
    return "";
  }
  HtmlTable table(
      "Shares, the least of what they were entitled to first",
      {{"tenant", ""},
       {"completed", "rows completed by the end of the measured part"},
       {"share", "of all rows completed"},
       {"fair share", "weight-proportional max-min part of the rows completed, given what each asked for"},
       {"share / fair", "what it got of what it was entitled to", true},
       {"executing share", "of all executing time"},
       {"of max-min",
        "rows completed, of what an all-knowing scheduler could have given it under the same quotas, shards and nodes"},
       {"noise",
        "its p99 wait, divided by that in the twin run without the noisy tenant; ms more where the twin's is below 1 "
        "ms"},
       {"wait p99 ms", "from due to the start of execution"},
       {"starved ms", "longest time active without being served"},
       {"unserved sweeps", "longest run of sweeps in which it was active and not served"},
       {"appended", "rows"},
       {"pending", "rows at the end of the measured part"},
       {"oldest ms", "age of the oldest unclaimed row at the end of the measured part"},
       {"at ceiling ms", "time at its ceiling on a node"},
       {"quota", "rows that may execute at once"},
       {"weight", ""},
       {"retries", ""},
       {"dead letters", "rows that failed for good"}});
  for (std::size_t i = 0; i < rows_shown(by_share); ++i) {
    const TenantFigures& figures = *by_share[i].figures;
    table.row({HtmlCell::words(by_share[i].label + (figures.noisy ? " (noisy)" : "")), count_cell(figures.completed),
               percent_cell(figures.share), percent_cell(figures.entitled_share),
               ratio_cell(share_of_entitlement(figures)), percent_cell(figures.executing_share),
               percent_cell(figures.max_min_ratio), noise_cell(figures.noise),
               sample_cell(figures.wait, figures.wait.p99), time_cell(figures.longest_starvation.time.count()),
               count_cell(figures.longest_starvation.sweeps), count_cell(figures.appended),
               count_cell(figures.pending_at_end), time_cell(figures.oldest_unclaimed.count()),
               time_cell(figures.at_ceiling.count()), count_cell(figures.quota), count_cell(figures.weight),
               count_cell(figures.retries), count_cell(figures.failed)});
  }
  return "<section id=\"shares\"><h2>Shares</h2>\n" + table.text() + html_share_windows(result) +
         left_out(by_share.size(), "got more of what they were entitled to") + "</section>\n";
}

std::string html_waits(const std::vector<RankedTenant>& ranked) {
  if (ranked.empty()) {
    return "";
  }
  HtmlTable table("Waits in milliseconds, worst first",
                  {{"tenant", ""},
                   {"n", "started attempts in the measured part"},
                   {"mean", "from due to the start of execution"},
                   {"p50", "from due to the start of execution"},
                   {"p90", "from due to the start of execution"},
                   {"p99", "from due to the start of execution; of fewer than 100 it is the greatest"},
                   {"max", "from due to the start of execution"},
                   {"claim p50", "from due to the claim"},
                   {"claim p99", "from due to the claim"},
                   {"sojourn p50", "from due to the end of execution"},
                   {"sojourn p99", "from due to the end of execution"}});
  for (std::size_t i = 0; i < rows_shown(ranked); ++i) {
    const TenantFigures& figures = *ranked[i].figures;
    const DistributionSummary& wait = figures.wait;
    table.row({HtmlCell::words(ranked[i].label), count_cell(wait.count), mean_cell(wait), sample_cell(wait, wait.p50),
               sample_cell(wait, wait.p90), sample_cell(wait, wait.p99), sample_cell(wait, wait.max),
               sample_cell(figures.claim_wait, figures.claim_wait.p50),
               sample_cell(figures.claim_wait, figures.claim_wait.p99),
               sample_cell(figures.sojourn, figures.sojourn.p50), sample_cell(figures.sojourn, figures.sojourn.p99)});
  }
  return "<section id=\"waits\"><h2>Waits</h2>\n" + table.text() + left_out(ranked.size(), "have shorter waits") +
         member_spreads(ranked) +
         "<p class=\"note\">Quantiles are exact up to 128 samples and within 0.8&nbsp;% beyond. A group's are those of "
         "all its members' rows taken together.</p></section>\n";
}

std::string html_cluster(const RunResult& result) {
  const ClusterResult& cluster = result.cluster;
  std::string worst = worded_index(cluster.jain_worst_window);
  if (cluster.worst_window_at) {
    worst += " at " + worded_duration(cluster.worst_window_at->since_start());
  }
  std::string text = "<section id=\"cluster\"><h2>Cluster</h2>\n<dl class=\"facts\">\n";
  text += fact("Jain&#39;s index, backlogged windows", worded_index(cluster.jain_index));
  text += fact("worst window", worst);
  text += fact("windows judged", worded_count(cluster.windows_judged));
  text += fact("ceilings over quota, peak", fmt::format("{}", cluster.quota.peak_ceiling_sum_over));
  text += fact("executing over quota, peak", fmt::format("{}", cluster.quota.peak_executing_over));
  text += fact("time over quota", worded_duration(cluster.quota.time_over));
  text += fact(goodput_is_of_requests(result) ? "requests answered in time a second" : "rows completed a second",
               cluster.goodput_per_second ? fmt::format("{:.1f}", *cluster.goodput_per_second) : "-");
  if (cluster.recovery) {
    text += fact("goodput back after the last disturbance", worded_duration(*cluster.recovery));
  }
  text += fact("executed more than once", worded_count(cluster.duplicate_executions));
  text += fact("stale completions", worded_count(cluster.stale_completions));
  for (const auto& [goal, times] : result.reached) {
    text += fact("reached: " + html_escaped(goal), worded_count(times) + (times == 1 ? " time" : " times"));
  }
  return text + "</dl>\n" + node_table(result) + "</section>\n";
}

}  // namespace headroom
