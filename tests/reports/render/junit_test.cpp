#include "reports/render/junit.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

TEST_CASE("junit.xml has a test case for each expectation, and none for information") {
  check_golden("junit.xml", render_junit(sample_result()));
}

TEST_CASE("an undecided expectation is an error, so that it is not green") {
  const std::string junit = render_junit(sample_result());
  CHECK(junit.find("tests=\"4\" failures=\"1\" errors=\"1\"") != std::string::npos);
  CHECK(junit.find("<error message=\"no window in which a backlogged tenant was served\"") != std::string::npos);
}

TEST_CASE("two expectations of one name are two test cases with names of their own") {
  RunResult result = sample_result();
  result.expectations = {result.expectations[1], result.expectations[1]};
  const std::string junit = render_junit(result);
  CHECK(junit.find("name=\"/tenants/quiet/wait_ms/p99\"") != std::string::npos);
  CHECK(junit.find("name=\"/tenants/quiet/wait_ms/p99 [2]\"") != std::string::npos);
}

TEST_CASE("a scenario that expects nothing is a suite without test cases") {
  RunResult result = sample_result();
  result.expectations.clear();
  CHECK(render_junit(result).find("<testcase") == std::string::npos);
}
