#include "tests/reports/render/sample_result.hpp"

namespace headroom {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

TenantResult quiet() {
  TenantResult tenant{"quiet", {}};
  TenantFigures& figures = tenant.figures;
  figures.quota = 16;
  figures.appended = 305;
  figures.claimed = 302;
  figures.completed = 300;
  figures.pending_at_end = 3;
  figures.claimed_at_end = 2;
  figures.oldest_unclaimed = Duration::milliseconds(40);
  figures.wait = {301, Int128{301} * 2'500'000, 1'250'000, 4 * kMillisecond, 230'125'000, 250 * kMillisecond};
  figures.claim_wait = {
      302, Int128{302} * kMillisecond, kMillisecond, 2 * kMillisecond, 3 * kMillisecond, 4 * kMillisecond};
  figures.sojourn = {300,
                     Int128{300} * 50 * kMillisecond,
                     40 * kMillisecond,
                     90 * kMillisecond,
                     300 * kMillisecond,
                     310 * kMillisecond};
  figures.wait_causes = {{"awaiting_sweep", Int128{302} * kMillisecond}, {"batch_budget", Int128{450'500'000}}};
  figures.longest_starvation = {Duration::milliseconds(60), 2};
  figures.at_ceiling = Duration::milliseconds(1'500);
  figures.executing_time = Int128{15'000} * kMillisecond;
  figures.share = 0.25;
  figures.executing_share = 0.2;
  figures.entitled_share = 0.25;
  return tenant;
}

// Never served: no sample of anything.
TenantResult hostile() {
  TenantResult tenant{"<script>alert(1)</script>", {}};
  tenant.figures.quota = 4;
  tenant.figures.weight = 2;
  tenant.figures.noisy = true;
  tenant.figures.appended = 10;
  tenant.figures.pending_at_end = 10;
  tenant.figures.oldest_unclaimed = Duration::seconds(3);
  tenant.figures.wait_causes = {{"lost_in_order", Int128{30'000} * kMillisecond}};
  tenant.figures.longest_starvation = {Duration::seconds(3), 150};
  tenant.figures.share = 0.0;
  tenant.figures.executing_share = 0.0;
  tenant.figures.entitled_share = 0.01;
  return tenant;
}

GroupResult small() {
  GroupResult group;
  group.name = "a,b\"c\nd";
  group.members = 40;
  group.pooled = quiet().figures;
  group.pooled.completed = 900;
  group.pooled.share = 0.75;
  group.pooled.wait.p99 = 12 * kMillisecond;
  group.pooled.wait.max = 15 * kMillisecond;
  group.across_members.completed = Spread{10, 22, 40, 41};
  group.across_members.wait_p50 = Spread{kMillisecond, 2 * kMillisecond, 3 * kMillisecond, 3 * kMillisecond};
  group.across_members.wait_p99 = Spread{kMillisecond, 9 * kMillisecond, 14'500'000, 15 * kMillisecond};
  group.across_members.starvation_sweeps = Spread{0, 1, 2, 3};
  return group;
}

std::vector<Judgement> expectations() {
  Judgement p99;
  p99.name = "/tenants/quiet/wait_ms/p99";
  p99.kind = JudgementKind::metric;
  p99.verdict = Verdict::fail;
  p99.at_most = std::int64_t{200};
  p99.value = 230.125;
  p99.reason = "230.125 is above 200";
  Judgement starvation;
  starvation.name = "no_starvation";
  starvation.verdict = Verdict::pass;
  starvation.broken = true;
  starvation.at_most = std::int64_t{2};
  starvation.value = std::int64_t{150};
  starvation.reason =
      "tenant <script>alert(1)</script> on node n2: active for 150 sweeps, headroom 4, served 0; at most 2 are allowed";
  Judgement index;
  index.name = "/cluster/jain_worst_window";
  index.kind = JudgementKind::metric;
  index.verdict = Verdict::undecided;
  index.at_least = 0.9;
  index.at_most = std::int64_t{1};
  index.reason = "no window in which a backlogged tenant was served";
  Judgement reached;
  reached.name = "adopted";
  reached.kind = JudgementKind::sometimes;
  reached.verdict = Verdict::pass;
  reached.at_least = std::int64_t{1};
  reached.value = std::int64_t{4};
  reached.reason = "reached 4 times";
  return {starvation, p99, index, reached};
}

RunSeries series() {
  RunSeries series;
  series.window = Duration::seconds(1);
  series.windows = 3;
  series.subjects = {
      {"quiet", {3, 9, 3}, {2, 4, 2}, {2, 3, 2}, {16, 16, 17}, {100, 105, 100}, {100, 102, 100}, {100, 100, 100}},
      {"<script>alert(1)</script>", {10, 10, 10}, {0, 0, 0}, {0, 0, 0}, {4, 4, 4}, {10, 0, 0}, {0, 0, 0}, {0, 0, 0}},
      {"a,b\"c\nd", {0, 40, 0}, {5, 6, 7}, {5, 6, 7}, {40, 40, 40}, {300, 300, 300}, {300, 300, 300}, {300, 300, 300}},
  };
  return series;
}

}  // namespace

RunResult sample_result() {
  RunResult result;
  result.headroom_version = "0.1.0";
  result.scenario_name = "sample";
  result.scenario_description = "Two tenants & a group; what <b>is</b> shown of them.";
  result.scenario_digest = 0xABCDEF;
  result.seed = 42;
  result.command = "headroom run sample.json --seed 42 --set '/backpressure/planner=\"fixed_order\"'";
  result.verdict = Verdict::fail;
  result.simulated = Duration::milliseconds(3'250);
  result.duration = Duration::seconds(3);
  result.warmup = Duration::milliseconds(500);
  result.events = 1'234'567;
  result.event_digest = 0xFEDCBA9876543210;
  result.peak_pending_events = 77;
  result.expectations = expectations();
  Judgement exactly_once;
  exactly_once.name = "exactly_once";
  exactly_once.verdict = Verdict::pass;
  exactly_once.value = std::int64_t{1'215};
  exactly_once.reason = "1215 keys, each with one result";
  Judgement conserving;
  conserving.name = "work_conserving";
  conserving.verdict = Verdict::fail;
  conserving.reason = "sweep 7 of node n1 left 2 of 4 unused while tenant quiet could take 3";
  result.information = {exactly_once, conserving};
  result.tenants = {hostile(), quiet()};
  result.groups = {small()};
  result.nodes = {{"n1", 700, 300, 702, Int128{20'000} * kMillisecond, Int128{40'000} * kMillisecond, 3, 0},
                  {"n2", 502, 280, 500, Int128{10'000} * kMillisecond, Int128{40'000} * kMillisecond, 1, 1}};
  result.cluster.jain_index = 0.8;
  result.cluster.windows_judged = 0;
  result.cluster.quota = {1, 3, Duration::milliseconds(125)};
  result.cluster.stale_completions = 2;
  result.cluster.goodput_per_second = 480.0;
  result.drain = {Duration::milliseconds(250), true, 13, 0, 0, 0};
  result.reached = {{"adopted", 4}, {"handoff", 1}};
  result.series = series();
  result.marks = {{Mark::Kind::latency_shift, Time::at(Duration::seconds(1)), Time::at(Duration::seconds(2)),
                   "tenant <script>alert(1)</script> x3"},
                  {Mark::Kind::fault, Time::at(Duration::milliseconds(1'500)), Time::at(Duration::milliseconds(1'500)),
                   "handoff of shard 3 to n1"}};
  return result;
}

RunTiming sample_timing() {
  return {0.5, 2'469'134.0, 10'485'760, {{"read", 0.001}, {"simulate", 0.5}}};
}

}  // namespace headroom
