#include "reports/render/summary.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <string_view>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/gate_wording.hpp"
#include "reports/render/ranking.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kVerdictWidth = 11;
constexpr std::size_t kNameWidth = 20;

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(text) + std::string(used < columns ? columns - used : 0, ' ');
}

std::string right_aligned(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(used < columns ? columns - used : 0, ' ') + std::string(text);
}

// Breaks at spaces; a word that is longer than a line is cut into lines.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines(1);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    std::string_view word = text.substr(start, end - start);
    start = end + 1;
    if (!lines.back().empty() && columns_of(lines.back()) + 1 + columns_of(word) > columns) {
      lines.emplace_back();
    }
    if (!lines.back().empty()) {
      lines.back() += ' ';
    }
    while (columns_of(word) > columns) {
      std::size_t cut = columns;  // at least so many bytes are so many code points
      while (cut < word.size() && columns_of(word.substr(0, cut)) < columns) {
        ++cut;
      }
      while (cut < word.size() && (static_cast<unsigned char>(word[cut]) & 0xC0U) == 0x80U) {
        ++cut;
      }
      lines.back() += word.substr(0, cut);
      word.remove_prefix(cut);
      lines.emplace_back();
    }
    lines.back() += word;
  }
  return lines;
}

std::string upper_case(std::string_view word) {
  std::string upper(word);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return upper;
}

std::string headline(const RunResult& result) {
  std::string text = fmt::format("{}  seed {}  {}\n", cut_to_columns(terminal_safe(result.scenario_name), 50),
                                 result.seed, upper_case(name_of(result.verdict)));
  text += fmt::format("{} events; measured {} to {}; ", worded_count(result.events), worded_duration(result.warmup),
                      worded_duration(result.duration));
  text += worded_drain(result) + "\n";
  if (!result.stopped_early.empty()) {
    text += fmt::format("stopped early: {}\n", terminal_safe(result.stopped_early));
  }
  return text;
}

// The verdict, the name, number against bound; the reason below.
std::string judgement_lines(const Judgement& judgement, std::string_view mark) {
  std::string figures;
  if (!std::holds_alternative<std::monostate>(judgement.value)) {
    figures = "  " + worded(judgement.value);
  }
  if (const std::string bound = worded_bound(judgement); !bound.empty()) {
    figures += (figures.empty() ? "  (" : " (") + bound + ")";
  }
  const std::string indent(kVerdictWidth + 2, ' ');
  std::string text;
  bool first = true;
  for (const std::string& line : wrapped(terminal_safe(worded_name(judgement) + figures), kWidth - kVerdictWidth - 2)) {
    text += (first ? "  " + padded(mark, kVerdictWidth) : indent) + line + "\n";
    first = false;
  }
  if (!judgement.reason.empty()) {
    for (const std::string& line : wrapped(terminal_safe(judgement.reason), kWidth - kVerdictWidth - 2)) {
      text += indent + line + "\n";
    }
  }
  return text;
}

// How many hold of those that nobody judges; those that had nothing to judge do not hold.
std::string information_line(const RunResult& result) {
  if (result.information.empty()) {
    return "";
  }
  std::string text = fmt::format("  {}of {} properties that the scenario does not judge",
                                 std::string(kVerdictWidth, ' '), result.information.size());
  const auto add = [&](Verdict verdict, std::string_view one, std::string_view many) {
    const auto count = std::count_if(result.information.begin(), result.information.end(),
                                     [&](const Judgement& judgement) { return judgement.verdict == verdict; });
    if (count > 0 || verdict == Verdict::pass) {
      text += fmt::format(", {} {}", count, count == 1 ? one : many);
    }
  };
  add(Verdict::pass, "holds", "hold");
  add(Verdict::fail, "is violated", "are violated");
  if (result.stopped_early.empty()) {
    add(Verdict::undecided, "had nothing to judge", "had nothing to judge");
  } else {
    add(Verdict::undecided, "was not decided", "were not decided");
  }
  return text + "\n";
}

std::string verdict_lines(const RunResult& result) {
  std::string text;
  for (const Verdict verdict : {Verdict::fail, Verdict::undecided, Verdict::pass}) {
    for (const Judgement& judgement : result.expectations) {
      if (judgement.verdict == verdict) {
        text += judgement_lines(judgement, upper_case(name_of(verdict)));
      }
    }
  }
  for (const Judgement& judgement : result.information) {
    if (judgement.verdict == Verdict::fail) {
      text += judgement_lines(judgement, "(violated)");
    }
  }
  return text + information_line(result);
}

