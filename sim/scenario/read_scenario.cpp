#include "sim/scenario/read_scenario.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "model/base/hash.hpp"
#include "sim/scenario/checks.hpp"
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/overrides.hpp"
#include "sim/scenario/ownership.hpp"
#include "sim/scenario/reading.hpp"
#include "sim/scenario/traces.hpp"

namespace headroom {
namespace {

// The whole file, unless it is not a plain file or too large for a document.
std::optional<std::string> read_file(const std::string& path, const std::string& what, Reading& reading) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    const bool missing = status.type() == std::filesystem::file_type::not_found;
    reading.fault(missing ? "there is no such file" : "cannot be found: " + error.message(), what);
    return std::nullopt;
  }
  if (!std::filesystem::is_regular_file(status)) {
    reading.fault(std::filesystem::is_directory(status) ? "is a directory" : "is not a plain file", what);
    return std::nullopt;
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kMaxDocumentBytes) {
    reading.fault(error ? error.message() : "has " + std::to_string(size) + " bytes",
                  "at most " + std::to_string(kMaxDocumentBytes) + " bytes");
    return std::nullopt;
  }
  std::string text(size, '\0');
  std::ifstream stream(path, std::ios::binary);
  if (!stream.read(text.data(), static_cast<std::streamsize>(size))) {
    reading.fault("cannot be read", "a file that may be read");
    return std::nullopt;
  }
  return text;
}

// The document of a sound scenario, overrides applied, without what does not make it another one: the seed and the
// order of the tenants.
std::uint64_t digest_of(JsonNode document) {
  std::erase_if(*document.object(), [](const JsonMember& member) { return member.key == "seed"; });
  std::ranges::sort(*find_member(*document.object(), "tenants")->array(), {},
                    [](const JsonNode& tenant) { return *find_member(*tenant.object(), "name")->text(); });
  return stable_hash(canonical_text(document));
}

// Requests append rows too; without either, what a scenario says of the rows would have no effect.
void complete_rows(TenantSpec& tenant, const std::string& pointer, Reading& reading) {
  const bool with_requests = tenant.requests && tenant.requests->fan_out > 0;
  if (with_requests && !tenant.rows) {
    tenant.rows = RowsSpec();
  } else if (!with_requests && tenant.rows && !tenant.rows->arrivals && reading.sound(pointer + "/requests") &&
             reading.sound(pointer + "/rows")) {
    reading.fault_at(pointer + "/rows/arrivals", "is missing",
                     "the other keys need it, or requests with a \"fan_out\"");
  }
}

void complete(Scenario& scenario, Reading& reading) {
  if (reading.sound("/cluster/nodes") && reading.sound("/cluster/shards") && reading.sound("/cluster/ownership")) {
    ClusterSection& cluster = scenario.cluster;
    if (reading.sound("/faults")) {
      cluster.absent = absent_nodes(scenario.faults, cluster.nodes);
    }
    cluster.initial_owner = initial_owners(cluster.ownership, cluster.nodes, cluster.absent, cluster.shards, reading);
  }
  for (std::size_t i = 0; i < scenario.tenants.size(); ++i) {
    TenantSpec& tenant = scenario.tenants[i];
    if (tenant.id.empty()) {
      tenant.id = tenant.name;
    }
    complete_rows(tenant, "/tenants/" + std::to_string(i), reading);
    if (scenario.admission) {
      tenant.admission = overridden(scenario.admission->tenant, tenant.limits);
    }
  }
  load_traces(scenario, reading);
  check_scenario(scenario, reading);
}

}  // namespace

Result<Scenario> read_scenario_text(std::string_view text, const std::string& file,
                                    std::span<const std::string> overrides) {
  Reading reading(file, std::filesystem::path(file).parent_path());
  std::optional<JsonNode> document = parse_json(text, reading);
  if (!document) {
    return reading.take_faults();
  }
  apply_overrides(*document, overrides, reading);
  std::optional<Scenario> scenario = scenario_rule().read(*document, reading);
  if (scenario && !reading.is_full()) {
    complete(*scenario, reading);
  }
  if (reading.has_faults()) {
    return reading.take_faults();
  }
  scenario->file = file;
  scenario->digest = digest_of(std::move(*document));
  return std::move(*scenario);
}

std::optional<JsonNode> read_json_file(const std::string& path, const std::string& what, Reading& reading) {
  const std::optional<std::string> text = read_file(path, what, reading);
  return text ? parse_json(*text, reading) : std::nullopt;
}

Result<std::string> read_document(const std::string& path, std::span<const std::string> overrides) {
  Reading reading(path);
  std::optional<JsonNode> document = read_json_file(path, "a scenario file", reading);
  if (document) {
    apply_overrides(*document, overrides, reading);
  }
  return reading.has_faults() ? Result<std::string>(reading.take_faults()) : canonical_text(*document);
}

Result<Scenario> read_scenario(const std::string& path, std::span<const std::string> overrides) {
  Reading reading(path);
  const std::optional<std::string> text = read_file(path, "a scenario file", reading);
  return text ? read_scenario_text(*text, path, overrides) : Result<Scenario>(reading.take_faults());
}

}  // namespace headroom
