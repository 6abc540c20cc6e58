// Every mutant against the one property that is known to kill it.
#pragma once

#include <span>

#include "tests/mutants/registry.hpp"
#include "tests/mutants/trial.hpp"

namespace headroom::mutants {

// Prints `killed NAME by PROPERTY in N s` or `SURVIVED NAME` for each, and gives the number of survivors. A property
// that is broken without any fault kills nothing: it is told on stderr, and its mutants survive.
[[nodiscard]] std::size_t hunt(const Trials& trials, std::span<const Mutant> mutants, unsigned jobs);

}  // namespace headroom::mutants
