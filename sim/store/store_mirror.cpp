#include "sim/store/store_mirror.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "model/base/assert.hpp"
#include "sim/store/memory_store.hpp"
#include "sim/store/store_text.hpp"

namespace headroom {
namespace {

StoreSetup setup_of(const Cluster& cluster) {
  StoreSetup setup{.outbox = cluster.layout().outbox_config(), .holders = {}};
  for (std::uint32_t shard = 0; shard < cluster.config().shards; ++shard) {
    setup.holders.push_back(cluster.outbox().holder(ShardId(shard)));
  }
  return setup;
}

bool is_outcome(const Effect& effect) {
  return effect.kind == EffectKind::recorded || effect.kind == EffectKind::retried ||
         effect.kind == EffectKind::dead_lettered || effect.kind == EffectKind::result_ignored;
}

Settled outcome_of(const Effect& effect) {
  switch (effect.kind) {
    case EffectKind::recorded:
      return effect.detail == 1 ? Settled::recorded_again : Settled::recorded;
    case EffectKind::retried:
      return Settled::retried;
    case EffectKind::dead_lettered:
      return Settled::dead_lettered;
    default:
      return Settled::stale;
  }
}

// What a row is by now that the outbox has let go of; none unless one of the effects says so.
std::optional<StoredStatus> final_status(std::span<const Effect> effects, DispatchKey key) {
  std::optional<StoredStatus> status;
  for (const Effect& effect : effects) {
    if (effect.key != key) {
      continue;
    }
    if (effect.kind == EffectKind::recorded) {
      status = StoredStatus::done;
    } else if (effect.kind == EffectKind::dead_lettered) {
      status = StoredStatus::failed;
    } else if (effect.kind == EffectKind::cancelled) {
      status = StoredStatus::cancelled;
    }
  }
  return status;
}

std::vector<const Effect*> effects_of(std::span<const Effect> effects, std::initializer_list<EffectKind> kinds) {
  std::vector<const Effect*> found;
  for (const Effect& effect : effects) {
    if (std::ranges::find(kinds, effect.kind) != kinds.end()) {
      found.push_back(&effect);
    }
  }
  return found;
}

std::vector<const Effect*> by_key(std::vector<const Effect*> effects) {
  std::ranges::sort(effects, {}, [](const Effect* effect) { return effect->key; });
  return effects;
}

// Statuses as the counts of a namespace have them.
std::uint64_t& count_of(RowCounts& counts, StoredStatus status) {
  switch (status) {
    case StoredStatus::pending:
      return counts.pending;
    case StoredStatus::claimed:
      return counts.claimed;
    case StoredStatus::done:
      return counts.done;
    case StoredStatus::failed:
      return counts.failed;
    case StoredStatus::cancelled:
      return counts.cancelled;
  }
  HEADROOM_ASSERT(false, "unknown status");
}

constexpr const char* kTaken = "takes it";
constexpr const char* kNotTaken = "does not take it";

}  // namespace

std::string StoreDifference::text() const {
  return fmt::format("event {} at {} ns: {}: {}: the model {}, the store {}", event, at.nanoseconds(), command, subject,
                     model, store);
}

StoreMirror::StoreMirror(Store& store, const Simulation& simulation, RowName row_name)
    : store_(store),
      simulation_(simulation),
      row_name_(std::move(row_name)),
      tally_(simulation.cluster().namespaces()) {
  const Cluster& cluster = simulation.cluster();
  HEADROOM_ASSERT(cluster.outbox().live_rows() == 0, "a run is mirrored from its start");
  store_.reset(setup_of(cluster));
  StoreTransaction transaction(store_);
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    store_.learn_ownership(NodeId(node));
  }
  transaction.commit();
}

Store& StoreMirror::store() {
  if (!transaction_) {
    transaction_.emplace(store_);
    ++transactions_;
  }
  return store_;
}

template <class Action>
void StoreMirror::with_store(Action action) {
  if (!follows()) {
    return;
  }
  try {
    action();
    if (transaction_) {
      transaction_->commit();
    }
  } catch (const StoreError& error) {
    failure_ = error.what();
  }
  transaction_.reset();
}

std::string StoreMirror::name_or_none(std::optional<DispatchKey> key) const {
  return key ? row_name_(*key) : "none";
}

