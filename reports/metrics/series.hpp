// What happened to each tenant or group in each window of the run, for time axes and series.csv, in bounded memory.
//
//   SeriesRecorder recorder(names, window);
//   recorder.meter(tenant).pending.add(1);   // while the run goes on
//   ++recorder.meter(tenant).appended;
//   recorder.end_window();                   // at each multiple of the window
//   result.series = std::move(recorder).finish();
//
// When there would be more than the most windows kept, neighbours are merged in pairs and the window doubles: counters
// are added, gauges keep the greater peak. RunSeries says how wide its windows came to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/time.hpp"

namespace headroom {

// A level that goes up and down; what is reported of a window is the highest value that it had in it.
class PeakGauge {
 public:
  void add(std::int64_t change) { set(now_ + change); }
  void set(std::int64_t value) {
    now_ = value;
    peak_ = value > peak_ ? value : peak_;
  }
  [[nodiscard]] std::int64_t now() const { return now_; }
  // The peak since the last call; the next window starts from the present value.
  [[nodiscard]] std::int64_t take_peak() {
    const std::int64_t peak = peak_;
    peak_ = now_;
    return peak;
  }

 private:
  std::int64_t now_ = 0;
  std::int64_t peak_ = 0;
};

// The running window of one tenant or group.
struct SeriesMeter {
  PeakGauge pending;
  PeakGauge claimed;
  PeakGauge executing;
  PeakGauge ceiling;   // sum over the nodes
  PeakGauge quota;     // sum over the members
  PeakGauge waiting;   // requests at the gates
  PeakGauge inflight;  // requests whose handlers run
  std::int64_t appended = 0;
  std::int64_t claims = 0;
  std::int64_t completed = 0;
  std::int64_t longest_wait = 0;  // nanoseconds, of the rows whose execution started
  std::int64_t admitted = 0;
  std::int64_t refused_429 = 0;
  std::int64_t refused_503 = 0;
  std::int64_t goodput = 0;  // requests answered in time
};

// The running window of what all handlers share.
struct FleetMeter {
  PeakGauge database_in_use;
  PeakGauge database_waiting;
  PeakGauge downstream_in_use;
  PeakGauge downstream_waiting;
  PeakGauge unready;  // processes
};

// One tenant or group; all columns have one value a window.
struct SubjectSeries {
  std::string name;
  std::vector<std::int64_t> pending;
  std::vector<std::int64_t> claimed;
  std::vector<std::int64_t> executing;
  std::vector<std::int64_t> ceiling;
  std::vector<std::int64_t> appended;
  std::vector<std::int64_t> claims;
  std::vector<std::int64_t> completed;
  // Empty without an HTTP side.
  std::vector<std::int64_t> waiting;
  std::vector<std::int64_t> inflight;
  std::vector<std::int64_t> admitted;
  std::vector<std::int64_t> refused_429;
  std::vector<std::int64_t> refused_503;
  std::vector<std::int64_t> goodput;
  // Of rows again.
  std::vector<std::int64_t> quota;
  std::vector<std::int64_t> longest_wait;  // nanoseconds; 0: no row started that had waited
};

// Empty columns without an HTTP side.
struct FleetSeries {
  std::vector<std::int64_t> database_in_use;
  std::vector<std::int64_t> database_waiting;
  std::vector<std::int64_t> downstream_in_use;
  std::vector<std::int64_t> downstream_waiting;
  std::vector<std::int64_t> unready;
};

struct RunSeries {
  Duration window;            // of every window but the last, which may be shorter
  std::uint32_t merged = 1;   // windows of the scenario in one of these
  std::uint64_t windows = 0;  // window i starts at i * window
  bool has_gate = false;      // the columns of the HTTP side are there
  std::vector<SubjectSeries> subjects;
  FleetSeries fleet;
};

class SeriesRecorder {
 public:
  static constexpr std::size_t kMostWindows = 2'000;
  // Windows times subjects; beyond it fewer windows are kept, never less than 50. Up to thirteen columns of 8 bytes.
  static constexpr std::size_t kMostCells = 1'000'000;

  // Needs window > 0.
  SeriesRecorder(std::vector<std::string> subjects, Duration window, bool has_gate = false);

  [[nodiscard]] SeriesMeter& meter(std::size_t subject) { return meters_[subject]; }
  [[nodiscard]] FleetMeter& fleet() { return fleet_; }
  void end_window();
  // The windows ended so far; a merged one that is not yet full counts.
  [[nodiscard]] RunSeries finish() &&;

 private:
  void append_or_merge_into_last();
  void merge_pairs();

  RunSeries series_;
  std::vector<SeriesMeter> meters_;
  FleetMeter fleet_;
  std::size_t most_windows_;
  std::uint32_t in_last_ = 0;  // windows of the scenario that the last kept one holds
};

}  // namespace headroom
