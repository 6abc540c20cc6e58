// How far the checker may go, and who watches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "model/base/assert.hpp"

namespace headroom::checker {

enum class Phase : std::uint8_t {
  exploring,  // new states are found
  linking,    // the steps between known states are stored, for liveness and points of no return
};

struct Progress {
  Phase phase = Phase::exploring;
  std::uint64_t states = 0;       // found so far
  std::uint64_t transitions = 0;  // taken so far in this phase
  std::uint64_t frontier = 0;     // states found and not expanded in this phase
  std::uint32_t depth = 0;        // of the states that are being expanded
  std::size_t bytes = 0;          // held
  double seconds = 0;
  double states_per_second = 0;  // expanded in this phase
};

// Limits of 0 are none. They are looked at after each round of some 16,000 states. The result (counts, findings,
// traces) does not depend on `threads`; only max_seconds and `stop` cut at a point that depends on the machine.
struct Options {
  unsigned threads = 1;
  bool symmetry = true;        // where the model has one
  bool stop_at_first = false;  // stop after the level in which something was violated
  std::uint64_t max_states = 0;
  std::size_t max_memory = 0;  // bytes
  double max_seconds = 0;
  std::function<bool()> stop;                     // asked after each round, by the thread that called check()
  std::function<void(const Progress&)> progress;  // called after each round, by the thread that called check()
  // What a broken assertion prints beside the state that was being expanded: the command that reproduces it.
  FaultContext fault_context;
};

}  // namespace headroom::checker
