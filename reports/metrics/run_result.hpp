// A finished run as plain values: all that a report may say. The simulator fills it; renderers only format it.
// Instants and spans are whole nanoseconds here and become milliseconds only when rendered.
//
// Counters count from time 0 and are as of the end of the measured part; distributions, shares, windows and starvation
// are of the measured part (after the warm-up); what happened later stands in `drain`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/time.hpp"
#include "model/base/verdict.hpp"
#include "reports/metrics/distribution_summary.hpp"
#include "reports/metrics/gate_figures.hpp"
#include "reports/metrics/row_slices.hpp"
#include "reports/metrics/series.hpp"
#include "reports/metrics/sweep_book.hpp"

namespace headroom {

// A number or a word that a verdict compares; monostate: there is none (no sample, index undefined).
using Figure = std::variant<std::monostate, std::int64_t, double, std::string>;

enum class JudgementKind : std::uint8_t { property, metric, sometimes };

// One expectation of the scenario, or one property that nobody asked for.
struct Judgement {
  std::string name;  // of the property or of the goal, or the metric's JSON pointer
  JudgementKind kind = JudgementKind::property;
  Verdict verdict = Verdict::undecided;
  bool broken = false;  // the scenario expects the property to be violated
  Figure at_least;
  Figure at_most;
  Figure value;
  std::string reason;  // in words, with the numbers in it
};

struct Starvation {
  Duration time;
  std::uint64_t sweeps = 0;
};

// How much worse a quiet tenant fared beside the noisy one (spec 2.5): this run against its twin, which has the same
// seed and leaves the noisy tenant out.
struct NoiseAmplification {
  std::string without;  // the tenants that the twin leaves out, with commas
  Duration p99;         // of its wait, in this run
  Duration twin_p99;
  std::optional<double> ratio;    // absent: the twin's p99 is below the floor of 1 ms
  Duration difference;            // p99 - twin_p99
  double success_difference = 0;  // success rate in this run minus that of the twin
};

// A tenant's quota against what the cluster allowed and used, over time (over- and under-admission). Of the cluster:
// each figure of the tenant that is worst in it.
struct QuotaExcess {
  // Sum of the ceilings above the quota.
  std::int64_t peak_ceiling_sum_over = 0;
  Duration ceiling_time_over;
  Int128 ceiling_over_integral = 0;  // row-nanoseconds
  // Executing rows (those with a live fence) above the quota.
  std::int64_t peak_executing_over = 0;
  Duration time_over;
  Int128 over_integral = 0;
  // Rows that the quota had room for, that waited, and that were not admitted: min(quota, due and claimed) - claimed.
  std::int64_t peak_under = 0;
  Duration time_under;
  Int128 under_integral = 0;
  // Of those, the ones on nodes where the tenant stood at its ceiling: the quota is free elsewhere (skew).
  std::int64_t peak_stranded = 0;
  Duration time_stranded;
  Int128 stranded_integral = 0;
};

// What is reported of a tenant, and of a group of tenants taken as one.
struct TenantFigures {
  std::uint32_t quota = 0;  // of each member
  std::uint32_t weight = 1;
  bool noisy = false;

  std::uint64_t appended = 0;
  std::uint64_t claimed = 0;
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t pending_at_end = 0;
  std::uint64_t claimed_at_end = 0;
  std::uint64_t duplicates_ignored = 0;
  std::uint64_t retries = 0;
  std::uint64_t rearmed = 0;
  std::uint64_t demand = 0;   // rows there at the beginning of the measured part, and appended in it
  std::uint64_t served = 0;   // rows completed in the measured part
  Duration oldest_unclaimed;  // age of the row that waits longest, at the end of the measured part

  DistributionSummary wait;                   // from due to the start of execution
  DistributionSummary claim_wait;             // from due to the claim
  DistributionSummary sojourn;                // from due to the end of execution
  std::map<std::string, Int128> wait_causes;  // nanoseconds by cause

