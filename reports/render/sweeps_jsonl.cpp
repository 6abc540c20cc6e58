#include "reports/render/sweeps_jsonl.hpp"

#include <fmt/format.h>
#include <iterator>

#include "reports/render/escape.hpp"
#include "reports/render/wording.hpp"

namespace headroom {

void render_sweep(const SweepRecord& record, std::string& out) {
  fmt::format_to(std::back_inserter(out), R"({{"t_ms":{},"node":{},"sweep":{},"batch":{},"active":{},"tenants":{{)",
                 exact_milliseconds(record.at.nanoseconds()), json_quoted(record.node), record.sweep, record.batch,
                 record.active);
  std::string_view separator;
  for (const SweepTenant& tenant : record.tenants) {
    fmt::format_to(std::back_inserter(out),
                   R"({}{}:{{"ceiling":{},"claimed":{},"headroom":{},"claimable":{},"granted":{},"guaranteed":{},)"
                   R"("claimed_now":{}}})",
                   separator, json_quoted(tenant.name), tenant.ceiling, tenant.claimed, tenant.headroom,
                   tenant.claimable, tenant.granted, tenant.guaranteed, tenant.claimed_now);
    separator = ",";
  }
  out += "}}\n";
}

void SweepLog::append(const SweepRecord& record) {
  line_.clear();
  render_sweep(record, line_);
  file_.write(line_);
}

}  // namespace headroom
