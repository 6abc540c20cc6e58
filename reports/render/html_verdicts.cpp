#include <fmt/format.h>
#include <string>
#include <string_view>

#include "reports/render/escape.hpp"
#include "reports/render/html_page.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

// A property that is only information has no verdict on the run: it holds or is violated.
std::string badge(Verdict verdict, bool judged) {
  std::string_view word = name_of(verdict);
  if (!judged && verdict != Verdict::undecided) {
    word = verdict == Verdict::pass ? "holds" : "violated";
  }
  return html_badge(verdict, word);
}

std::string figures_of(const Judgement& judgement) {
  const std::string bound = worded_bound(judgement);
  std::string text;
  if (!std::holds_alternative<std::monostate>(judgement.value)) {
    text = fmt::format("<b>{}</b>", html_escaped(worded(judgement.value)));
  } else if (!bound.empty()) {
    text = "no value";
  }
  return bound.empty() ? text : text + fmt::format(" <span class=\"bound\">{}</span>", html_escaped(bound));
}

std::string entry(const Judgement& judgement, bool judged) {
  return fmt::format(
      "<li class=\"{}\">{} <code>{}</code>{} <span class=\"figures\">{}</span>\n<p class=\"reason\">{}</p></li>\n",
      name_of(judgement.verdict), badge(judgement.verdict, judged), html_escaped(judgement.name),
      judgement.broken ? " <span class=\"bound\">expected to be violated</span>" : "", figures_of(judgement),
      html_escaped(judgement.reason));
}

// Failures first; within a verdict in the order of the scenario.
std::string entries(const std::vector<Judgement>& judgements, bool judged) {
  std::string text = "<ul class=\"verdicts\">\n";
  for (const Verdict verdict : {Verdict::fail, Verdict::undecided, Verdict::pass}) {
    for (const Judgement& judgement : judgements) {
      if (judgement.verdict == verdict) {
        text += entry(judgement, judged);
      }
    }
  }
  return text + "</ul>\n";
}

std::string information(const RunResult& result) {
  if (result.information.empty()) {
    return "";
  }
  std::size_t violated = 0;
  for (const Judgement& judgement : result.information) {
    violated += judgement.verdict == Verdict::fail ? 1 : 0;
  }
  return fmt::format(
      "<details{}><summary>{} more properties, not judged by the scenario: {} violated</summary>\n{}</details>\n",
      violated > 0 ? " open" : "", result.information.size(), violated, entries(result.information, false));
}

}  // namespace

std::string html_verdicts(const RunResult& result) {
  std::string text = "<section id=\"verdicts\"><h2>Verdicts</h2>\n";
  text += result.expectations.empty() ? "<p>The scenario expects nothing.</p>\n" : entries(result.expectations, true);
  return text + information(result) + "</section>\n";
}

}  // namespace headroom
