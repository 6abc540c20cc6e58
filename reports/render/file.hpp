// Files that are there whole or not at all.
//
//   const auto written = write_file_atomically(folder / "result.json", text);
//   if (!written) report(written.faults());
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "model/base/result.hpp"

namespace headroom {

// A file that takes its name only when it is complete: what is written goes to a temporary file in the same folder,
// which `commit` renames. Without a commit the temporary file is removed and a file that had the name stays as it was.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  // Bytes written. Fails when anything could not be opened, written or renamed, then or before.
  [[nodiscard]] Result<std::uint64_t> commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::ofstream stream_;
  std::uint64_t bytes_ = 0;
  bool renamed_ = false;
};

[[nodiscard]] Result<std::uint64_t> write_file_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace headroom
