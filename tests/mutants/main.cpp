// Tries planted faults: ./dev mutants.
//
// usage: mutants [--jobs N] [MUTANT...]                       each with the property that is known to kill it
//        mutants --full [--json FILE] [--jobs N] [MUTANT...]  each with every property
//        mutants --list                                       what there is
//        mutants --observe run|check SCENARIO.json            what the judges say, with the fault of HEADROOM_MUTANT
//
// Exit status: 0 all were killed; 1 one survived; 2 usage.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/mutants/hunt.hpp"
#include "tests/mutants/matrix.hpp"
#include "tests/mutants/observe.hpp"
#include "tests/mutants/registry.hpp"

namespace headroom::mutants {
namespace {

constexpr int kSurvived = 1;
constexpr int kUsage = 2;

struct Request {
  bool full = false;
  bool list = false;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string json;
  std::vector<Mutant> mutants;
};

// Nothing, and a message, if the words make no sense.
std::optional<Request> read_request(const std::vector<std::string>& words) {
  Request request;
  const auto complain = [](const std::string& wrong) {
    fmt::print(stderr, "mutants: {}; see ./dev mutants --list\n", wrong);
    return std::nullopt;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--full" || word == "--list") {
      (word == "--full" ? request.full : request.list) = true;
    } else if (word == "--jobs" || word == "--json") {
      if (++i == words.size()) {
        return complain(word + " needs a value");
      }
      const std::string& value = words[i];
      if (word == "--json") {
        request.json = value;
      } else if (std::from_chars(value.data(), value.data() + value.size(), request.jobs).ptr !=
                     value.data() + value.size() ||
                 request.jobs == 0) {
        return complain("--jobs " + value + " is no number of trials at once");
      }
    } else if (const Mutant* mutant = find_mutant(word)) {
      request.mutants.push_back(*mutant);
    } else {
      return complain("there is no mutant \"" + word + "\"");
    }
  }
  if (!request.json.empty() && !request.full) {
    return complain("--json is for --full");
  }
  if (request.mutants.empty()) {  // the canary survives, as it must
    std::ranges::copy_if(all_mutants(), std::back_inserter(request.mutants),
                         [](const Mutant& mutant) { return mutant.mutation != Mutation::does_nothing; });
  }
  return request;
}

int list() {
  for (const Mutant& mutant : all_mutants()) {
    fmt::print("{}: {}\n  killed by {} ({})\n", mutant.name, mutant.fault, mutant.killer.property,
               mutant.killer.subject);
  }
  return 0;
}

int run(const Request& request) {
  const std::filesystem::path programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const char* root = std::getenv("HEADROOM_SOURCE_DIR");
  const Trials trials(programs, root != nullptr ? root : std::filesystem::canonical(programs / "../../..").string());
  std::size_t survivors = 0;
  if (request.full) {
    const Matrix matrix = fill_matrix(trials, request.mutants, request.jobs);
    print(matrix);
    survivors = matrix.survivors().size();
    if (!request.json.empty() && !(std::ofstream(request.json) << as_json(matrix)).flush()) {
      fmt::print(stderr, "mutants: cannot write {}\n", request.json);
      return kUsage;
    }
  } else {
    survivors = hunt(trials, request.mutants, request.jobs);
  }
  fmt::print("{} mutants, {} survived\n", request.mutants.size(), survivors);
  return survivors == 0 ? 0 : kSurvived;
}

}  // namespace
}  // namespace headroom::mutants

int main(int count, char** arguments) {
  using namespace headroom::mutants;
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() == 3 && words[0] == "--observe" && (words[1] == "run" || words[1] == "check")) {
    print(observe(words[1] == "run" ? Engine::run : Engine::check, words[2]));
    return 0;
  }
  const std::optional<Request> request = read_request(words);
  if (!request) {
    return kUsage;
  }
  return request->list ? list() : run(*request);
}
