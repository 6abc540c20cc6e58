// headroom_comparisons SCENARIO.json...: prints both comparisons as Markdown. Always exits with 0, or 2 on bad usage.
#include <iostream>
#include <string>
#include <vector>

#include "tests/comparisons/comparisons.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> files(argv + 1, argv + argc);
  if (files.empty()) {
    std::cerr << "usage: headroom_comparisons SCENARIO.json...\n";
    return 2;
  }
  headroom::test::compare_raised_limits(files, std::cout);
  headroom::test::compare_removed_faults(files, std::cout);
  return 0;
}
