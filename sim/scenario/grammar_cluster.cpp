// The sections `cluster`, `outbox` and `backpressure`.
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"

namespace headroom {
namespace {

constexpr Duration kShortest = Duration::nanoseconds(1);

Rule<Ownership> make_ownership_rule() {
  const Rule<Ownership> weights = mapped<Ownership>(
      list(whole<std::uint32_t>(0, kMaxCount), 1, kMaxNodes),
      [](std::vector<std::uint32_t> values, Reading&) -> Ownership { return WeightedOwnership{std::move(values)}; });
  const Rule<Ownership> shards =
      mapped<Ownership>(list(list(whole<std::uint32_t>(0, kMaxShards - 1), 0, kMaxShards), 1, kMaxNodes),
                        [](std::vector<std::vector<std::uint32_t>> values, Reading&) -> Ownership {
                          return ExplicitOwnership{std::move(values)};
                        });
  Rule<Ownership> rule = text_or(words<Ownership>({{"even", EvenOwnership{}}}),
                                 one_key<Ownership>(R"({"weights": [...]} or {"explicit": [[...], ...]})",
                                                    {{"weights", weights}, {"explicit", shards}}));
  rule.kinds = {{"even", "nearly equal blocks of shards"},
                {"weights", "blocks in proportion to one weight per node"},
                {"explicit", "the shards of each node in turn"}};
  rule.write = [](const Ownership&) { return json_text("even"); };
  return rule;
}

Rule<ClusterSection> make_cluster_rule() {
  ObjectRule<ClusterSection> object;
  using S = ClusterSection;
  object.key("nodes", &S::nodes, whole<std::uint16_t>(1, kMaxNodes), "number of nodes: n1, n2, ...");
  object.key("shards", &S::shards, whole<std::uint32_t>(1, kMaxShards), "number of shards; never changes");
  object.key("ownership", &S::ownership, ownership_rule(), "which node owns which shards at the start");
  object.key("processes", &S::processes, whole<std::uint16_t>(1, kMaxProcesses), "API processes of each node");
  object.key("workers", &S::workers, or_none("unlimited", whole<std::uint32_t>(1, kMaxCount)), "workers of each node");
  object.key("worker_pools", &S::worker_pools,
             dictionary("pool names with the list of their nodes", list(node_name(), 1, kMaxNodes), kMaxNodes),
             "pools, and the nodes whose workers are in them");
  object.key("dispatch", &S::dispatch, choice<DispatchKind>(), "how claimed rows go to workers");
  object.key("poll_interval", &S::poll_interval, duration(kShortest), "from one poll of a dispatcher to the next");
  object.key("wake", &S::wake, flag(), "whether appends and freed headroom wake the dispatcher");
  object.key("min_sweep_gap", &S::min_sweep_gap, duration(), "from the start of a sweep to one by a wake");
  object.key("sweep_cost", &S::sweep_cost, duration(), "from the plan to the first claim");
  object.key("claim_cost", &S::claim_cost, duration(), "of each scoped claim");
  object.key("detection_delay", &S::detection_delay, duration(), "from a crash to its detection");
  object.key("adoption_delay", &S::adoption_delay, duration(), "from the detection to the adoption");
  object.key("reconcile_interval", &S::reconcile_interval, duration(kShortest), "from one re-arm pass to the next");
  object.key("stale_after", &S::stale_after, duration(kShortest), "the age at which a claim goes stale");
  return object.rule();
}

Rule<OutboxSection> make_outbox_rule() {
  ObjectRule<OutboxSection> object;
  using S = OutboxSection;
  object.key("backoff_base", &S::backoff_base, duration(), "delay before the first retry");
  object.key("backoff_multiplier", &S::backoff_multiplier, whole<std::uint32_t>(1, 1000), "growth of the delay");
  object.key("backoff_max", &S::backoff_max, duration(), "longest delay");
  object.key("max_attempts", &S::max_attempts, whole<std::uint16_t>(1, 65535), "failed tries that make a dead letter");
  object.key("shard_by", &S::shard_by, choice<ShardBy>(), "what a row's shard is the hash of");
  object.key("settle_guard", &S::settle_guard, choice<SettleGuard>(), "what a result must prove to count");
  object.key("rearm_pass", &S::rearm_pass, choice<RearmPassKind>(), "how stale claims are taken back");
  object.key("rearm_act_delay", &S::rearm_act_delay, duration(), "under list_and_act: from the list to the act");
  object.key("rearm_counts_attempt", &S::rearm_counts_attempt, flag(), "whether a re-arm uses up an attempt");
  object.key("lease_renewal", &S::lease_renewal, flag(),
             "whether a claim stays fresh while its worker lives and reaches the store");
  return object.rule();
}

Rule<BackpressureSection> make_backpressure_rule() {
  ObjectRule<BackpressureSection> object;
  using S = BackpressureSection;
  object.key("planner", &S::planner, choice<PlannerKind>(), "the rule of the sweeps");
  object.key("batch_size", &S::batch_size, whole<std::uint32_t>(1, kMaxCount), "rows that a sweep claims at most");
  object.key("claimed_counts", &S::claimed_counts, choice<ClaimedCounts>(), "what counts against a ceiling");
  object.key("ceiling_growth", &S::ceiling_growth, choice<CeilingGrowth>(), "when ceilings follow moved shards");
  object.key("fraction_refresh", &S::fraction_refresh, choice<FractionRefresh>(), "which shards a ceiling counts");
  object.key("quota_cache_ttl", &S::quota_cache_ttl, duration(),
             "from one reading of the quotas to the next; 0s: every change is seen at once");
  object.key("on_quota_error", &S::on_quota_error, choice<OnQuotaError>(), "the quota where it cannot be read");
  object.key("scope_on_loss", &S::scope_on_loss, choice<ScopeOnLoss>(), "what a node does that has lost a shard");
  object.key("zero_owned", &S::zero_owned, choice<ZeroOwned>(), "how a node counts that owns no shard");
  return object.rule();
}

}  // namespace

const Rule<Ownership>& ownership_rule() {
  static const Rule<Ownership> rule = make_ownership_rule();
  return rule;
}

const Rule<ClusterSection>& cluster_rule() {
  static const Rule<ClusterSection> rule = make_cluster_rule();
  return rule;
}

const Rule<OutboxSection>& outbox_rule() {
  static const Rule<OutboxSection> rule = make_outbox_rule();
  return rule;
}

const Rule<BackpressureSection>& backpressure_rule() {
  static const Rule<BackpressureSection> rule = make_backpressure_rule();
  return rule;
}

}  // namespace headroom
