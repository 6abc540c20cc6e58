#include "tests/mutants/matrix.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "tests/mutants/in_parallel.hpp"

namespace headroom::mutants {
namespace {

constexpr std::string_view kPropertyProgram = "property_tests";
constexpr std::string_view kAssertion = "assertion";

std::string_view name_of(Engine engine) {
  switch (engine) {
    case Engine::run:
      return "run";
    case Engine::check:
      return "check";
    case Engine::test:
      return "test";
  }
  return {};
}

// A process that judges, of which the trial without a fault is known.
struct Scene {
  Killer killer;
  std::string test;  // owns what killer.property names
  Trial sound;
};

// All that some mutant is killed by, and every property test.
std::vector<Scene> scenes_of(const Trials& trials, std::span<const Mutant> mutants) {
  std::vector<Scene> scenes;
  std::set<std::pair<std::string_view, std::string>> seen;
  const auto add = [&](Killer killer, const std::string& test) {
    if (seen.emplace(killer.subject, test).second) {
      scenes.push_back({.killer = killer, .test = test});
    }
  };
  for (const Mutant& mutant : mutants) {
    const bool is_test = mutant.killer.engine == Engine::test;
    add(mutant.killer, is_test ? std::string(mutant.killer.property) : std::string());
  }
  for (const std::string& test : trials.tests_of(kPropertyProgram, "[property]")) {
    add({Engine::test, kPropertyProgram, {}}, test);
  }
  for (Scene& scene : scenes) {
    if (scene.killer.engine == Engine::test) {
      scene.killer.property = scene.test;
    }
  }
  return scenes;
}

std::string column_of(Engine engine, std::string_view property) {
  return fmt::format("{} {}", name_of(engine), property);
}

std::vector<std::string> noticed_in(const Scene& scene, const Trial& trial) {
  std::vector<std::string> names;
  if (trial.ended == Trial::Ended::fault && scene.sound.ended == Trial::Ended::whole) {
    names.emplace_back(kAssertion);
  }
  for (const Observation& seen : trial.observations) {
    if (seen.says == Says::broken && scene.sound.says(seen.property) == Says::holds) {
      names.push_back(column_of(scene.killer.engine, seen.property));
    }
  }
  return names;
}

template <class T>
std::size_t index_of(const std::vector<T>& all, const T& wanted) {
  return static_cast<std::size_t>(std::ranges::find(all, wanted) - all.begin());
}

}  // namespace

std::vector<std::string> Matrix::idle() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (std::ranges::none_of(kills, [&](const std::vector<bool>& row) { return row[i]; })) {
      names.push_back(properties[i]);
    }
  }
  return names;
}

std::vector<std::string> Matrix::survivors() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    if (std::ranges::none_of(kills[i], [](bool kill) { return kill; })) {
      names.push_back(mutants[i]);
    }
  }
  return names;
}

Matrix fill_matrix(const Trials& trials, std::span<const Mutant> mutants, unsigned jobs) {
  std::vector<Scene> scenes = scenes_of(trials, mutants);
  in_parallel(
      scenes.size(), jobs, [&](std::size_t i) { scenes[i].sound = trials.run(scenes[i].killer, "none"); },
      [](std::size_t) {});

  Matrix matrix;
  std::set<std::string> columns{std::string(kAssertion)};
  for (const Scene& scene : scenes) {
    for (const Observation& seen : scene.sound.observations) {
      if (seen.says == Says::holds) {
        columns.insert(column_of(scene.killer.engine, seen.property));
      }
    }
  }
  matrix.properties.assign(columns.begin(), columns.end());
  for (const Mutant& mutant : mutants) {
    matrix.mutants.emplace_back(mutant.name);
  }
  matrix.kills.assign(mutants.size(), std::vector<bool>(matrix.properties.size(), false));

  std::vector<std::vector<std::string>> noticed(mutants.size() * scenes.size());
  const auto work = [&](std::size_t i) {
    const Scene& scene = scenes[i % scenes.size()];
    noticed[i] = noticed_in(scene, trials.run(scene.killer, mutants[i / scenes.size()].name));
  };
  const auto done = [&](std::size_t i) {
    const std::size_t mutant = i / scenes.size();
    for (const std::string& name : noticed[i]) {
      matrix.kills[mutant][index_of(matrix.properties, name)] = true;
    }
    if (i % scenes.size() + 1 == scenes.size()) {
      fmt::print(stderr, "{} of {}: {}, noticed by {}\n", mutant + 1, mutants.size(), mutants[mutant].name,
                 std::ranges::count(matrix.kills[mutant], true));
    }
  };
  in_parallel(noticed.size(), jobs, work, done);
  return matrix;
}

void print(const Matrix& matrix) {
  std::size_t width = 0;
  for (const std::string& name : matrix.mutants) {
    width = std::max(width, name.size());
  }
  for (std::size_t i = 0; i < matrix.properties.size(); ++i) {
    fmt::print("{:>3}  {}\n", i + 1, matrix.properties[i]);
  }
  fmt::print("\n{:{}}", "", width);
  for (std::size_t i = 0; i < matrix.properties.size(); ++i) {
    fmt::print("{:>4}", i + 1);
  }
  fmt::print("\n");
  for (std::size_t i = 0; i < matrix.mutants.size(); ++i) {
    fmt::print("{:{}}", matrix.mutants[i], width);
    for (const bool kill : matrix.kills[i]) {
      fmt::print("{:>4}", kill ? "x" : ".");
    }
    fmt::print("\n");
  }
  fmt::print("\n");
  for (const std::string& name : matrix.idle()) {
    fmt::print("kills nothing: {}\n", name);
  }
  for (const std::string& name : matrix.survivors()) {
    fmt::print("SURVIVED {}\n", name);
  }
}

std::string as_json(const Matrix& matrix) {
  nlohmann::ordered_json document = {{"schema", 1}, {"properties", matrix.properties}};
  nlohmann::ordered_json& rows = document["killed_by"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < matrix.mutants.size(); ++i) {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < matrix.properties.size(); ++k) {
      if (matrix.kills[i][k]) {
        names.push_back(matrix.properties[k]);
      }
    }
    rows[matrix.mutants[i]] = names;
  }
  document["kills_nothing"] = matrix.idle();
  document["survived"] = matrix.survivors();
  return document.dump(2) + "\n";
}

}  // namespace headroom::mutants
