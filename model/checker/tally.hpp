// What the search saw of the properties. Each block of states has a tally of its own; merging them in the order of the
// blocks gives the same whatever thread did which.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/checker/packed_set.hpp"

namespace headroom::checker {

// In a state, or in a step out of it. `length`: the steps of the trace that shows it.
struct Sighting {
  StateId state = kNoState;
  bool in_step = false;
  std::uint32_t length = 0;
};

// The first of the shortest sightings, and how many there were.
struct SeenAt {
  std::optional<Sighting> first;
  std::uint64_t count = 0;

  void add(const Sighting& sighting) {
    ++count;
    keep(sighting);
  }
  void merge(const SeenAt& later) {
    count += later.count;
    if (later.first) keep(*later.first);
  }

 private:
  void keep(const Sighting& sighting) {
    if (!first || sighting.length < first->length) first = sighting;
  }
};

// The greatest value, with the first of the shortest sightings of it.
struct Greatest {
  std::optional<std::int64_t> value;
  Sighting at;

  void add(std::int64_t candidate, const Sighting& sighting) {
    if (!value || candidate > *value || (candidate == *value && sighting.length < at.length)) {
      value = candidate;
      at = sighting;
    }
  }
  void merge(const Greatest& later) {
    if (later.value) add(*later.value, later.at);
  }
};

struct Tally {
  std::uint64_t transitions = 0;
  SeenAt deadlocks;
  std::vector<SeenAt> safety;     // by property
  std::vector<SeenAt> sometimes;  // by goal
  std::vector<Greatest> extremes;

  Tally(std::size_t properties, std::size_t goals, std::size_t numbers)
      : safety(properties), sometimes(goals), extremes(numbers) {}

  [[nodiscard]] bool violated() const {
    if (deadlocks.first) return true;
    for (const SeenAt& seen : safety) {
      if (seen.first) return true;
    }
    return false;
  }
  void merge(const Tally& later) {
    transitions += later.transitions;
    deadlocks.merge(later.deadlocks);
    for (std::size_t i = 0; i < safety.size(); ++i) safety[i].merge(later.safety[i]);
    for (std::size_t i = 0; i < sometimes.size(); ++i) sometimes[i].merge(later.sometimes[i]);
    for (std::size_t i = 0; i < extremes.size(); ++i) extremes[i].merge(later.extremes[i]);
  }
};

}  // namespace headroom::checker
