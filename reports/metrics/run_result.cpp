#include "reports/metrics/run_result.hpp"

namespace headroom {

std::string_view name_of(JudgementKind kind) {
  switch (kind) {
    case JudgementKind::property:
      return "property";
    case JudgementKind::metric:
      return "metric";
    case JudgementKind::sometimes:
      return "sometimes";
  }
  return {};
}

std::string_view name_of(Mark::Kind kind) {
  switch (kind) {
    case Mark::Kind::fault:
      return "fault";
    case Mark::Kind::latency_shift:
      return "latency_shift";
  }
  return {};
}

}  // namespace headroom
