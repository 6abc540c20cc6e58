// The sweeps that a report shows one by one: the first ones, those around each violation and around the longest
// starvation, and the stretch that was asked for.
//
//   SweepBook book(stretch);
//   SweepEntry entry;                          // filled while the sweep goes on, reused
//   book.add(entry);                           // at its end
//   book.note_violation("slice", now);         // the first one of a property
//   result.recorded_sweeps = std::move(book).finish(names);
//
// Memory does not grow with the run: at most kMostSweeps entries of kMostStandings namespaces each. Of what happens
// later than an event the next kAround sweeps are kept, of what came before it the last kAround.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/time.hpp"
#include "model/properties/wait_cause.hpp"

namespace headroom {

// What one namespace had and was given in a sweep.
struct SweepStanding {
  std::uint32_t name = 0;  // a NamespaceId; in RecordedSweeps the place in `names`
  std::uint32_t ceiling = 0;
  std::uint64_t claimed = 0;  // when the sweep planned
  std::uint32_t headroom = 0;
  std::uint64_t claimable = 0;
  std::uint32_t granted = 0;
  std::uint32_t guaranteed = 0;
  std::uint32_t claimed_now = 0;                  // rows that the claims of this sweep found
  WaitCause held_by = WaitCause::awaiting_sweep;  // why the sweep gave it no more; `awaiting_sweep`: nothing was left
  friend bool operator==(const SweepStanding&, const SweepStanding&) = default;
};

// One completed sweep that found something due: the owning form of SweepRecord (render/sweeps_jsonl.hpp).
struct SweepEntry {
  std::uint64_t number = 0;  // over all nodes, in the order of their ends, from 1: its line in sweeps.jsonl
  Time at;                   // when it planned
  std::uint16_t node = 0;
  std::uint64_t sweep = 0;  // number of the sweep on its node
  std::uint32_t batch = 0;
  std::uint32_t active = 0;
  std::vector<SweepStanding> standings;  // in name order
  std::uint32_t left_out = 0;            // further namespaces with due rows
  friend bool operator==(const SweepEntry&, const SweepEntry&) = default;
};

// Why a stretch of sweeps was kept.
struct SweepStretch {
  std::string label;
  std::uint64_t first = 0;  // numbers of sweeps, both included
  std::uint64_t last = 0;
  std::uint64_t event = 0;  // the sweep before which it happened; 0: nothing did
  bool cut = false;         // more sweeps were asked for than are kept
};

struct RecordedSweeps {
  std::vector<std::string> names;   // of those that occur
  std::vector<SweepEntry> entries;  // by number
  std::vector<SweepStretch> stretches;
};

// `--record A..B`: sweeps by number, or instants, both ends included.
struct RecordStretch {
  std::string text;  // as it was given
  bool by_number = false;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  Time from;
  Time until;
};

class SweepBook {
 public:
  static constexpr std::uint64_t kFirst = 200;
  static constexpr std::size_t kAround = 100;  // on each side
  static constexpr std::size_t kMostViolations = 8;
  static constexpr std::uint64_t kMostAsked = 1'000;
  static constexpr std::size_t kMostSweeps = kFirst + (kMostViolations + 1) * 2 * kAround + kMostAsked;
  static constexpr std::size_t kMostStandings = 32;

  explicit SweepBook(std::optional<RecordStretch> asked = std::nullopt);

  // The sweep that ends now; gives it its number.
  void add(SweepEntry& entry);
  // A property is violated for the first time, after the sweeps so far.
  void note_violation(std::string_view property, Time at);
  // A run of unserved sweeps ends after the sweeps so far; the longest counts, the first of several.
  void note_starvation(std::uint32_t name, std::uint16_t node, std::uint64_t sweeps, Duration lasted);

  // Whether what happens at `at`, after the sweeps so far, lies in the stretch that was asked for.
  [[nodiscard]] bool in_asked(Time at) const;
  // `names`: by NamespaceId.
  template <class NameOf>
  [[nodiscard]] RecordedSweeps finish(NameOf name_of) &&;

 private:
  struct Kept {
    SweepStretch stretch;
    std::vector<SweepEntry> entries;
    std::size_t wanted = 0;  // of the sweeps to come
  };
  struct Longest {
    std::uint32_t name = 0;
    std::uint16_t node = 0;
    std::uint64_t sweeps = 0;
    Duration lasted;
    Kept kept;
  };

  void keep_what_came_before(Kept& kept) const;
  static void keep(Kept& kept, const SweepEntry& entry);
  [[nodiscard]] std::vector<Kept> take_all(const std::string& starved) &&;
  [[nodiscard]] static RecordedSweeps merged(std::vector<Kept> kept);

  std::optional<RecordStretch> asked_;
  Kept first_;
  Kept asked_for_;
  std::vector<Kept> violations_;
  std::optional<Longest> longest_;
  std::vector<SweepEntry> last_;  // a ring
  std::uint64_t count_ = 0;
};

template <class NameOf>
RecordedSweeps SweepBook::finish(NameOf name_of) && {
  const std::string starved = longest_ ? std::string(name_of(longest_->name)) : std::string();
  RecordedSweeps recorded = merged(std::move(*this).take_all(starved));
  // Ids in ascending order are names in ascending order.
  std::vector<std::uint32_t> ids;
  for (const SweepEntry& entry : recorded.entries) {
    for (const SweepStanding& standing : entry.standings) {
      ids.push_back(standing.name);
    }
  }
  std::ranges::sort(ids);
  const auto repeated = std::ranges::unique(ids);
  ids.erase(repeated.begin(), repeated.end());
  for (SweepEntry& entry : recorded.entries) {
    for (SweepStanding& standing : entry.standings) {
      standing.name = static_cast<std::uint32_t>(std::ranges::lower_bound(ids, standing.name) - ids.begin());
    }
  }
  for (const std::uint32_t id : ids) {
    recorded.names.emplace_back(name_of(id));
  }
  return recorded;
}

}  // namespace headroom
