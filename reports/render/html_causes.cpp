#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

// In the order of the specification, 2.5; the last two before `claimed_waiting` are the scheduler's doing.
constexpr std::string_view kCauses[] = {"no_owner",        "store_error",    "not_visible",  "paused",
                                        "own_ceiling",     "awaiting_sweep", "batch_budget", "lost_in_order",
                                        "claimed_waiting", "executing"};

std::size_t rank_of(std::string_view cause) {
  return static_cast<std::size_t>(std::find(std::begin(kCauses), std::end(kCauses), cause) - std::begin(kCauses));
}

struct Part {
  std::string_view cause;
  Int128 nanoseconds = 0;
  double percent = 0;
};

std::vector<Part> parts_of(const TenantFigures& figures) {
  Int128 total = 0;
  for (const auto& [cause, nanoseconds] : figures.wait_causes) {
    total += nanoseconds;
  }
  std::vector<Part> parts;
  for (const auto& [cause, nanoseconds] : figures.wait_causes) {
    if (nanoseconds > 0) {
      parts.push_back({cause, nanoseconds, static_cast<double>(nanoseconds) / static_cast<double>(total) * 100});
    }
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::pair(rank_of(a.cause), a.cause) < std::pair(rank_of(b.cause), b.cause);
  });
  return parts;
}

std::string row(const RankedTenant& tenant, const std::vector<Part>& parts) {
  std::string bar;
  std::string words;
  for (const Part& part : parts) {
    bar += fmt::format("<span class=\"cause-{}\" style=\"width:{:.3f}%\"></span>", rank_of(part.cause), part.percent);
    words += fmt::format("<li><span class=\"key cause-{}\"></span>{} {:.1f}%, {} s</li>", rank_of(part.cause),
                         html_escaped(part.cause), part.percent,
                         fmt::format("{:.4g}", static_cast<double>(part.nanoseconds) / 1e9));
  }
  return fmt::format(
      "<div class=\"causes\"><h3>{}</h3><div class=\"stack\" aria-hidden=\"true\">{}</div><ul>{}</ul></div>\n",
      html_escaped(tenant.label), bar, words);
}

}  // namespace

std::string html_causes(const std::vector<RankedTenant>& ranked) {
  std::string rows;
  std::size_t shown = 0;
  for (const RankedTenant& tenant : ranked) {
    if (const std::vector<Part> parts = parts_of(*tenant.figures); !parts.empty() && shown < kMostCharts) {
      rows += row(tenant, parts);
      ++shown;
    }
  }
  if (rows.empty()) {
    return "";
  }
  return "<section id=\"causes\"><h2>Why rows waited</h2>\n<p class=\"note\">All waiting of a tenant&#39;s rows, added "
         "up "
         "by cause. Only <code>batch_budget</code> and <code>lost_in_order</code> are the scheduler&#39;s "
         "doing.</p>\n" +
         rows + "</section>\n";
}

}  // namespace headroom
