#include "sim/run/why.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "sim/run/simulation.hpp"
#include "sim/run/why_target.hpp"

namespace headroom {
namespace {

std::string node_name(NodeId node) {
  return fmt::format("n{}", node.value() + 1);
}

std::string milliseconds(Time at) {
  return fmt::format("{:.3f} ms", static_cast<double>(at.nanoseconds()) / 1e6);
}

// Follows the run and fills the report.
class Inquiry final : public RunObserver {
 public:
  Inquiry(const Simulation& simulation, WhyTarget target, WhyReport& report)
      : tenants_(simulation.tenants()),
        target_(std::move(target)),
        report_(report),
        causes_(simulation.cluster()),
        planned_(simulation.cluster().nodes()) {}

  void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) override {
    for (const Effect& effect : effects) {
      if (target_.logical) {
        on_request_effect(effect, cluster, at);
      } else {
        on_row_effect(effect, cluster, at);
      }
    }
    causes_.observe(cluster, effects, at);
  }

  void on_client(const ClientEvent& event, Time at) override {
    if (target_.logical && event.tenant == target_.names.front() && event.logical == *target_.logical) {
      found_ = true;
      note(at, client_text(event.kind));
    }
  }

  // The end of what is asked about.
  void close(const Cluster& cluster, Time at) {
    report_.until = at;
    causes_.settle_all(cluster, at);
    if (target_.row) {
      close_row(at);
      report_.causes = row_causes_;
      report_.waited = row_waited_;
      return;
    }
    for (const NamespaceId name : target_.names) {
      for (std::size_t i = 0; i < kWaitCauses; ++i) {
        report_.causes[static_cast<WaitCause>(i)] += causes_.of(name)[static_cast<WaitCause>(i)];
      }
      report_.waited += causes_.pending_time(name, at);
    }
  }
  [[nodiscard]] bool found() const { return found_ || (!target_.row && !target_.logical); }

 private:
  struct Standing {
    NamespaceId name;
    std::uint32_t claimable = 0;
    std::uint32_t headroom = 0;
  };

  [[nodiscard]] const std::string& name_of_tenant(NamespaceId name) const { return tenants_[name.value()].name; }
  [[nodiscard]] bool concerns(NamespaceId name) const { return std::ranges::binary_search(target_.names, name); }
  void note(Time at, std::string what) {
    if (report_.events.size() < 2 * WhyReport::kMostListed) {
      report_.events.push_back({at, std::move(what)});
    }
  }

  void passed_over(PassedOver entry) {
    ++report_.passed_over;
    for (const auto& [name, rows] : entry.instead) {
      report_.instead[name] += rows;
    }
    if (report_.first.size() < WhyReport::kMostListed) {
      report_.first.push_back(std::move(entry));
      return;
    }
    report_.last.push_back(std::move(entry));
    if (report_.last.size() > WhyReport::kMostListed) {
      report_.last.erase(report_.last.begin());
    }
  }

  // -- tenants and rows ---------------------------------------------------------------------------------------------

  void on_row_effect(const Effect& effect, const Cluster& cluster, Time at) {
    if (effect.kind == EffectKind::sweep_planned) {
      note_plan(effect.node, cluster);
    } else if (effect.kind == EffectKind::sweep_finished) {
      judge_sweep(effect.node, cluster, at);
    }
    if (target_.row) {
      follow_row(effect, cluster, at);
    }
  }

  void note_plan(NodeId node, const Cluster& cluster) {
    std::vector<Standing>& standing = planned_[node.value()];
    standing.clear();
    for (const NamespaceId name : target_.names) {
      const std::uint32_t claimable = cluster.holding(node, name).claimable;
      if (claimable > 0) {
        standing.push_back({name, claimable, cluster.headroom(node, name)});
      }
    }
  }

  // Observed before the causes, so the sweep is still in judgement there; its reason is asked for by the same rule.
  void judge_sweep(NodeId node, const Cluster& cluster, Time at) {
    const Sweep& sweep = cluster.sweep(node);
    for (const Standing& standing : planned_[node.value()]) {
      const auto found = std::ranges::lower_bound(sweep.plan.grants, standing.name, {}, &Grant::name);
      const bool granted = found != sweep.plan.grants.end() && found->name == standing.name;
      const std::uint32_t rows = granted ? found->rows : 0;
      const std::uint32_t claimed =
          granted ? sweep.claimed[static_cast<std::size_t>(found - sweep.plan.grants.begin())] : 0;
      if (claimed >= standing.claimable) {
        continue;
      }
      PassedOver entry{.at = at,
                       .where = node_name(node),
                       .sweep = sweep.number,
                       .name = name_of_tenant(standing.name),
                       .claimable = standing.claimable,
                       .headroom = standing.headroom,
                       .granted = rows,
                       .claimed = claimed,
                       .reason = causes_.reason_of(node, standing.name, rows)};
      for (std::size_t i = 0; i < sweep.plan.grants.size(); ++i) {
        if (sweep.plan.grants[i].name != standing.name && sweep.claimed[i] > 0) {
          entry.instead.emplace_back(name_of_tenant(sweep.plan.grants[i].name), sweep.claimed[i]);
        }
      }
      if (target_.row) {
        row_passed_over(node, entry, cluster);
      } else {
        passed_over(std::move(entry));
      }
    }
    planned_[node.value()].clear();
  }

