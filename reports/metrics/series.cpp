#include "reports/metrics/series.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "model/base/assert.hpp"

namespace headroom {
namespace {

constexpr std::array kGauges = {&SubjectSeries::pending, &SubjectSeries::claimed, &SubjectSeries::executing,
                                &SubjectSeries::ceiling};
constexpr std::array kCounters = {&SubjectSeries::appended, &SubjectSeries::claims, &SubjectSeries::completed};

std::size_t windows_for(std::size_t subjects) {
  constexpr std::size_t fewest = 50;
  const std::size_t affordable = SeriesRecorder::kMostCells / std::max<std::size_t>(subjects, 1);
  // Even, so that pairs always fit.
  return std::clamp(affordable, fewest, SeriesRecorder::kMostWindows) / 2 * 2;
}

}  // namespace

SeriesRecorder::SeriesRecorder(std::vector<std::string> subjects, Duration window)
    : meters_(subjects.size()), most_windows_(windows_for(subjects.size())) {
  HEADROOM_ASSERT(window > Duration::zero(), "a window of {} ns", window.count());
  series_.window = window;
  for (std::string& name : subjects) {
    series_.subjects.push_back(SubjectSeries{std::move(name), {}, {}, {}, {}, {}, {}, {}});
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
  const auto gauge = [first](std::vector<std::int64_t>& column, PeakGauge& level) {
    const std::int64_t peak = level.take_peak();
    if (first) {
      column.push_back(peak);
    } else {
      column.back() = std::max(column.back(), peak);
    }
  };
  const auto counter = [first](std::vector<std::int64_t>& column, std::int64_t& count) {
    if (first) {
      column.push_back(count);
    } else {
      column.back() += count;
    }
    count = 0;
  };
  for (std::size_t i = 0; i < meters_.size(); ++i) {
    SeriesMeter& meter = meters_[i];
    SubjectSeries& subject = series_.subjects[i];
    gauge(subject.pending, meter.pending);
    gauge(subject.claimed, meter.claimed);
    gauge(subject.executing, meter.executing);
    gauge(subject.ceiling, meter.ceiling);
    counter(subject.appended, meter.appended);
    counter(subject.claims, meter.claims);
    counter(subject.completed, meter.completed);
  }
}

void SeriesRecorder::merge_pairs() {
  const auto halve = [](std::vector<std::int64_t>& column, auto merge) {
    for (std::size_t i = 0; 2 * i + 1 < column.size(); ++i) {
      column[i] = merge(column[2 * i], column[2 * i + 1]);
    }
    column.resize(column.size() / 2);
  };
  for (SubjectSeries& subject : series_.subjects) {
    for (const auto column : kGauges) {
      halve(subject.*column, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
    }
    for (const auto column : kCounters) {
      halve(subject.*column, [](std::int64_t a, std::int64_t b) { return a + b; });
    }
  }
  series_.windows /= 2;
  series_.merged *= 2;
  series_.window = series_.window * 2;
}

RunSeries SeriesRecorder::finish() && {
  return std::move(series_);
}

}  // namespace headroom
