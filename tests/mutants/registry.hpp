// The faults that can be planted in the model: what each of them is, and what is known to notice it.
//
//   for (const Mutant& mutant : all_mutants()) try_it(mutant.name, mutant.killer);
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/base/mutation.hpp"

namespace headroom::mutants {

enum class Engine : std::uint8_t {
  run,    // a scenario is simulated; its properties and expectations judge
  check,  // every schedule of a scope; its properties judge
  test,   // one test case of a test program
};

// What notices a fault. For a test `subject` is the program and `property` the name of the test case; else `subject` is
// a file below the root of the tree, and `property` what is judged in it.
struct Killer {
  Engine engine = Engine::run;
  std::string_view subject;
  std::string_view property;
};

struct Mutant {
  Mutation mutation = Mutation::none;
  std::string_view name;
  std::string_view fault;  // what is wrong, in words
  Killer killer;
};

// In the order of Mutation, the canary first.
[[nodiscard]] std::span<const Mutant> all_mutants();
// Null if there is none of this name.
[[nodiscard]] const Mutant* find_mutant(std::string_view name);

// What other programs of this build read to plant a fault in themselves.
inline constexpr const char* kMutantVariable = "HEADROOM_MUTANT";

}  // namespace headroom::mutants