  // Only while the row itself is claimable there.
  void row_passed_over(NodeId node, const PassedOver& entry, const Cluster& cluster) {
    if (row_state_ != RowState::claimable || cluster.outbox().row(slot_).key != *target_.row ||
        cluster.outbox().holder(cluster.outbox().row(slot_).shard) != node) {
      return;
    }
    const Time planned = std::max(causes_.planned(node), row_since_);
    charge_row(entry.reason, planned);
    passed_over(entry);
  }

  enum class RowState : std::uint8_t { absent, elsewhere, claimable, claimed, executing, done };

  // Up to `until` the row waited because of `cause`.
  void charge_row(WaitCause cause, Time until) {
    row_causes_[cause] += (until - row_since_).count();
    if (cause < WaitCause::claimed_waiting) {
      row_waited_ += (until - row_since_).count();
    }
    row_since_ = until;
  }

  void close_row(Time at) {
    if (row_state_ != RowState::absent && row_state_ != RowState::done) {
      charge_row(row_cause_, at);
    }
  }

  void follow_row(const Effect& effect, const Cluster& cluster, Time at) {
    const bool own = effect.key == *target_.row;
    if (own && effect.kind == EffectKind::appended) {
      slot_ = effect.row;
      row_since_ = at;
      found_ = true;
    }
    if (const std::string_view what = own ? row_text(effect.kind) : std::string_view(); !what.empty()) {
      note(at, effect.node.is_none() ? std::string(what) : fmt::format("{} ({})", what, node_name(effect.node)));
    }
    if (slot_.is_none() || row_state_ == RowState::done) {
      return;
    }
    const Row& row = cluster.outbox().row(slot_);
    const bool gone = row.key != *target_.row;
    const WaitCause cause = gone ? row_cause_ : WaitCauses::cause_of_row(cluster, slot_);
    const RowState state = gone                                  ? RowState::done
                           : cause == WaitCause::claimed_waiting ? RowState::claimed
                           : cause == WaitCause::executing       ? RowState::executing
                           : cause == WaitCause::awaiting_sweep  ? RowState::claimable
                                                                 : RowState::elsewhere;
    if (state != row_state_ || cause != row_cause_) {
      if (row_state_ != RowState::absent) {
        charge_row(row_cause_, at);
      }
      row_state_ = state;
      row_cause_ = cause;
    }
  }

  static std::string_view row_text(EffectKind kind) {
    switch (kind) {
      case EffectKind::appended:
        return "appended";
      case EffectKind::duplicate_ignored:
        return "appended again: ignored";
      case EffectKind::became_due:
        return "due";
      case EffectKind::claimed:
        return "claimed";
      case EffectKind::started:
        return "started";
      case EffectKind::finished:
        return "finished";
      case EffectKind::recorded:
        return "Done: its result is recorded";
      case EffectKind::retried:
        return "failed: Pending again after a delay";
      case EffectKind::dead_lettered:
        return "Failed: a dead letter";
      case EffectKind::result_ignored:
        return "a result under a stale fence: ignored";
      case EffectKind::went_stale:
        return "its claim went stale";
      case EffectKind::rearmed:
        return "re-armed";
      case EffectKind::released:
        return "given back: its sweep met a store error";
      case EffectKind::cancelled:
        return "Cancelled";
      case EffectKind::work_lost:
        return "lost between its claim and a worker";
      case EffectKind::execution_died:
        return "its worker died";
      case EffectKind::result_delayed:
        return "its result does not reach the store";
      default:
        return {};
    }
  }

  // -- requests -----------------------------------------------------------------------------------------------------

  void on_request_effect(const Effect& effect, const Cluster& cluster, Time at) {
    if (effect.request.is_none()) {
      return;
    }
    const Request& request = cluster.api()->requests()[effect.request];
    const bool own = effect.name == target_.names.front() && request.logical == *target_.logical;
    if (own) {
      found_ = true;
      follow_request(effect, cluster, at);
    } else if (effect.kind == EffectKind::request_admitted && !effect.live && waiting_at_ == effect.process) {
      passed_over({.at = at,
                   .where = process_name(effect, cluster),
                   .name = name_of_tenant(target_.names.front()),
                   .claimable = cluster.api()->gate(effect.process).tenant(target_.names.front()).waiting,
                   .reason = WaitCause::batch_budget,
                   .instead = {{name_of_tenant(effect.name), 1}}});
    }
  }

