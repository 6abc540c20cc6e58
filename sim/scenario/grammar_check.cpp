// The section `check`: the scope that `headroom check` explores.
#include "model/properties/property.hpp"
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"

namespace headroom {
namespace {

constexpr std::string_view kUnbounded = "unbounded";

Rule<CheckSection::Count> count_rule() {
  return or_none(kUnbounded, whole<std::uint32_t>(0, kMaxCheckCount));
}

Rule<CheckSection::LimitChange> limit_change_rule() {
  ObjectRule<CheckSection::LimitChange> object;
  using C = CheckSection::LimitChange;
  object.key("tenant", &C::tenant, text(1, 255), "whose limits (default: the processes' own)");
  object.key("max_inflight", &C::max_inflight, inflight_rule(0), "requests that run at once");
  object.key("max_queue_depth", &C::max_queue_depth, queue_depth_rule(), "requests that wait");
  object.check([](const C& change, Reading& reading) {
    if (!change.max_inflight && !change.max_queue_depth) {
      reading.fault("changes no limit", "\"max_inflight\" or \"max_queue_depth\"");
    }
  });
  return object.rule();
}

Rule<std::string> property_name_rule() {
  std::vector<NamedValue> names;
  for (const PropertyInfo& property : all_properties()) {
    names.push_back({property.name, property.summary});
  }
  Rule<std::string> rule;
  rule.expected = names_in_words(names);
  rule.schema = names_schema(names);
  rule.read = [names, expected = rule.expected](const JsonNode& node, Reading& reading) -> std::optional<std::string> {
    const auto index = read_name(node, names, {}, expected, reading);
    return index ? std::optional<std::string>(names[*index].name) : std::nullopt;
  };
  return rule;
}

void add_what_there_is(ObjectRule<CheckSection>& object) {
  using S = CheckSection;
  object.key("rows_per_tenant", &S::rows_per_tenant, whole<std::uint32_t>(1, kMaxCheckCount),
             "rows of each tenant, on whichever shards");
  object.key("rows_per_shard", &S::rows_per_shard, whole<std::uint32_t>(1, kMaxCheckCount),
             "rows of each tenant on every shard");
  object.key("requests_per_tenant", &S::requests_per_tenant,
             or_none(kUnbounded, whole<std::uint32_t>(1, kMaxCheckCount)), "requests of each tenant, at any moment");
  object.key("renew", &S::renew, flag(),
             "a row that is done or dead becomes a fresh one at once (default: where a liveness property is named)");
}

void add_what_may_happen(ObjectRule<CheckSection>& object) {
  using S = CheckSection;
  object.key("crashes", &S::crashes, count_rule(), "nodes that crash");
  object.key("restarts", &S::restarts, count_rule(), "nodes that come back");
  object.key("handoffs", &S::handoffs, count_rule(), "shards that change their owner as planned");
  object.key("rearms", &S::rearms, count_rule(), "claims that go stale");
  object.key("reappends", &S::reappends, count_rule(), "appends of a key that is there already");
  object.key("failures", &S::failures, count_rule(), "rows or handlers that fail");
  object.key("cancels", &S::cancels, count_rule(), "workflows that end, or clients that leave");
  object.key("drains", &S::drains, count_rule(), "processes that shut down; they may take requests again");
  object.key("pauses", &S::pauses, count_rule(), "workflows that are paused; they go on at any time");
  object.key("quota_changes", &S::quota_changes, count_rule(), "quotas that change");
  object.key("quota_errors", &S::quota_errors, count_rule(), "quotas that a node which caches them cannot read");
  object.key("node_pauses", &S::node_pauses, count_rule(), "nodes that stand still; they go on at any time");
  object.key("expels", &S::expels, count_rule(), "nodes that are taken for dead while they stand still or are cut off");
  object.key("partitions", &S::partitions, count_rule(), "nodes that lose the store, or only its replies");
  object.key("worker_deaths", &S::worker_deaths, count_rule(), "workers that die with their work");
  object.key("store_errors", &S::store_errors, count_rule(), "sweeps that a store error ends; needs \"split\"");
  object.key("lost_wakes", &S::lost_wakes, count_rule(), "wakes that do not reach their node");
  object.key("polls", &S::polls, flag(), "whether a node sweeps without being woken, at any time (default: true)");
  object.key("expiries", &S::expiries, count_rule(), "waits that last too long");
  object.key("refills", &S::refills, count_rule(), "rate tokens that come back");
  object.key("limit_changes", &S::limit_changes, list(limit_change_rule(), 0, kMaxCheckLimitChanges),
             "limits of gates that change, each at most once in each process");
}

Rule<CheckSection> make_check_rule() {
  ObjectRule<CheckSection> object;
  using S = CheckSection;
  add_what_there_is(object);
  add_what_may_happen(object);
  object.key("split", &S::split, list(choice<SplitStep>(), 0, 16), "what is more than one step");
  object.key("properties", &S::properties, list(property_name_rule(), 0, 100),
             "what decides the verdict (default: everything that the check evaluates)");
  return object.rule();
}

}  // namespace

const Rule<CheckSection>& check_rule() {
  static const Rule<CheckSection> rule = make_check_rule();
  return rule;
}

}  // namespace headroom
