#include "reports/metrics/series.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "model/base/assert.hpp"

namespace headroom {
namespace {

using Column = std::vector<std::int64_t>;

template <class Meter, class Series, class Value>
struct Recorded {
  Value Meter::* now;
  Column Series::* column;
};
using SubjectGauge = Recorded<SeriesMeter, SubjectSeries, PeakGauge>;
using SubjectCounter = Recorded<SeriesMeter, SubjectSeries, std::int64_t>;
using FleetGauge = Recorded<FleetMeter, FleetSeries, PeakGauge>;

constexpr std::array kGauges = {SubjectGauge{&SeriesMeter::pending, &SubjectSeries::pending},
                                SubjectGauge{&SeriesMeter::claimed, &SubjectSeries::claimed},
                                SubjectGauge{&SeriesMeter::executing, &SubjectSeries::executing},
                                SubjectGauge{&SeriesMeter::ceiling, &SubjectSeries::ceiling},
                                SubjectGauge{&SeriesMeter::quota, &SubjectSeries::quota}};
constexpr std::array kCounters = {SubjectCounter{&SeriesMeter::appended, &SubjectSeries::appended},
                                  SubjectCounter{&SeriesMeter::claims, &SubjectSeries::claims},
                                  SubjectCounter{&SeriesMeter::completed, &SubjectSeries::completed}};
// The greatest of what happened in a window.
constexpr std::array kGreatest = {SubjectCounter{&SeriesMeter::longest_wait, &SubjectSeries::longest_wait}};
constexpr std::array kGateGauges = {SubjectGauge{&SeriesMeter::waiting, &SubjectSeries::waiting},
                                    SubjectGauge{&SeriesMeter::inflight, &SubjectSeries::inflight}};
constexpr std::array kGateCounters = {SubjectCounter{&SeriesMeter::admitted, &SubjectSeries::admitted},
                                      SubjectCounter{&SeriesMeter::refused_429, &SubjectSeries::refused_429},
                                      SubjectCounter{&SeriesMeter::refused_503, &SubjectSeries::refused_503},
                                      SubjectCounter{&SeriesMeter::goodput, &SubjectSeries::goodput}};
constexpr std::array kFleetGauges = {FleetGauge{&FleetMeter::database_in_use, &FleetSeries::database_in_use},
                                     FleetGauge{&FleetMeter::database_waiting, &FleetSeries::database_waiting},
                                     FleetGauge{&FleetMeter::downstream_in_use, &FleetSeries::downstream_in_use},
                                     FleetGauge{&FleetMeter::downstream_waiting, &FleetSeries::downstream_waiting},
                                     FleetGauge{&FleetMeter::unready, &FleetSeries::unready}};

std::size_t windows_for(std::size_t subjects) {
  constexpr std::size_t fewest = 50;
  const std::size_t affordable = SeriesRecorder::kMostCells / std::max<std::size_t>(subjects, 1);
  // Even, so that pairs always fit.
  return std::clamp(affordable, fewest, SeriesRecorder::kMostWindows) / 2 * 2;
}

}  // namespace

SeriesRecorder::SeriesRecorder(std::vector<std::string> subjects, Duration window, bool has_gate)
    : meters_(subjects.size()), most_windows_(windows_for(subjects.size())) {
  HEADROOM_ASSERT(window > Duration::zero(), "a window of {} ns", window.count());
  series_.window = window;
  series_.has_gate = has_gate;
  for (std::string& name : subjects) {
    series_.subjects.push_back(SubjectSeries{.name = std::move(name)});
  }
}

void SeriesRecorder::end_window() {
  if (series_.windows > 0 && in_last_ < series_.merged) {
    ++in_last_;
    append_or_merge_into_last();
    return;
  }
  if (series_.windows == most_windows_) {
    merge_pairs();
  }
  ++series_.windows;
  in_last_ = 1;
  append_or_merge_into_last();
}

// The first of its windows appends a value to every column, the others are merged into it.
void SeriesRecorder::append_or_merge_into_last() {
  const bool first = in_last_ == 1;
  const auto gauges = [first](const auto& table, auto& meter, auto& series) {
    for (const auto& recorded : table) {
      const std::int64_t peak = (meter.*recorded.now).take_peak();
      Column& column = series.*recorded.column;
      if (first) {
        column.push_back(peak);
      } else {
        column.back() = std::max(column.back(), peak);
      }
    }
  };
  const auto counters = [first](const auto& table, auto& meter, auto& series) {
    for (const auto& recorded : table) {
      const std::int64_t count = std::exchange(meter.*recorded.now, 0);
      Column& column = series.*recorded.column;
      if (first) {
        column.push_back(count);
      } else {
        column.back() += count;
      }
    }
  };
  const auto greatest = [first](const auto& table, auto& meter, auto& series) {
    for (const auto& recorded : table) {
      const std::int64_t value = std::exchange(meter.*recorded.now, 0);
      Column& column = series.*recorded.column;
      if (first) {
        column.push_back(value);
      } else {
        column.back() = std::max(column.back(), value);
      }
    }
  };
  for (std::size_t i = 0; i < meters_.size(); ++i) {
    greatest(kGreatest, meters_[i], series_.subjects[i]);
    gauges(kGauges, meters_[i], series_.subjects[i]);
    counters(kCounters, meters_[i], series_.subjects[i]);
    if (series_.has_gate) {
      gauges(kGateGauges, meters_[i], series_.subjects[i]);
      counters(kGateCounters, meters_[i], series_.subjects[i]);
    }
  }
  if (series_.has_gate) {
    gauges(kFleetGauges, fleet_, series_.fleet);
  }
}

void SeriesRecorder::merge_pairs() {
  const auto halve = [](const auto& table, auto& series, auto merge) {
    for (const auto& recorded : table) {
      Column& column = series.*recorded.column;
      for (std::size_t i = 0; 2 * i + 1 < column.size(); ++i) {
        column[i] = merge(column[2 * i], column[2 * i + 1]);
      }
      column.resize(column.size() / 2);
    }
  };
  const auto greater = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };
  for (SubjectSeries& subject : series_.subjects) {
    halve(kGauges, subject, greater);
    halve(kCounters, subject, std::plus<>());
    halve(kGreatest, subject, greater);
    halve(kGateGauges, subject, greater);
    halve(kGateCounters, subject, std::plus<>());
  }
  halve(kFleetGauges, series_.fleet, greater);
  series_.windows /= 2;
  series_.merged *= 2;
  series_.window = series_.window * 2;
}

RunSeries SeriesRecorder::finish() && {
  return std::move(series_);
}

}  // namespace headroom
