#include "reports/metrics/series.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <utility>

using namespace headroom;

TEST_CASE("a window reports counts of its own and the peak of each gauge") {
  SeriesRecorder recorder({"a", "b"}, Duration::seconds(1));
  recorder.meter(0).pending.add(5);
  recorder.meter(0).pending.add(-3);
  recorder.meter(0).appended = 5;
  recorder.meter(1).ceiling.set(8);
  recorder.end_window();
  recorder.meter(0).pending.add(1);
  recorder.end_window();
  const RunSeries series = std::move(recorder).finish();
  REQUIRE(series.windows == 2);
  CHECK(series.window == Duration::seconds(1));
  CHECK(series.merged == 1);
  CHECK(series.subjects[0].name == "a");
  CHECK(series.subjects[0].pending == std::vector<std::int64_t>{5, 3});
  CHECK(series.subjects[0].appended == std::vector<std::int64_t>{5, 0});
  CHECK(series.subjects[1].ceiling == std::vector<std::int64_t>{8, 8});
}

TEST_CASE("a long run keeps a bounded number of windows, its counts and its peaks") {
  constexpr std::int64_t windows = 8'003;
  SeriesRecorder recorder({"a"}, Duration::milliseconds(10));
  for (std::int64_t i = 0; i < windows; ++i) {
    recorder.meter(0).claims = 1;
    recorder.meter(0).executing.set(i);
    recorder.end_window();
  }
  const RunSeries series = std::move(recorder).finish();
  CHECK(series.merged == 8);
  CHECK(series.window == Duration::milliseconds(80));
  REQUIRE(series.windows == 1'001);  // ceil(8,003 / 8)
  const SubjectSeries& subject = series.subjects[0];
  CHECK(std::accumulate(subject.claims.begin(), subject.claims.end(), std::int64_t{0}) == windows);
  CHECK(subject.claims.front() == 8);
  CHECK(subject.claims.back() == 3);
  CHECK(subject.executing[0] == 7);
  CHECK(subject.executing[500] == 500 * 8 + 7);
  CHECK(subject.executing.back() == windows - 1);
}

TEST_CASE("many subjects share a bounded number of cells") {
  SeriesRecorder recorder(std::vector<std::string>(10'000, "x"), Duration::seconds(1));
  for (int i = 0; i < 250; ++i) {
    recorder.end_window();
  }
  const RunSeries series = std::move(recorder).finish();
  CHECK(series.windows * series.subjects.size() <= SeriesRecorder::kMostCells);
  CHECK(series.merged == 4);
  CHECK(series.windows == 63);
}

TEST_CASE("the longest wait of a window is that of the rows that started in it, and merged windows keep the greater") {
  SeriesRecorder recorder({"a"}, Duration::milliseconds(1));
  for (std::int64_t i = 0; i < 4'000; ++i) {
    recorder.meter(0).longest_wait = i % 2 == 0 ? i : 0;
    recorder.end_window();
  }
  const RunSeries series = std::move(recorder).finish();
  REQUIRE(series.merged == 2);
  CHECK(series.subjects[0].longest_wait[0] == 0);
  CHECK(series.subjects[0].longest_wait[7] == 14);
}
