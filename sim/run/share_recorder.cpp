#include "sim/run/share_recorder.hpp"

#include <algorithm>

namespace headroom {
namespace {

constexpr std::int64_t kUnit = 1'000;  // allocations are in thousandths of a row

// The time from one sweep of a node to the next, at least.
Duration sweep_period(const ClusterSection& cluster) {
  const Duration asked = cluster.wake ? std::min(cluster.min_sweep_gap, cluster.poll_interval) : cluster.poll_interval;
  return std::max(asked, cluster.sweep_cost + cluster.claim_cost);
}

// In units: how often `each` goes into `time`, at most `most` rows. Nothing known of it: no limit.
std::int64_t rows_in(Int128 time, Int128 each, std::int64_t count, std::int64_t most) {
  if (count == 0 || each == 0) {
    return most * kUnit;
  }
  return static_cast<std::int64_t>(std::min(time * count * kUnit / each, static_cast<Int128>(most) * kUnit));
}

}  // namespace

ShareRecorder::ShareRecorder(const Scenario& scenario, const Subjects& subjects, const Cluster& cluster)
    : subjects_(subjects),
      window_(scenario.window),
      workers_(scenario.cluster.workers),
      batch_(scenario.backpressure.batch_size),
      period_(sweep_period(scenario.cluster)),
      cells_(subjects.size() * cluster.nodes()),
      ceilings_(std::size_t{cluster.namespaces()} * cluster.nodes(), 0),
      services_(subjects.size()),
      nodes_(cluster.nodes()),
      totals_(subjects.size()) {
  const std::int64_t window = scenario.window.count();
  const std::int64_t first = (scenario.warmup.count() + window - 1) / window;
  const std::int64_t after_last = scenario.duration.count() / window;
  last_end_ = Time::at(scenario.window * after_last);
  const auto whole = static_cast<std::uint64_t>(std::max<std::int64_t>(0, after_last - first));
  merged_ = std::max<std::uint64_t>(1, (whole + kMostWindows - 1) / kMostWindows);
  if (scenario.cluster.dispatch == DispatchKind::sequential && workers_) {
    workers_ = std::min(*workers_, 1U);
  } else if (scenario.cluster.dispatch == DispatchKind::sequential) {
    workers_ = 1;
  } else if (scenario.cluster.dispatch == DispatchKind::push_then_done) {
    workers_.reset();
    ceilings_limit_ = false;
  }
  for (const Subject& subject : subjects.all()) {
    weights_.push_back(std::uint64_t{scenario.tenants[subject.spec_index].weight} * subject.members.size());
  }
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    on_node(NodeId(node), cluster, Time::zero());
  }
}

void ShareRecorder::on_executed(NamespaceId name, NodeId node, Duration service) {
  for (Mean* mean : {&services_[subjects_.of(name)], &nodes_[node.value()].services}) {
    mean->window.add(service);
    mean->run.add(service);
  }
  all_.add(service);
}

void ShareRecorder::on_ceilings(NamespaceId name, const Cluster& cluster, Time at) {
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    std::uint32_t& known = ceilings_[std::size_t{name.value()} * nodes_.size() + node];
    const std::uint32_t now = cluster.holding(NodeId(node), name).ceiling;
    if (now != known) {
      cell(subjects_.of(name), NodeId(node)).ceiling.add(std::int64_t{now} - std::int64_t{known}, at);
      known = now;
    }
  }
}

void ShareRecorder::on_node(NodeId node, const Cluster& cluster, Time at) {
  const bool there = cluster.member(node) && !cluster.paused(node) && cluster.link(node) == Link::connected;
  nodes_[node.value()].there.set(there ? 1 : 0, at);
}

void ShareRecorder::restart(Time at) {
  for (Cell& each : cells_) {
    each.completed = 0;
    each.ceiling.restart(at);
  }
  for (Mean& mean : services_) {
    mean.window = {};
  }
  for (Node& node : nodes_) {
    node.there.restart(at);
    node.services.window = {};
  }
  in_window_ = 0;
  running_ = {};
}

