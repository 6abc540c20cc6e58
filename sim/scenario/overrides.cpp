#include "sim/scenario/overrides.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {
namespace {

// The steps of a JSON pointer, unescaped; nothing if it is none.
std::optional<std::vector<std::string>> pointer_steps(std::string_view pointer) {
  if (pointer.size() < 2 || pointer.front() != '/') {
    return std::nullopt;
  }
  if (static_cast<std::size_t>(std::ranges::count(pointer, '/')) > kMaxDocumentDepth) {
    return std::nullopt;
  }
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      steps.emplace_back();
    } else if (pointer[i] != '~') {
      steps.back() += pointer[i];
    } else if (i + 1 < pointer.size() && (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
      steps.back() += pointer[++i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return steps;
}

// The index that a step names in a list; its size for "-".
std::optional<std::size_t> list_index(std::string_view step, std::size_t size) {
  if (step == "-") {
    return size;
  }
  if (step.empty() || step.size() > 9 || (step.size() > 1 && step.front() == '0') ||
      step.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t index = static_cast<std::size_t>(std::stoul(std::string(step)));
  return index < size ? std::optional<std::size_t>(index) : std::nullopt;
}

// One step down from `node`, creating what is missing; `pointer` follows. Null, with a fault, where there is no way.
JsonNode* descend(JsonNode& node, const std::string& step, std::string& pointer, Reading& reading) {
  if (JsonArray* array = node.array()) {
    const std::optional<std::size_t> index = list_index(step, array->size());
    if (!index) {
      append_pointer_step(pointer, step);
      reading.override_fault(pointer, "the list has " + std::to_string(array->size()) + " elements",
                             array->empty()
                                 ? "\"-\" to append"
                                 : "an index from 0 to " + std::to_string(array->size() - 1) + ", or \"-\" to append");
      return nullptr;
    }
    append_pointer_step(pointer, std::to_string(*index));
    if (*index == array->size()) {
      array->push_back({JsonObject{}});
      reading.blame_override(pointer);
    }
    return &(*array)[*index];
  }
  JsonObject* object = node.object();
  if (object == nullptr) {
    reading.override_fault(pointer, describe(node) + " has no keys",
                           "set " + (pointer.empty() ? "/" : pointer) + " as a whole");
    return nullptr;
  }
  append_pointer_step(pointer, step);
  if (JsonNode* member = find_member(*object, step)) {
    return member;
  }
  reading.blame_override(pointer);
  object->push_back({step, {JsonObject{}}});
  return &object->back().node;
}

void apply(JsonNode& document, const std::string& text, Reading& reading) {
  const std::size_t equals = text.find('=');
  const auto steps = pointer_steps(std::string_view(text).substr(0, std::min(equals, text.size())));
  if (equals == std::string::npos || !steps) {
    reading.override_fault("", in_quotes(text) + " is not an override",
                           "/json/pointer=VALUE, such as /cluster/nodes=4");
    return;
  }
  JsonNode* node = &document;
  std::string pointer;
  for (const std::string& step : *steps) {
    node = descend(*node, step, pointer, reading);
    if (node == nullptr) {
      return;
    }
  }
  reading.blame_override(pointer);
  const std::string value = text.substr(equals + 1);
  Reading value_reading = reading.standing_at(pointer);
  std::optional<JsonNode> parsed = parse_json_value(value, value_reading);
  if (!parsed) {
    *node = json_text(value);
    return;
  }
  *node = std::move(*parsed);
  for (Diagnostic& fault : value_reading.take_faults()) {
    reading.override_fault(std::move(fault.pointer), std::move(fault.wrong), std::move(fault.right));
  }
}

}  // namespace

void apply_overrides(JsonNode& document, std::span<const std::string> overrides, Reading& reading) {
  for (const std::string& text : overrides) {
    apply(document, text, reading);
  }
}

}  // namespace headroom