  Starvation longest_starvation;
  Duration at_ceiling;                     // time in which no headroom was left on some node with claimable rows
  Int128 executing_time = 0;               // nanoseconds that workers spent on its rows in the measured part
  QuotaExcess quota_use;                   // of a group: each figure of the member that is worst in it
  std::optional<double> littles_residual;  // |L - lambda W| / L of its rows; absent: it had none
  // Absent when nobody completed a row (executed).
  std::optional<double> share;              // of all rows completed
  std::optional<double> executing_share;    // of all executing time
  std::optional<double> entitled_share;     // weight-proportional max-min part of the rows completed
  std::optional<double> max_min_ratio;      // rows completed / max-min optimum, over the windows judged; absent: none
  std::optional<NoiseAmplification> noise;  // absent: no twin was run, or the twin leaves it out
  std::optional<GateFigures> gate;          // of its requests; absent: it sends none
};

struct TenantResult {
  std::string name;
  TenantFigures figures;
};

// How figures spread over the members of a group; absent where no member has a sample.
struct MemberSpreads {
  std::optional<Spread> completed;  // rows
  std::optional<Spread> wait_p50;   // nanoseconds
  std::optional<Spread> wait_p99;
  std::optional<Spread> wait_max;
  std::optional<Spread> starvation;         // nanoseconds
  std::optional<Spread> starvation_sweeps;  // sweeps
};

struct GroupResult {
  std::string name;
  std::uint32_t members = 0;
  TenantFigures pooled;  // counters summed, samples of all members in one distribution, starvation of the worst member
  MemberSpreads across_members;
};

struct NodeResult {
  std::string name;
  std::uint64_t claims = 0;  // rows claimed
  std::uint64_t sweeps = 0;
  std::uint64_t executions = 0;
  Int128 busy_time = 0;    // nanoseconds of its workers in the measured part
  Int128 worker_time = 0;  // workers x time in the measured part; 0: unlimited
  std::uint32_t owned_shards_at_end = 0;
  std::uint32_t crashes = 0;
};

struct ClusterResult {
  std::optional<double> jain_index;         // over the windows in which tenants were backlogged; absent: undefined
  std::optional<double> jain_worst_window;  // absent: undefined in every window
  std::optional<Time> worst_window_at;      // its start
  std::uint64_t windows_judged = 0;         // windows in which the index was defined
  // The same indices of executing time, instead of rows claimed.
  std::optional<double> executing_jain_index;
  std::optional<double> executing_jain_worst_window;
  QuotaExcess quota;
  std::uint64_t duplicate_executions = 0;
  std::uint64_t stale_completions = 0;
  std::optional<double> utilisation;       // busy worker time / worker time; absent: no worker, or no limit to them
  std::optional<double> littles_residual;  // |L - lambda W| / L of the rows, the worst tenant; absent: none had any
  // Requests answered in time (rows completed, where nobody sends requests) a second of the measured part; absent: it
  // has no length.
  std::optional<double> goodput_per_second;
  // From the end of the last latency shift or fault until the first 5 s in which goodput was back at 95 % of what it
  // was before the first of them. Absent: it never was, there was no such end, or nothing before.
  std::optional<Duration> recovery;
  std::optional<FleetFigures> fleet;  // absent: no HTTP side
};

// What a tenant or group could have been given in a window, and was. In rows.
struct ShareCell {
  std::uint32_t subject = 0;  // tenants in the order of RunResult::tenants, then groups
  double demand = 0;
  double served = 0;   // completed
  double optimum = 0;  // of the max-min fair allocation
};

// One of the at most 50 windows for which the max-min optimum was computed.
struct ShareWindow {
  Time start;
  Time end;
  std::optional<double> jain;    // absent: undefined
  std::vector<ShareCell> cells;  // of the subjects with demand, in order
};

struct DrainResult {
  Duration time;
  bool drained = true;
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  std::uint64_t left_pending = 0;
  std::uint64_t left_claimed = 0;
  std::uint64_t left_waiting = 0;  // requests at the gates
  std::uint64_t left_running = 0;  // requests whose handlers run
};

// A fault, a change of owner or a latency shift, for the time axis.
struct Mark {
  enum class Kind : std::uint8_t { fault, latency_shift };
  Kind kind = Kind::fault;
  Time at;
  Time until;  // the same as `at` for what happens at an instant
  std::string label;
};

struct RunResult {
  std::string headroom_version;
  std::string scenario_name;
  std::string scenario_description;
  std::uint64_t scenario_digest = 0;
  std::uint64_t seed = 0;
  std::string command;        // what reproduces the run
  std::string stopped_early;  // why the run ended before its time; empty: it did not

  Verdict verdict = Verdict::undecided;
  Duration simulated;  // all of it, with the drain
  Duration duration;   // end of the measured part
  Duration warmup;
  std::uint64_t events = 0;
  std::uint64_t event_digest = 0;
  std::uint64_t peak_pending_events = 0;

  std::vector<Judgement> expectations;
  std::vector<Judgement> information;
  std::vector<TenantResult> tenants;  // in the byte order of names
  std::vector<GroupResult> groups;    // in the byte order of names
  std::vector<NodeResult> nodes;      // n1, n2, ...
  ClusterResult cluster;
  DrainResult drain;
  std::map<std::string, std::uint64_t> reached;

  RunSeries series;
  std::vector<ShareWindow> share_windows;  // in time order
  std::vector<Mark> marks;                 // in time order

  // Empty unless the run was recorded for reports.
  RecordedSweeps recorded_sweeps;
  RowSlices slices;
};

// Wall times and memory: what may differ from one run of the same scenario to the next.
struct RunTiming {
  double simulate_seconds = 0;
  double events_per_second = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::vector<std::pair<std::string, double>> phases;  // seconds, in order
};

[[nodiscard]] std::string_view name_of(JudgementKind kind);
[[nodiscard]] std::string_view name_of(Mark::Kind kind);

}  // namespace headroom
