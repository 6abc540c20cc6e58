#include "reports/render/html_check.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/html_assets.hpp"

using namespace headroom;

namespace {

CheckedScope sample() {
  CheckedScope checked{.headroom_version = "0.1.0",
                       .scenario_name = "starves & <b>more</b>",
                       .scenario_digest = 0xABC,
                       .scope = "1 node, 3 tenants",
                       .ended = "exhausted",
                       .verdict = Verdict::fail,
                       .states = 12'345,
                       .transitions = 34'567,
                       .depth = 9,
                       .command = "headroom check starves.json"};
  checked.properties = {{"quota_sum", "safety", Verdict::pass, true, false, "", std::nullopt},
                        {"no_starvation", "liveness", Verdict::fail, true, false,
                         "these 2 steps repeat for ever; tenant <c> is never served", 0}};
  checked.extremes = {{"executing_max, a", "4"}};
  checked.traces = {{.title = "no_starvation, 3 steps",
                     .shows = "these 2 steps repeat for ever; tenant <c> is never served",
                     .file = "out/counterexample-no_starvation.json",
                     .initial = "row a1: pending\nrow <c>1: pending\n",
                     .steps = {{"append", {"row a1: pending -> claimed"}, "row a1: claimed\nrow <c>1: pending\n"},
                               {"sweep of n1", {"row a1: claimed -> done"}, "row a1: done\nrow <c>1: pending\n"},
                               {"complete", {}, "row a1: done\nrow <c>1: pending\n"}},
                     .is_loop = true,
                     .loop_begin = 1,
                     .point_of_no_return = 1}};
  return checked;
}

}  // namespace

TEST_CASE("the page of a check shows verdicts first, then each counterexample with its states and its loop") {
  check_golden("check/report.html", without_assets(render_check_html(sample())));
}

TEST_CASE("what a step changed is marked in the state after it, and nothing else") {
  const std::string page = render_check_html(sample());
  CHECK(page.find("state after step 1</summary><pre class=\"state\"><mark>row a1: claimed</mark>\nrow "
                  "&lt;c&gt;1: pending\n</pre>") != std::string::npos);
  CHECK(page.find("state after step 3</summary><pre class=\"state\">row a1: done\n") != std::string::npos);
}

TEST_CASE("the loop is marked where it begins and ends, and the last step at which it could be avoided") {
  const std::string page = render_check_html(sample());
  const std::size_t first = page.find("<h4>1. append");
  const std::size_t avoided = page.find("After step 1 it cannot be avoided any more");
  const std::size_t begins = page.find("From here 2 steps repeat for ever");
  const std::size_t second = page.find("data-loop=\"first\"><h4>2. sweep of n1");
  const std::size_t ends = page.find("Then step 2 again");
  CHECK(first < avoided);
  CHECK(avoided < begins);
  CHECK(begins < second);
  CHECK(second < ends);
  CHECK(ends != std::string::npos);
}

TEST_CASE("a last state that stays for ever is said to be one") {
  CheckedScope checked = sample();
  checked.traces[0].loop_begin = 3;
  const std::string page = render_check_html(checked);
  CHECK(page.find("From here nothing more needs to happen, ever") != std::string::npos);
  CHECK(page.find("Then step") == std::string::npos);
}

TEST_CASE("traces beyond two megabytes are left to their files") {
  CheckedScope checked = sample();
  checked.traces[0].steps[0].state = std::string(1'500'000, 'x');
  checked.traces.assign(20, checked.traces[0]);
  const std::string page = render_check_html(checked);
  CHECK(page.size() < 5'000'000);
  CHECK(page.find("18 more are in their files alone") != std::string::npos);
}
