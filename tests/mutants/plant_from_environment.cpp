// Linked into the programs that try mutants: plants the fault that HEADROOM_MUTANT names before main begins.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/mutants/registry.hpp"

namespace headroom::mutants {
namespace {

[[maybe_unused]] const bool kPlanted = [] {
  const char* name = std::getenv(kMutantVariable);
  if (name == nullptr || std::string_view(name) == "none") {
    return false;
  }
  const Mutant* mutant = find_mutant(name);
  if (mutant == nullptr) {
    std::fprintf(stderr, "%s: there is no mutant \"%s\"\n", kMutantVariable, name);
    std::exit(2);
  }
  planted_mutation = mutant->mutation;
  return true;
}();

}  // namespace
}  // namespace headroom::mutants