std::string table_line(std::string_view name, const std::vector<std::string>& cells) {
  constexpr std::size_t widths[] = {10, 9, 7, 7, 9, 9, 9, 11, 8};
  std::string line = padded(cut_to_columns(name, kNameWidth), kNameWidth);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += right_aligned(cells[i], widths[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string tenant_line(const RankedTenant& tenant) {
  const TenantFigures& figures = *tenant.figures;
  const bool waited = figures.wait.count > 0;
  return table_line(
      terminal_safe(tenant.label),
      {worded_count(figures.completed), worded_count(figures.pending_at_end), worded_percent(figures.share),
       worded_percent(figures.entitled_share), waited ? worded_milliseconds(figures.wait.p50) : "-",
       waited ? worded_milliseconds(figures.wait.p99) : "-", waited ? worded_milliseconds(figures.wait.max) : "-",
       worded_milliseconds(figures.longest_starvation.time.count()), worded_count(figures.longest_starvation.sweeps)});
}

std::string rows_table(const std::vector<RankedTenant>& ranked, std::size_t most_rows) {
  if (ranked.empty()) {
    return "";
  }
  std::string text = table_line("", {"", "", "", "", "wait ms", "", "", "starved", ""});
  text += table_line("tenant", {"completed", "pending", "share", "fair", "p50", "p99", "max", "ms", "sweeps"});
  for (std::size_t i = 0; i < std::min(ranked.size(), most_rows); ++i) {
    text += tenant_line(ranked[i]);
  }
  if (ranked.size() > most_rows) {
    text += fmt::format("and {} more with shorter waits\n", worded_count(ranked.size() - most_rows));
  }
  return text + "\n";
}

using Cells = std::vector<std::string>;

Cells request_cells(const RankedTenant& tenant) {
  const GateFigures& gate = *tenant.figures->gate;
  const auto time = [](const DistributionSummary& summary, std::int64_t value) {
    return summary.count > 0 ? worded_milliseconds(value) : "-";
  };
  return {terminal_safe(tenant.label),
          short_count(gate.counts.arrived),
          short_count(gate.counts.goodput),
          worded_percent(gate.success_rate),
          short_count(gate.counts.rejected_429),
          short_count(gate.counts.rejected_503),
          short_count(gate.gone),
          time(gate.wait, gate.wait.p50),
          time(gate.wait, gate.wait.p99),
          time(gate.response, gate.response.p99),
          short_count(gate.dead_work),
          short_count(gate.retries)};
}

// Figures take what they need, two columns apart where there is room; names are cut to what is left, and to kNameWidth.
std::string aligned(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Cells& cells : lines) {
    for (std::size_t i = 1; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], columns_of(cells[i]));
    }
  }
  const std::size_t figures = std::accumulate(widths.begin(), widths.end(), std::size_t{0});
  const std::size_t gaps = widths.size() - 1;
  const std::size_t gap = figures + 2 * gaps + kNameWidth <= kWidth ? 2 : 1;
  const std::size_t taken = figures + gap * gaps;
  constexpr std::size_t shortest_name = 8;
  const std::size_t name_width = std::clamp(taken < kWidth ? kWidth - taken : 0, shortest_name, kNameWidth);
  std::string text;
  for (const Cells& cells : lines) {
    std::string line = padded(cut_to_columns(cells.front(), name_width), name_width);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      line += right_aligned(cells[i], widths[i] + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string requests_table(const std::vector<RankedTenant>& ranked, std::size_t most_rows) {
  if (ranked.empty()) {
    return "";
  }
  std::vector<Cells> lines = {
      {"", "tries", "in time", "", "refused", "", "", "wait ms", "", "response", "dead", ""},
      {"tenant", "arrived", "answered", "success", "429", "503", "gone", "p50", "p99", "p99 ms", "work", "retries"}};
  const std::size_t shown = std::min(ranked.size(), most_rows);
  std::transform(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(shown), std::back_inserter(lines),
                 request_cells);
  std::string text = aligned(lines);
  if (ranked.size() > most_rows) {
    text += fmt::format("and {} more with higher success rates\n", worded_count(ranked.size() - most_rows));
  }
  return text + "\n";
}

// What all share, and in the last line what came of it.
std::string closing_lines(const RunResult& result, bool with_rows) {
  std::vector<std::string> before = fleet_lines(result);
  if (const std::string recovery = worded_recovery(result); !recovery.empty()) {
    before.push_back(recovery);
  }
  std::string text;
  for (const std::string& each : before) {
    for (const std::string& line : wrapped(each, kWidth)) {
      text += line + "\n";
    }
  }
  if (with_rows) {
    text += fmt::format("Jain {} over backlogged windows (worst {}); ", worded_index(result.cluster.jain_index),
                        worded_index(result.cluster.jain_worst_window));
  }
  return text + worded_goodput(result) + "\n";
}

}  // namespace

std::string render_summary(const RunResult& result, std::size_t most_rows) {
  const std::vector<RankedTenant> with_rows = ranked_worst_first(result);
  return headline(result) + "\n" + verdict_lines(result) + "\n" + requests_table(ranked_by_success(result), most_rows) +
         rows_table(with_rows, most_rows) + closing_lines(result, !with_rows.empty());
}

}  // namespace headroom