// The first difference is the one that counts.
void StoreMirror::differ(std::string command, std::string subject, std::string model, std::string store,
                         bool in_event) {
  if (!difference_) {
    difference_ = {.event = simulation_.totals().events + (in_event ? 1 : 0),
                   .at = simulation_.now(),
                   .command = std::move(command),
                   .subject = std::move(subject),
                   .model = std::move(model),
                   .store = std::move(store)};
  }
}

void StoreMirror::note(const RowChange& change, const std::string& command) {
  RowCounts& counts = tally(change.row.key);
  --count_of(counts, change.was);
  ++count_of(counts, change.row.status);
  touched_.insert_or_assign(change.row.key, Touched{change.row, command});
}

// -- before the step --------------------------------------------------------------------------------------------------

void StoreMirror::before_step(const Cluster& cluster, const Action& action) {
  if (follows()) {
    foreseen_ = {};
    std::visit([&](const auto& chosen) { foresee(cluster, chosen); }, action);
  }
}

void StoreMirror::foresee(const Cluster& cluster, const ClaimNext& action) {
  const Sweep& sweep = cluster.sweep(action.node);
  const ScopedClaim& claim = sweep.plan.claims[sweep.next_claim];
  if (cluster.link(action.node) == Link::cut) {
    return;
  }
  // A zombie asks for what it has planned: the store has to refuse it.
  const std::uint32_t limit = cluster.expelled(action.node) ? claim.rows : cluster.next_claim_limit(action.node);
  if (limit > 0) {
    const bool scoped = !claim.name.is_none();
    foreseen_.claim = {.node = action.node,
                       .route = scoped ? claim.route : RouteId::none(),
                       .unpinned = scoped ? cluster.layout().route(claim.route).unpinned : RouteId::none(),
                       .limit = limit};
  }
}

void StoreMirror::foresee(const Cluster& cluster, const FinishSweep& action) {
  if (cluster.config().dispatch == DispatchKind::push_then_done) {
    foreseen_.items = cluster.sweep(action.node).items;
    foreseen_.succeeded.assign(foreseen_.items.size(), true);
  }
}

void StoreMirror::foresee(const Cluster& cluster, const FinishExecution& action) {
  const Execution& execution = cluster.executions()[action.execution];
  if (execution.item.fence.is_none()) {
    return;  // its row has been Done since it was pushed
  }
  const Link link = cluster.link(execution.node);
  if (link != Link::connected) {
    unsent_[execution.node].push_back({execution.item, action.succeeded});
  }
  if (link != Link::cut) {
    foreseen_.items.push_back(execution.item);
    foreseen_.succeeded.push_back(action.succeeded);
  }
}

void StoreMirror::foresee(const Cluster& cluster, const Reconnect& action) {
  if (cluster.link(action.node) == Link::connected) {
    return;
  }
  for (const Unsent& result : std::exchange(unsent_[action.node], {})) {
    foreseen_.items.push_back(result.item);
    foreseen_.succeeded.push_back(result.succeeded);
  }
}

void StoreMirror::foresee(const Cluster& cluster, const FailSweep& action) {
  if (cluster.sweep(action.node).running && action.release) {
    foreseen_.items = cluster.sweep(action.node).items;
  }
}

void StoreMirror::foresee(const Cluster& cluster, const RearmPass& action) {
  foreseen_.pass = cluster.up(action.node) && !cluster.paused(action.node) &&
                   cluster.link(action.node) == Link::connected &&
                   cluster.config().rearm_pass == RearmPassKind::one_step;
}

// -- after the step ---------------------------------------------------------------------------------------------------

void StoreMirror::after_step(const Cluster& cluster, const Action& action, std::span<const Effect> effects, Time at) {
  const Step step{cluster, effects, at};
  with_store([&] {
    touched_.clear();
    follow_ownership(step);
    std::visit([&](const auto& chosen) { follow(chosen, step); }, action);
    compare_touched(step);
    compare_counts(step);
  });
}

void StoreMirror::follow_ownership(const Step& step) {
  std::set<NodeId> owners;
  for (const Effect& effect : step.effects) {
    if (effect.kind == EffectKind::owner_changed) {
      const ShardId shard(static_cast<std::uint32_t>(effect.value));
      const Epoch epoch = store().assign_shard(shard, effect.node);
      if (epoch != step.cluster.outbox().epoch(shard)) {
        differ(fmt::format("shard {} goes to {}", shard.value(), node_text(effect.node)), "its epoch",
               fmt::format("has {}", step.cluster.outbox().epoch(shard)), fmt::format("has {}", epoch));
      }
      if (!effect.node.is_none()) {
        owners.insert(effect.node);
      }
    } else if (effect.kind == EffectKind::workflow_paused) {
      store().set_paused(WorkflowId(static_cast<std::uint32_t>(effect.value)), effect.live);
    }
  }
  // Only who has won a shard learns of it. Who has lost one goes on claiming for it, and is refused.
  for (const NodeId owner : owners) {
    store().learn_ownership(owner);
  }
}

