#include "reports/render/markdown.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <string_view>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/gate_wording.hpp"
#include "reports/render/ranking.hpp"
#include "reports/render/story.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

constexpr std::size_t kSparklineColumns = 40;

std::string symbol_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "\u2705 pass";
    case Verdict::fail:
      return "\u274c **fail**";
    case Verdict::undecided:
      return "\u2754 **undecided**";
  }
  return {};
}

std::string verdict_table(const RunResult& result) {
  std::string text = "| verdict | expectation | value | bound | reason |\n|---|---|--:|---|---|\n";
  for (const Verdict verdict : {Verdict::fail, Verdict::undecided, Verdict::pass}) {
    for (const Judgement& judgement : result.expectations) {
      if (judgement.verdict == verdict) {
        text += fmt::format("| {} | {} | {} | {} | {} |\n", symbol_of(verdict), markdown_cell(worded_name(judgement)),
                            markdown_cell(worded(judgement.value)), markdown_cell(worded_bound(judgement)),
                            markdown_cell(judgement.reason));
      }
    }
  }
  return result.expectations.empty() ? "The scenario expects nothing.\n" : text;
}

std::string violated_information(const RunResult& result) {
  std::string text;
  for (const Judgement& judgement : result.information) {
    if (judgement.verdict == Verdict::fail) {
      text += fmt::format("- {}: {}\n", markdown_cell(judgement.name), markdown_cell(judgement.reason));
    }
  }
  return text.empty() ? "" : "\nViolated, but not judged by the scenario:\n\n" + text;
}

const SubjectSeries* series_of(const RunResult& result, const std::string& name) {
  for (const SubjectSeries& subject : result.series.subjects) {
    if (subject.name == name) {
      return &subject;
    }
  }
  return nullptr;
}

// A sparkline and the peak; empty without windows.
std::string over_time(const std::vector<std::int64_t>& values) {
  return values.empty() ? ""
                        : fmt::format("`{}` {}", sparkline(values, kSparklineColumns),
                                      *std::max_element(values.begin(), values.end()));
}

std::string pending_over_time(const RunResult& result, const std::string& name) {
  const SubjectSeries* subject = series_of(result, name);
  return subject == nullptr ? "" : over_time(subject->pending);
}

std::string refused_over_time(const RunResult& result, const std::string& name) {
  const SubjectSeries* subject = series_of(result, name);
  if (subject == nullptr) {
    return "";
  }
  std::vector<std::int64_t> both;
  std::transform(subject->refused_429.begin(), subject->refused_429.end(), subject->refused_503.begin(),
                 std::back_inserter(both), std::plus<>());
  return over_time(both);
}

std::string request_table(const RunResult& result, const std::vector<RankedTenant>& ranked, std::size_t most_rows) {
  std::string text =
      "| tenant | tries arrived | answered in time | success | refused 429 | refused 503 | gone | wait p50 ms | p99 | "
      "response p99 ms | dead work | retries | refused in a window, peak |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n";
  for (std::size_t i = 0; i < std::min(ranked.size(), most_rows); ++i) {
    const GateFigures& gate = *ranked[i].figures->gate;
    const auto time = [](const DistributionSummary& summary, std::int64_t value) {
      return summary.count > 0 ? markdown_cell(worded_milliseconds(value)) : "-";
    };
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", markdown_cell(ranked[i].label),
        worded_count(gate.counts.arrived), worded_count(gate.counts.goodput), worded_percent(gate.success_rate),
        worded_count(gate.counts.rejected_429), worded_count(gate.counts.rejected_503), worded_count(gate.gone),
        time(gate.wait, gate.wait.p50), time(gate.wait, gate.wait.p99), time(gate.response, gate.response.p99),
        worded_count(gate.dead_work), worded_count(gate.retries), refused_over_time(result, ranked[i].name));
  }
  if (ranked.size() > most_rows) {
    text += fmt::format("\n{} more have higher success rates.\n", worded_count(ranked.size() - most_rows));
  }
  return text;
}

