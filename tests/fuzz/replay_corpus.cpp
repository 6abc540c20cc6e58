// Gives a fuzz target every file below the folders (or the files) that are named, in the order of their names:
//
//   fuzz_gate tests/fuzz/corpus/gate
//
// Ends with status 0 if all went well and there was at least one. A target that finds fault ends the process; the
// file is printed beside it.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/target.hpp"

namespace {

using std::filesystem::path;

std::vector<path> files_below(const path& named) {
  std::vector<path> files;
  if (!std::filesystem::is_directory(named)) {
    files.push_back(named);
    return files;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(named)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

void replay(const path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> content{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  HEADROOM_ASSERT(stream.is_open(), "cannot read {}", file.string());
  const std::vector<std::uint8_t> bytes(content.begin(), content.end());
  const headroom::ScopedFaultContext context([&] { return "with the input " + file.string(); });
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t replayed = 0;
  for (const char* named : std::span(arguments, static_cast<std::size_t>(count)).subspan(1)) {
    for (const path& file : files_below(named)) {
      std::fprintf(stderr, "%s\n", file.c_str());  // what crashes says itself nothing of it
      replay(file);
      ++replayed;
    }
  }
  std::printf("%zu inputs\n", replayed);
  return replayed > 0 ? 0 : 1;
}
