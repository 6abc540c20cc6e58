// gate_progress (spec 1.4, 2.4): after no step is there room in a process and a waiter whose tenant has room; nobody
// starts at once while an earlier waiter could run; permits are handed over in queue order. Waiters stand here in lines
// of their own, kept from the effects.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

#include "model/base/ordered_bitmap.hpp"
#include "model/properties/gate_mirror.hpp"
#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class GateProgress final : public Property {
 public:
  explicit GateProgress(const Cluster& cluster) : namespaces_(cluster.namespaces()) {
    if (cluster.api() != nullptr) {
      mirror_.emplace(cluster);
      order_ = cluster.config().admission->gate.order;
      lines_.resize(mirror_->places());
      processes_.assign(mirror_->processes(), Process{.eligible = OrderedBitmap(namespaces_)});
    }
  }

  [[nodiscard]] std::string_view name() const override { return "gate_progress"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return GateMirror::kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    if (touched_.empty() || touched_.back() != effect.process) {
      touched_.push_back(effect.process);
    }
    if (effect.kind == EffectKind::request_admitted) {
      effect.live ? judge_start(effect, cluster, at) : judge_hand_over(effect, cluster, at);
    }
    mirror_->on(effect, cluster);
    switch (effect.kind) {
      case EffectKind::request_queued:
        enter(effect);
        break;
      case EffectKind::request_admitted:
      case EffectKind::request_refused:
        if (effect.kind == EffectKind::request_admitted ? !effect.live : effect.live) {
          leave(effect);
        }
        break;
      case EffectKind::request_gone:
        leave(effect);
        break;
      case EffectKind::process_up:
        processes_[effect.process.value()].cursor = NamespaceId::none();
        for (std::uint32_t name = 0; name < namespaces_; ++name) {
          refresh(effect.process, NamespaceId(name), cluster, at);
        }
        return;
      default:
        break;
    }
    if (!effect.name.is_none()) {
      refresh(effect.process, effect.name, cluster, at);
    }
  }

  void after_step(const Cluster& cluster, Time at) override {
    for (const ProcessId id : touched_) {
      const Process& process = processes_[id.value()];
      if (process.eligible.empty()) {
        continue;
      }
      const NamespaceId name(process.eligible.next(0));
      if (auto wrong = waits_in_vain({mirror_->tenant(id, name), mirror_->process(id)})) {
        violate(at, [&] { return tenant_on(cluster, id, name) + ": " + *wrong; });
      }
    }
    touched_.clear();
  }

  void finish(const Cluster& cluster, Time at) override {
    for (std::uint16_t i = 0; i < processes_.size(); ++i) {
      const OrderedBitmap& eligible = processes_[i].eligible;
      for (std::uint32_t name = eligible.next(0); name < eligible.size(); name = eligible.next(name + 1)) {
        judge_passed_over(ProcessId(i), NamespaceId(name), cluster, at);
      }
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    outcome.value = static_cast<double>(longest_);
    if (order_ == QueueOrder::tenant_round_robin) {
      outcome.bound = static_cast<double>(namespaces_) - 1;
    }
    if (!violated()) {
      outcome.held = mirror_ && entered_ > 0 ? Held::yes : Held::undefined;
      outcome.reason = fmt::format(
          "{} requests waited, none while it could run; a tenant that could run was passed "
          "over in at most {} hand-overs",
          entered_, longest_);
    }
    return outcome;
  }

 private:
  // Waiters of a tenant in a process, in order of arrival.
  struct Line {
    RequestId first;
    RequestId last;
    std::uint64_t since = 0;  // hand-overs of the process when the tenant's present turn to wait began
    bool eligible = false;
  };
  struct Waiting {
    RequestId before;
    RequestId after;
    std::uint64_t turn = 0;
  };
  struct Process {
    OrderedBitmap eligible;                                 // tenants with a waiter and below their cap
    std::set<std::pair<std::uint64_t, NamespaceId>> ranks;  // the same, by the turn of who would go next (fifo, lifo)
    NamespaceId cursor;
    std::uint64_t hand_overs = 0;
  };

  Line& line(const Effect& effect) { return lines_[mirror_->place(effect.process, effect.name)]; }

  void enter(const Effect& effect) {
    if (effect.request.value() >= waiting_.size()) {
      waiting_.resize(effect.request.value() + std::size_t{1});
    }
    Line& joined = line(effect);
    leave_ranks(effect.process, effect.name);
    waiting_[effect.request.value()] = {.before = joined.last, .turn = entered_++};
    (joined.last.is_none() ? joined.first : waiting_[joined.last.value()].after) = effect.request;
    joined.last = effect.request;
    enter_ranks(effect.process, effect.name);
  }

  void leave(const Effect& effect) {
    Line& left = line(effect);
    leave_ranks(effect.process, effect.name);
    const Waiting gone = waiting_[effect.request.value()];
    (gone.before.is_none() ? left.first : waiting_[gone.before.value()].after) = gone.after;
    (gone.after.is_none() ? left.last : waiting_[gone.after.value()].before) = gone.before;
    enter_ranks(effect.process, effect.name);
  }

  // The request of the tenant that would go next.
  [[nodiscard]] RequestId next_of(ProcessId process, NamespaceId name) const {
    const Line& its = lines_[mirror_->place(process, name)];
    return order_ == QueueOrder::lifo ? its.last : its.first;
  }

  void enter_ranks(ProcessId process, NamespaceId name) {
    const RequestId next = next_of(process, name);
    if (order_ != QueueOrder::tenant_round_robin && lines_[mirror_->place(process, name)].eligible && !next.is_none()) {
      processes_[process.value()].ranks.emplace(waiting_[next.value()].turn, name);
    }
  }
  void leave_ranks(ProcessId process, NamespaceId name) {
    const RequestId next = next_of(process, name);
    if (order_ != QueueOrder::tenant_round_robin && lines_[mirror_->place(process, name)].eligible && !next.is_none()) {
      processes_[process.value()].ranks.erase({waiting_[next.value()].turn, name});
    }
  }

  void refresh(ProcessId id, NamespaceId name, const Cluster& cluster, Time at) {
    Line& its = lines_[mirror_->place(id, name)];
    const bool eligible = !its.first.is_none() && mirror_->tenant(id, name).below_cap();
    if (eligible == its.eligible) {
      return;
    }
    Process& process = processes_[id.value()];
    if (eligible) {
      its.since = process.hand_overs;
      its.eligible = true;
      enter_ranks(id, name);
    } else {
      judge_passed_over(id, name, cluster, at);
      leave_ranks(id, name);
      its.eligible = false;
    }
    process.eligible.assign(name.value(), eligible);
  }

  void judge_start(const Effect& effect, const Cluster& cluster, Time at) {
    const Process& process = processes_[effect.process.value()];
    if (!process.eligible.empty()) {
      violate(at, [&] {
        return fmt::format("{}: a request started at once while tenant {}, below its cap, had {} waiting",
                           tenant_on(cluster, effect.process, effect.name),
                           cluster.layout().config(NamespaceId(process.eligible.next(0))).name,
                           mirror_->tenant(effect.process, NamespaceId(process.eligible.next(0))).waiting);
      });
    }
  }

  // Whose turn it is; none if nobody can run.
  [[nodiscard]] NamespaceId tenant_in_turn(const Process& process) const {
    if (process.eligible.empty()) {
      return NamespaceId::none();
    }
    switch (order_) {
      case QueueOrder::fifo:
        return process.ranks.begin()->second;
      case QueueOrder::lifo:
        return process.ranks.rbegin()->second;
      case QueueOrder::tenant_round_robin:
        return after_cursor(process.eligible, process.cursor);
    }
    return NamespaceId::none();
  }

  void judge_hand_over(const Effect& effect, const Cluster& cluster, Time at) {
    Process& process = processes_[effect.process.value()];
    const NamespaceId turn = tenant_in_turn(process);
    if (turn != effect.name || next_of(effect.process, turn) != effect.request) {
      violate(at, [&] {
        const std::string in_turn = turn.is_none() ? std::string() : cluster.layout().config(turn).name;
        return fmt::format("{}: {} (hand-over {})", tenant_on(cluster, effect.process, effect.name),
                           out_of_turn(turn == effect.name, in_turn), process.hand_overs + 1);
      });
    }
    judge_passed_over(effect.process, effect.name, cluster, at);
    lines_[mirror_->place(effect.process, effect.name)].since = ++process.hand_overs;
    process.cursor = effect.name;
  }

  // A tenant that could run all the time sees fewer hand-overs to others than there are tenants (round robin).
  void judge_passed_over(ProcessId id, NamespaceId name, const Cluster& cluster, Time at) {
    const Line& its = lines_[mirror_->place(id, name)];
    if (!its.eligible) {
      return;
    }
    const std::uint64_t passed = processes_[id.value()].hand_overs - its.since;
    longest_ = std::max(longest_, passed);
    if (order_ == QueueOrder::tenant_round_robin && passed >= namespaces_) {
      violate(at, [&] {
        return fmt::format("{}: could run, and was passed over in {} hand-overs; there are {} tenants",
                           tenant_on(cluster, id, name), passed, namespaces_);
      });
    }
  }

  std::optional<GateMirror> mirror_;
  QueueOrder order_ = QueueOrder::tenant_round_robin;
  std::uint32_t namespaces_;
  std::vector<Line> lines_;  // by process and tenant
  std::vector<Process> processes_;
  std::vector<Waiting> waiting_;  // by request
  std::vector<ProcessId> touched_;
  std::uint64_t entered_ = 0;  // requests that had to wait
  std::uint64_t longest_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_gate_progress(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<GateProgress>(cluster);
}

}  // namespace headroom
