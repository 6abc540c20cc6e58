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
  figures.demand = 260;
  figures.served = 250;
  figures.max_min_ratio = 0.9375;
  figures.noise = NoiseAmplification{"<script>alert(1)</script>",        Duration::nanoseconds(230'125'000),
                                     Duration::milliseconds(20),         11.50625,
                                     Duration::nanoseconds(210'125'000), -0.0625};
  figures.quota_use.peak_under = 3;
  figures.quota_use.time_under = Duration::milliseconds(500);
  figures.quota_use.under_integral = Int128{750} * kMillisecond;
  figures.littles_residual = 0.0;
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
  tenant.figures.demand = 10;
  tenant.figures.max_min_ratio = 0.0;
  return tenant;
}

GroupResult small() {
  GroupResult group;
  group.name = "a,b\"c\nd";
  group.members = 40;
  group.pooled = quiet().figures;
  group.pooled.completed = 900;
  group.pooled.share = 0.75;
  group.pooled.noise->twin_p99 = Duration::nanoseconds(900'000);  // below the floor: no ratio
  group.pooled.noise->ratio.reset();
  group.pooled.noise->difference = Duration::nanoseconds(11'100'000);
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

// Most of its requests are refused, for its own budget and for shared capacity.
GateFigures refused_gate() {
  GateFigures gate;
  gate.counts = {1'000, 190, 600, 200, 150};
  gate.measured = {800, 150, 480, 160, 120};
  gate.finished = 185;
  gate.gone = 4;
  gate.inside_at_end = 11;  // 5 run, 6 wait
  gate.rejected_by = {{"rate_limit", 350},          {"tenant_inflight", 0},  {"tenant_queue_full", 240},
                      {"tenant_wait_expired", 10},  {"process_inflight", 0}, {"process_queue_full", 120},
                      {"process_wait_expired", 75}, {"draining", 5}};
  gate.calls = 400;
  gate.retries = 602;
  gate.timeouts = 30;
  gate.gave_up = 225;
  gate.unreachable = 2;
  gate.abandoned = 20;
  gate.dead_work = 12;
  gate.failed = 1;
  gate.database_timeouts = 3;
  gate.peak_at_once = 40;
  gate.wait = {
      150, Int128{150} * 20 * kMillisecond, 15 * kMillisecond, 90'500'000, 190 * kMillisecond, 200 * kMillisecond};
  gate.handling = {148,
                   Int128{148} * 50 * kMillisecond,
                   40 * kMillisecond,
                   100 * kMillisecond,
                   210 * kMillisecond,
                   250 * kMillisecond};
  gate.response = {120,
                   Int128{120} * 700 * kMillisecond,
                   500 * kMillisecond,
                   2'000 * kMillisecond,
                   2'400 * kMillisecond,
                   2'500 * kMillisecond};
  gate.mean_inflight = 2.96;
  gate.mean_waiting = 1.2;
  gate.little_residual = 0.001;
  gate.success_rate = 0.4;
  gate.amplification = 2.51;
  gate.goodput_at_end_per_second = 48.0;
  return gate;
}

GateFigures served_gate() {
  GateFigures gate;
  gate.counts = {302, 301, 0, 0, 300};
  gate.measured = {250, 250, 0, 0, 249};
  gate.finished = 300;
  gate.inside_at_end = 2;  // 1 runs, 1 waits
  gate.calls = 302;
  gate.wait = {250, 0, 0, 0, 0, 0};
  gate.handling = {249,
                   Int128{249} * 50 * kMillisecond,
                   40 * kMillisecond,
                   100 * kMillisecond,
                   210 * kMillisecond,
                   250 * kMillisecond};
  gate.response = gate.handling;
  gate.mean_inflight = 4.98;
  gate.success_rate = 1.0;
  gate.amplification = 1.0;
  gate.goodput_at_end_per_second = 100.0;
  return gate;
}

// Sends requests and has no rows; none of them has reached a gate.
TenantResult silent() {
  TenantResult tenant{"web \\ \"1\"\n", {}};
  tenant.figures.quota = 1;
  tenant.figures.gate = GateFigures{};
  tenant.figures.gate->calls = 1;
  tenant.figures.gate->unreachable = 1;
  tenant.figures.gate->amplification = 1.0;
  return tenant;
}

FleetFigures fleet() {
  FleetFigures fleet;
  fleet.processes = 4;
  fleet.max_inflight = 24;
  fleet.derived_from_pool = true;
  fleet.peak_inflight = 24;
  fleet.peak_queue_depth = 64;
  fleet.readiness_changes = 3;
  fleet.unready_time = Int128{1'250} * kMillisecond;
  fleet.at_end = {{"n1/p1", true, true, 0, 4},
                  {"n1/p2", false, true, 7, 2},  // saturated: it stays live
                  {"n2/p1", true, true, 0, 0},
                  {"n2/p2", false, false, 0, 0}};
  fleet.database_pool.emplace();
  fleet.database_pool->size = 100;
  fleet.database_pool->reserve = 4;
  fleet.database_pool->in_use_at_end = 6;
  fleet.database_pool->peak_in_use = 96;
  fleet.database_pool->peak_waiting = 12;
  fleet.database_pool->wait = {400, Int128{400} * 250'000, 0, kMillisecond, 3'200'000, 4 * kMillisecond};
  fleet.database_pool->timeouts = 3;
  fleet.database_pool->health_check_timeouts = 1;
  fleet.downstream.emplace();
  fleet.downstream->size = 50;
  fleet.downstream->peak_in_use = 20;
  return fleet;
}

void add_gate_columns(RunSeries& series) {
  series.has_gate = true;
  for (SubjectSeries& subject : series.subjects) {
    for (auto* column : {&subject.waiting, &subject.inflight, &subject.admitted, &subject.refused_429,
                         &subject.refused_503, &subject.goodput}) {
      column->assign(3, 0);
    }
  }
  SubjectSeries& refused = series.subjects[1];
  refused.waiting = {2, 6, 6};
  refused.inflight = {3, 8, 5};
  refused.admitted = {40, 80, 70};
  refused.refused_429 = {120, 300, 180};
  refused.refused_503 = {0, 150, 50};
  refused.goodput = {30, 60, 60};
  series.subjects[0].admitted = {100, 101, 100};
  series.subjects[0].goodput = {100, 100, 100};
  series.fleet = {{10, 96, 60}, {0, 12, 0}, {5, 20, 10}, {0, 0, 0}, {0, 2, 2}};
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
  series.subjects[0].quota = {16, 16, 16};
  series.subjects[0].longest_wait = {2 * kMillisecond, 250 * kMillisecond, 230'125'000};
  series.subjects[1].quota = {4, 4, 4};
  series.subjects[1].longest_wait = {0, 0, 0};
  series.subjects[2].quota = {640, 640, 640};
  series.subjects[2].longest_wait = {15 * kMillisecond, kMillisecond, kMillisecond};
  return series;
}

// Two sweeps of a batch of 4: the third name gets nothing of the first.
RecordedSweeps sweeps() {
  RecordedSweeps recorded;
  recorded.names = {"<script>alert(1)</script>", "quiet", "z"};
  recorded.stretches = {{"the first sweeps", 1, 2, 0, false},
                        {"around the violation of slice at 0.02 s", 1, 2, 1, false}};
  SweepEntry first{1, Time::at(Duration::milliseconds(20)), 0, 1, 4, 3, {}, 0};
  first.standings = {{0, 4, 0, 4, 10, 2, 1, 2, WaitCause::batch_budget},
                     {1, 16, 2, 14, 2, 2, 1, 2, WaitCause::awaiting_sweep},
                     {2, 8, 0, 8, 5, 0, 0, 0, WaitCause::lost_in_order}};
  SweepEntry second{2, Time::at(Duration::nanoseconds(20'500'000)), 1, 1, 4, 0, {}, 7};
  second.standings = {{1, 16, 16, 0, 3, 0, 0, 0, WaitCause::own_ceiling}};
  recorded.entries = {first, second};
  return recorded;
}

RowSlices slices() {
  const auto at = [](std::int64_t microseconds) { return Time::at(Duration::microseconds(microseconds)); };
  RowSlices slices;
  slices.ended = 1'202;
  slices.slices = {{.row = "quiet/17",
                    .due = at(988'000) + Duration::nanoseconds(0),
                    .claimed = at(1'000'000) + Duration::nanoseconds(500),
                    .started = at(1'000'500),
                    .ended = at(1'050'000) + Duration::nanoseconds(500)},
                   {.row = "quiet/18",
                    .attempt = 1,
                    .due = at(1'000'000),
                    .claimed = at(1'010'000),
                    .started = at(1'010'000),
                    .ended = at(1'060'000),
                    .end = SliceEnd::retried},
                   {.row = "<script>alert(1)</script>/2.1",
                    .subject = 1,
                    .node = 1,
                    .due = at(1'000'000),
                    .claimed = at(1'010'000),
                    .started = at(1'020'000),
                    .ended = at(1'070'000),
                    .end = SliceEnd::dead_lettered}};
  return slices;
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
  result.cluster.executing_jain_index = 0.75;
  result.cluster.quota = {.peak_ceiling_sum_over = 1,
                          .ceiling_time_over = Duration::milliseconds(2'000),
                          .ceiling_over_integral = Int128{2'000} * kMillisecond,
                          .peak_executing_over = 3,
                          .time_over = Duration::milliseconds(125),
                          .over_integral = Int128{250} * kMillisecond,
                          .peak_under = 3,
                          .time_under = Duration::milliseconds(500),
                          .under_integral = Int128{750} * kMillisecond,
                          .peak_stranded = 2,
                          .time_stranded = Duration::milliseconds(100),
                          .stranded_integral = Int128{200} * kMillisecond};
  result.cluster.utilisation = 0.375;
  result.cluster.littles_residual = 0.0;
  result.cluster.stale_completions = 2;
  result.cluster.goodput_per_second = 480.0;
  result.drain = {Duration::milliseconds(250), true, 13, 0, 0, 0};
  result.reached = {{"adopted", 4}, {"handoff", 1}};
  result.series = series();
  result.recorded_sweeps = sweeps();
  result.slices = slices();
  result.share_windows = {{Time::at(Duration::seconds(1)),
                           Time::at(Duration::seconds(2)),
                           0.5,
                           {{0, 10, 0, 10}, {1, 105, 100, 100}, {2, 300, 300, 300}}},
                          {Time::at(Duration::seconds(2)), Time::at(Duration::seconds(3)), std::nullopt, {}}};
  result.marks = {{Mark::Kind::latency_shift, Time::at(Duration::seconds(1)), Time::at(Duration::seconds(2)),
                   "tenant <script>alert(1)</script> x3"},
                  {Mark::Kind::fault, Time::at(Duration::milliseconds(1'500)), Time::at(Duration::milliseconds(1'500)),
                   "handoff of shard 3 to n1"}};
  return result;
}

RunResult sample_gate_result() {
  RunResult result = sample_result();
  result.tenants[0].figures.gate = refused_gate();
  result.tenants[1].figures.gate = served_gate();
  result.tenants.push_back(silent());
  result.cluster.goodput_per_second = 147.6;
  result.cluster.recovery = Duration::milliseconds(750);
  result.cluster.fleet = fleet();
  SubjectSeries nothing = result.series.subjects[1];
  nothing.name = silent().name;
  for (auto* column : {&nothing.pending, &nothing.claimed, &nothing.executing, &nothing.ceiling, &nothing.appended,
                       &nothing.claims, &nothing.completed, &nothing.quota, &nothing.longest_wait}) {
    column->assign(3, 0);
  }
  result.series.subjects.push_back(nothing);
  add_gate_columns(result.series);
  result.share_windows[0].cells[2].subject = 3;  // the group comes after the third tenant
  return result;
}

RunTiming sample_timing() {
  return {0.5, 2'469'134.0, 10'485'760, {{"read", 0.001}, {"simulate", 0.5}}};
}

}  // namespace headroom
