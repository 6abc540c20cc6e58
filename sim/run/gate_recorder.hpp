// Measures the HTTP side of a run: a part of Recorder.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/metrics/gate_figures.hpp"
#include "reports/metrics/histogram.hpp"
#include "reports/metrics/series.hpp"
#include "sim/run/simulation.hpp"
#include "sim/run/subjects.hpp"

namespace headroom {

class GateRecorder {
 public:
  // Needs a cluster with an HTTP side. `series` and `subjects` outlive this.
  GateRecorder(const Scenario& scenario, const Subjects& subjects, SeriesRecorder& series, const Cluster& cluster);

  void on_effect(const Effect& effect, const Cluster& cluster, Time at);
  void on_client(const ClientEvent& event, Time at);
  void on_window(Time start);
  void begin_measurement(Time at);
  // Counters stand as they are from here on.
  void end_measurement(const Cluster& cluster, Time at);

  // Logical requests answered in time so far.
  [[nodiscard]] std::uint64_t goodput() const { return goodput_; }
  [[nodiscard]] GateFigures figures_of(std::size_t subject) const;
  [[nodiscard]] FleetFigures fleet() const;

 private:
  // A level over time.
  struct Level {
    std::int64_t now = 0;
    Time since;
    Int128 integral = 0;  // within the measured part
  };
  struct Account {
    GateFigures figures;
    Histogram wait;
    Histogram handling;
    Histogram response;
    Level inflight;
    Level waiting;
    Time last_arrival = Time::max();
    Time last_retry = Time::max();
    std::uint64_t retries_at_once = 0;
    std::uint64_t at_once = 0;  // tries at that instant
    std::uint64_t goodput_in_window = 0;
    std::uint64_t goodput_at_end = 0;  // in the windows of the last fifth
    Int128 residence = 0;              // of the handlers that ended in the measured part
    std::array<std::uint64_t, kRefusals> rejected_by{};
  };
  struct ResourceAccount {
    ResourceFigures figures;
    Histogram wait;
    std::uint32_t in_use = 0;
    std::uint32_t waiting = 0;
  };

  // What comes after the measured part is not reported.
  template <class Count>
  void note_peak(Count& peak, Count now) const {
    peak = counting_ && now > peak ? now : peak;
  }
  void on_request(const Effect& effect, const ApiFleet& api, Time at);
  void on_arrival(Account& account, Time at) const;
  void on_refused(const Effect& effect, Account& account, Time at);
  void on_finished(const Effect& effect, Account& account, Time at);
  void on_resource(const Effect& effect, Time at);
  void on_readiness(const Effect& effect, Time at);
  void change(Level& level, std::int64_t by, Time at);
  Time& awaited_since(const Effect& effect);

  const Scenario& scenario_;
  const Subjects& subjects_;
  SeriesRecorder& series_;
  std::vector<Account> accounts_;  // by subject
  std::array<std::optional<ResourceAccount>, kResources> resources_;
  std::vector<Time> admitted_at_;          // by request
  std::vector<Time> request_awaits_;       // by request: since when it waits for a resource
  std::vector<Time> execution_awaits_;     // by execution
  std::vector<Time> health_check_awaits_;  // by process
  std::vector<Time> unready_since_;        // by process; Time::max(): it is ready
  FleetFigures fleet_;
  std::uint64_t goodput_ = 0;
  Time end_part_from_;  // the last fifth of the measured part
  std::uint64_t windows_at_end_ = 0;
  Time measured_from_;
  Time measured_until_;
  bool measuring_ = false;
  bool counting_ = true;
};

}  // namespace headroom
