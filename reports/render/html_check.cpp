#include "reports/render/html_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "reports/render/escape.hpp"
#include "reports/render/html_cells.hpp"
#include "reports/render/html_page.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

// Beyond it the traces that are left have only their files.
constexpr std::size_t kMostBytes = 2'000'000;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

// Facts that were not so before are marked.
std::string state_of(const std::string& state, const std::string& before) {
  const std::vector<std::string_view> known = lines_of(before);
  std::string text = "<pre class=\"state\">";
  for (const std::string_view line : lines_of(state)) {
    const bool changed = std::ranges::find(known, line) == known.end();
    text += changed ? "<mark>" + html_escaped(line) + "</mark>\n" : html_escaped(line) + "\n";
  }
  return text + "</pre>";
}

// Where a step stands in the loop, for the style and the script.
std::string loop_mark(const ShownTrace& trace, std::size_t index) {
  if (!trace.is_loop || index < trace.loop_begin) {
    return "";
  }
  return index == trace.loop_begin ? " data-loop=\"first\"" : " data-loop=\"inside\"";
}

std::string step(const ShownTrace& trace, std::size_t index) {
  const ShownStep& shown = trace.steps[index];
  const std::string& before = index == 0 ? trace.initial : trace.steps[index - 1].state;
  std::string text = fmt::format("<li class=\"step\"{}><h4>{}. {}</h4><ul class=\"changes\">", loop_mark(trace, index),
                                 index + 1, html_escaped(shown.action));
  for (const std::string& change : shown.changes) {
    text += "<li>" + html_escaped(change) + "</li>";
  }
  text += shown.changes.empty() ? "<li>nothing changes</li>" : "";
  text += fmt::format("</ul><details><summary>state after step {}</summary>{}</details></li>\n", index + 1,
                      state_of(shown.state, before));
  if (trace.point_of_no_return == index + 1) {
    text +=
        fmt::format("<li class=\"remark no-return\">After step {} it cannot be avoided any more.</li>\n", index + 1);
  }
  return text;
}

std::string loop_begins(const ShownTrace& trace) {
  const std::size_t steps = trace.steps.size() - trace.loop_begin;
  if (steps == 0) {
    return "<li class=\"remark loop-begins\">From here nothing more needs to happen, ever.</li>\n";
  }
  return fmt::format("<li class=\"remark loop-begins\">&#8635; From here {} step{} for ever.</li>\n", steps,
                     steps == 1 ? " repeats" : "s repeat");
}

constexpr std::string_view kStepControls =
    "<div class=\"controls\" hidden><button type=\"button\" data-step=\"first\">start</button>\n"
    "<button type=\"button\" data-step=\"back\" aria-label=\"step back\">&#9664;</button>\n"
    "<button type=\"button\" data-step=\"on\" aria-label=\"step on\">&#9654;</button>\n"
    "<button type=\"button\" data-step=\"all\">open all states</button> <output></output></div>\n";

std::string section(const ShownTrace& trace, std::size_t number) {
  std::string text = fmt::format("<section class=\"trace\" id=\"trace-{}\" tabindex=\"-1\"><h2>{}</h2>\n<p>{}</p>\n",
                                 number, html_escaped(trace.title), html_escaped(trace.shows));
  if (!trace.file.empty()) {
    text += "<p>Again: " + html_command("headroom replay " + trace.file) + "</p>\n";
  }
  text += kStepControls;
  text += "<ol class=\"steps\">\n<li class=\"step\"><h4>Start</h4><details><summary>initial state</summary>" +
          state_of(trace.initial, trace.initial) + "</details></li>\n";
  if (trace.point_of_no_return == std::size_t{0}) {
    text += "<li class=\"remark no-return\">It could never be avoided.</li>\n";
  }
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (trace.is_loop && i == trace.loop_begin) {
      text += loop_begins(trace);
    }
    text += step(trace, i);
  }
  if (trace.is_loop && trace.loop_begin == trace.steps.size()) {
    text += loop_begins(trace);
  } else if (trace.is_loop) {
    text +=
        fmt::format("<li class=\"remark loop-ends\">&#8634; Then step {} again: the state is the one before it.</li>\n",
                    trace.loop_begin + 1);
  }
  return text + "</ol></section>\n";
}

std::string property_entry(const CheckedProperty& property, const std::vector<ShownTrace>& traces) {
  std::string text =
      fmt::format("<li class=\"{}\">{} <code>{}</code> <span class=\"bound\">{}{}{}</span>\n<p class=\"reason\">{}</p>",
                  name_of(property.verdict), html_badge(property.verdict), html_escaped(property.name),
                  html_escaped(property.kind), property.broken ? ", expected to be violated" : "",
                  property.decides ? "" : ", not judged", html_escaped(property.reason));
  if (property.trace) {
    text += fmt::format("<p><a href=\"#trace-{}\">its {} steps</a></p>", *property.trace + 1,
                        traces[*property.trace].steps.size());
  }
  return text + "</li>\n";
}

std::string verdicts(const CheckedScope& checked) {
  if (checked.properties.empty()) {
    return "";
  }
  std::string text = "<section id=\"verdicts\"><h2>Verdicts</h2>\n<ul class=\"verdicts\">\n";
  for (const Verdict verdict : {Verdict::fail, Verdict::undecided, Verdict::pass}) {
    for (const CheckedProperty& property : checked.properties) {
      if (property.verdict == verdict) {
        text += property_entry(property, checked.traces);
      }
    }
  }
  text += "</ul>\n";
  if (!checked.extremes.empty()) {
    text += "<h3>Extremes</h3>\n<dl class=\"facts\">\n";
    for (const auto& [name, value] : checked.extremes) {
      text += fact(html_escaped(name), value);
    }
    text += "</dl>\n";
  }
  return text + "</section>\n";
}

std::string header(const CheckedScope& checked) {
  std::string text = fmt::format("<h1>{} {}</h1>\n<p>{}</p>\n", html_escaped(checked.scenario_name),
                                 html_badge(checked.verdict), html_escaped(checked.scope));
  if (!checked.ended.empty()) {
    text += fmt::format(
        "<p class=\"note\">{}: {} states &middot; {} steps &middot; depth {} &middot; scenario digest {:016x} &middot; "
        "headroom {}</p>\n",
        html_escaped(checked.ended), worded_count(checked.states), worded_count(checked.transitions), checked.depth,
        checked.scenario_digest, html_escaped(checked.headroom_version));
  }
  return text + "<p>Again: " + html_command(checked.command) + "</p>";
}

}  // namespace

std::string render_check_html(const CheckedScope& checked) {
  std::string main = verdicts(checked);
  std::size_t shown = 0;
  for (; shown < checked.traces.size() && main.size() < kMostBytes; ++shown) {
    main += section(checked.traces[shown], shown + 1);
  }
  if (shown < checked.traces.size()) {
    main += fmt::format("<p>{} more are in their files alone.</p>\n", checked.traces.size() - shown);
  }
  return html_page({.title = fmt::format("{}: {}", checked.scenario_name, name_of(checked.verdict)),
                    .header = header(checked),
                    .main = std::move(main),
                    .steps = !checked.traces.empty()});
}

}  // namespace headroom
