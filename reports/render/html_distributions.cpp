// The curves of how long things took: which part of them took at most so long.
#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

// As many as colours and dashes tell apart.
constexpr std::size_t kMostCurves = 8;

struct Curve {
  const std::string* name = nullptr;
  const DistributionSummary* summary = nullptr;
};

struct Distribution {
  std::string_view title;
  std::vector<Curve> curves;
};

template <class SummaryOf>
void add(std::vector<Distribution>& all, std::string_view title, const std::vector<RankedTenant>& tenants,
         SummaryOf summary_of) {
  Distribution distribution{title, {}};
  for (const RankedTenant& tenant : tenants) {
    const DistributionSummary& summary = summary_of(*tenant.figures);
    if (summary.count > 0 && !summary.at_most.empty() && distribution.curves.size() < kMostCurves) {
      distribution.curves.push_back({&tenant.label, &summary});
    }
  }
  if (!distribution.curves.empty()) {
    all.push_back(std::move(distribution));
  }
}

std::vector<Distribution> distributions_of(const std::vector<RankedTenant>& ranked,
                                           const std::vector<RankedTenant>& senders) {
  std::vector<Distribution> all;
  add(all, "rows: due to start of execution", ranked, [](const TenantFigures& of) -> const auto& { return of.wait; });
  add(all, "rows: due to claim", ranked, [](const TenantFigures& of) -> const auto& { return of.claim_wait; });
  add(all, "rows: due to end of execution", ranked, [](const TenantFigures& of) -> const auto& { return of.sojourn; });
  add(all, "requests: wait at the gate", senders, [](const TenantFigures& of) -> const auto& { return of.gate->wait; });
  add(all, "requests: first try to answer", senders,
      [](const TenantFigures& of) -> const auto& { return of.gate->response; });
  return all;
}

}  // namespace

std::string html_distributions(const std::vector<RankedTenant>& ranked, const std::vector<RankedTenant>& senders) {
  const std::vector<Distribution> all = distributions_of(ranked, senders);
  if (all.empty()) {
    return "";
  }
  std::string text =
      "<section id=\"distributions\"><h2>Wait distributions</h2>\n<p class=\"note\">How much of what was waited for "
      "took at most so long, in the measured part; the time axis is logarithmic. ";
  text += fmt::format("At most {} curves, the worst waits (or success rates) first. The table above has the figures.",
                      kMostCurves);
  text += "</p>\n<div class=\"controls\" hidden><fieldset><legend>Of</legend>\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += fmt::format("<label><input type=\"radio\" name=\"distribution\" value=\"{}\"{}> {}</label>\n", i,
                        i == 0 ? " checked" : "", all[i].title);
  }
  return text +
         "</fieldset></div>\n<figure class=\"timeline\"><figcaption><span class=\"legend\" "
         "id=\"legend-distribution\"></span></figcaption><div class=\"chart tall\" id=\"chart-distribution\" "
         "role=\"img\" "
         "aria-label=\"Part of the waits that took at most so long\"></div></figure></section>\n";
}

std::string html_distribution_data(const std::vector<RankedTenant>& ranked, const std::vector<RankedTenant>& senders) {
  std::string json = "\"bounds_ms\":[";
  for (std::size_t i = 0; i < kDistributionBounds.size(); ++i) {
    json += (i == 0 ? "" : ",") + exact_milliseconds(kDistributionBounds[i]);
  }
  json += "],\"distributions\":[";
  std::string_view separator;
  for (const Distribution& distribution : distributions_of(ranked, senders)) {
    json += fmt::format("{}\n{{\"title\":{},\"curves\":[", separator, json_quoted(distribution.title));
    std::string_view comma;
    for (const Curve& curve : distribution.curves) {
      json += fmt::format("{}{{\"name\":{},\"count\":{},\"at_most\":[{}]}}", comma, json_quoted(*curve.name),
                          curve.summary->count, fmt::join(curve.summary->at_most, ","));
      comma = ",";
    }
    json += "]}";
    separator = ",";
  }
  return json + "]";
}

}  // namespace headroom
