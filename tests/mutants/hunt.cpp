#include "tests/mutants/hunt.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/mutants/in_parallel.hpp"

namespace headroom::mutants {
namespace {

// One process may serve as the judge for several properties; a test is a process of its own.
using Scene = std::pair<std::string, std::string>;
Scene scene_of(const Killer& killer) {
  return {fmt::format("{} {}", static_cast<int>(killer.engine), killer.subject),
          killer.engine == Engine::test ? std::string(killer.property) : std::string()};
}

// Why the killer cannot be one; empty if it holds where nothing is wrong.
std::string unfit(const Killer& killer, const Trial& sound) {
  switch (sound.ended) {
    case Trial::Ended::fault:
    case Trial::Ended::failed:
      return "it fails: " + sound.message;
    case Trial::Ended::out_of_time:
      return fmt::format("it takes more than {} s", kSecondsForTrial);
    case Trial::Ended::whole:
      break;
  }
  switch (sound.says(killer.property)) {
    case Says::broken:
      return "it is broken: " + sound.reason(killer.property);
    case Says::nothing:
      return "it says nothing: " + sound.reason(killer.property);
    case Says::holds:
      break;
  }
  return {};
}

// What noticed the fault; empty if nothing did.
std::string noticed_by(const Killer& killer, const Trial& trial) {
  if (trial.ended == Trial::Ended::fault) {
    return "assertion";
  }
  return trial.says(killer.property) == Says::broken ? std::string(killer.property) : std::string();
}

}  // namespace

std::size_t hunt(const Trials& trials, std::span<const Mutant> mutants, unsigned jobs) {
  std::map<Scene, Trial> sound;
  std::vector<Killer> killers;
  for (const Mutant& mutant : mutants) {
    if (sound.try_emplace(scene_of(mutant.killer)).second) {
      killers.push_back(mutant.killer);
    }
  }
  in_parallel(
      killers.size(), jobs, [&](std::size_t i) { sound.at(scene_of(killers[i])) = trials.run(killers[i], "none"); },
      [](std::size_t) {});

  std::size_t survivors = 0;
  std::vector<Trial> with_fault(mutants.size());
  const auto judge = [&](std::size_t i) {
    const Mutant& mutant = mutants[i];
    const std::string wrong = unfit(mutant.killer, sound.at(scene_of(mutant.killer)));
    const std::string killer = wrong.empty() ? noticed_by(mutant.killer, with_fault[i]) : std::string();
    if (!killer.empty()) {
      fmt::print("killed {} by {} in {:.1f} s\n", mutant.name, killer, with_fault[i].seconds);
    } else {
      ++survivors;
      fmt::print("SURVIVED {}\n", mutant.name);
      std::fflush(stdout);
      fmt::print(stderr, "  {}\n  {}{}{}\n", mutant.fault, trials.command(mutant.killer, mutant.name),
                 wrong.empty() ? "" : "\n  no judge even without a fault: ", wrong);
    }
    std::fflush(stdout);
  };
  in_parallel(
      mutants.size(), jobs, [&](std::size_t i) { with_fault[i] = trials.run(mutants[i].killer, mutants[i].name); },
      judge);
  return survivors;
}

}  // namespace headroom::mutants
