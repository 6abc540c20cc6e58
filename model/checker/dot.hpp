// The states of a small scope as a picture, in the language of Graphviz.
//
//   if (const std::optional<std::string> text = checker::dot_of(model, {.max_states = 200})) write_file("states.dot",
//   *text);
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/checker/check.hpp"
#include "model/checker/facts.hpp"

namespace headroom::checker {

// A text as a quoted string of the DOT language, lines aligned to the left.
[[nodiscard]] std::string dot_string(std::string_view text);

// A node for each state, numbered level by level, initial ones with a double border; an edge for each step. Nothing: a
// limit of the options ended the search.
template <Model M>
[[nodiscard]] std::optional<std::string> dot_of(const M& model, const Options& options) {
  const Limits limits(options);
  const Properties<M> no_properties;
  Crew crew(options.threads);
  Explorer<M> explorer(model, no_properties, options, limits, crew, uses_symmetry<M>(options, model.properties()));
  explorer.run();
  const PackedSet& visited = explorer.visited();
  if (explorer.ended() != Ended::exhausted || (options.max_states != 0 && visited.size() > options.max_states)) {
    return std::nullopt;
  }
  std::vector<PackedSet::Counts> ends(explorer.levels().begin() + 1, explorer.levels().end());
  ends.push_back(visited.counts());
  const StateRange all({}, visited.counts());
  std::vector<std::uint64_t> numbers(visited.size());
  std::vector<StateId> ids;
  for (std::size_t depth = 0; depth < ends.size(); ++depth) {
    const StateRange level(explorer.levels()[depth], ends[depth]);
    level.for_each(0, level.size(), [&](std::uint64_t /*place*/, StateId id) {
      numbers[all.place_of(id)] = ids.size();
      ids.push_back(id);
    });
  }
  std::string text = "digraph states {\n  node [shape=box];\n";
  Expander<M> expander(model, explorer.symmetry());
  for (const StateId id : ids) {
    expander.open(visited.bytes(id));
    const std::uint64_t number = numbers[all.place_of(id)];
    text += fmt::format("  {} [label={}{}];\n", number, dot_string(text_of(model.facts(expander.state()))),
                        visited.parent(id) == kNoState ? ", peripheries=2" : "");
    expander.for_each_step([&](const Step<M>& step, std::span<const std::byte> bytes) {
      const StateId target = visited.find(PackedSet::hash(bytes), bytes);
      text +=
          fmt::format("  {} -> {} [label={}];\n", number, numbers[all.place_of(target)], dot_string(model.text(step)));
    });
  }
  return text + "}\n";
}

}  // namespace headroom::checker
