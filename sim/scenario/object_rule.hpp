// Rules for objects: a table of keys, each with its rule, the place that its value goes to, and what it means.
//
//   ObjectRule<UniformSpec> uniform;
//   uniform.required("low", &UniformSpec::low, duration(), "shortest");
//   uniform.required("high", &UniformSpec::high, duration(), "longest");
//   const Rule<UniformSpec> rule = uniform.rule();
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/rule.hpp"

namespace headroom {

// The keys of an object, without where their values go.
class KeyTable {
 public:
  struct Key {
    std::string name;
    std::string summary;
    std::string expected;
    bool required = false;
    JsonNode schema;
  };

  void add(Key key) { keys_.push_back(std::move(key)); }
  // Keys that the specification names and this version does not know.
  void later(std::vector<std::string_view> names) { later_ = std::move(names); }
  // The key whose value has chosen this table; it is read elsewhere.
  void chosen_by(std::string_view key, std::string_view value);

  // Calls `read` for each key of the table that the object has, standing at it; reports unknown and missing ones.
  void match(const JsonObject& object, Reading& reading,
             const std::function<void(std::size_t, const JsonNode&)>& read) const;
  [[nodiscard]] JsonNode schema() const;
  // "rate_on, rate_off, mean_on, mean_off"
  [[nodiscard]] std::string names_in_words() const;

 private:
  std::vector<Key> keys_;
  std::vector<std::string_view> later_;
  std::string chooser_;
  std::string chosen_value_;
};

template <class T>
class ObjectRule {
 public:
  ObjectRule() = default;
  // `initial` holds the defaults.
  explicit ObjectRule(T initial) : initial_(std::move(initial)) {}

  // Members may be those of a base of T.
  template <class M, class Base>
  void key(std::string_view name, M Base::* member, const Rule<M>& rule, std::string_view summary) {
    JsonNode schema = rule.schema;
    if (rule.write && schema.object() != nullptr) {
      schema.object()->push_back({"default", rule.write(initial_.*member)});
    }
    add(
        name, false, rule, std::move(schema), [member](T& object, M value) { object.*member = std::move(value); },
        summary);
  }
  // Absent: none.
  template <class M, class Base>
  void key(std::string_view name, std::optional<M> Base::* member, const Rule<M>& rule, std::string_view summary) {
    add(name, false, rule, rule.schema, [member](T& object, M value) { object.*member = std::move(value); }, summary);
  }
  template <class M, class Base>
  void required(std::string_view name, M Base::* member, const Rule<M>& rule, std::string_view summary) {
    add(name, true, rule, rule.schema, [member](T& object, M value) { object.*member = std::move(value); }, summary);
  }
  // For values that go elsewhere than into a member.
  template <class M, class Set>
  void key_into(std::string_view name, const Rule<M>& rule, Set set, std::string_view summary) {
    add(name, false, rule, rule.schema, set, summary);
  }
  template <class M, class Set>
  void required_into(std::string_view name, const Rule<M>& rule, Set set, std::string_view summary) {
    add(name, true, rule, rule.schema, set, summary);
  }
  void later(std::vector<std::string_view> names) { table_.later(std::move(names)); }

  // What must hold between the keys; asked only when each by itself is right.
  void check(std::function<void(const T&, Reading&)> condition) { checks_.push_back(std::move(condition)); }

  [[nodiscard]] T read(const JsonObject& object, Reading& reading) const {
    T value = initial_;
    const std::size_t before = reading.fault_count();
    table_.match(object, reading,
                 [&](std::size_t index, const JsonNode& node) { readers_[index](value, node, reading); });
    if (reading.fault_count() == before) {
      for (const auto& condition : checks_) {
        condition(value, reading);
      }
    }
    return value;
  }

  [[nodiscard]] Rule<T> rule() const {
    Rule<T> rule;
    rule.expected = "an object with the keys " + table_.names_in_words();
    rule.schema = table_.schema();
    rule.read = [self = *this, expected = rule.expected](const JsonNode& node, Reading& reading) -> std::optional<T> {
      if (node.object() == nullptr) {
        return not_expected(node, expected, reading);
      }
      return self.read(*node.object(), reading);
    };
    return rule;
  }

  [[nodiscard]] KeyTable& table() { return table_; }
  [[nodiscard]] const KeyTable& table() const { return table_; }