  static std::string process_name(const Effect& effect, const Cluster& cluster) {
    const std::uint16_t per_node = cluster.config().admission->processes;
    const std::string node = node_name(cluster.api()->node_of(effect.process));
    return per_node == 1 ? node : fmt::format("{}/p{}", node, effect.process.value() % per_node + 1);
  }

  void follow_request(const Effect& effect, const Cluster& cluster, Time at) {
    const std::string where = process_name(effect, cluster);
    const Gate& gate = cluster.api()->gate(effect.process);
    switch (effect.kind) {
      case EffectKind::request_queued:
        waiting_at_ = effect.process;
        note(at, fmt::format("waits at {}: {} of the process in flight, {} of the tenant; {} wait", where,
                             gate.inflight(), gate.tenant(effect.name).inflight, gate.depth()));
        break;
      case EffectKind::request_admitted:
        waiting_at_ = ProcessId::none();
        note(at, fmt::format("admitted at {}{}", where, effect.live ? "" : ", handed a permit"));
        break;
      case EffectKind::request_refused:
        waiting_at_ = ProcessId::none();
        note(at, fmt::format("refused at {} with {} ({}), Retry-After {}", where,
                             status_of(static_cast<Refusal>(effect.detail)),
                             headroom::name_of(static_cast<Refusal>(effect.detail)), effect.value));
        break;
      case EffectKind::request_gone:
        waiting_at_ = ProcessId::none();
        note(at, "its client left before it started");
        break;
      case EffectKind::request_abandoned:
        note(at, "its client left; the handler goes on");
        break;
      case EffectKind::resource_awaited:
        note(at, effect.detail == 0 ? "waits for a database connection" : "waits for the next service");
        break;
      case EffectKind::resource_granted:
        note(at, effect.detail == 0 ? "has a database connection" : "has a place in the next service");
        break;
      case EffectKind::resource_timed_out:
        note(at, "gave up waiting for it");
        break;
      case EffectKind::request_finished:
        note(at, static_cast<HandlerOutcome>(effect.detail) == HandlerOutcome::succeeded ? "answered 2xx"
                                                                                         : "its handler failed");
        break;
      default:
        break;
    }
  }

  static std::string client_text(ClientEvent::Kind kind) {
    switch (kind) {
      case ClientEvent::Kind::called:
        return "first try";
      case ClientEvent::Kind::retried:
        return "tried again";
      case ClientEvent::Kind::unreachable:
        return "no process takes it";
      case ClientEvent::Kind::timed_out:
        return "the client's timeout passed";
      case ClientEvent::Kind::answered:
        return "answered in time";
      case ClientEvent::Kind::dead_answer:
        return "answered, and nobody waits for it";
      case ClientEvent::Kind::gave_up:
        return "the client gave up";
    }
    return {};
  }

  const std::vector<TenantInstance>& tenants_;
  WhyTarget target_;
  WhyReport& report_;
  WaitCauses causes_;
  std::vector<std::vector<Standing>> planned_;  // by node
  bool found_ = false;
  // Of the row.
  RowSlot slot_;
  RowState row_state_ = RowState::absent;
  WaitCause row_cause_ = WaitCause::awaiting_sweep;
  Time row_since_;
  CauseTimes row_causes_;
  RowTime row_waited_ = 0;
  // Of the request.
  ProcessId waiting_at_;
};

}  // namespace

Result<WhyReport> why(const WhyQuestion& question) {
  Simulation simulation(question.scenario, question.seed);
  Result<WhyTarget> target = target_of(question, simulation);
  if (!target) {
    return target.faults();
  }
  WhyReport report;
  report.subject = !question.row.empty()       ? "row " + question.row
                   : !question.request.empty() ? "request " + question.request
                                               : "tenant " + question.tenant;
  report.has_causes = !target.value().logical;
  const Time end = std::min(question.at.value_or(Time::max()), Time::at(question.scenario.duration));
  Inquiry inquiry(simulation, target.value(), report);
  simulation.observe(inquiry);
  simulation.run({.until = end});
  inquiry.close(simulation.cluster(), end);
  if (!inquiry.found()) {
    return Diagnostic{!question.row.empty() ? "--row" : "--request", "",
                      "there was no " + report.subject + " before " + milliseconds(end),
                      "the number of one that comes, from 0"};
  }
  return report;
}

}  // namespace headroom
