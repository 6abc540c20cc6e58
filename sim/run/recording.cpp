#include "sim/run/recording.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "sim/scenario/exact_number.hpp"

namespace headroom {
namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

std::optional<Time> instant(std::string_view text) {
  const ParsedDuration parsed = parse_duration(text);
  const bool sound = parsed.exactness == Exactness::exact && parsed.value >= Duration::zero();
  return sound ? std::optional(Time::at(parsed.value)) : std::nullopt;
}

// What became of the row of an execution that finished: it stands behind it among the effects of the step.
SliceEnd end_of(std::span<const Effect> later, DispatchKey key) {
  for (const Effect& effect : later) {
    if (effect.key != key) {
      continue;
    }
    switch (effect.kind) {
      case EffectKind::retried:
        return SliceEnd::retried;
      case EffectKind::dead_lettered:
        return SliceEnd::dead_lettered;
      case EffectKind::result_ignored:
        return SliceEnd::stale;
      case EffectKind::result_delayed:
        return SliceEnd::delayed;
      case EffectKind::recorded:
        return SliceEnd::completed;
      default:
        break;
    }
  }
  return SliceEnd::completed;
}

}  // namespace

Result<RecordStretch> parse_stretch(const std::string& text) {
  const std::size_t dots = text.find("..");
  RecordStretch stretch{.text = text};
  if (dots != std::string::npos) {
    const std::string_view from = std::string_view(text).substr(0, dots);
    const std::string_view until = std::string_view(text).substr(dots + 2);
    const auto first = whole_number(from);
    const auto last = whole_number(until);
    const auto start = instant(from);
    const auto end = instant(until);
    if (first && last && *first >= 1 && *first <= *last) {
      stretch.by_number = true;
      stretch.first = *first;
      stretch.last = *last;
      return stretch;
    }
    if (start && end && *start <= *end) {
      stretch.from = *start;
      stretch.until = *end;
      return stretch;
    }
  }
  return Diagnostic{"--record", "", "\"" + text + "\" is no stretch of a run",
                    "sweeps by number (100..250) or simulated time (60s..70s), the lesser first"};
}

Recording::Recording(const Scenario& scenario, const std::vector<TenantInstance>& tenants, const Cluster& cluster,
                     std::optional<RecordStretch> asked)
    : tenants_(tenants), subjects_(scenario, tenants), sweeps_(std::move(asked)), current_(cluster.nodes()) {
  for (const TenantInstance& tenant : tenants) {
    fan_outs_.resize(std::max(fan_outs_.size(), tenant.spec_index + 1), 1);
    const auto name = NamespaceId(static_cast<std::uint32_t>(&tenant - tenants.data()));
    fan_outs_[tenant.spec_index] = std::max<std::uint32_t>(cluster.layout().config(name).fan_out, 1);
  }
}

void Recording::before_judgement(const Cluster& cluster, std::span<const Effect> effects, Time at,
                                 const WaitCauses& causes) {
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const Effect& effect = effects[i];
    switch (effect.kind) {
      case EffectKind::sweep_planned:
        note_plan(effect.node, cluster, at);
        break;
      case EffectKind::sweep_finished:
        note_end_of_sweep(effect.node, cluster, causes);
        break;
      case EffectKind::started:
        if (effect.execution.value() >= started_.size()) {
          started_.resize(effect.execution.value() + 1);
        }
        started_[effect.execution.value()] = at;
        break;
      case EffectKind::finished:
        add_slice(effect, end_of(effects.subspan(i + 1), effect.key), cluster, at);
        break;
      case EffectKind::execution_died:
        add_slice(effect, SliceEnd::died, cluster, at);
        break;
      default:
        break;
    }
  }
}

void Recording::after_judgement(const PropertySet& properties, Time at) {
  violated_.resize(properties.all().size(), 0);
  for (std::size_t i = 0; i < violated_.size(); ++i) {
    const Property& property = *properties.all()[i];
    if (violated_[i] == 0 && property.violated()) {
      violated_[i] = 1;
      sweeps_.note_violation(property.name(), at);
    }
  }
}

void Recording::on_run(const UnservedRun& run) {
  sweeps_.note_starvation(run.name.value(), run.node.value(), run.sweeps, run.lasted);
}

