#include "sim/run/why_target.hpp"

#include <charconv>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "sim/scenario/nearest.hpp"

namespace headroom {
namespace {

std::vector<NamespaceId> names_of(const std::string& tenant, const Simulation& simulation, const Scenario& scenario) {
  std::vector<NamespaceId> names;
  for (std::uint32_t i = 0; i < simulation.tenants().size(); ++i) {
    const TenantInstance& instance = simulation.tenants()[i];
    if (instance.name == tenant || scenario.tenants[instance.spec_index].name == tenant) {
      names.emplace_back(i);
    }
  }
  return names;
}

Diagnostic no_tenant(const std::string& option, const std::string& tenant, const Scenario& scenario) {
  std::vector<std::string_view> known;
  known.reserve(scenario.tenants.size());
  for (const TenantSpec& spec : scenario.tenants) {
    known.push_back(spec.name);
  }
  return {option, "", "there is no tenant \"" + tenant + "\"", suggest(tenant, known)};
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return whole && value < DispatchKey::kFirstOfRequests ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<WhyTarget> target_of(const WhyQuestion& question, const Simulation& simulation) {
  const std::string option = !question.row.empty() ? "--row" : !question.request.empty() ? "--request" : "--tenant";
  const std::string& what = !question.row.empty()       ? question.row
                            : !question.request.empty() ? question.request
                                                        : question.tenant;
  WhyTarget target;
  if (option == "--tenant") {
    target.names = names_of(what, simulation, question.scenario);
    return target.names.empty() ? Result<WhyTarget>(no_tenant(option, what, question.scenario)) : target;
  }
  const std::size_t slash = what.rfind('/');
  const std::string tenant = what.substr(0, slash);
  const std::string_view rest =
      slash == std::string::npos ? std::string_view() : std::string_view(what).substr(slash + 1);
  const std::size_t dot = rest.find('.');
  const std::optional<std::uint64_t> first = number_in(rest.substr(0, dot));
  const bool of_request = dot != std::string_view::npos;
  const std::uint64_t number =
      of_request ? number_in(rest.substr(dot + 1)).value_or(DispatchKey::kMaxOrdinal) : DispatchKey::kMaxOrdinal;
  const bool row = option == "--row";
  if (!first || (of_request && (!row || number == DispatchKey::kMaxOrdinal))) {
    return Diagnostic{option, "", "\"" + what + "\" names no " + (row ? "row" : "request"),
                      row ? "TENANT/N, or TENANT/R.N for row N of its request R" : "TENANT/R"};
  }
  target.names = names_of(tenant, simulation, question.scenario);
  if (target.names.size() != 1) {
    return no_tenant(option, tenant, question.scenario);
  }
  if (!row) {
    target.logical = first;
    return target;
  }
  const std::uint32_t fan_out = simulation.cluster().layout().config(target.names.front()).fan_out;
  if (of_request && number >= fan_out) {
    return Diagnostic{option, "", fmt::format("requests of \"{}\" append {} rows", tenant, fan_out),
                      "a number below that"};
  }
  target.row = of_request
                   ? DispatchKey::of_request(target.names.front(), *first, fan_out, static_cast<std::uint32_t>(number))
                   : DispatchKey(target.names.front(), *first);
  return target;
}

}  // namespace headroom
