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
  PeakGauge ceiling;  // sum over the nodes
  std::int64_t appended = 0;
  std::int64_t claims = 0;
  std::int64_t completed = 0;
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
};

struct RunSeries {
  Duration window;            // of every window but the last, which may be shorter
  std::uint32_t merged = 1;   // windows of the scenario in one of these
  std::uint64_t windows = 0;  // window i starts at i * window
  std::vector<SubjectSeries> subjects;
};

class SeriesRecorder {
 public:
  static constexpr std::size_t kMostWindows = 2'000;
  // Windows times subjects; beyond it fewer windows are kept, never less than 50. Seven columns of 8 bytes each.
  static constexpr std::size_t kMostCells = 1'000'000;

  // Needs window > 0.
  SeriesRecorder(std::vector<std::string> subjects, Duration window);

  [[nodiscard]] SeriesMeter& meter(std::size_t subject) { return meters_[subject]; }
  void end_window();
  // The windows ended so far; a merged one that is not yet full counts.
  [[nodiscard]] RunSeries finish() &&;

 private:
  void append_or_merge_into_last();
  void merge_pairs();

  RunSeries series_;
  std::vector<SeriesMeter> meters_;
  std::size_t most_windows_;
  std::uint32_t in_last_ = 0;  // windows of the scenario that the last kept one holds
};

}  // namespace headroom