// All namespaces with due rows, as long as there are not too many; else half of the places for those that are granted
// rows, and the others in name order.
void Recording::choose_standings(NodeId node, const Cluster& cluster, std::vector<NamespaceId>& chosen) const {
  const OrderedBitmap& present = cluster.present(node);
  const bool all = present.count() <= SweepBook::kMostStandings;
  const auto& grants = cluster.sweep(node).plan.grants;
  if (!all) {
    for (std::size_t i = 0; i < std::min(grants.size(), SweepBook::kMostStandings / 2); ++i) {
      chosen.push_back(grants[i].name);
    }
  }
  const std::size_t granted = chosen.size();
  for (std::uint32_t i = present.next(0); i < present.size() && chosen.size() < SweepBook::kMostStandings;
       i = present.next(i + 1)) {
    const auto end = chosen.begin() + static_cast<std::ptrdiff_t>(granted);
    if (!std::binary_search(chosen.begin(), end, NamespaceId(i))) {
      chosen.emplace_back(i);
    }
  }
  std::ranges::sort(chosen);
}

void Recording::note_plan(NodeId node, const Cluster& cluster, Time at) {
  SweepEntry& entry = current_[node.value()];
  entry.at = at;
  entry.node = node.value();
  entry.standings.clear();
  std::vector<NamespaceId> chosen;
  choose_standings(node, cluster, chosen);
  for (const NamespaceId name : chosen) {
    const Holding& held = cluster.holding(node, name);
    entry.standings.push_back({.name = name.value(),
                               .ceiling = held.ceiling,
                               .claimed = static_cast<std::uint64_t>(cluster.claimed(held)),
                               .headroom = cluster.headroom(node, name),
                               .claimable = held.claimable});
  }
  entry.left_out = cluster.present(node).count() - static_cast<std::uint32_t>(chosen.size());
}

// Before the causes observe the end: the sweep is still in judgement there.
void Recording::note_end_of_sweep(NodeId node, const Cluster& cluster, const WaitCauses& causes) {
  SweepEntry& entry = current_[node.value()];
  if (entry.standings.empty()) {
    return;  // a poll that found nothing
  }
  const Sweep& sweep = cluster.sweep(node);
  entry.sweep = sweep.number;
  entry.batch = cluster.config().batch_size;
  entry.active = sweep.plan.active;
  for (SweepStanding& standing : entry.standings) {
    const NamespaceId name(standing.name);
    const auto grant = std::ranges::lower_bound(sweep.plan.grants, name, {}, &Grant::name);
    if (grant != sweep.plan.grants.end() && grant->name == name) {
      standing.granted = grant->rows;
      standing.guaranteed = grant->guaranteed;
      standing.claimed_now = sweep.claimed[static_cast<std::size_t>(grant - sweep.plan.grants.begin())];
    }
    standing.held_by = standing.claimable == 0                      ? WaitCause::paused
                       : standing.claimed_now >= standing.claimable ? WaitCause::awaiting_sweep
                                                                    : causes.reason_of(node, name, standing.granted);
  }
  sweeps_.add(entry);
  entry.standings.clear();
}

void Recording::add_slice(const Effect& effect, SliceEnd end, const Cluster& cluster, Time at) {
  const Execution& execution = cluster.executions()[effect.execution];
  slices_.add({.key = execution.item.key,
               .subject = subjects_.of(execution.item.name()),
               .node = execution.node.value(),
               .attempt = execution.item.attempt,
               .due = execution.item.due_since,
               .claimed = execution.item.claimed_at,
               .started = started_[effect.execution.value()],
               .ended = at,
               .end = end},
              sweeps_.in_asked(at));
}

std::string Recording::row_name(DispatchKey key) const {
  const TenantInstance& tenant = tenants_[key.name().value()];
  if (key.ordinal() < DispatchKey::kFirstOfRequests) {
    return fmt::format("{}/{}", tenant.name, key.ordinal());
  }
  const std::uint64_t of_request = key.ordinal() - DispatchKey::kFirstOfRequests;
  const std::uint32_t fan_out = fan_outs_[tenant.spec_index];
  return fmt::format("{}/{}.{}", tenant.name, of_request / fan_out, of_request % fan_out);
}

void Recording::take(RunResult& result) {
  result.recorded_sweeps =
      std::move(sweeps_).finish([this](std::uint32_t name) { return std::string_view(tenants_[name].name); });
  result.slices = std::move(slices_).finish();
  for (RowSlice& slice : result.slices.slices) {
    slice.row = row_name(slice.key);
  }
}

}  // namespace headroom
