// Reading of text files that others wrote: regular files only, of limited size, in UTF-8, in constant memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "model/base/result.hpp"

namespace headroom {

inline constexpr std::uint64_t kMaximumTraceBytes = std::uint64_t{256} << 20U;

// Accepts the bytes of well-formed UTF-8 one by one (Unicode standard, table 3-7), and no NUL.
class Utf8Check {
 public:
  [[nodiscard]] bool accept(unsigned char byte);
  // No character is left unfinished.
  [[nodiscard]] bool complete() const { return left_ == 0; }

 private:
  int left_ = 0;
  unsigned char least_ = 0x80;
  unsigned char most_ = 0xBF;
};

class BoundedFile {
 public:
  // Fails for what does not exist, is no regular file (a pipe would wait for ever) or is too large.
  [[nodiscard]] static Result<BoundedFile> open(const std::string& path);

  // The next byte; none at the end, or where the file turns out to be faulty: then fault() says why.
  [[nodiscard]] std::optional<char> next();
  // The next byte, left where it is.
  [[nodiscard]] std::optional<char> peek();

  // The line that the next byte stands on, from 1.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::optional<Diagnostic>& fault() const { return fault_; }
  // A fault of this file at a line.
  [[nodiscard]] Diagnostic diagnostic(std::uint64_t line, std::string wrong, std::string right = "") const;

 private:
  BoundedFile(std::string path, std::ifstream stream);
  bool fill();

  std::string path_;
  std::ifstream stream_;
  std::vector<char> buffer_;
  std::size_t position_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1;
  Utf8Check utf8_;
  std::optional<Diagnostic> fault_;
};

}  // namespace headroom
