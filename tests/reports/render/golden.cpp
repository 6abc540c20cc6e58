#include "tests/reports/render/golden.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace headroom {

void check_golden(const std::string& file, const std::string& rendered) {
  const std::filesystem::path path = std::filesystem::path(HEADROOM_GOLDEN_FOLDER) / file;
  if (std::getenv("HEADROOM_APPROVE") != nullptr) {
    std::ofstream(path, std::ios::binary) << rendered;
    return;
  }
  std::ifstream stream(path, std::ios::binary);
  INFO("approved file " << path << "; HEADROOM_APPROVE=1 rewrites it");
  REQUIRE(stream.good());
  const std::string approved((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  CHECK(rendered == approved);
}

}  // namespace headroom