void StoreMirror::append(std::span<const NewRow> rows, const Step& step) {
  const auto outcomes = effects_of(step.effects, {EffectKind::appended, EffectKind::duplicate_ignored});
  HEADROOM_ASSERT(outcomes.empty() || outcomes.size() == rows.size(), "{} rows are appended with {} effects",
                  rows.size(), outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const NewRow& added = rows[i];
    const std::optional<StoredRow> row = store().append(added);
    const bool is_new = row.has_value();
    ++(is_new ? tally(added.key).appended : tally(added.key).duplicates_ignored);
    const std::string command = fmt::format("append {}", row_name_(added.key));
    if (is_new != (outcomes[i]->kind == EffectKind::appended)) {
      differ(command, "its key", is_new ? "knows it" : "takes it for new", is_new ? "takes it for new" : "knows it");
    }
    if (is_new) {
      ++tally(added.key).pending;
      touched_.insert_or_assign(added.key, Touched{*row, command});
    }
  }
}

void StoreMirror::follow(const BecomeVisible& action, const Step& step) {
  if (effects_of(step.effects, {EffectKind::became_due}).empty()) {
    return;
  }
  const std::string command = fmt::format("the visible time of {} has come", row_name_(action.key));
  if (const auto change = store().become_visible(action.key, step.at)) {
    note(*change, command);
  } else {
    differ(command, "the row", "makes it due", "does not");
  }
}

void StoreMirror::follow(const ClaimNext& /*action*/, const Step& step) {
  if (!foreseen_.claim) {
    return;
  }
  StoreClaim claim = *foreseen_.claim;
  claim.at = step.at;
  const std::string command = claim_text(claim, step.cluster.layout());
  const std::vector<RowChange> taken = store().claim(claim);
  for (const RowChange& change : taken) {
    note(change, command);
    ++tally(change.row.key).claims;
  }
  const auto expected = effects_of(step.effects, {EffectKind::claimed});
  for (std::size_t i = 0; i < std::max(expected.size(), taken.size()); ++i) {
    const auto model = i < expected.size() ? std::optional(expected[i]->key) : std::nullopt;
    const auto found = i < taken.size() ? std::optional(taken[i].row.key) : std::nullopt;
    if (model != found) {
      differ(command, fmt::format("row {} of it", i + 1), "takes " + name_or_none(model),
             "takes " + name_or_none(found));
    }
  }
}

void StoreMirror::follow(const FinishExecution& action, const Step& step) {
  static_cast<void>(action);
  settle(step);
}

void StoreMirror::settle(const Step& step) {
  std::vector<const Effect*> outcomes;
  for (const Effect& effect : step.effects) {
    if (is_outcome(effect)) {
      outcomes.push_back(&effect);
    }
  }
  HEADROOM_ASSERT(outcomes.size() == foreseen_.items.size(), "{} results have {} outcomes", foreseen_.items.size(),
                  outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const WorkItem& item = foreseen_.items[i];
    const bool succeeded = foreseen_.succeeded[i];
    const std::string command =
        fmt::format("{} {} under fence {}", succeeded ? "complete" : "fail", row_name_(item.key), item.fence.value());
    const Settlement settlement =
        succeeded ? store().complete(item.key, item.fence) : store().fail(item.key, item.fence, step.at);
    if (settlement.change) {
      note(*settlement.change, command);
    }
    RowCounts& counts = tally(item.key);
    const Settled outcome = settlement.outcome;
    counts.results_recorded += outcome == Settled::recorded || outcome == Settled::recorded_again ? 1 : 0;
    counts.stale_settlements += outcome == Settled::stale ? 1 : 0;
    counts.retries += outcome == Settled::retried ? 1 : 0;
    if (outcome != outcome_of(*outcomes[i])) {
      differ(command, "the result", settled_text(outcome_of(*outcomes[i])), settled_text(outcome));
    }
  }
}

