// A run mirrored in a store: the same as without, and ended by the first thing that the store does otherwise.
#include <catch2/catch.hpp>
#include <functional>

#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/store/memory_store.hpp"

namespace headroom::test {
namespace {

Scenario scenario(const std::vector<std::string>& set = {}) {
  const Result<Scenario> read = read_scenario_text(
      R"({"schema": 1, "name": "mirrored", "seed": 5, "duration": "1s", "drain": "1s", "window": "100ms",
          "cluster": {"nodes": 2, "shards": 4, "workers": 2, "stale_after": "80ms", "reconcile_interval": "50ms"},
          "backpressure": {"batch_size": 4},
          "tenants": [
            {"name": "b", "quota": 3, "rows": {"arrivals": {"kind": "poisson", "rate": "40/s"}, "failure": 0.2,
                        "service": {"kind": "exponential", "mean": "60ms"}}},
            {"name": "a", "quota": 2, "rows": {"arrivals": {"kind": "poisson", "rate": "30/s"}, "workflows": 2}}],
          "faults": [{"kind": "handoff", "shard": 1, "to": "n2", "every": "150ms"},
                     {"kind": "duplicate_append", "tenant": "a", "every": "70ms"},
                     {"kind": "workflow_end", "tenant": "b", "at": "600ms"},
                     {"kind": "store_error", "rate": "5/s"}]})",
      "x.json", set);
  INFO((read ? std::string() : read.faults().front().text()));
  REQUIRE(read);
  return read.value();
}

RunReport run(Store* store, const Scenario& of) {
  return run_scenario({.scenario = of, .seed = 5, .store = store});
}

// A store that does one thing wrong from the third time on that it does it.
class LyingStore final : public Store {
 public:
  enum class Lie : std::uint8_t {
    takes_a_duplicate,
    claims_out_of_order,
    claims_one_more,
    records_a_stale_result,
    retries_at_once,
    forgets_a_rearm,
    forgets_a_cancel,
    keeps_a_released_claim,
    forgets_an_epoch,
    loses_a_row_in_the_end,
    fails,
  };

  explicit LyingStore(Lie lie) : lie_(lie) {}

  void begin() override { memory_.begin(); }
  void commit() override { memory_.commit(); }
  void rollback() override { memory_.rollback(); }
  void reset(const StoreSetup& setup) override { memory_.reset(setup); }
  void attach(const OutboxConfig& config) override { memory_.attach(config); }
  Epoch assign_shard(ShardId shard, NodeId holder) override {
    const Epoch epoch = memory_.assign_shard(shard, holder);
    return lies(Lie::forgets_an_epoch, 1) ? epoch - 1 : epoch;
  }
  void learn_ownership(NodeId node) override { memory_.learn_ownership(node); }
  void set_paused(WorkflowId workflow, bool paused) override { memory_.set_paused(workflow, paused); }
  std::optional<StoredRow> append(const NewRow& added) override {
    const auto row = memory_.append(added);
    return !row && lies(Lie::takes_a_duplicate) ? std::optional(StoredRow{.key = added.key}) : row;
  }
  std::optional<RowChange> become_visible(DispatchKey key, Time at) override { return memory_.become_visible(key, at); }
  std::vector<RowChange> claim(const StoreClaim& claim) override {
    if (lies(Lie::fails)) {
      throw StoreError("the disk is full");
    }
    StoreClaim wider = claim;
    wider.limit += lies(Lie::claims_one_more) ? 1 : 0;
    std::vector<RowChange> changes = memory_.claim(wider);
    if (changes.size() > 1 && lies(Lie::claims_out_of_order)) {
      std::swap(changes[0], changes[1]);
    }
    return changes;
  }
  Settlement complete(DispatchKey key, Fence fence) override {
    Settlement settlement = memory_.complete(key, fence);
    if (settlement.outcome == Settled::stale && lies(Lie::records_a_stale_result, 1)) {
      settlement.outcome = Settled::recorded;
    }
    return settlement;
  }
  Settlement fail(DispatchKey key, Fence fence, Time at) override {
    Settlement settlement = memory_.fail(key, fence, at);
    if (settlement.outcome == Settled::retried && lies(Lie::retries_at_once)) {
      settlement.change->row.visible_after = at;
    }
    return settlement;
  }
  std::optional<RowChange> mark_stale(DispatchKey key, Fence fence) override { return memory_.mark_stale(key, fence); }
  std::optional<RowChange> renew(DispatchKey key, Fence fence, Time at) override {
    return memory_.renew(key, fence, at);
  }
  std::optional<RowChange> release(DispatchKey key, Fence fence) override {
    return lies(Lie::keeps_a_released_claim, 1) ? std::nullopt : memory_.release(key, fence);
  }
  std::vector<RowChange> rearm(NodeId node) override {
    std::vector<RowChange> changes = memory_.rearm(node);
    if (!changes.empty() && lies(Lie::forgets_a_rearm, 1)) {
      changes.pop_back();
    }
    return changes;
  }
  std::optional<RowChange> rearm_unchecked(NodeId node, DispatchKey key) override {
    return memory_.rearm_unchecked(node, key);
  }
  std::vector<RowChange> cancel(WorkflowId workflow) override {
    std::vector<RowChange> changes = memory_.cancel(workflow);
    if (!changes.empty() && lies(Lie::forgets_a_cancel, 1)) {
      changes.pop_back();
    }
    return changes;
  }
  std::vector<StoredRow> live_rows() override {
    std::vector<StoredRow> rows = memory_.live_rows();
    if (!rows.empty() && lies(Lie::loses_a_row_in_the_end)) {
      rows.pop_back();
    }
    return rows;
  }
  std::vector<StoredRow> all_rows() override { return memory_.all_rows(); }
  std::vector<RowCounts> counts() override { return memory_.counts(); }
  std::vector<DispatchKey> claim_order(const StoreClaim& claim) override { return memory_.claim_order(claim); }

