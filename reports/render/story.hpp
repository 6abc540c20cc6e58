// Who was hurt, when, by how much and why, in a few sentences computed from the figures: what a newcomer reads first.
//
//   for (const StoryLine& line : story_of(result)) page += line.title + ": " + line.who + line.text;
//
// Told are the requests and then the rows: of each the tenant that fared worst and, where that one is marked noisy, the
// worst of the others. "When" is the stretch around the worst window in which the figure was at least half as bad.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/metrics/run_result.hpp"

namespace headroom {

// Plain text, not escaped.
struct StoryLine {
  std::string title;
  std::string who;
  std::string text;  // sentences
};

[[nodiscard]] std::vector<StoryLine> story_of(const RunResult& result);

// What a cause of waiting (its name in result.json) means, after "because": "no worker was free for them".
[[nodiscard]] std::string_view meaning_of_cause(std::string_view cause);

}  // namespace headroom
