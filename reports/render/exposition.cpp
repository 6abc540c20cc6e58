#include "reports/render/exposition.hpp"

#include <fmt/format.h>
#include <iterator>

#include "reports/render/escape.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

std::string_view name_of(MetricType type) {
  switch (type) {
    case MetricType::gauge:
      return "gauge";
    case MetricType::counter:
      return "counter";
    case MetricType::summary:
      return "summary";
    case MetricType::info:
      return "info";
  }
  return {};
}

}  // namespace

void Exposition::family(std::string_view name, MetricType type, std::string_view help) {
  name_ = name;
  type_ = type;
  fmt::format_to(std::back_inserter(text_), "# TYPE {} {}\n", name, name_of(type));
  if (name.ends_with("_seconds")) {
    fmt::format_to(std::back_inserter(text_), "# UNIT {} seconds\n", name);
  }
  fmt::format_to(std::back_inserter(text_), "# HELP {} {}\n", name, label_escaped(help));
}

std::string_view Exposition::suffix() const {
  switch (type_) {
    case MetricType::counter:
      return "_total";
    case MetricType::info:
      return "_info";
    case MetricType::gauge:
    case MetricType::summary:
      break;
  }
  return {};
}

void Exposition::sample(std::string_view suffix, const Labels& labels, std::string_view value) {
  text_ += name_;
  text_ += suffix;
  char separator = '{';
  for (const auto& [label, content] : labels) {
    fmt::format_to(std::back_inserter(text_), "{}{}=\"{}\"", separator, label, label_escaped(content));
    separator = ',';
  }
  fmt::format_to(std::back_inserter(text_), "{} {}\n", labels.empty() ? "" : "}", value);
}

void Exposition::add(const Labels& labels, std::uint64_t value) {
  sample(suffix(), labels, fmt::format("{}", value));
}

void Exposition::add_time(const Labels& labels, Int128 nanoseconds) {
  sample(suffix(), labels, exact_seconds(nanoseconds));
}

void Exposition::add_number(const Labels& labels, double value) {
  sample(suffix(), labels, fmt::format("{}", value));
}

void Exposition::add(const Labels& labels, const DistributionSummary& distribution) {
  const std::pair<std::string_view, std::int64_t> quantiles[] = {
      {"0.5", distribution.p50}, {"0.9", distribution.p90}, {"0.99", distribution.p99}, {"1", distribution.max}};
  if (distribution.count > 0) {
    Labels with_quantile = labels;
    with_quantile.emplace_back("quantile", "");
    for (const auto& [quantile, value] : quantiles) {
      with_quantile.back().second = quantile;
      sample("", with_quantile, exact_seconds(value));
    }
  }
  sample("_sum", labels, exact_seconds(distribution.sum));
  sample("_count", labels, fmt::format("{}", distribution.count));
}

std::string Exposition::finish() && {
  return std::move(text_) + "# EOF\n";
}

}  // namespace headroom
