#include "reports/render/html.hpp"

#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/gate_wording.hpp"
#include "reports/render/html/assets.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/ranking.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
)";

std::string style(std::string_view text) {
  return "<style>" + std::string(text) + "</style>\n";
}
std::string script(std::string_view text) {
  return "<script>" + std::string(text) + "</script>\n";
}

// Who was hurt most, in a sentence.
std::string worst_sentence(const std::vector<RankedTenant>& ranked) {
  if (ranked.empty()) {
    return "";
  }
  const TenantFigures& figures = *ranked.front().figures;
  std::string text = fmt::format("<p class=\"worst\">Worst off: <b>{}</b>", html_escaped(ranked.front().label));
  if (figures.wait.count > 0) {
    text += fmt::format(", waits of {} ms (p99, up to {} ms)", html_escaped(worded_milliseconds(figures.wait.p99)),
                        html_escaped(worded_milliseconds(figures.wait.max)));
  } else if (figures.oldest_unclaimed > Duration::zero()) {
    text += ", never served in the measured part";
  }
  if (figures.oldest_unclaimed.count() > figures.wait.p99) {
    text += fmt::format("; its oldest unclaimed row is {} old", worded_duration(figures.oldest_unclaimed));
  }
  if (figures.share && figures.entitled_share) {
    text += fmt::format("; {} of the rows completed, entitled to {}", worded_percent(figures.share),
                        worded_percent(figures.entitled_share));
  }
  const std::pair<const std::string, Int128>* longest = nullptr;
  for (const auto& cause : figures.wait_causes) {
    if (cause.first != "executing" && cause.second > 0 && (longest == nullptr || cause.second > longest->second)) {
      longest = &cause;
    }
  }
  if (longest != nullptr) {
    text += fmt::format("; waited most because of <code>{}</code>", html_escaped(longest->first));
  }
  return text + ".</p>\n";
}

// Whose requests fared worst, in a sentence.
std::string worst_request_sentence(const std::vector<RankedTenant>& senders) {
  if (senders.empty()) {
    return "";
  }
  const GateFigures& gate = *senders.front().figures->gate;
  std::string text =
      fmt::format("<p class=\"worst\">Worst success rate: <b>{}</b>, ", html_escaped(senders.front().label));
  text += gate.success_rate ? fmt::format("{} of its requests answered in time", worded_percent(gate.success_rate))
                            : "none of its requests answered in time, none given up";
  if (refused(gate.counts) > 0) {
    text += fmt::format("; of {} tries {} were refused with 429 and {} with 503, most because of <code>{}</code>",
                        worded_count(gate.counts.arrived), worded_count(gate.counts.rejected_429),
                        worded_count(gate.counts.rejected_503), html_escaped(most_frequent_refusal(gate)));
  }
  if (gate.dead_work > 0) {
    text += fmt::format("; {} handlers worked for clients that had left", worded_count(gate.dead_work));
  }
  return text + ".</p>\n";
}

std::string header(const RunResult& result, const std::vector<RankedTenant>& ranked,
                   const std::vector<RankedTenant>& senders) {
  std::string text = fmt::format("<header><h1>{} <span class=\"badge {}\">{}</span></h1>\n",
                                 html_escaped(result.scenario_name), name_of(result.verdict), name_of(result.verdict));
  if (!result.scenario_description.empty()) {
    text += fmt::format("<p>{}</p>\n", html_escaped(result.scenario_description));
  }
  if (!result.stopped_early.empty()) {
    text += fmt::format("<p><b>Stopped early: {}.</b></p>\n", html_escaped(result.stopped_early));
  }
  text += worst_request_sentence(senders) + worst_sentence(ranked);
  text += fmt::format(
      "<p class=\"note\">seed {} &middot; measured {} to {} &middot; {} &middot; {} events &middot; scenario digest "
      "{:016x} &middot; event digest {:016x} &middot; headroom {}</p>\n",
      result.seed, worded_duration(result.warmup), worded_duration(result.duration), worded_drain(result),
      worded_count(result.events), result.scenario_digest, result.event_digest, html_escaped(result.headroom_version));
  return text + fmt::format("<p>Again: <code class=\"command\">{}</code></p></header>\n", html_escaped(result.command));
}

}  // namespace

std::string render_html(const RunResult& result) {
  const std::vector<RankedTenant> ranked = ranked_worst_first(result);
  const std::vector<RankedTenant> senders = ranked_by_success(result);
  std::string page(kHead);
  page += fmt::format("<title>{}: {}</title>\n", html_escaped(result.scenario_name), name_of(result.verdict));
  page +=
      style(kDygraphsStyle) + style(kReportStyle) + "</head>\n<body>\n" + header(result, ranked, senders) + "<main>\n";
  page += html_verdicts(result) + html_timelines(result, ranked, senders) + html_gate(result, senders) +
          html_shares(ranked) + html_waits(ranked) + html_causes(ranked) + html_cluster(result);
  page += "</main>\n<footer>Charts by dygraphs (MIT licence).</footer>\n";
  page +=
      "<script type=\"application/json\" id=\"chart-data\">" + html_chart_data(result, ranked, senders) + "</script>\n";
  page += script(kDygraphsScript) + script(kSynchronizerScript) + script(kReportScript);
  return page + "</body>\n</html>\n";
}

}  // namespace headroom
