#include "reports/render/html_page.hpp"

#include <fmt/format.h>

#include "reports/render/escape.hpp"
#include "reports/render/html/assets.hpp"

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
std::string data(std::string_view id, const std::string& json) {
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id, json);
}

}  // namespace

std::string html_page(const HtmlPage& page) {
  std::string text(kHead);
  text += fmt::format("<title>{}</title>\n", html_escaped(page.title));
  text += page.charts.empty() ? "" : style(kDygraphsStyle);
  text +=
      style(kReportStyle) + "</head>\n<body>\n<header>" + page.header + "</header>\n<main>\n" + page.main + "</main>\n";
  if (!page.charts.empty()) {
    text += "<footer>Charts by dygraphs (MIT licence).</footer>\n" + data("chart-data", page.charts) +
            script(kDygraphsScript) + script(kSynchronizerScript) + script(kChartsScript);
  }
  if (!page.sweeps.empty()) {
    text += data("sweep-data", page.sweeps) + script(kSweepsScript);
  }
  text += page.steps ? script(kStepsScript) : "";
  return text + script(kTablesScript) + "</body>\n</html>\n";
}

std::string html_badge(Verdict verdict, std::string_view word) {
  return fmt::format("<span class=\"badge {}\">{}</span>", name_of(verdict), word.empty() ? name_of(verdict) : word);
}

std::string html_command(std::string_view command) {
  return fmt::format("<code class=\"command\">{}</code>", html_escaped(command));
}

}  // namespace headroom
