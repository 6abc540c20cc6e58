// The bytes of an input as a file, for readers that open their input themselves.
//
//   static InputFile file(".csv");
//   read_trace(file.holding(bytes), columns);
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <unistd.h>

#include "model/base/assert.hpp"

namespace headroom::fuzz {

// Of this process alone; gone with it.
class InputFile {
 public:
  explicit InputFile(const std::string& ending)
      : path_(std::filesystem::temp_directory_path() / ("headroom-fuzz-" + std::to_string(getpid()) + ending)) {}
  ~InputFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::string holding(std::span<const std::uint8_t> bytes) {
    std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
    for (const std::uint8_t byte : bytes) {
      stream.put(static_cast<char>(byte));
    }
    stream.close();
    HEADROOM_ASSERT(stream, "cannot write {}", path_.string());
    return path_.string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace headroom::fuzz
