#include "tests/fuzz/json_mutator.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/stream.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Json = nlohmann::ordered_json;
using headroom::Stream;

// Where readers have their edges.
constexpr std::array<std::string_view, 34> kValues{"0",
                                                   "1",
                                                   "2",
                                                   "3",
                                                   "16",
                                                   "64",
                                                   "-1",
                                                   "1000000",
                                                   "1000001",
                                                   "4294967295",
                                                   "4294967296",
                                                   "1e400",
                                                   "0.5",
                                                   "0.000000001",
                                                   "1.5",
                                                   "18446744073709551615",
                                                   "true",
                                                   "false",
                                                   "null",
                                                   "[]",
                                                   "{}",
                                                   "\"\"",
                                                   "\"0s\"",
                                                   "\"1ns\"",
                                                   "\"1s\"",
                                                   "\"10ms\"",
                                                   "\"87600h\"",
                                                   "\"5/s\"",
                                                   "\"0.001/s\"",
                                                   "\"1e9/s\"",
                                                   "\"unbounded\"",
                                                   "\"unlimited\"",
                                                   "\"n1\"",
                                                   "\"a\""};

void collect(Json& node, std::vector<Json*>& nodes) {
  nodes.push_back(&node);
  if (node.is_structured()) {
    for (Json& child : node) {
      collect(child, nodes);
    }
  }
}

Json& any_node(Json& document, Stream& draw) {
  std::vector<Json*> nodes;
  collect(document, nodes);
  return *nodes[draw.below(nodes.size())];
}

void drop_member(Json& node, Stream& draw) {
  if (node.is_structured() && !node.empty()) {
    auto member = node.begin();
    std::advance(member, static_cast<std::ptrdiff_t>(draw.below(node.size())));
    node.erase(member);
  }
}

// A text with a few of its bytes changed: the names of other kinds are near, and so are other units.
void change_text(Json& node, std::size_t room) {
  std::string text =
      node.is_string() ? node.get<std::string>() : node.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::size_t size = text.size();
  text.resize(size + std::min<std::size_t>(room, 16));
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
  node = node.is_string() ? Json(text) : Json::parse(text, nullptr, false);
}

// A member of one object given to another, under its own name.
void lend_member(Json& from, Json& to, Stream& draw) {
  if (from.is_object() && to.is_object() && !from.empty()) {
    auto member = from.begin();
    std::advance(member, static_cast<std::ptrdiff_t>(draw.below(from.size())));
    const std::string key = member.key();
    const Json value = member.value();
    to[key] = value;
  }
}

void change(Json& document, Stream& draw, std::size_t room) {
  Json& node = any_node(document, draw);
  switch (draw.below(7)) {
    case 0:
    case 1:
      node = Json::parse(kValues[draw.below(kValues.size())], nullptr, false);
      break;
    case 2:
      node = Json(any_node(document, draw));
      break;
    case 3:
      drop_member(node, draw);
      break;
    case 4:
      if (node.is_array() && !node.empty()) {
        node.push_back(Json(node[draw.below(node.size())]));
      }
      break;
    case 5:
      lend_member(any_node(document, draw), node, draw);
      break;
    default:
      change_text(node, room);
      break;
  }
}

}  // namespace

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned int seed) {
  Stream draw(seed, "mutator", headroom::Purpose::tie_break);
  if (draw.below(5) == 0) {
    return LLVMFuzzerMutate(data, size, most);
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find("\n--set "), size);
  Json document = Json::parse(text.substr(0, end), nullptr, false, true);
  if (document.is_discarded()) {
    return LLVMFuzzerMutate(data, size, most);
  }
  for (std::uint64_t changes = 1 + draw.below(3); changes > 0; --changes) {
    change(document, draw, most - size);
  }
  std::string changed = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  changed += text.substr(end);
  if (changed.size() > most) {
    return LLVMFuzzerMutate(data, size, most);
  }
  std::ranges::copy(changed, data);
  return changed.size();
}
