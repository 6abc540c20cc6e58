#include "reports/render/file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/render/run_files.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

namespace {

// A folder of its own for each test, gone after it.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(std::filesystem::temp_directory_path() / ("headroom_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::size_t files_in(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a file is written whole and leaves nothing else behind") {
  const Folder folder("file_test_whole");
  const std::filesystem::path path = folder.path() / "x.txt";
  REQUIRE(write_file_atomically(path, "first"));
  const Result<std::uint64_t> written = write_file_atomically(path, "second, longer");
  REQUIRE(written);
  CHECK(written.value() == 14);
  CHECK(content_of(path) == "second, longer");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a file that cannot be written is a fault that names it, and the old one stays") {
  const Folder folder("file_test_fault");
  const Result<std::uint64_t> missing = write_file_atomically(folder.path() / "no" / "x.txt", "text");
  REQUIRE_FALSE(missing);
  CHECK(missing.faults()[0].file == (folder.path() / "no" / "x.txt").string());
  // A folder that has the name cannot be replaced by a file.
  std::filesystem::create_directories(folder.path() / "taken" / "inside");
  CHECK_FALSE(write_file_atomically(folder.path() / "taken", "text"));
  CHECK(std::filesystem::is_directory(folder.path() / "taken" / "inside"));
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a run leaves its files in a folder that is made where it is missing") {
  const Folder folder("file_test_run");
  const auto written = write_run_files(folder.path() / "a" / "b", sample_result(), sample_timing());
  REQUIRE(written);
  CHECK(written.value().size() == files_in(folder.path() / "a" / "b"));
  for (const char* name : {"result.json", "timing.json", "report.md", "report.html", "series.csv", "metrics.txt"}) {
    CHECK_FALSE(content_of(folder.path() / "a" / "b" / name).empty());
  }
}

TEST_CASE("a run with an HTTP side leaves the series of its fleet too") {
  const Folder folder("file_test_gate_run");
  const auto written = write_run_files(folder.path(), sample_gate_result(), sample_timing());
  REQUIRE(written);
  CHECK(written.value().size() == 9);
  CHECK_FALSE(content_of(folder.path() / "fleet_series.csv").empty());
}

TEST_CASE("a run whose folder cannot be made is a fault") {
  const Folder folder("file_test_blocked");
  REQUIRE(write_file_atomically(folder.path() / "file", "text"));
  CHECK_FALSE(write_run_files(folder.path() / "file" / "out", sample_result(), sample_timing()));
}
