#include "sim/scenario/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/scenario/json_text.hpp"

namespace headroom {
namespace {

// Number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

// Names longer than this are not compared: nothing known is near them.
constexpr std::size_t kComparedLength = 64;
constexpr std::size_t kListedNames = 24;

}  // namespace

std::string suggest(std::string_view name, std::span<const std::string_view> known) {
  if (known.empty()) {
    return "none is known here";
  }
  if (name.size() <= kComparedLength) {
    std::size_t least = name.size() + kComparedLength;
    std::string_view nearest;
    for (const std::string_view candidate : known) {
      const bool comparable = candidate.size() <= kComparedLength;
      const std::size_t distance = comparable ? edit_distance(name, candidate) : least;
      if (distance < least) {
        least = distance;
        nearest = candidate;
      }
    }
    if (!nearest.empty() && least <= std::max<std::size_t>(1, std::max(name.size(), nearest.size()) / 2)) {
      return "did you mean " + in_quotes(nearest) + "?";
    }
  }
  std::string list = "known: ";
  for (std::size_t i = 0; i < std::min(known.size(), kListedNames); ++i) {
    list += (i == 0 ? "" : ", ") + in_quotes(known[i]);
  }
  return known.size() > kListedNames ? list + ", ..." : list;
}

}  // namespace headroom
