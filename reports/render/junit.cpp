#include "reports/render/junit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>

#include "reports/render/escape.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

std::size_t count_of(const RunResult& result, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(result.expectations, verdict, &Judgement::verdict));
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("    <property name=\"{}\" value=\"{}\"/>\n", name, xml_escaped(value));
}

// Value and bound, as far as there are any, and the reason.
std::string body_of(const Judgement& judgement, const RunResult& result) {
  std::string text = judgement.reason + "\n";
  if (const std::string bound = worded_bound(judgement); !bound.empty()) {
    text += fmt::format("value: {}; expected: {}\n", worded(judgement.value), bound);
  }
  return text + "again: " + result.command + "\n";
}

// `name` is told apart from earlier ones of the same.
std::string test_case(const Judgement& judgement, const std::string& name, const RunResult& result) {
  const std::string head = fmt::format("  <testcase classname=\"{}.{}\" name=\"{}\" time=\"0\"",
                                       xml_escaped(result.scenario_name), name_of(judgement.kind), xml_escaped(name));
  const auto outcome = [&](std::string_view element) {
    return fmt::format("{0}>\n    <{1} message=\"{2}\" type=\"{3}\">{4}</{1}>\n  </testcase>\n", head, element,
                       xml_escaped(judgement.reason), name_of(judgement.verdict),
                       xml_escaped(body_of(judgement, result)));
  };
  switch (judgement.verdict) {
    case Verdict::pass:
      return head + ">\n    <system-out>" + xml_escaped(judgement.reason) + "</system-out>\n  </testcase>\n";
    case Verdict::fail:
      return outcome("failure");
    case Verdict::undecided:
      return outcome("error");
  }
  return {};
}

}  // namespace

std::string render_junit(const RunResult& result) {
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"0\"", result.expectations.size(),
                  count_of(result, Verdict::fail), count_of(result, Verdict::undecided));
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"headroom\" {}>\n", counts);
  text += fmt::format("<testsuite name=\"{}\" {}>\n  <properties>\n", xml_escaped(result.scenario_name), counts);
  text += property("headroom_version", result.headroom_version);
  text += property("scenario_digest", fmt::format("{:016x}", result.scenario_digest));
  text += property("seed", fmt::format("{}", result.seed));
  text += property("event_digest", fmt::format("{:016x}", result.event_digest));
  text += property("verdict", name_of(result.verdict));
  text += property("command", result.command);
  if (!result.stopped_early.empty()) {
    text += property("stopped_early", result.stopped_early);
  }
  text += "  </properties>\n";
  std::map<std::string, int> seen;
  for (const Judgement& judgement : result.expectations) {
    std::string name = worded_name(judgement);
    if (const int times = ++seen[name]; times > 1) {
      name += fmt::format(" [{}]", times);
    }
    text += test_case(judgement, name, result);
  }
  return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace headroom
