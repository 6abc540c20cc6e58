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
#include "reports/metrics/series.hpp"

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
  Duration oldest_unclaimed;  // age of the row that waits longest, at the end of the measured part

  DistributionSummary wait;                   // from due to the start of execution
  DistributionSummary claim_wait;             // from due to the claim
  DistributionSummary sojourn;                // from due to the end of execution
  std::map<std::string, Int128> wait_causes;  // nanoseconds by cause

  Starvation longest_starvation;
  Duration at_ceiling;        // time in which no headroom was left on some node with claimable rows
  Int128 executing_time = 0;  // nanoseconds that workers spent on its rows in the measured part
  // Absent when nobody completed a row (executed).
  std::optional<double> share;            // of all rows completed
  std::optional<double> executing_share;  // of all executing time
  std::optional<double> entitled_share;   // weight-proportional max-min part of the rows completed
  std::optional<GateFigures> gate;        // of its requests; absent: it sends none
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

// How far the cluster went past a tenant's quota; the worst tenant.
struct QuotaExcess {
  std::int64_t peak_ceiling_sum_over = 0;  // sum of ceilings above quota
  std::int64_t peak_executing_over = 0;    // executing rows with a live fence above quota
  Duration time_over;                      // time in which executing rows were above the quota
};

struct ClusterResult {
  std::optional<double> jain_index;         // over the windows in which tenants were backlogged; absent: undefined
  std::optional<double> jain_worst_window;  // absent: undefined in every window
  std::optional<Time> worst_window_at;      // its start
  std::uint64_t windows_judged = 0;         // windows in which the index was defined
  QuotaExcess quota;
  std::uint64_t duplicate_executions = 0;
  std::uint64_t stale_completions = 0;
  // Requests answered in time (rows completed, where nobody sends requests) a second of the measured part; absent: it
  // has no length.
  std::optional<double> goodput_per_second;
  // From the end of the last latency shift or fault until the first 5 s in which goodput was back at 95 % of what it
  // was before the first of them. Absent: it never was, there was no such end, or nothing before.
  std::optional<Duration> recovery;
  std::optional<FleetFigures> fleet;  // absent: no HTTP side
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
  std::vector<Mark> marks;  // in time order
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
