#include "sim/scenario/object_rule.hpp"

#include <algorithm>

#include "sim/scenario/nearest.hpp"

namespace headroom {

void KeyTable::chosen_by(std::string_view key, std::string_view value) {
  chooser_ = key;
  chosen_value_ = value;
}

void KeyTable::match(const JsonObject& object, Reading& reading,
                     const std::function<void(std::size_t, const JsonNode&)>& read) const {
  std::vector<bool> present(keys_.size(), false);
  for (const JsonMember& member : object) {
    if (reading.is_full()) {
      return;
    }
    if (!chooser_.empty() && member.key == chooser_) {
      continue;
    }
    const auto step = reading.enter(member.key);
    const auto found = std::ranges::find(keys_, member.key, &Key::name);
    if (found != keys_.end()) {
      const auto index = static_cast<std::size_t>(found - keys_.begin());
      present[index] = true;
      read(index, member.node);
    } else if (std::ranges::find(later_, member.key) != later_.end()) {
      reading.fault("key " + in_quotes(member.key) + " is not yet known", "leave it out");
    } else {
      std::vector<std::string_view> known;
      known.reserve(keys_.size());
      for (const Key& key : keys_) {
        known.push_back(key.name);
      }
      reading.fault("unknown key " + in_quotes(member.key), suggest(member.key, known));
    }
  }
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i].required && !present[i]) {
      const auto step = reading.enter(keys_[i].name);
      reading.fault("is missing", keys_[i].expected);
    }
  }
}

JsonNode KeyTable::schema() const {
  JsonObject properties;
  std::vector<JsonNode> required;
  if (!chooser_.empty()) {
    properties.push_back({chooser_, json_object({{"const", json_text(chosen_value_)}})});
    required.push_back(json_text(chooser_));
  }
  for (const Key& key : keys_) {
    JsonNode schema = key.schema;
    if (!key.summary.empty() && schema.object() != nullptr) {
      JsonObject described = {{"description", json_text(key.summary)}};
      described.insert(described.end(), schema.object()->begin(), schema.object()->end());
      schema = {std::move(described)};
    }
    properties.push_back({key.name, std::move(schema)});
    if (key.required) {
      required.push_back(json_text(key.name));
    }
  }
  JsonNode schema = json_object({{"type", json_text("object")}, {"properties", {std::move(properties)}}});
  if (!required.empty()) {
    schema.object()->push_back({"required", json_list(std::move(required))});
  }
  schema.object()->push_back({"additionalProperties", {false}});
  return schema;
}

std::string KeyTable::names_in_words() const {
  std::string words;
  for (const Key& key : keys_) {
    words += (words.empty() ? "" : ", ") + key.name;
  }
  return words;
}

std::optional<std::size_t> read_kind(const JsonObject& object, std::string_view chooser,
                                     std::span<const NamedValue> names, std::span<const NamedValue> refused,
                                     Reading& reading) {
  const auto step = reading.enter(chooser);
  const JsonNode* node = find_member(object, chooser);
  if (node == nullptr) {
    reading.fault("is missing", names_in_words(names));
    return std::nullopt;
  }
  return read_name(*node, names, refused, names_in_words(names), reading);
}

}  // namespace headroom