void StoreMirror::follow(const FailSweep& /*action*/, const Step& step) {
  const auto released = effects_of(step.effects, {EffectKind::released});
  std::size_t next = 0;
  for (const WorkItem& item : foreseen_.items) {
    const std::string command = fmt::format("release {} under fence {}", row_name_(item.key), item.fence.value());
    const auto change = store().release(item.key, item.fence);
    if (change) {
      note(*change, command);
    }
    const bool expected = next < released.size() && released[next]->key == item.key;
    next += expected ? 1 : 0;
    if (expected != change.has_value()) {
      differ(command, "the claim", expected ? "gives it back" : "keeps it", change ? "gives it back" : "keeps it");
    }
  }
}

void StoreMirror::follow(const GoStale& action, const Step& step) {
  for (const Effect* effect : effects_of(step.effects, {EffectKind::lease_renewed, EffectKind::went_stale})) {
    const bool renewed = effect->kind == EffectKind::lease_renewed;
    const std::string command = fmt::format("{} {} under fence {}", renewed ? "renew" : "mark as stale",
                                            row_name_(effect->key), action.fence.value());
    const auto change =
        renewed ? store().renew(effect->key, action.fence, step.at) : store().mark_stale(effect->key, action.fence);
    if (change) {
      note(*change, command);
    } else {
      differ(command, "the claim", "has it", "has no such claim");
    }
  }
}

void StoreMirror::follow(const RearmPass& action, const Step& step) {
  if (foreseen_.pass) {
    const std::string command = fmt::format("{} re-arms what is stale", node_text(action.node));
    compare_rearmed(store().rearm(action.node), command, step);
  }
}

void StoreMirror::follow(const ActOnStale& action, const Step& step) {
  std::vector<RowChange> changes;
  for (const Effect* effect : by_key(effects_of(step.effects, {EffectKind::rearmed, EffectKind::dead_lettered}))) {
    if (const auto change = store().rearm_unchecked(action.node, effect->key)) {
      changes.push_back(*change);
    }
  }
  compare_rearmed(changes, fmt::format("{} re-arms what it has listed", node_text(action.node)), step);
}

void StoreMirror::compare_rearmed(const std::vector<RowChange>& changes, const std::string& command, const Step& step) {
  const auto expected = by_key(effects_of(step.effects, {EffectKind::rearmed, EffectKind::dead_lettered}));
  for (const RowChange& change : changes) {
    note(change, command);
    tally(change.row.key).rearms += change.row.status == StoredStatus::pending ? 1 : 0;
    if (!std::ranges::binary_search(expected, change.row.key, {}, [](const Effect* effect) { return effect->key; })) {
      differ(command, row_name_(change.row.key), kNotTaken, kTaken);
    }
  }
  for (const Effect* effect : expected) {
    if (!std::ranges::binary_search(changes, effect->key, {}, [](const RowChange& change) { return change.row.key; })) {
      differ(command, row_name_(effect->key), kTaken, kNotTaken);
    }
  }
}

void StoreMirror::follow(const EndWorkflow& action, const Step& step) {
  const std::string command = fmt::format("cancel workflow {}", action.workflow.value());
  const std::vector<RowChange> changes = store().cancel(action.workflow);
  const auto expected = by_key(effects_of(step.effects, {EffectKind::cancelled}));
  for (std::size_t i = 0; i < std::max(expected.size(), changes.size()); ++i) {
    const auto text = [&](DispatchKey key, bool claimed) {
      return fmt::format("cancels {}, which was {}", row_name_(key), claimed ? "Claimed" : "Pending");
    };
    const std::string model = i < expected.size() ? text(expected[i]->key, expected[i]->live) : "has no more rows";
    const std::string found =
        i < changes.size() ? text(changes[i].row.key, changes[i].was == StoredStatus::claimed) : "has no more rows";
    if (model != found) {
      differ(command, fmt::format("row {} of it", i + 1), model, found);
    }
  }
  for (const RowChange& change : changes) {
    note(change, command);
  }
}

// -- what the step has left -------------------------------------------------------------------------------------------

void StoreMirror::compare_touched(const Step& step) {
  for (const auto& [key, touched] : touched_) {
    const auto with_row = std::ranges::find_if(
        step.effects, [&](const Effect& effect) { return effect.key == key && !effect.row.is_none(); });
    const Outbox& outbox = step.cluster.outbox();
    if (with_row != step.effects.end() && outbox.holds(with_row->row, key)) {
      const StoredRow expected = stored_row(outbox, with_row->row);
      if (touched.row != expected) {
        differ(touched.command, row_name_(key), "has it " + row_text(expected), "has it " + row_text(touched.row));
      }
      continue;
    }
    const std::optional<StoredStatus> status = final_status(step.effects, key);
    if (!status || touched.row.status != *status || touched.row.results != (*status == StoredStatus::done ? 1U : 0U)) {
      differ(touched.command, row_name_(key),
             status ? fmt::format("has it {}", status_text(*status)) : std::string("does not change it"),
             "has it " + row_text(touched.row));
    }
  }
}

