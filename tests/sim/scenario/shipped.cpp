// The scenarios that the repository ships: they are sound, and together they use every name of the format.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "model/properties/property.hpp"
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/names.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

namespace {

std::vector<std::filesystem::path> shipped_scenarios() {
  const char* source = std::getenv("HEADROOM_SOURCE_DIR");
  REQUIRE(source != nullptr);
  const std::filesystem::path folder = std::filesystem::path(source) / "scenarios";
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& place : {folder, folder / "cases"}) {
    for (const auto& entry : std::filesystem::directory_iterator(place)) {
      if (entry.path().extension() == ".json") {
        files.push_back(entry.path());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const std::vector<Scenario>& all_scenarios() {
  static const std::vector<Scenario> scenarios = [] {
    std::vector<Scenario> read;
    for (const std::filesystem::path& file : shipped_scenarios()) {
      Result<Scenario> scenario = read_scenario(file.string());
      INFO(file);
      REQUIRE(scenario);
      read.push_back(std::move(scenario.value()));
    }
    return read;
  }();
  return scenarios;
}

// The texts that stand under `key` in the elements of a list of some scenario.
std::set<std::string> texts_in(const char* list, const char* key) {
  std::set<std::string> texts;
  for (const std::filesystem::path& file : shipped_scenarios()) {
    const nlohmann::json document = nlohmann::json::parse(text_of(file));
    for (const nlohmann::json& element : document.value(list, nlohmann::json::array())) {
      if (element.contains(key)) {
        texts.insert(element[key].get<std::string>());
      }
    }
  }
  return texts;
}

// Whether some scenario has each value of an enumeration where `value` finds it; what is not written has its default.
template <class E, class Value>
void every_value_is_used(Value value) {
  std::set<E> used;
  for (const Scenario& scenario : all_scenarios()) {
    used.insert(value(scenario));
  }
  for (const EnumName<E>& entry : enum_names<E>()) {
    INFO(entry.name);
    CHECK(used.contains(entry.value));
  }
}

// The same of what tenants' clients do, or gates.
template <class E, class Values>
void every_value_is_among(Values values) {
  std::set<E> used;
  for (const Scenario& scenario : all_scenarios()) {
    values(scenario, used);
  }
  for (const EnumName<E>& entry : enum_names<E>()) {
    INFO(entry.name);
    CHECK(used.contains(entry.value));
  }
}

bool any(bool (*holds)(const Scenario&)) {
  return std::ranges::any_of(all_scenarios(), holds);
}

}  // namespace

TEST_CASE("every shipped scenario is read without a fault, is named after its file and says what it shows") {
  for (const std::filesystem::path& file : shipped_scenarios()) {
    const Result<Scenario> scenario = read_scenario(file.string());
    INFO(file << (scenario ? "" : ": " + scenario.faults().front().text()));
    CHECK(scenario);
    CHECK((!scenario || scenario.value().name == file.stem().string()));
    CHECK((!scenario || !scenario.value().description.empty()));
    CHECK((!scenario || !scenario.value().expect.empty()));
  }
}

TEST_CASE("no shipped scenario needs a reader that knows comments") {
  for (const std::filesystem::path& file : shipped_scenarios()) {
    INFO(file);
    CHECK(nlohmann::json::accept(text_of(file)));
  }
}

TEST_CASE("every kind of fault happens in a shipped scenario") {
  const std::set<std::string> used = texts_in("faults", "kind");
  for (const NameList::Entry& kind : fault_rule().kinds) {
    INFO(kind.name);
    CHECK(used.contains(kind.name));
  }
}

TEST_CASE("every property is expected by a shipped scenario") {
  const std::set<std::string> used = texts_in("expect", "property");
  for (const PropertyInfo& property : all_properties()) {
    INFO(property.name);
    CHECK(used.contains(std::string(property.name)));
  }
}

TEST_CASE("every goal is reached by a shipped scenario") {
  const std::set<std::string> used = texts_in("expect", "sometimes");
  for (const GoalName& goal : goal_names()) {
    INFO(goal.name);
    CHECK(used.contains(std::string(goal.name)));
  }
}

TEST_CASE("every value of every switch is used by a shipped scenario") {
  every_value_is_used<PlannerKind>([](const Scenario& s) { return s.backpressure.planner; });
  every_value_is_used<ClaimedCounts>([](const Scenario& s) { return s.backpressure.claimed_counts; });
  every_value_is_used<CeilingGrowth>([](const Scenario& s) { return s.backpressure.ceiling_growth; });
  every_value_is_used<FractionRefresh>([](const Scenario& s) { return s.backpressure.fraction_refresh; });
  every_value_is_used<OnQuotaError>([](const Scenario& s) { return s.backpressure.on_quota_error; });
  every_value_is_used<ScopeOnLoss>([](const Scenario& s) { return s.backpressure.scope_on_loss; });
  every_value_is_used<ZeroOwned>([](const Scenario& s) { return s.backpressure.zero_owned; });
  every_value_is_used<SettleGuard>([](const Scenario& s) { return s.outbox.settle_guard; });
  every_value_is_used<RearmPassKind>([](const Scenario& s) { return s.outbox.rearm_pass; });
  every_value_is_used<ShardBy>([](const Scenario& s) { return s.outbox.shard_by; });
  every_value_is_used<DispatchKind>([](const Scenario& s) { return s.cluster.dispatch; });
  every_value_is_used<TieBreak>([](const Scenario& s) { return s.tie_break; });
  CHECK(any([](const Scenario& s) { return s.outbox.rearm_counts_attempt; }));
  CHECK(any([](const Scenario& s) { return s.outbox.lease_renewal; }));
  CHECK(any([](const Scenario& s) { return s.backpressure.quota_cache_ttl > Duration::zero(); }));
  CHECK(any([](const Scenario& s) { return s.swarm; }));
}

TEST_CASE("every order of a gate, policy of a balancer and habit of a client is used by a shipped scenario") {
  every_value_is_among<QueueOrder>([](const Scenario& s, auto& used) {
    if (s.admission) {
      used.insert(s.admission->queue_order);
    }
  });
  every_value_is_among<RetryAfterForm>([](const Scenario& s, auto& used) {
    if (s.admission) {
      used.insert(s.admission->retry_after_form);
    }
  });
  every_value_is_among<BalancingPolicy>([](const Scenario& s, auto& used) {
    if (s.admission) {
      used.insert(s.admission->load_balancer.policy);
    }
  });
  const auto of_clients = [](auto value) {
    return [value](const Scenario& s, auto& used) {
      for (const TenantSpec& tenant : s.tenants) {
        if (tenant.requests) {
          used.insert(value(tenant.requests->client));
        }
      }
    };
  };
  every_value_is_among<RetryKind>(of_clients([](const ClientSpec& client) { return client.retry.kind; }));
  every_value_is_among<RetryJitter>(of_clients([](const ClientSpec& client) { return client.retry.jitter; }));
  every_value_is_among<OnTimeout>(of_clients([](const ClientSpec& client) { return client.on_timeout; }));
  every_value_is_among<ClientDisconnectFault::Stage>([](const Scenario& s, auto& used) {
    for (const Fault& fault : s.faults) {
      if (const auto* leaves = std::get_if<ClientDisconnectFault>(&fault.kind)) {
        used.insert(leaves->stage);
      }
    }
  });
}

TEST_CASE("there are at least forty cases, and failed sweeps release and leak in some of them") {
  const auto errors = [](bool release) {
    return std::ranges::any_of(all_scenarios(), [release](const Scenario& s) {
      return std::ranges::any_of(s.faults, [release](const Fault& fault) {
        const auto* error = std::get_if<StoreErrorFault>(&fault.kind);
        return error != nullptr && error->release == release;
      });
    });
  };
  CHECK(errors(true));
  CHECK(errors(false));
  CHECK(std::ranges::count_if(shipped_scenarios(), [](const std::filesystem::path& file) {
          return file.parent_path().filename() == "cases";
        }) >= 40);
}
