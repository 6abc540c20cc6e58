#include "sim/scenario/rule.hpp"

#include <algorithm>

#include "sim/scenario/nearest.hpp"

namespace headroom {
namespace {

constexpr std::string_view kDurationPattern = R"(^[0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h)$)";
constexpr std::string_view kSignedDurationPattern = R"(^-?[0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h)$)";
constexpr std::string_view kRatePattern = R"(^[0-9]+(\.[0-9]+)?/(s|m|h)$)";
constexpr std::string_view kNodePattern = "^n[1-9][0-9]{0,3}$";

constexpr std::string_view kUnitsInWords = " (units: ns, us, ms, s, m, h)";

std::string duration_in_words(Duration least, Duration most) {
  std::string words = "a duration such as \"250ms\"";
  if (least == Duration::nanoseconds(1)) {
    words += " above 0";
  } else if (least > Duration::zero()) {
    words += " from " + format_duration(least);
  }
  return words + ", at most " + format_duration(most) + std::string(kUnitsInWords);
}

// A quantity with its unit that was parsed from a text: its value, if it is exact and in range.
template <class Parsed, class Value>
std::optional<Value> accept(const Parsed& parsed, Value least, Value most, const char* too_fine, const JsonNode& node,
                            const std::string& expected, Reading& reading) {
  switch (parsed.exactness) {
    case Exactness::malformed:
      return not_expected(node, expected, reading);
    case Exactness::too_fine:
      reading.fault(describe(node) + too_fine, expected);
      return std::nullopt;
    case Exactness::exact:
      if (parsed.value >= least && parsed.value <= most) {
        return parsed.value;
      }
      break;
    case Exactness::too_large:
      break;
  }
  reading.fault(describe(node) + " is out of range", expected);
  return std::nullopt;
}

std::optional<Duration> read_duration(const JsonNode& node, Duration least, Duration most, const std::string& expected,
                                      Reading& reading) {
  return node.text() == nullptr ? not_expected(node, expected, reading)
                                : accept(parse_duration(*node.text()), least, most,
                                         " is not a whole number of nanoseconds", node, expected, reading);
}

std::optional<Rate> read_rate(const JsonNode& node, Rate least, const std::string& expected, Reading& reading) {
  return node.text() == nullptr ? not_expected(node, expected, reading)
                                : accept(parse_rate(*node.text()), least, kMaxRate,
                                         " has more than nine digits after the point", node, expected, reading);
}

std::optional<Decimal> read_decimal(const JsonNode& node, Decimal least, Decimal most, bool above,
                                    const std::string& expected, Reading& reading) {
  if (node.number() == nullptr) {
    return not_expected(node, expected, reading);
  }
  const ScaledNumber scaled = scaled_number(node.number()->token, 9);
  if (scaled.exactness == Exactness::too_fine) {
    reading.fault(describe(node) + " has more than nine digits after the point", expected);
    return std::nullopt;
  }
  const bool inside = scaled.exactness == Exactness::exact && scaled.value <= most.billionths &&
                      (above ? scaled.value > least.billionths : scaled.value >= least.billionths);
  if (!inside) {
    reading.fault(describe(node) + " is out of range", expected);
    return std::nullopt;
  }
  return Decimal{static_cast<std::int64_t>(scaled.value)};
}

JsonNode decimal_node(Decimal value) {
  return {JsonNumber{format_decimal(value)}};
}

}  // namespace

JsonNode json_object(std::initializer_list<std::pair<std::string_view, JsonNode>> members) {
  JsonObject object;
  for (const auto& [key, node] : members) {
    object.push_back({std::string(key), node});
  }
  return {std::move(object)};
}

JsonNode json_list(std::vector<JsonNode> elements) {
  return {JsonArray(std::move(elements))};
}

std::nullopt_t not_expected(const JsonNode& node, const std::string& expected, Reading& reading) {
  reading.fault(describe(node) + " is not allowed here", expected);
  return std::nullopt;
}

std::optional<std::uint64_t> read_whole(const JsonNode& node, std::uint64_t least, std::uint64_t most,
                                        const std::string& expected, Reading& reading) {
  if (node.number() == nullptr) {
    return not_expected(node, expected, reading);
  }
  const ScaledNumber scaled = scaled_number(node.number()->token, 0);
  if (scaled.exactness == Exactness::too_fine) {
    reading.fault(describe(node) + " is not a whole number", expected);
    return std::nullopt;
  }
  if (scaled.exactness != Exactness::exact || scaled.value < static_cast<WideInteger>(least) ||
      scaled.value > static_cast<WideInteger>(most)) {
    reading.fault(describe(node) + " is out of range", expected);
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(scaled.value);
}

std::string whole_in_words(std::uint64_t least, std::uint64_t most) {
  if (least == most) {
    return std::to_string(least);
  }
  return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

JsonNode whole_schema(std::uint64_t least, std::uint64_t most) {
  return json_object({{"type", json_text("integer")},
                      {"minimum", {JsonNumber{std::to_string(least)}}},
                      {"maximum", {JsonNumber{std::to_string(most)}}}});
}

Rule<bool> flag() {
  Rule<bool> rule;
  rule.expected = "true or false";
  rule.schema = json_object({{"type", json_text("boolean")}});
  rule.read = [expected = rule.expected](const JsonNode& node, Reading& reading) -> std::optional<bool> {
    if (node.boolean() == nullptr) {
      return not_expected(node, expected, reading);
    }
    return *node.boolean();
  };
  rule.write = [](const bool& value) { return JsonNode{value}; };
  return rule;
}

Rule<Decimal> decimal(Decimal least, Decimal most, bool above) {
  Rule<Decimal> rule;
  rule.expected = (above ? "a number above " : "a number from ") + format_decimal(least) +
                  (above ? ", at most " : " to ") + format_decimal(most);
  rule.schema = json_object({{"type", json_text("number")},
                             {above ? "exclusiveMinimum" : "minimum", decimal_node(least)},
                             {"maximum", decimal_node(most)}});
  rule.read = [least, most, above, expected = rule.expected](const JsonNode& node, Reading& reading) {
    return read_decimal(node, least, most, above, expected, reading);
  };
  rule.write = decimal_node;
  return rule;
}

Rule<Duration> duration(Duration least, Duration most) {
  Rule<Duration> rule;
  rule.expected = duration_in_words(least, most);
  rule.schema = json_object({{"type", json_text("string")}, {"pattern", json_text(kDurationPattern)}});
  rule.read = [least, most, expected = rule.expected](const JsonNode& node, Reading& reading) {
    return read_duration(node, least, most, expected, reading);
  };
  rule.write = [](const Duration& value) { return json_text(format_duration(value)); };
  return rule;
}

Rule<Duration> signed_duration(Duration most) {
  Rule<Duration> rule;
  rule.expected = "a duration such as \"250ms\" or \"-11s\", at most " + format_duration(most) + " either way" +
                  std::string(kUnitsInWords);
  rule.schema = json_object({{"type", json_text("string")}, {"pattern", json_text(kSignedDurationPattern)}});
  rule.read = [most, expected = rule.expected](const JsonNode& node, Reading& reading) {
    return read_duration(node, Duration::zero() - most, most, expected, reading);
  };
  return rule;
}

Rule<Time> instant() {
  return mapped<Time>(duration(), [](Duration since_start, Reading&) { return Time::at(since_start); });
}

Rule<Rate> rate(Rate least) {
  Rule<Rate> rule;
  rule.expected = std::string("a rate such as \"5/s\"") + (least.nanohertz > 0 ? " above 0" : "") +
                  ", at most \"1000000000/s\" (per s, m or h)";
  rule.schema = json_object({{"type", json_text("string")}, {"pattern", json_text(kRatePattern)}});
  rule.read = [least, expected = rule.expected](const JsonNode& node, Reading& reading) {
    return read_rate(node, least, expected, reading);
  };
  return rule;
}

Rule<std::string> text(std::size_t least_bytes, std::size_t most_bytes) {
  Rule<std::string> rule;
  rule.expected = "a text of " + std::to_string(least_bytes) + " to " + std::to_string(most_bytes) + " bytes";
  rule.schema = json_object({{"type", json_text("string")},
                             {"minLength", json_whole(static_cast<std::int64_t>(least_bytes))},
                             {"maxLength", json_whole(static_cast<std::int64_t>(most_bytes))}});
  rule.read = [least_bytes, most_bytes, expected = rule.expected](const JsonNode& node,
                                                                  Reading& reading) -> std::optional<std::string> {
    if (node.text() == nullptr) {
      return not_expected(node, expected, reading);
    }
    if (node.text()->find('\0') != std::string::npos) {
      reading.fault(describe(node) + " holds a zero character", expected);
      return std::nullopt;
    }
    if (node.text()->size() < least_bytes || node.text()->size() > most_bytes) {
      reading.fault(describe(node) + " has " + std::to_string(node.text()->size()) + " bytes", expected);
      return std::nullopt;
    }
    return *node.text();
  };
  rule.write = [](const std::string& value) { return json_text(value); };
  return rule;
}

std::string name_of_node(NodeId node) {
  return "n" + std::to_string(node.value() + 1);
}

Rule<NodeId> node_name() {
  Rule<NodeId> rule;
  rule.expected = "a node such as \"n1\"";
  rule.schema = json_object({{"type", json_text("string")}, {"pattern", json_text(kNodePattern)}});
  rule.read = [expected = rule.expected](const JsonNode& node, Reading& reading) -> std::optional<NodeId> {
    const std::string* name = node.text();
    if (name == nullptr || name->size() < 2 || name->size() > 5 || name->front() != 'n' || (*name)[1] == '0' ||
        name->find_first_not_of("0123456789", 1) != std::string::npos) {
      return not_expected(node, expected, reading);
    }
    return NodeId(static_cast<std::uint16_t>(std::stoi(name->substr(1)) - 1));
  };
  rule.write = [](const NodeId& node) { return json_text(name_of_node(node)); };
  return rule;
}

std::optional<std::size_t> read_name(const JsonNode& node, std::span<const NamedValue> names,
                                     std::span<const NamedValue> refused, const std::string& expected,
                                     Reading& reading) {
  if (node.text() == nullptr) {
    return not_expected(node, expected, reading);
  }
  const std::string& name = *node.text();
  const auto found = std::ranges::find(names, name, &NamedValue::name);
  if (found != names.end()) {
    return static_cast<std::size_t>(found - names.begin());
  }
  if (const auto other = std::ranges::find(refused, name, &NamedValue::name); other != refused.end()) {
    reading.fault(in_quotes(name) + " " + std::string(other->summary), expected);
    return std::nullopt;
  }
  std::vector<std::string_view> known;
  for (const NamedValue& value : names) {
    known.push_back(value.name);
  }
  reading.fault("unknown name " + in_quotes(name), suggest(name, known));
  return std::nullopt;
}

std::string names_in_words(std::span<const NamedValue> names) {
  std::string words;
  for (std::size_t i = 0; i < names.size(); ++i) {
    words += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + in_quotes(names[i].name);
  }
  return words;
}

JsonNode names_schema(std::span<const NamedValue> names) {
  std::vector<JsonNode> values;
  for (const NamedValue& value : names) {
    values.push_back(json_text(value.name));
  }
  return json_object({{"enum", json_list(std::move(values))}});
}

bool is_word(const JsonNode& node) {
  return node.text() != nullptr && node.text()->find_first_of("-+.0123456789") != 0;
}

std::string list_in_words(const std::string& element, std::size_t least, std::size_t most) {
  return "a list of " + std::to_string(least) + " to " + std::to_string(most) + " elements, each " + element;
}

JsonNode list_schema(JsonNode element, std::size_t least, std::size_t most) {
  return json_object({{"type", json_text("array")},
                      {"items", std::move(element)},
                      {"minItems", json_whole(static_cast<std::int64_t>(least))},
                      {"maxItems", json_whole(static_cast<std::int64_t>(most))}});
}

}  // namespace headroom
