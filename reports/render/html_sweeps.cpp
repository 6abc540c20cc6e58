// The recorded sweeps, one by one.
#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

// A page stays below three megabytes: of very many namespaces fewer are shown of each sweep.
constexpr std::size_t kMostStandings = 30'000;

std::size_t standings_shown(const RecordedSweeps& recorded) {
  for (std::size_t most = SweepBook::kMostStandings; most > 8; most -= 4) {
    std::size_t all = 0;
    for (const SweepEntry& entry : recorded.entries) {
      all += std::min(entry.standings.size(), most);
    }
    if (all <= kMostStandings) {
      return most;
    }
  }
  return 8;
}

// Those that were passed over most come first; then name order again.
std::vector<const SweepStanding*> shown_of(const SweepEntry& entry, std::size_t most) {
  std::vector<const SweepStanding*> shown;
  shown.reserve(entry.standings.size());
  for (const SweepStanding& standing : entry.standings) {
    shown.push_back(&standing);
  }
  if (shown.size() > most) {
    const auto missed = [](const SweepStanding* standing) {
      return std::min<std::uint64_t>(standing->headroom, standing->claimable) - standing->claimed_now;
    };
    std::ranges::stable_sort(shown, [&](const auto* a, const auto* b) { return missed(a) > missed(b); });
    shown.resize(most);
    std::ranges::sort(shown, {}, &SweepStanding::name);
  }
  return shown;
}

void append_entry(std::string& json, const SweepEntry& entry, std::size_t most) {
  const std::vector<const SweepStanding*> shown = shown_of(entry, most);
  fmt::format_to(std::back_inserter(json), "[{},{},{},{},{},{},{},[", entry.number,
                 exact_milliseconds(entry.at.nanoseconds()), entry.node, entry.sweep, entry.batch, entry.active,
                 entry.left_out + entry.standings.size() - shown.size());
  std::string_view separator;
  for (const SweepStanding* of : shown) {
    fmt::format_to(std::back_inserter(json), "{}{},{},{},{},{},{},{},{},{}", separator, of->name, of->ceiling,
                   of->claimed, of->headroom, of->claimable, of->granted, of->guaranteed, of->claimed_now,
                   static_cast<int>(of->held_by));
    separator = ",";
  }
  json += "]]";
}

}  // namespace

std::string html_sweeps(const RunResult& result) {
  const RecordedSweeps& recorded = result.recorded_sweeps;
  if (recorded.entries.empty()) {
    return "";
  }
  std::string text = "<section id=\"sweeps\"><h2>Sweep by sweep</h2>\n<p class=\"note\">";
  text += fmt::format(
      "{} recorded sweeps, in the order of their ends over all nodes: what each namespace had when the sweep planned, "
      "what it was granted, and why no more. Recorded are the first {} sweeps, {} around the first violation of each "
      "property and around the end of the longest starvation; <code>run --record A..B</code> adds a stretch.",
      worded_count(recorded.entries.size()), SweepBook::kFirst, 2 * SweepBook::kAround);
  text += "</p>\n<ul class=\"stretches\">\n";
  for (const SweepStretch& stretch : recorded.stretches) {
    text += fmt::format("<li>{}: sweeps {} to {}{}</li>\n", html_escaped(stretch.label), worded_count(stretch.first),
                        worded_count(stretch.last), stretch.cut ? ", cut off" : "");
  }
  return text +
         "</ul>\n<div id=\"sweep-browser\"></div>\n"
         "<noscript><p>The browser needs a script; <code>run --sweeps</code> writes all sweeps to sweeps.jsonl.</p>"
         "</noscript></section>\n";
}

std::string html_sweep_data(const RunResult& result) {
  const RecordedSweeps& recorded = result.recorded_sweeps;
  if (recorded.entries.empty()) {
    return "";
  }
  std::string json = "{\"names\":[";
  std::string_view separator;
  for (const std::string& name : recorded.names) {
    json += separator;
    json += json_quoted(name);
    separator = ",";
  }
  json += "],\"causes\":[";
  for (std::size_t cause = 0; cause < kWaitCauses; ++cause) {
    json += fmt::format("{}\"{}\"", cause == 0 ? "" : ",", name_of(static_cast<WaitCause>(cause)));
  }
  json += "],\"stretches\":[";
  separator = "";
  for (const SweepStretch& stretch : recorded.stretches) {
    json += fmt::format("{}[{},{},{},{}]", separator, json_quoted(stretch.label), stretch.first, stretch.last,
                        stretch.event);
    separator = ",";
  }
  json += "],\"entries\":[";
  const std::size_t most = standings_shown(recorded);
  separator = "\n";
  for (const SweepEntry& entry : recorded.entries) {
    json += separator;
    append_entry(json, entry, most);
    separator = ",\n";
  }
  return json + "]}";
}

}  // namespace headroom