 private:
  template <class M, class Set>
  void add(std::string_view name, bool required, const Rule<M>& rule, JsonNode schema, Set set,
           std::string_view summary) {
    table_.add({std::string(name), std::string(summary), rule.expected, required, std::move(schema)});
    readers_.push_back([read = rule.read, set](T& object, const JsonNode& node, Reading& reading) {
      if (auto value = read(node, reading)) {
        set(object, std::move(*value));
      }
    });
  }

  T initial_{};
  KeyTable table_;
  std::vector<std::function<void(T&, const JsonNode&, Reading&)>> readers_;
  std::vector<std::function<void(const T&, Reading&)>> checks_;
};

// The kind that an object says it is: the index into `names`.
[[nodiscard]] std::optional<std::size_t> read_kind(const JsonObject& object, std::string_view chooser,
                                                   std::span<const NamedValue> names,
                                                   std::span<const NamedValue> refused, Reading& reading);

// Objects of several kinds, told apart by the key `chooser`: {"kind": "poisson", "rate": "5/s"}.
template <class V>
class KindRule {
 public:
  KindRule(std::string_view what, std::string_view chooser) : what_(what), chooser_(chooser) {}

  // `convert` makes the value from what was read in full; it may report faults of its own.
  template <class T, class Convert>
  void add(std::string_view name, std::string_view summary, ObjectRule<T> object, Convert convert) {
    object.table().chosen_by(chooser_, name);
    const std::string keys = object.table().names_in_words();
    listed_.push_back({std::string(name), std::string(summary) + (keys.empty() ? "" : " (" + keys + ")")});
    names_.push_back({name, summary});
    schemas_.push_back(object.table().schema());
    readers_.push_back([object = std::move(object), convert](const JsonObject& node, Reading& reading) -> V {
      const std::size_t before = reading.fault_count();
      T value = object.read(node, reading);
      return reading.fault_count() == before ? V(convert(std::move(value), reading)) : V();
    });
  }
  template <class T>
  void add(std::string_view name, std::string_view summary, ObjectRule<T> object) {
    add(name, summary, std::move(object), [](T value, Reading&) { return V(std::move(value)); });
  }
  // A kind that there is, and why it is not allowed here.
  void refuse(std::string_view name, std::string_view why) { refused_.push_back({name, why}); }

  [[nodiscard]] Rule<V> rule() const {
    Rule<V> rule;
    rule.expected = what_;
    rule.kinds = listed_;
    rule.schema = json_object({{"oneOf", json_list(schemas_)}});
    rule.read = [self = *this](const JsonNode& node, Reading& reading) -> std::optional<V> {
      if (node.object() == nullptr) {
        return not_expected(node, self.what_, reading);
      }
      const auto index = read_kind(*node.object(), self.chooser_, self.names_, self.refused_, reading);
      return index ? std::optional<V>(self.readers_[*index](*node.object(), reading)) : std::nullopt;
    };
    return rule;
  }

 private:
  std::string what_;
  std::string chooser_;
  std::vector<NamedValue> names_;  // of static storage
  std::vector<NameList::Entry> listed_;
  std::vector<JsonNode> schemas_;
  std::vector<std::function<V(const JsonObject&, Reading&)>> readers_;
  std::vector<NamedValue> refused_;  // of static storage
};

// An object with exactly one key, which says what it is: {"tenant": "noisy"}.
template <class V>
[[nodiscard]] Rule<V> one_key(std::string_view what, std::vector<std::pair<std::string_view, Rule<V>>> keys) {
  ObjectRule<std::optional<V>> object;
  for (const auto& [name, rule] : keys) {
    object.key_into(name, rule, [](std::optional<V>& into, V value) { into = std::move(value); }, {});
  }
  Rule<V> rule;
  rule.expected = std::string(what);
  std::vector<JsonNode> schemas;
  for (const auto& [name, value] : keys) {
    schemas.push_back(json_object({{"type", json_text("object")},
                                   {"properties", json_object({{name, value.schema}})},
                                   {"required", json_list({json_text(name)})},
                                   {"additionalProperties", JsonNode{false}}}));
  }
  rule.schema = json_object({{"oneOf", json_list(std::move(schemas))}});
  rule.read = [object, expected = rule.expected](const JsonNode& node, Reading& reading) -> std::optional<V> {
    if (node.object() == nullptr || node.object()->size() != 1) {
      return not_expected(node, expected, reading);
    }
    return object.read(*node.object(), reading);
  };
  return rule;
}

}  // namespace headroom