void StoreMirror::compare_counts(const Step& step) {
  NamespaceId last = NamespaceId::none();
  for (const Effect& effect : step.effects) {
    if (effect.name.is_none() || effect.name == last) {
      continue;
    }
    last = effect.name;
    const RowCounts& expected = step.cluster.outbox().counts(last);
    if (tally_[last.value()] != expected) {
      differ("the step as a whole", fmt::format("the counts of {}", simulation_.tenants()[last.value()].name),
             "has " + counts_text(expected), "has " + counts_text(tally_[last.value()]));
    }
  }
}

// -- everything -------------------------------------------------------------------------------------------------------

void StoreMirror::on_phase(Phase /*phase*/, const Cluster& cluster, Time at) {
  audit(cluster, at);
}

void StoreMirror::on_window(const Cluster& cluster, Time end) {
  if (std::has_single_bit(++windows_)) {
    audit(cluster, end);
  }
}

void StoreMirror::on_end(const Cluster& cluster, Time at) {
  audit(cluster, at);
}

void StoreMirror::audit(const Cluster& cluster, Time at) {
  with_store([&] {
    audit_counts(cluster);
    audit_rows(cluster);
    audit_order(cluster, at);
  });
}

void StoreMirror::audit_counts(const Cluster& cluster) {
  const std::vector<RowCounts> counts = store().counts();
  for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
    const RowCounts& expected = cluster.outbox().counts(NamespaceId(name));
    if (counts[name] != expected) {
      differ("read back", fmt::format("the counts of {}", simulation_.tenants()[name].name),
             "has " + counts_text(expected), "has " + counts_text(counts[name]), false);
    }
  }
}

void StoreMirror::audit_rows(const Cluster& cluster) {
  std::map<DispatchKey, StoredRow> expected;
  for (std::uint32_t shard = 0; shard < cluster.config().shards; ++shard) {
    cluster.outbox().for_each_in_shard(ShardId(shard), [&](RowSlot slot) {
      const StoredRow row = stored_row(cluster.outbox(), slot);
      expected.emplace(row.key, row);
    });
  }
  for (const StoredRow& row : store().live_rows()) {
    const auto found = expected.find(row.key);
    if (found == expected.end() || found->second != row) {
      differ("read back", row_name_(row.key),
             found == expected.end() ? std::string("has no such row") : "has it " + row_text(found->second),
             "has it " + row_text(row), false);
    }
    if (found != expected.end()) {
      expected.erase(found);
    }
  }
  if (!expected.empty()) {
    const StoredRow& row = expected.begin()->second;
    differ("read back", row_name_(row.key), "has it " + row_text(row), "has no such row", false);
  }
}

void StoreMirror::audit_order(const Cluster& cluster, Time at) {
  std::vector<std::vector<const Row*>> due(cluster.nodes());
  for (std::uint32_t i = 0; i < cluster.config().shards; ++i) {
    const NodeId holder = cluster.outbox().holder(ShardId(i));
    cluster.outbox().for_each_in_shard(ShardId(i), [&](RowSlot slot) {
      const Row& row = cluster.outbox().row(slot);
      if (!holder.is_none() && row.due() && !cluster.outbox().paused(row.workflow)) {
        due[holder.value()].push_back(&row);
      }
    });
  }
  for (std::uint16_t i = 0; i < cluster.nodes(); ++i) {
    std::ranges::sort(due[i], [](const Row* a, const Row* b) { return claimed_before(*a, *b); });
    const StoreClaim claim{.node = NodeId(i), .limit = ~std::uint32_t{0}, .at = at};
    const std::vector<DispatchKey> order = store().claim_order(claim);
    for (std::size_t place = 0; place < std::max(order.size(), due[i].size()); ++place) {
      const auto model = place < due[i].size() ? std::optional(due[i][place]->key) : std::nullopt;
      const auto found = place < order.size() ? std::optional(order[place]) : std::nullopt;
      if (model != found) {
        differ("read back", fmt::format("row {} in the order of claims of {}", place + 1, node_text(NodeId(i))),
               "has " + name_or_none(model), "has " + name_or_none(found), false);
      }
    }
  }
}

}  // namespace headroom