// Nothing without an HTTP side.
std::string gate_section(const RunResult& result, std::size_t most_rows) {
  std::string text;
  if (const std::vector<RankedTenant> ranked = ranked_by_success(result); !ranked.empty()) {
    text += "\n### Worst success rates\n\n" + request_table(result, ranked, most_rows);
  }
  if (const std::vector<std::string> lines = fleet_lines(result); !lines.empty()) {
    text += "\n";
    for (const std::string& line : lines) {
      text += "- " + markdown_cell(line) + "\n";
    }
    text += "- " + worded_goodput(result) + "\n";
  }
  return text;
}

// Nothing where nobody has rows.
std::string row_section(const RunResult& result, std::size_t most_rows) {
  const std::vector<RankedTenant> ranked = ranked_worst_first(result);
  if (ranked.empty()) {
    return "";
  }
  std::string text = "\n### Worst waits\n\n";
  text +=
      "| tenant | completed | pending at end | share | fair share | wait p50 ms | p99 | max | unserved sweeps | "
      "pending "
      "over time, peak |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n";
  for (std::size_t i = 0; i < std::min(ranked.size(), most_rows); ++i) {
    const TenantFigures& figures = *ranked[i].figures;
    const bool waited = figures.wait.count > 0;
    const auto time = [&](std::int64_t value) { return waited ? worded_milliseconds(value) : "-"; };
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", markdown_cell(ranked[i].label),
                        worded_count(figures.completed), worded_count(figures.pending_at_end),
                        worded_percent(figures.share), worded_percent(figures.entitled_share), time(figures.wait.p50),
                        markdown_cell(time(figures.wait.p99)), time(figures.wait.max),
                        worded_count(figures.longest_starvation.sweeps), pending_over_time(result, ranked[i].name));
  }
  if (ranked.size() > most_rows) {
    text += fmt::format("\n{} more have shorter waits.\n", worded_count(ranked.size() - most_rows));
  }
  return text +
         fmt::format("\nJain's index {} over the windows in which tenants were backlogged, {} in the worst of them.",
                     worded_index(result.cluster.jain_index), worded_index(result.cluster.jain_worst_window));
}

// As an indented block: nothing in the command can end it.
std::string command_block(const std::string& command) {
  std::string text = "    ";
  for (const char c : command) {
    text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return text + "\n";
}

}  // namespace

std::string sparkline(std::span<const std::int64_t> values, std::size_t columns) {
  static constexpr std::string_view heights[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                                 "\u2585", "\u2586", "\u2587", "\u2588"};
  const std::size_t stretches = std::min(columns, values.size());
  std::string line;
  if (stretches == 0) {
    return line;
  }
  const std::int64_t greatest = std::max<std::int64_t>(*std::max_element(values.begin(), values.end()), 1);
  for (std::size_t i = 0; i < stretches; ++i) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(i * values.size() / stretches);
    const auto to = values.begin() + static_cast<std::ptrdiff_t>((i + 1) * values.size() / stretches);
    const Int128 peak = std::max<std::int64_t>(*std::max_element(from, to), 0);
    line += heights[static_cast<std::size_t>((peak * 8 + greatest - 1) / greatest)];
  }
  return line;
}

std::string render_markdown(const RunResult& result, std::size_t most_rows) {
  std::string text = fmt::format("## {}: {}\n\n", markdown_cell(result.scenario_name), symbol_of(result.verdict));
  if (!result.scenario_description.empty()) {
    text += markdown_cell(result.scenario_description) + "\n\n";
  }
  if (!result.stopped_early.empty()) {
    text += fmt::format("**Stopped early: {}**\n\n", markdown_cell(result.stopped_early));
  }
  for (const StoryLine& line : story_of(result)) {
    text +=
        fmt::format("**{}: {}.** {}\n\n", markdown_cell(line.title), markdown_cell(line.who), markdown_cell(line.text));
  }
  text += verdict_table(result) + violated_information(result) + gate_section(result, most_rows);
  const std::string rows = row_section(result, most_rows);
  text += rows + (rows.empty() ? "\n" : " ");
  if (const std::string recovery = worded_recovery(result); !recovery.empty()) {
    text += "Recovery: " + recovery + ". ";
  }
  text += fmt::format("Seed {}, {} events, {}.\n\nReproduce with\n\n", result.seed, worded_count(result.events),
                      worded_drain(result));
  return text + command_block(result.command);
}

}  // namespace headroom