 private:
  // True from the `nth` time on that it is asked.
  bool lies(Lie lie, int nth = 3) { return lie == lie_ && ++times_ >= nth; }

  MemoryStore memory_;
  Lie lie_;
  int times_ = 0;
};

}  // namespace

TEST_CASE("a run with a store is the run without one") {
  const Scenario of = scenario();
  MemoryStore store;
  const RunReport with = run(&store, of);
  const RunReport without = run(nullptr, of);
  CHECK(with.store_difference == "");
  CHECK(with.store_failure == "");
  CHECK(with.store_transactions > 100);
  CHECK(with.result.event_digest == without.result.event_digest);
  CHECK(with.result.events == without.result.events);
}

TEST_CASE("a store that differs ends the run at once, and the difference says where") {
  using Lie = LyingStore::Lie;
  const auto [lie, what] = GENERATE(table<Lie, std::string>({
      {Lie::takes_a_duplicate, "append a/"},
      {Lie::claims_out_of_order, "claims"},
      {Lie::claims_one_more, "claims"},
      {Lie::records_a_stale_result, "under fence"},
      {Lie::retries_at_once, "fail b/"},
      {Lie::forgets_a_rearm, "re-arms what is stale"},
      {Lie::forgets_a_cancel, "cancel workflow"},
      {Lie::keeps_a_released_claim, "release"},
      {Lie::forgets_an_epoch, "shard 1 goes to"},
      {Lie::loses_a_row_in_the_end, "read back"},
  }));
  const Scenario of = scenario();
  LyingStore store(lie);
  const RunReport report = run(&store, of);
  INFO(what << ": " << report.store_difference);
  CHECK_THAT(report.store_difference, Catch::StartsWith("event ") && Catch::Contains(what) &&
                                          Catch::Contains("the model ") && Catch::Contains("the store "));
  CHECK(report.result.stopped_early == "the store no longer follows");
  CHECK(report.store_failure == "");
}

TEST_CASE("a store that fails ends the run, and what it says is kept") {
  LyingStore store(LyingStore::Lie::fails);
  const RunReport report = run(&store, scenario());
  CHECK(report.store_failure == "the disk is full");
  CHECK(report.store_difference == "");
}

}  // namespace headroom::test
