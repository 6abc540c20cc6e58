// Does in a store, inside the step, what a run does to its outbox, and compares what both say.
//
//   StoreMirror mirror(store, simulation, name_of_row);
//   simulation.mirror(mirror);
//   simulation.observe(mirror);
//   simulation.run({});
//   mirror.difference()
//
// The store gets commands and decides for itself: a claim is told who claims how many rows of which route, a result is
// told its fence. What it answers is compared with the effects of the step, each changed row with the model's, and the
// counts of the namespaces concerned. After the windows 1, 2, 4, 8, ..., each part of the run and its end everything is
// read back: rows, counts, and the order in which each node would claim.
//
// A step is one transaction. What the store does not know: workers, planners, who is alive.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/cluster/cluster.hpp"
#include "sim/run/simulation.hpp"
#include "sim/store/step_mirror.hpp"
#include "sim/store/store.hpp"

namespace headroom {

// Where a store first differs from the model.
struct StoreDifference {
  std::uint64_t event = 0;  // that was being handled, or the last one before everything was read back
  Time at;
  std::string command;  // what the store was told
  std::string subject;  // which row, or what else
  std::string model;    // what each says of it
  std::string store;

  [[nodiscard]] std::string text() const;
};

class StoreMirror final : public StepMirror, public RunObserver {
 public:
  // What a row is called in a difference.
  using RowName = std::function<std::string(DispatchKey)>;

  // Empties the store and gives it the cluster's shards. Needs a simulation that has not run. Throws StoreError.
  StoreMirror(Store& store, const Simulation& simulation, RowName row_name);

  void before_step(const Cluster& cluster, const Action& action) override;
  void after_step(const Cluster& cluster, const Action& action, std::span<const Effect> effects, Time at) override;
  [[nodiscard]] bool follows() const override { return !difference_ && failure_.empty(); }

  void on_step(const Cluster& /*cluster*/, std::span<const Effect> /*effects*/, Time /*at*/) override {}
  void on_phase(Phase phase, const Cluster& cluster, Time at) override;
  void on_window(const Cluster& cluster, Time end) override;
  void on_end(const Cluster& cluster, Time at) override;

  // The first one, after which the store is left alone.
  [[nodiscard]] const std::optional<StoreDifference>& difference() const { return difference_; }
  // What the database itself said that could not do a command; empty if it could.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  // Transactions so far.
  [[nodiscard]] std::uint64_t transactions() const { return transactions_; }

 private:
  // What has to be known of the cluster before a step, since it is gone after it.
  struct Foreseen {
    std::optional<StoreClaim> claim;
    std::vector<WorkItem> items;  // whose results reach the store in this step, or are given back
    std::vector<bool> succeeded;  // by item
    bool pass = false;            // a re-arm pass takes place
  };
  struct Unsent {
    WorkItem item;
    bool succeeded = true;
  };
  struct Touched {
    StoredRow row;
    std::string command;
  };
  struct Step {
    const Cluster& cluster;
    std::span<const Effect> effects;
    Time at;
  };

  void foresee(const Cluster& cluster, const ClaimNext& action);
  void foresee(const Cluster& cluster, const FinishSweep& action);
  void foresee(const Cluster& cluster, const FinishExecution& action);
  void foresee(const Cluster& cluster, const FailSweep& action);
  void foresee(const Cluster& cluster, const Reconnect& action);
  void foresee(const Cluster& cluster, const RearmPass& action);
  template <class Other>
  void foresee(const Cluster& /*cluster*/, const Other& /*action*/) {}

  void follow(const AppendRows& action, const Step& step) { append(action.rows, step); }
  void follow(const FinishRequest& action, const Step& step) { append(action.rows, step); }
  void follow(const BecomeVisible& action, const Step& step);
  void follow(const ClaimNext& action, const Step& step);
  void follow(const FinishSweep& /*action*/, const Step& step) { settle(step); }
  void follow(const FinishExecution& action, const Step& step);
  void follow(const Reconnect& /*action*/, const Step& step) { settle(step); }
  void follow(const FailSweep& action, const Step& step);
  void follow(const GoStale& action, const Step& step);
  void follow(const RearmPass& action, const Step& step);
  void follow(const ActOnStale& action, const Step& step);
  void follow(const EndWorkflow& action, const Step& step);
  // Moves no row. What it does to shards and workflows is in its effects.
  template <class Other>
  void follow(const Other& /*action*/, const Step& /*step*/) {}

  void follow_ownership(const Step& step);
  void append(std::span<const NewRow> rows, const Step& step);
  void settle(const Step& step);
  void compare_rearmed(const std::vector<RowChange>& changes, const std::string& command, const Step& step);
  void compare_touched(const Step& step);
  void compare_counts(const Step& step);
  // Everything is read back and compared.
  void audit(const Cluster& cluster, Time at);
  void audit_counts(const Cluster& cluster);
  void audit_rows(const Cluster& cluster);
  void audit_order(const Cluster& cluster, Time at);

  // Takes what the store says of a row into the tally, and keeps the row for compare_touched.
  void note(const RowChange& change, const std::string& command);
  RowCounts& tally(DispatchKey key) { return tally_[key.name().value()]; }
  void differ(std::string command, std::string subject, std::string model, std::string store, bool in_event = true);
  [[nodiscard]] std::string name_or_none(std::optional<DispatchKey> key) const;
  // The store, with a transaction open.
  Store& store();
  // Runs what speaks with the store; false if the store failed. Ends the transaction, if one was opened.
  template <class Action>
  void with_store(Action action);

  Store& store_;
  const Simulation& simulation_;
  RowName row_name_;
  Foreseen foreseen_;
  std::map<NodeId, std::vector<Unsent>> unsent_;  // results that nodes could not report
  std::vector<RowCounts> tally_;                  // by namespace: what the store's answers come to
  std::map<DispatchKey, Touched> touched_;        // in this step
  std::optional<StoreTransaction> transaction_;   // of this step, once it has a command
  std::optional<StoreDifference> difference_;
  std::string failure_;
  std::uint64_t transactions_ = 0;
  std::uint64_t windows_ = 0;
};

}  // namespace headroom
