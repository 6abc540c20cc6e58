#include "reports/render/html.hpp"

#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/gate_wording.hpp"
#include "reports/render/html_page.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/ranking.hpp"
#include "reports/render/story.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

std::string story(const RunResult& result) {
  std::string text;
  for (const StoryLine& line : story_of(result)) {
    text += fmt::format("<p class=\"story\">{}: <b>{}</b>. {}</p>\n", html_escaped(line.title), html_escaped(line.who),
                        html_escaped(line.text));
  }
  return text;
}

std::string header(const RunResult& result) {
  std::string text = fmt::format("<h1>{} {}</h1>\n", html_escaped(result.scenario_name), html_badge(result.verdict));
  if (!result.scenario_description.empty()) {
    text += fmt::format("<p>{}</p>\n", html_escaped(result.scenario_description));
  }
  if (!result.stopped_early.empty()) {
    text += fmt::format("<p><b>Stopped early: {}.</b></p>\n", html_escaped(result.stopped_early));
  }
  text += story(result);
  text += fmt::format(
      "<p class=\"note\">seed {} &middot; measured {} to {} &middot; {} &middot; {} events &middot; scenario digest "
      "{:016x} &middot; event digest {:016x} &middot; headroom {}</p>\n",
      result.seed, worded_duration(result.warmup), worded_duration(result.duration), worded_drain(result),
      worded_count(result.events), result.scenario_digest, result.event_digest, html_escaped(result.headroom_version));
  return text + "<p>Again: " + html_command(result.command) + "</p>";
}

}  // namespace

std::string render_html(const RunResult& result) {
  const std::vector<RankedTenant> ranked = ranked_worst_first(result);
  const std::vector<RankedTenant> senders = ranked_by_success(result);
  return html_page({.title = fmt::format("{}: {}", result.scenario_name, name_of(result.verdict)),
                    .header = header(result),
                    .main = html_verdicts(result) + html_timelines(result, ranked, senders) +
                            html_gate(result, senders) + html_shares(result, ranked_by_share(result)) +
                            html_waits(ranked) + html_distributions(ranked, senders) + html_quota(result, ranked) +
                            html_causes(ranked) + html_sweeps(result) + html_cluster(result),
                    .charts = html_chart_data(result, ranked, senders),
                    .sweeps = html_sweep_data(result)});
}

}  // namespace headroom
