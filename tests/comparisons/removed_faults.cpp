#include <fmt/format.h>
#include <map>
#include <ostream>

#include "sim/run/run_scenario.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/reading.hpp"
#include "tests/comparisons/comparisons.hpp"

namespace headroom::test {
namespace {

// Verdicts of the properties, as they are: nobody expects one to be broken here.
std::map<std::string, Judgement> verdicts_of(const Scenario& scenario) {
  Scenario plain = scenario;
  plain.expect.clear();
  const RunResult result = run_scenario({.scenario = plain, .seed = plain.seed}).result;
  std::map<std::string, Judgement> verdicts;
  for (const Judgement& judgement : result.information) {
    if (judgement.kind == JudgementKind::property) {
      verdicts[judgement.name] = judgement;
    }
  }
  return verdicts;
}

// The scenario of the file without one of its faults; what follows from the faults is read anew.
Result<Scenario> without_fault(const std::string& file, std::size_t fault) {
  const Result<std::string> document = read_document(file);
  Reading reading(file);
  std::optional<JsonNode> node = parse_json(document.value(), reading);
  JsonArray& faults = *find_member(*node->object(), "faults")->array();
  faults.erase(faults.begin() + static_cast<std::ptrdiff_t>(fault));
  return read_scenario_text(canonical_text(*node), file);
}

void compare_file(const std::string& file, int& removed, int& worse, std::ostream& out) {
  const Result<Scenario> whole = read_scenario(file);
  if (!whole || whole.value().faults.empty() || whole.value().swarm) {
    return;  // under swarm the seed draws the faults
  }
  const Scenario& scenario = whole.value();
  const auto before = verdicts_of(scenario);
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const Result<Scenario> without = without_fault(file, i);
    if (!without) {
      continue;  // something else in the file needs it
    }
    ++removed;
    for (const auto& [name, judgement] : verdicts_of(without.value())) {
      if (judgement.verdict == Verdict::fail && before.at(name).verdict != Verdict::fail) {
        ++worse;
        out << fmt::format("| {} | /faults/{} | {} | {} |\n", scenario.name, i, name, judgement.reason);
      }
    }
  }
}

}  // namespace

void compare_removed_faults(const std::vector<std::string>& scenario_files, std::ostream& out) {
  out << "## Removed faults: is a verdict worse?\n\n| scenario | without | violated | why |\n|---|---|---|---|\n";
  int removed = 0;
  int worse = 0;
  for (const std::string& file : scenario_files) {
    compare_file(file, removed, worse, out);
    out.flush();
  }
  out << fmt::format("\n{} faults taken away one at a time: {} verdicts worse\n", removed, worse);
}

}  // namespace headroom::test
