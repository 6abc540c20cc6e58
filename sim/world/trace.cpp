#include "sim/world/trace.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/world/decimal_text.hpp"
#include "sim/world/table.hpp"
#include "sim/world/time_order.hpp"

namespace headroom {
namespace {

// A file of the wrong kind has a fault on every line; the first ones say it all.
constexpr std::size_t kMaximumFaults = 20;

// One column of durations; its faults go to the list.
class DurationColumn {
 public:
  DurationColumn(std::string name, std::size_t position)
      : name_(std::move(name)), position_(position), unit_(unit_of_column(name_)) {}

  [[nodiscard]] std::optional<Duration> read(const TableReader& table, Diagnostics& faults) const {
    const std::string& text = table.field(position_);
    const ParsedDuration parsed = parse_duration(text, unit_);
    if (parsed.fault == NumberFault::none) return parsed.value;
    faults.push_back(table.diagnostic(name_ + " is " + description(text, parsed.fault),
                                      "a number of " + std::string(unit_.plural) + ", at least 0"));
    return std::nullopt;
  }

 private:
  static std::string description(const std::string& text, NumberFault fault) {
    switch (fault) {
      case NumberFault::none:
        return "fine";
      case NumberFault::not_a_number:
        return text.empty() ? "empty" : quoted_excerpt(text) + ", not a number";
      case NumberFault::negative:
        return quoted_excerpt(text) + ", negative";
      case NumberFault::too_large:
        return quoted_excerpt(text) + ", more than 292 years";
    }
    return {};
  }

  std::string name_;
  std::size_t position_;
  ColumnUnit unit_;
};

// Calls `take` with each record until it returns false, there are too many faults or the file ends.
template <class Take>
void for_each_record(TableReader& table, Diagnostics& faults, Take take) {
  std::size_t rows = 0;
  while (faults.size() < kMaximumFaults && table.next()) {
    if (++rows > kMaximumTraceRows) {
      faults.push_back(table.diagnostic("more than " + std::to_string(kMaximumTraceRows) + " rows", "an excerpt"));
      return;
    }
    if (!take()) return;
  }
  if (table.fault()) faults.push_back(*table.fault());
}

}  // namespace

std::shared_ptr<const Trace::Entries> Trace::entries_of(std::string_view tenant) const {
  const auto found = has_tenant_ ? entries_.find(tenant) : entries_.find(std::string_view());
  if (found == entries_.end()) return std::make_shared<const Entries>();
  return found->second;
}

std::vector<std::string> Trace::tenants() const {
  std::vector<std::string> names;
  if (!has_tenant_) return names;
  for (const auto& [name, entries] : entries_) names.push_back(name);
  return names;
}

class TraceBuilder {
 public:
  explicit TraceBuilder(const TraceColumns& columns) : time_(columns.time, position_of(columns.time)) {
    trace_.has_tenant_ = !columns.tenant.empty();
    trace_.has_service_ = !columns.service.empty();
    if (trace_.has_tenant_) tenant_position_ = position_of(columns.tenant);
    if (trace_.has_service_) service_.emplace(columns.service, position_of(columns.service));
  }

  Result<Trace> build(const std::string& path) {
    Result<std::unique_ptr<TableReader>> table = open_table(path, names_);
    if (!table) return table.faults();
    Diagnostics faults;
    for_each_record(*table.value(), faults, [&] { return take(*table.value(), faults); });
    if (!faults.empty()) return faults;
    for (const auto& [tenant, entries] : trace_.entries_) sort_by_time(*entries);
    return std::move(trace_);
  }

 private:
  // One column may serve twice.
  std::size_t position_of(const std::string& name) {
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }

  bool take(const TableReader& table, Diagnostics& faults) {
    const std::optional<Duration> at = time_.read(table, faults);
    const std::optional<Duration> service = service_ ? service_->read(table, faults) : Duration::zero();
    if (!at || !service) return true;
    const std::string& tenant = tenant_position_ ? table.field(*tenant_position_) : everyone_;
    auto found = trace_.entries_.find(tenant);
    if (found == trace_.entries_.end()) {
      if (trace_.entries_.size() == kMaximumTraceTenants) {
        faults.push_back(table.diagnostic("more than " + std::to_string(kMaximumTraceTenants) + " tenants"));
        return false;
      }
      found = trace_.entries_.emplace(tenant, std::make_shared<Trace::Entries>()).first;
    }
    found->second->push_back({Time::at(*at), *service});
    return true;
  }

  Trace trace_;
  std::vector<std::string> names_;
  DurationColumn time_;
  std::optional<std::size_t> tenant_position_;
  std::optional<DurationColumn> service_;
  std::string everyone_;
};

Result<Trace> read_trace(const std::string& path, const TraceColumns& columns) {
  return TraceBuilder(columns).build(path);
}

Result<std::vector<Duration>> read_durations(const std::string& path, const std::string& column) {
  Result<std::unique_ptr<TableReader>> table = open_table(path, {column});
  if (!table) return table.faults();
  const DurationColumn durations(column, 0);
  std::vector<Duration> values;
  Diagnostics faults;
  for_each_record(*table.value(), faults, [&] {
    if (const std::optional<Duration> value = durations.read(*table.value(), faults)) values.push_back(*value);
    return true;
  });
  if (faults.empty() && values.empty()) faults.push_back({path, "", "no rows", "at least one value"});
  if (!faults.empty()) return faults;
  return values;
}

}  // namespace headroom
