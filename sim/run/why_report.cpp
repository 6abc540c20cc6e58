// What `why` found, in words and as JSON.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/run/why.hpp"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

double milliseconds(RowTime time) {
  return static_cast<double>(time) / 1e6;
}
double milliseconds(Time at) {
  return static_cast<double>(at.nanoseconds()) / 1e6;
}

std::string joined(const std::vector<std::pair<std::string, std::uint32_t>>& instead) {
  std::string text;
  for (const auto& [name, rows] : instead) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, rows);
  }
  return text.empty() ? "nobody" : text;
}

std::string line_of(const PassedOver& entry) {
  if (entry.sweep == 0) {
    return fmt::format("{:>14.3f} ms  {}: a permit went to {}, {} of {} wait\n", milliseconds(entry.at), entry.where,
                       joined(entry.instead), entry.claimable, entry.name);
  }
  return fmt::format(
      "{:>14.3f} ms  sweep {} of {}: {} had {} claimable, headroom {}, was granted {}, got {} ({}); {}\n",
      milliseconds(entry.at), entry.sweep, entry.where, entry.name, entry.claimable, entry.headroom, entry.granted,
      entry.claimed, name_of(entry.reason), "instead: " + joined(entry.instead));
}

Json to_json(const PassedOver& entry) {
  Json json = {{"t_ms", milliseconds(entry.at)}, {"where", entry.where}};
  if (entry.sweep > 0) {
    json["sweep"] = entry.sweep;
    json["tenant"] = entry.name;
    json["claimable"] = entry.claimable;
    json["headroom"] = entry.headroom;
    json["granted"] = entry.granted;
    json["claimed"] = entry.claimed;
    json["reason"] = name_of(entry.reason);
  }
  json["instead"] = Json::object();
  for (const auto& [name, rows] : entry.instead) {
    json["instead"][name] = rows;
  }
  return json;
}

}  // namespace

std::string why_text(const WhyReport& report) {
  std::string text = fmt::format("{}, up to {:.3f} ms\n", report.subject, milliseconds(report.until));
  if (!report.events.empty()) {
    text += "\n";
    for (const WhyEvent& event : report.events) {
      text += fmt::format("{:>14.3f} ms  {}\n", milliseconds(event.at), event.what);
    }
  }
  text += fmt::format("\npassed over {} times", report.passed_over);
  if (!report.instead.empty()) {
    text += "; meanwhile others got:";
    for (const auto& [name, rows] : report.instead) {
      text += fmt::format(" {} {}", name, rows);
    }
  }
  text += "\n";
  for (const PassedOver& entry : report.first) {
    text += line_of(entry);
  }
  const std::uint64_t listed = report.first.size() + report.last.size();
  if (report.passed_over > listed) {
    text += fmt::format("               ... {} more ...\n", report.passed_over - listed);
  }
  for (const PassedOver& entry : report.last) {
    text += line_of(entry);
  }
  if (report.has_causes) {
    text += fmt::format("\nwaited {:.6f} row-ms before claims:\n", milliseconds(report.waited));
    for (std::size_t i = 0; i < kWaitCauses; ++i) {
      const auto cause = static_cast<WaitCause>(i);
      if (report.causes[cause] != 0) {
        text += fmt::format("  {:<16}{:>20.6f}\n", name_of(cause), milliseconds(report.causes[cause]));
      }
    }
  }
  return text;
}

std::string why_json(const WhyReport& report) {
  Json json = {{"schema", 1}, {"subject", report.subject}, {"until_ms", milliseconds(report.until)}};
  json["passed_over"] = report.passed_over;
  json["instead"] = report.instead;
  json["sweeps"] = Json::array();
  for (const auto* list : {&report.first, &report.last}) {
    for (const PassedOver& entry : *list) {
      json["sweeps"].push_back(to_json(entry));
    }
  }
  json["events"] = Json::array();
  for (const WhyEvent& event : report.events) {
    json["events"].push_back({{"t_ms", milliseconds(event.at)}, {"what", event.what}});
  }
  if (report.has_causes) {
    json["waited_ms"] = milliseconds(report.waited);
    json["waited_ns"] = fmt::format("{}", report.waited);
    json["causes_ms"] = Json::object();
    json["causes_ns"] = Json::object();
    for (std::size_t i = 0; i < kWaitCauses; ++i) {
      const auto cause = static_cast<WaitCause>(i);
      json["causes_ms"][name_of(cause)] = milliseconds(report.causes[cause]);
      json["causes_ns"][name_of(cause)] = fmt::format("{}", report.causes[cause]);
    }
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headroom
