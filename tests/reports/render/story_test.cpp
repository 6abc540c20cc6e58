#include "reports/render/story.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "model/properties/wait_cause.hpp"

using namespace headroom;

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

SubjectSeries series(const std::string& name, const std::vector<std::int64_t>& longest_wait,
                     const std::vector<std::int64_t>& claims, const std::vector<std::int64_t>& pending) {
  SubjectSeries series{.name = name, .pending = pending, .claimed = std::vector<std::int64_t>(10, 2), .claims = claims};
  for (const std::int64_t wait : longest_wait) {
    series.longest_wait.push_back(wait * kMillisecond);
  }
  return series;
}

// Ten windows of a second, two of them warm-up: "quiet" waits longest from 4 s to 7 s, when "noisy" gets 27 of 30
// claims.
RunResult result() {
  RunResult result;
  result.duration = Duration::seconds(10);
  result.warmup = Duration::seconds(2);
  result.series.window = Duration::seconds(1);
  result.series.windows = 10;
  result.series.subjects = {series("noisy", std::vector<std::int64_t>(10, 1), {5, 5, 5, 5, 9, 8, 10, 5, 5, 5},
                                   {0, 0, 0, 0, 100, 5'321, 7, 9'999, 0, 0}),
                            series("quiet", {5'000, 0, 10, 20, 600, 1'000, 700, 30, 550, 10},
                                   std::vector<std::int64_t>(10, 1), std::vector<std::int64_t>(10, 0))};
  result.tenants.resize(2);
  result.tenants[0].name = "noisy";
  result.tenants[1].name = "quiet";
  for (TenantResult& tenant : result.tenants) {
    tenant.figures.appended = 10;
  }
  TenantFigures& quiet = result.tenants[1].figures;
  quiet.wait = {40, 0, 20 * kMillisecond, 0, 900 * kMillisecond, 1'000 * kMillisecond};
  quiet.wait_causes = {{"batch_budget", 750}, {"awaiting_sweep", 250}, {"executing", 9'000}};
  return result;
}

}  // namespace

TEST_CASE("the story names who was hurt, by how much, when, who had the advantage, and why") {
  const std::vector<StoryLine> story = story_of(result());
  REQUIRE(story.size() == 1);
  CHECK(story[0].title == "Hurt most, by waiting rows");
  CHECK(story[0].who == "quiet");
  CHECK(story[0].text ==
        "Its rows waited 20.0 ms at the median, 900 ms at p99 and up to 1000 ms (40 starts). The longest waits ended "
        "from 4 s to 7 s (and in 1 more stretch). Then noisy got 90% of all claims, with up to 5,323 rows "
        "pending or claimed. 75% of the waiting was batch_budget: the sweep's batch was used up, and divided fairly.");
}

TEST_CASE("what was planned to go wrong at that time is named") {
  RunResult hurt = result();
  hurt.marks = {{Mark::Kind::fault, Time::at(Duration::seconds(1)), Time::at(Duration::seconds(1)), "handoff"},
                {Mark::Kind::latency_shift, Time::at(Duration::milliseconds(6'500)), Time::at(Duration::seconds(9)),
                 "latency step 3x noisy"}};
  CHECK(story_of(hurt)[0].text.find("during \"latency step 3x noisy\" (6.5 s to 9 s)") != std::string::npos);
  hurt.marks.pop_back();
  CHECK(story_of(hurt)[0].text.find("during") == std::string::npos);
}

TEST_CASE("where the noisy tenant waits longest, the worst of the others has a line of its own") {
  RunResult hurt = result();
  hurt.tenants[0].figures.noisy = true;
  hurt.tenants[0].figures.wait = {10, 0, 0, 0, 5'000 * kMillisecond, 6'000 * kMillisecond};
  hurt.tenants[0].figures.wait_causes = {{"own_ceiling", 100}};
  const std::vector<StoryLine> story = story_of(hurt);
  REQUIRE(story.size() == 2);
  CHECK(story[0].title == "Hurt most, by waiting rows (the noisy tenant itself)");
  CHECK(story[0].who == "noisy");
  CHECK(story[0].text.find("None of it was the scheduler's doing.") != std::string::npos);
  CHECK(story[1].title == "Hurt most of the others, by waiting rows");
  CHECK(story[1].who == "quiet");
}

TEST_CASE("a tenant that was never served is told by its backlog") {
  RunResult hurt = result();
  TenantFigures& quiet = hurt.tenants[1].figures;
  quiet.wait = {};
  quiet.oldest_unclaimed = Duration::seconds(10);
  hurt.series.subjects[1].pending = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
  const std::string text = story_of(hurt)[0].text;
  CHECK(text.find("It was never served in the measured part. Its oldest unclaimed row is 10 s old.") == 0);
  CHECK(text.find("Its rows piled up from 5 s to 10 s.") != std::string::npos);
}

TEST_CASE("the twin run tells what the noise was worth") {
  RunResult hurt = result();
  hurt.tenants[1].figures.noise = NoiseAmplification{"noisy", Duration::milliseconds(900), Duration::milliseconds(30),
                                                     30.0,    Duration::milliseconds(870), 0};
  CHECK(story_of(hurt)[0].text.find("Without noisy its p99 would have been 30.0 ms: the noise made it 30 times as "
                                    "long.") != std::string::npos);
}

TEST_CASE("every cause of waiting has a meaning of its own") {
  for (std::size_t cause = 0; cause < kWaitCauses; ++cause) {
    CHECK(meaning_of_cause(name_of(static_cast<WaitCause>(cause))) != "the model knows more");
  }
}

TEST_CASE("nobody is said to be hurt where every request was answered in time and none refused") {
  RunResult fine = result();
  for (TenantResult& tenant : fine.tenants) {
    tenant.figures.gate = GateFigures{};
    tenant.figures.gate->counts.arrived = 10;
    tenant.figures.gate->success_rate = 1.0;
  }
  CHECK(story_of(fine)[0].who == "nobody was hurt");
  fine.tenants[0].figures.gate->counts.rejected_503 = 1;
  CHECK(story_of(fine)[0].title == "Hurt most, by refused requests");
}

TEST_CASE("who waits for a worker is not told that nobody is to blame") {
  RunResult hurt = result();
  hurt.tenants[1].figures.wait_causes = {{"claimed_waiting", 100}};
  CHECK(
      story_of(hurt)[0].text.ends_with("100% of the waiting was claimed_waiting: they were claimed, and no worker was "
                                       "free."));
}
