// The frame that all pages share: one self-contained file. It needs no network and allows none (its
// Content-Security-Policy refuses everything that is not in the file), reads on paper, in the dark and on a phone, and
// without a script still shows every figure.
//
//   return html_page({.title = "x: fail", .header = ..., .main = ..., .charts = "{...}"});
#pragma once

#include <string>
#include <string_view>

#include "model/base/verdict.hpp"

namespace headroom {

// All but the title is markup, or JSON without "<".
struct HtmlPage {
  std::string title;
  std::string header;
  std::string main;
  std::string charts;  // data of the charts; empty: the page has none
  std::string sweeps;  // data of the sweep browser; empty: the page has none
  bool steps = false;  // it has counterexamples to step through
};

[[nodiscard]] std::string html_page(const HtmlPage& page);

// A verdict as a word in a box of its colour; `word` stands in its place where it is not a verdict.
[[nodiscard]] std::string html_badge(Verdict verdict, std::string_view word = {});
// A line that can be pasted into a shell.
[[nodiscard]] std::string html_command(std::string_view command);

}  // namespace headroom
