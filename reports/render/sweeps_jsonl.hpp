// sweeps.jsonl: a line a sweep, written while the run goes on.
//
//   SweepLog log(folder / "sweeps.jsonl");
//   log.append(record);                      // once a sweep
//   const auto written = log.finish();       // the file takes its name
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "model/base/result.hpp"
#include "model/base/time.hpp"
#include "reports/render/file.hpp"

namespace headroom {

// What one namespace had and was given in a sweep.
struct SweepTenant {
  std::string_view name;
  std::int64_t ceiling = 0;
  std::int64_t claimed = 0;  // when the sweep planned
  std::int64_t headroom = 0;
  std::int64_t claimable = 0;
  std::int64_t granted = 0;
  std::int64_t guaranteed = 0;
  std::int64_t claimed_now = 0;  // rows that the claims of this sweep found
};

// One completed sweep; it refers to what the caller holds.
struct SweepRecord {
  Time at;  // when it planned
  std::string_view node;
  std::uint64_t sweep = 0;  // number of the sweep on its node
  std::uint32_t batch = 0;
  std::uint32_t active = 0;
  std::span<const SweepTenant> tenants;  // in name order
};

// Appends the record's line, with its newline.
void render_sweep(const SweepRecord& record, std::string& out);

class SweepLog {
 public:
  explicit SweepLog(std::filesystem::path path) : file_(std::move(path)) {}

  void append(const SweepRecord& record);
  [[nodiscard]] Result<std::uint64_t> finish() { return file_.commit(); }

 private:
  AtomicFile file_;
  std::string line_;
};

}  // namespace headroom