void ShareRecorder::on_window(const Cluster& cluster, Time start, bool measured, std::optional<double> jain) {
  const Time end = start + window_;
  if (!measured) {
    restart(end);
    return;
  }
  if (in_window_++ == 0) {
    running_.start = start;
  }
  if (jain && (!running_.jain || *jain < *running_.jain)) {
    running_.jain = jain;
  }
  if (in_window_ == merged_ || end >= last_end_) {
    close(cluster, end);
    restart(end);
  }
}

std::int64_t ShareRecorder::left(std::size_t subject, NodeId node, const Cluster& cluster) const {
  std::int64_t rows = 0;
  for (const NamespaceId name : subjects_.all()[subject].members) {
    const Holding& held = cluster.holding(node, name);
    rows += std::int64_t{held.claimable} + std::int64_t{held.claimed_owned};
  }
  return rows;
}

const ShareRecorder::Services& ShareRecorder::mean(const Mean& of) const {
  return of.window.count > 0 ? of.window : of.run.count > 0 ? of.run : all_;
}

// In units.
std::int64_t ShareRecorder::most_on(NodeId node, std::int64_t demand) const {
  const Node& entry = nodes_[node.value()];
  const Services& services = mean(entry.services);
  const Int128 time = entry.there.integral();
  std::int64_t most = rows_in(time, period_.count(), batch_, demand);
  if (workers_) {
    most = std::min(most, rows_in(time * *workers_, services.time, services.count, demand));
  }
  return most;
}

void ShareRecorder::close(const Cluster& cluster, Time end) {
  running_.end = end;
  std::vector<std::uint32_t> asking;
  std::vector<ServiceNetwork::Tenant> tenants;
  std::vector<std::int64_t> demands;  // of those, by node
  for (std::uint32_t subject = 0; subject < subjects_.size(); ++subject) {
    ShareCell shown{.subject = subject};
    const std::size_t first = demands.size();
    for (std::uint16_t node = 0; node < nodes_.size(); ++node) {
      const std::int64_t completed = cell(subject, NodeId(node)).completed;
      demands.push_back(completed + left(subject, NodeId(node), cluster));
      shown.served += static_cast<double>(completed);
      shown.demand += static_cast<double>(demands.back());
    }
    if (shown.demand == 0) {
      demands.resize(first);
      continue;
    }
    asking.push_back(subject);
    tenants.push_back({weights_[subject]});
    running_.cells.push_back(shown);
  }
  ServiceNetwork network(nodes_.size(), std::move(tenants));
  for (std::uint16_t node = 0; node < nodes_.size(); ++node) {
    nodes_[node].there.settle(end);
    std::int64_t demand = 0;
    for (std::size_t i = 0; i < asking.size(); ++i) {
      const std::int64_t own = demands[i * nodes_.size() + node];
      LevelMeter& ceiling = cell(asking[i], NodeId(node)).ceiling;
      ceiling.settle(end);
      const Services& services = mean(services_[asking[i]]);
      network.limit(i, node) =
          ceilings_limit_ ? rows_in(ceiling.integral(), services.time, services.count, own) : own * kUnit;
      demand += own;
    }
    network.capacity[node] = most_on(NodeId(node), demand);
  }
  const std::vector<Share> shares = max_min_allocation(network);
  for (std::size_t i = 0; i < asking.size(); ++i) {
    ShareCell& shown = running_.cells[i];
    shown.optimum = shares[i].value() / static_cast<double>(kUnit);
    totals_[asking[i]].served += shown.served;
    totals_[asking[i]].optimum += shown.optimum;
  }
  windows_.push_back(std::move(running_));
}

std::vector<ShareWindow> ShareRecorder::windows(const std::vector<std::uint32_t>& reported) const {
  std::vector<ShareWindow> windows = windows_;
  for (ShareWindow& window : windows) {
    for (ShareCell& each : window.cells) {
      each.subject = reported[each.subject];
    }
    std::ranges::sort(window.cells, {}, &ShareCell::subject);
  }
  return windows;
}

std::optional<double> ShareRecorder::ratio(std::size_t subject) const {
  const Total& total = totals_[subject];
  return total.optimum > 0 ? std::optional(total.served / total.optimum) : std::nullopt;
}

}  // namespace headroom
