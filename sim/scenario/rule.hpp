// Rules say what a value of a scenario may be: each reads a value, writes a default, and states itself as JSON Schema,
// so that the reader and the schema cannot disagree.
//
//   const Rule<std::uint32_t> nodes = whole<std::uint32_t>(1, 1024);
//   std::optional<std::uint32_t> value = nodes.read(node, reading);   // nothing, with a fault in `reading`, if it is
//   not
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "sim/engine/decimal.hpp"
#include "sim/scenario/exact_number.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/names.hpp"
#include "sim/scenario/reading.hpp"

namespace headroom {

template <class T>
struct Rule {
  std::function<std::optional<T>(const JsonNode&, Reading&)> read;
  std::function<JsonNode(const T&)> write;  // empty where no default is ever stated
  std::string expected;                     // in words: "a whole number from 1 to 1024"
  JsonNode schema;
  JsonNode definition;                 // what `schema` refers to, where it is a reference
  std::vector<NameList::Entry> kinds;  // where one of several kinds is named: their names, for `headroom list`
};

[[nodiscard]] JsonNode json_object(std::initializer_list<std::pair<std::string_view, JsonNode>> members);
[[nodiscard]] JsonNode json_list(std::vector<JsonNode> elements);

// Reports that a value is not what the rule expects, and gives nothing.
[[nodiscard]] std::nullopt_t not_expected(const JsonNode& node, const std::string& expected, Reading& reading);

[[nodiscard]] std::optional<std::uint64_t> read_whole(const JsonNode& node, std::uint64_t least, std::uint64_t most,
                                                      const std::string& expected, Reading& reading);
[[nodiscard]] std::string whole_in_words(std::uint64_t least, std::uint64_t most);
[[nodiscard]] JsonNode whole_schema(std::uint64_t least, std::uint64_t most);

template <std::unsigned_integral T>
[[nodiscard]] Rule<T> whole(T least, T most) {
  Rule<T> rule;
  rule.expected = whole_in_words(least, most);
  rule.schema = whole_schema(least, most);
  rule.read = [least, most, expected = rule.expected](const JsonNode& node, Reading& reading) -> std::optional<T> {
    const std::optional<std::uint64_t> value = read_whole(node, least, most, expected, reading);
    return value ? std::optional<T>(static_cast<T>(*value)) : std::nullopt;
  };
  rule.write = [](const T& value) { return JsonNode{JsonNumber{std::to_string(value)}}; };
  return rule;
}

[[nodiscard]] Rule<bool> flag();
// At most nine digits after the point. `above`: the least value itself is excluded.
[[nodiscard]] Rule<Decimal> decimal(Decimal least, Decimal most, bool above = false);
[[nodiscard]] Rule<Duration> duration(Duration least = Duration::zero(), Duration most = kMaxDuration);
// A duration of either sign, at most `most` away from 0.
[[nodiscard]] Rule<Duration> signed_duration(Duration most = kMaxDuration);
// A duration since the start of the run.
[[nodiscard]] Rule<Time> instant();
[[nodiscard]] Rule<Rate> rate(Rate least = Rate{1});
// Bytes, not characters; a zero byte is refused.
[[nodiscard]] Rule<std::string> text(std::size_t least_bytes, std::size_t most_bytes);
// "n1", "n2", ...; whether there is such a node is not checked here.
[[nodiscard]] Rule<NodeId> node_name();
[[nodiscard]] std::string name_of_node(NodeId node);

struct NamedValue {
  std::string_view name;
  std::string_view summary;
};
// The index of the name that a text is. Names in `refused` are known, and their summaries say why they are not allowed.
[[nodiscard]] std::optional<std::size_t> read_name(const JsonNode& node, std::span<const NamedValue> names,
                                                   std::span<const NamedValue> refused, const std::string& expected,
                                                   Reading& reading);
[[nodiscard]] std::string names_in_words(std::span<const NamedValue> names);
[[nodiscard]] JsonNode names_schema(std::span<const NamedValue> names);

template <class E>
[[nodiscard]] Rule<E> choice() {
  std::vector<NamedValue> names;
  for (const EnumName<E>& entry : enum_names<E>()) {
    names.push_back({entry.name, entry.summary});
  }
  Rule<E> rule;
  rule.expected = names_in_words(names);
  rule.schema = names_schema(names);
  rule.read = [names, expected = rule.expected](const JsonNode& node, Reading& reading) -> std::optional<E> {
    const std::optional<std::size_t> index = read_name(node, names, {}, expected, reading);
    return index ? std::optional<E>(enum_names<E>()[*index].value) : std::nullopt;
  };
  rule.write = [](const E& value) { return json_text(name_of(value)); };
  return rule;
}

[[nodiscard]] std::string list_in_words(const std::string& element, std::size_t least, std::size_t most);
[[nodiscard]] JsonNode list_schema(JsonNode element, std::size_t least, std::size_t most);

// Elements that cannot be read stand as T{} in the result, so that the others keep their places.
template <class T>
[[nodiscard]] Rule<std::vector<T>> list(const Rule<T>& element, std::size_t least, std::size_t most) {
  Rule<std::vector<T>> rule;
  rule.expected = list_in_words(element.expected, least, most);
  rule.schema = list_schema(element.schema, least, most);
  rule.read = [read = element.read, least, most, expected = rule.expected](
                  const JsonNode& node, Reading& reading) -> std::optional<std::vector<T>> {
    const JsonArray* array = node.array();
    if (array == nullptr || array->size() < least || array->size() > most) {
      return not_expected(node, expected, reading);
    }
    std::vector<T> values;
    values.reserve(array->size());
    for (std::size_t i = 0; i < array->size() && !reading.is_full(); ++i) {
      const auto step = reading.enter(i);
      values.push_back(read((*array)[i], reading).value_or(T{}));
    }
    return values;
  };
  if (element.write) {
    rule.write = [write = element.write](const std::vector<T>& values) {
      std::vector<JsonNode> elements;
      for (const T& value : values) {
        elements.push_back(write(value));
      }
      return json_list(std::move(elements));
    };
  }
  return rule;
}

// An object whose keys are names that the scenario makes up.
template <class T>
[[nodiscard]] Rule<std::map<std::string, T>> dictionary(const std::string& what, const Rule<T>& value,
                                                        std::size_t most) {
  Rule<std::map<std::string, T>> rule;
  rule.expected = "an object of " + what + ", at most " + std::to_string(most);
  rule.schema = json_object({{"type", json_text("object")},
                             {"maxProperties", json_whole(static_cast<std::int64_t>(most))},
                             {"propertyNames", json_object({{"minLength", json_whole(1)}})},
                             {"additionalProperties", value.schema}});
  rule.read = [read = value.read, most, expected = rule.expected](
                  const JsonNode& node, Reading& reading) -> std::optional<std::map<std::string, T>> {
    const JsonObject* object = node.object();
    if (object == nullptr || object->size() > most) {
      return not_expected(node, expected, reading);
    }
    std::map<std::string, T> values;
    const Rule<std::string> key_rule = text(1, 255);
    for (const JsonMember& member : *object) {
      if (reading.is_full()) {
        break;
      }
      const auto step = reading.enter(member.key);
      if (key_rule.read(json_text(member.key), reading)) {
        values[member.key] = read(member.node, reading).value_or(T{});
      }
    }
    return values;
  };
  rule.write = [](const std::map<std::string, T>&) { return JsonNode{JsonObject{}}; };
  return rule;
}

// A rule for another type; `convert` gets what was read in full, and may report faults of its own.
template <class To, class From, class Convert>
[[nodiscard]] Rule<To> mapped(const Rule<From>& from, Convert convert) {
  Rule<To> rule;
  rule.expected = from.expected;
  rule.schema = from.schema;
  rule.kinds = from.kinds;
  rule.read = [read = from.read, convert](const JsonNode& node, Reading& reading) -> std::optional<To> {
    const std::size_t before = reading.fault_count();
    std::optional<From> value = read(node, reading);
    return value && reading.fault_count() == before ? std::optional<To>(convert(std::move(*value), reading))
                                                    : std::nullopt;
  };
  return rule;
}

// Stated once in the schema, under "$defs", and referred to from there on.
template <class T>
[[nodiscard]] Rule<T> defined_as(std::string_view name, Rule<T> rule) {
  rule.definition = std::move(rule.schema);
  rule.schema = json_object({{"$ref", json_text("#/$defs/" + std::string(name))}});
  return rule;
}

// Texts of a fixed choice, and what each stands for.
template <class T>
[[nodiscard]] Rule<T> words(const std::vector<std::pair<std::string_view, T>>& meanings) {
  std::vector<NamedValue> names;
  std::vector<T> values;
  for (const auto& [name, value] : meanings) {
    names.push_back({name, {}});
    values.push_back(value);
  }
  Rule<T> rule;
  rule.expected = names_in_words(names);
  rule.schema = names_schema(names);
  rule.read = [names, values, expected = rule.expected](const JsonNode& node, Reading& reading) -> std::optional<T> {
    const std::optional<std::size_t> index = read_name(node, names, {}, expected, reading);
    return index ? std::optional<T>(values[*index]) : std::nullopt;
  };
  return rule;
}

// A text, or something else: two ways to write the same.
template <class T>
[[nodiscard]] Rule<T> text_or(const Rule<T>& when_text, const Rule<T>& otherwise) {
  Rule<T> rule;
  rule.expected = when_text.expected + " or " + otherwise.expected;
  rule.schema = json_object({{"anyOf", json_list({when_text.schema, otherwise.schema})}});
  rule.read = [when_text = when_text.read, otherwise = otherwise.read](const JsonNode& node, Reading& reading) {
    return node.text() != nullptr ? when_text(node, reading) : otherwise(node, reading);
  };
  rule.write = otherwise.write;
  return rule;
}

// A text that was not meant as a number, with a unit or without.
[[nodiscard]] bool is_word(const JsonNode& node);

// A value, or the word that says that there is none: 16 or "unlimited", "200ms" or "unbounded".
template <class T>
[[nodiscard]] Rule<std::optional<T>> or_none(std::string_view none, const Rule<T>& value) {
  using Value = std::optional<T>;
  const Rule<Value> word = words<Value>({{none, Value()}});
  const Rule<Value> given = mapped<Value>(value, [](T read, Reading&) { return Value(std::move(read)); });
  Rule<Value> rule;
  rule.expected = value.expected + " or " + word.expected;
  rule.schema = json_object({{"anyOf", json_list({word.schema, value.schema})}});
  rule.read = [word = word.read, given = given.read](const JsonNode& node, Reading& reading) {
    return is_word(node) ? word(node, reading) : given(node, reading);
  };
  if (value.write) {
    rule.write = [write = value.write, none = std::string(none)](const Value& written) {
      return written ? write(*written) : json_text(none);
    };
  }
  return rule;
}

}  // namespace headroom
