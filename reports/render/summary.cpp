#include "reports/render/summary.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "reports/render/escape.hpp"
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
  text += result.drain.drained
              ? fmt::format("drained in {}\n", worded_duration(result.drain.time))
              : fmt::format("not drained after {}: {} pending, {} claimed\n", worded_duration(result.drain.time),
                            worded_count(result.drain.left_pending), worded_count(result.drain.left_claimed));
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

std::string verdict_lines(const RunResult& result) {
  std::string text;
  for (const Verdict verdict : {Verdict::fail, Verdict::undecided, Verdict::pass}) {
    for (const Judgement& judgement : result.expectations) {
      if (judgement.verdict == verdict) {
        text += judgement_lines(judgement, upper_case(name_of(verdict)));
      }
    }
  }
  std::size_t held = 0;
  for (const Judgement& judgement : result.information) {
    if (judgement.verdict == Verdict::fail) {
      text += judgement_lines(judgement, "(violated)");
    } else {
      held += judgement.verdict == Verdict::pass ? 1 : 0;
    }
  }
  if (!result.information.empty()) {
    text += fmt::format("  {}{} of {} properties that the scenario does not judge hold\n",
                        std::string(kVerdictWidth, ' '), held, result.information.size());
  }
  return text;
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

}  // namespace

std::string render_summary(const RunResult& result, std::size_t most_rows) {
  std::string text = headline(result) + "\n" + verdict_lines(result) + "\n";
  const std::vector<RankedTenant> ranked = ranked_worst_first(result);
  text += table_line("", {"", "", "", "", "wait ms", "", "", "starved", ""});
  text += table_line("tenant", {"completed", "pending", "share", "fair", "p50", "p99", "max", "ms", "sweeps"});
  for (std::size_t i = 0; i < std::min(ranked.size(), most_rows); ++i) {
    text += tenant_line(ranked[i]);
  }
  if (ranked.size() > most_rows) {
    text += fmt::format("and {} more with shorter waits\n", worded_count(ranked.size() - most_rows));
  }
  text +=
      fmt::format("\nJain {} over backlogged windows (worst {}); {} rows/s completed\n",
                  worded_index(result.cluster.jain_index), worded_index(result.cluster.jain_worst_window),
                  result.cluster.goodput_per_second ? fmt::format("{:.1f}", *result.cluster.goodput_per_second) : "-");
  return text;
}

}  // namespace headroom
