// Trace files, as CSV and as JSONL, with and without a tenant and a service column.
#include "sim/world/trace.hpp"

#include <optional>

#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/target.hpp"

namespace headroom::fuzz {
namespace {

constexpr std::size_t kMostFaults = 21;  // the first twenty records that have one, and what ended the reading

std::size_t check_entries(const Trace::Entries& entries, bool has_service) {
  Time before;
  for (const TraceEntry& entry : entries) {
    HEADROOM_ASSERT(entry.at >= before, "out of order");
    HEADROOM_ASSERT(entry.service >= Duration::zero(), "negative");
    HEADROOM_ASSERT(has_service || entry.service == Duration::zero(), "a service that the trace does not have");
    before = entry.at;
  }
  return entries.size();
}

// Rows that were read, over all tenants; none if the file was refused.
std::optional<std::size_t> rows_in(const std::string& path, const TraceColumns& columns) {
  const Result<Trace> trace = read_trace(path, columns);
  if (!trace) {
    check_faults(trace.faults(), kMostFaults);
    return std::nullopt;
  }
  HEADROOM_ASSERT(trace.value().has_service() == !columns.service.empty(), "a service out of nowhere");
  if (columns.tenant.empty()) {
    HEADROOM_ASSERT(trace.value().tenants().empty(), "tenants out of nowhere");
    return check_entries(*trace.value().entries_of("anyone"), trace.value().has_service());
  }
  std::size_t rows = 0;
  for (const std::string& tenant : trace.value().tenants()) {
    const std::size_t its_own = check_entries(*trace.value().entries_of(tenant), trace.value().has_service());
    HEADROOM_ASSERT(its_own > 0, "a tenant without a row");
    rows += its_own;
  }
  return rows;
}

void read_as(const std::string& path) {
  const std::optional<std::size_t> all = rows_in(path, {.time = "t_ms", .tenant = "", .service = ""});
  const std::optional<std::size_t> by_tenant = rows_in(path, {.time = "t_ms", .tenant = "who", .service = ""});
  const std::optional<std::size_t> with_service = rows_in(path, {.time = "t_ms", .tenant = "who", .service = "s"});
  // A file that is sound with more columns is sound with fewer, and has the same rows.
  HEADROOM_ASSERT(!by_tenant || by_tenant == all, "rows lost or won by a tenant column");
  HEADROOM_ASSERT(!with_service || with_service == by_tenant, "rows lost or won by a service column");

  const Result<std::vector<Duration>> durations = read_durations(path, "s");
  if (!durations) {
    check_faults(durations.faults(), kMostFaults);
    return;
  }
  HEADROOM_ASSERT(!durations.value().empty(), "no durations, and no fault");
  HEADROOM_ASSERT(std::ranges::none_of(durations.value(), [](Duration each) { return each < Duration::zero(); }),
                  "a negative duration");
}

}  // namespace
}  // namespace headroom::fuzz

FUZZ_TARGET(bytes) {
  using namespace headroom::fuzz;
  static InputFile csv(".csv");
  static InputFile jsonl(".jsonl");
  read_as(csv.holding(bytes));
  read_as(jsonl.holding(bytes));
}
