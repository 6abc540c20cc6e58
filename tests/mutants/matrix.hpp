// Every mutant against every property: which of them notice it, and which properties notice nothing at all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/mutants/registry.hpp"
#include "tests/mutants/trial.hpp"

namespace headroom::mutants {

struct Matrix {
  std::vector<std::string> properties;  // "run quota_sum", "check quota_sum", "test TITLE", "assertion"
  std::vector<std::string> mutants;
  std::vector<std::vector<bool>> kills;  // by mutant, then property

  [[nodiscard]] std::vector<std::string> idle() const;       // properties that kill nothing
  [[nodiscard]] std::vector<std::string> survivors() const;  // mutants that nothing kills
};

// Tells on stderr how far it is. A property takes part in each scene in which it holds without a fault.
[[nodiscard]] Matrix fill_matrix(const Trials& trials, std::span<const Mutant> mutants, unsigned jobs);

// A table, a legend of its columns, and what kills nothing or is killed by nothing.
void print(const Matrix& matrix);
[[nodiscard]] std::string as_json(const Matrix& matrix);

}  // namespace headroom::mutants
