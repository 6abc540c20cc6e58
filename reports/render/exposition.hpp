// A text of OpenMetrics, family by family (version 1.0.0: the samples of a family stand together, each name once).
//
//   Exposition text;
//   text.family("admission_gone", MetricType::counter, "Clients that left before their handler started.");
//   text.add({{"tenant", "quiet"}}, 12);                      // admission_gone_total{tenant="quiet"} 12
//   text.family("admission_wait_seconds", MetricType::summary, "...");
//   text.add({{"tenant", "quiet"}}, distribution);
//   std::move(text).finish();                                 // with # EOF
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/metrics/distribution_summary.hpp"

namespace headroom {

enum class MetricType : std::uint8_t { gauge, counter, summary, info };

class Exposition {
 public:
  // Names are ours, values are data: they are escaped here.
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  // Begins the family that the next samples belong to. A name that ends in _seconds has that unit.
  void family(std::string_view name, MetricType type, std::string_view help);

  void add(const Labels& labels, std::uint64_t value);
  // Nanoseconds, in a family of seconds.
  void add_time(const Labels& labels, Int128 nanoseconds);
  // As long as is needed to read the same number back.
  void add_number(const Labels& labels, double value);
  // p50, p90, p99 and, as quantile 1, the greatest; without a sample just the sum and the count.
  void add(const Labels& labels, const DistributionSummary& distribution);

  [[nodiscard]] std::string finish() &&;

 private:
  void sample(std::string_view suffix, const Labels& labels, std::string_view value);
  [[nodiscard]] std::string_view suffix() const;

  std::string text_;
  std::string name_;
  MetricType type_ = MetricType::gauge;
};

}  // namespace headroom
