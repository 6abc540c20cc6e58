#include "reports/metrics/sweep_book.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace headroom;

namespace {

// Sweep i plans at i milliseconds and concerns the namespaces 3 and i.
void add_sweeps(SweepBook& book, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t i = from; i <= to; ++i) {
    SweepEntry entry;
    entry.at = Time::at(Duration::milliseconds(static_cast<std::int64_t>(i)));
    entry.standings.push_back({.name = 3});
    entry.standings.push_back({.name = static_cast<std::uint32_t>(3 + i)});
    book.add(entry);
  }
}

RecordedSweeps finish(SweepBook& book) {
  return std::move(book).finish([](std::uint32_t name) { return "t" + std::to_string(name); });
}

std::vector<std::uint64_t> numbers(const RecordedSweeps& recorded) {
  std::vector<std::uint64_t> all;
  for (const SweepEntry& entry : recorded.entries) {
    all.push_back(entry.number);
  }
  return all;
}

std::vector<std::uint64_t> ranges(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& parts) {
  std::vector<std::uint64_t> all;
  for (const auto& [from, to] : parts) {
    for (std::uint64_t i = from; i <= to; ++i) {
      all.push_back(i);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("the first 200 sweeps are kept") {
  SweepBook book;
  add_sweeps(book, 1, 5'000);
  const RecordedSweeps recorded = finish(book);
  CHECK(numbers(recorded) == ranges({{1, 200}}));
  REQUIRE(recorded.stretches.size() == 1);
  CHECK(recorded.stretches[0].last == 200);
}

TEST_CASE("of a violation the 100 sweeps before it and the 100 after it are kept") {
  SweepBook book;
  add_sweeps(book, 1, 1'000);
  book.note_violation("slice", Time::at(Duration::milliseconds(1'000)));
  add_sweeps(book, 1'001, 3'000);
  const RecordedSweeps recorded = finish(book);
  CHECK(numbers(recorded) == ranges({{1, 200}, {901, 1'100}}));
  CHECK(recorded.stretches[1].label == "around the violation of slice at 1 s");
  CHECK(recorded.stretches[1].event == 1'000);
}

TEST_CASE("sweeps that belong to several stretches are kept once") {
  SweepBook book;
  add_sweeps(book, 1, 150);
  book.note_violation("slice", Time::zero());
  add_sweeps(book, 151, 180);
  book.note_violation("ceiling", Time::zero());
  add_sweeps(book, 181, 1'000);
  CHECK(numbers(finish(book)) == ranges({{1, 280}}));
}

TEST_CASE("only the longest starvation is kept, with what came around its end") {
  SweepBook book;
  add_sweeps(book, 1, 1'000);
  book.note_starvation(3, 1, 5, Duration::seconds(1));
  add_sweeps(book, 1'001, 2'000);
  book.note_starvation(4, 0, 9, Duration::milliseconds(1'500));
  add_sweeps(book, 2'001, 3'000);
  book.note_starvation(5, 0, 9, Duration::seconds(9));  // no longer
  add_sweeps(book, 3'001, 4'000);
  const RecordedSweeps recorded = finish(book);
  CHECK(numbers(recorded) == ranges({{1, 200}, {1'901, 2'100}}));
  CHECK(recorded.stretches[1].label == "around the end of the longest starvation: t4 on n1, 9 sweeps, 1.5 s");
}

TEST_CASE("a stretch is asked for by number or by time, both ends included") {
  SweepBook by_number(RecordStretch{.text = "500..510", .by_number = true, .first = 500, .last = 510});
  add_sweeps(by_number, 1, 1'000);
  CHECK(numbers(finish(by_number)) == ranges({{1, 200}, {500, 510}}));
  SweepBook by_time(RecordStretch{.text = "0.5s..0.51s",
                                  .from = Time::at(Duration::milliseconds(500)),
                                  .until = Time::at(Duration::milliseconds(510))});
  add_sweeps(by_time, 1, 1'000);
  CHECK(numbers(finish(by_time)) == ranges({{1, 200}, {500, 510}}));
}

TEST_CASE("a stretch that is too long is cut off, and says so") {
  SweepBook book(RecordStretch{.text = "1000..9000", .by_number = true, .first = 1'000, .last = 9'000});
  add_sweeps(book, 1, 10'000);
  const RecordedSweeps recorded = finish(book);
  CHECK(numbers(recorded) == ranges({{1, 200}, {1'000, 1'999}}));
  CHECK(recorded.stretches[1].cut);
}

TEST_CASE("memory is bounded however much goes wrong") {
  SweepBook book(RecordStretch{.by_number = true, .first = 1, .last = ~std::uint64_t{0}});
  for (std::uint64_t i = 0; i < 200; ++i) {
    add_sweeps(book, i * 300 + 1, (i + 1) * 300);
    book.note_violation("p" + std::to_string(i), Time::zero());
    book.note_starvation(1, 0, i + 1, Duration::seconds(1));
  }
  CHECK(finish(book).entries.size() <= SweepBook::kMostSweeps);
}

TEST_CASE("only names that occur are named, and standings refer to them") {
  SweepBook book;
  add_sweeps(book, 1, 2);
  const RecordedSweeps recorded = finish(book);
  CHECK(recorded.names == std::vector<std::string>{"t3", "t4", "t5"});
  CHECK(recorded.entries[1].standings[0].name == 0);
  CHECK(recorded.entries[1].standings[1].name == 2);
}
