// metrics.txt: the figures of a run in the OpenMetrics text format (version 1.0.0), as a scrape at the end of the
// measured part would read them. The gate's metrics have the names of the specification, 1.4; those of rows start with
// outbox_. A group of tenants is one `tenant`. Times are seconds, with every digit.
//
//   prometheus_client.openmetrics.parser.text_string_to_metric_families(text)
//
// What counts from 0 and what is of the measured part alone, the HELP of each family says.
#pragma once

#include <string>

#include "reports/metrics/run_result.hpp"

namespace headroom {

[[nodiscard]] std::string render_openmetrics(const RunResult& result);

}  // namespace headroom
