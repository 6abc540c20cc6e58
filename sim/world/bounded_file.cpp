#include "sim/world/bounded_file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace headroom {
namespace {

constexpr std::size_t kBufferBytes = 65'536;

std::string too_large() {
  return "more than " + std::to_string(kMaximumTraceBytes >> 20U) + " MiB";
}

}  // namespace

bool Utf8Check::accept(unsigned char byte) {
  if (left_ > 0) {
    if (byte < least_ || byte > most_) return false;
    --left_;
    least_ = 0x80;
    most_ = 0xBF;
    return true;
  }
  if (byte < 0x80) return byte != 0;
  if (byte < 0xC2 || byte > 0xF4) return false;
  left_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
  // Overlong forms, surrogates and what lies beyond U+10FFFF are told by the second byte.
  if (byte == 0xE0) least_ = 0xA0;
  if (byte == 0xED) most_ = 0x9F;
  if (byte == 0xF0) least_ = 0x90;
  if (byte == 0xF4) most_ = 0x8F;
  return true;
}

Result<BoundedFile> BoundedFile::open(const std::string& path) {
  const auto fault = [&path](std::string wrong, std::string right) {
    return Diagnostic{path, "", std::move(wrong), std::move(right)};
  };
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return fault("no such file", "a CSV or JSONL file");
  if (!std::filesystem::is_regular_file(status)) return fault("not a regular file", "a CSV or JSONL file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kMaximumTraceBytes) return fault(too_large(), "a shorter excerpt");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fault("cannot be opened", "a file that may be read");
  return BoundedFile(path, std::move(stream));
}

BoundedFile::BoundedFile(std::string path, std::ifstream stream) : path_(std::move(path)), stream_(std::move(stream)) {}

Diagnostic BoundedFile::diagnostic(std::uint64_t line, std::string wrong, std::string right) const {
  return {path_, "", "line " + std::to_string(line) + ": " + std::move(wrong), std::move(right)};
}

bool BoundedFile::fill() {
  buffer_.resize(kBufferBytes);
  stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.resize(static_cast<std::size_t>(stream_.gcount()));
  position_ = 0;
  bytes_ += buffer_.size();
  // A file may grow, or report no size: what is read counts.
  if (bytes_ > kMaximumTraceBytes) fault_ = Diagnostic{path_, "", too_large(), "a shorter excerpt"};
  if (stream_.bad()) fault_ = Diagnostic{path_, "", "cannot be read", ""};
  if (buffer_.empty() && !utf8_.complete()) fault_ = diagnostic(line_, "ends within a character", "UTF-8");
  return !buffer_.empty() && !fault_;
}

std::optional<char> BoundedFile::peek() {
  if (fault_ || (position_ == buffer_.size() && !fill())) return std::nullopt;
  return buffer_[position_];
}

std::optional<char> BoundedFile::next() {
  if (fault_ || (position_ == buffer_.size() && !fill())) return std::nullopt;
  const char c = buffer_[position_++];
  if (!utf8_.accept(static_cast<unsigned char>(c))) {
    fault_ = diagnostic(line_, c == 0 ? "a byte of value 0" : "not valid UTF-8", "UTF-8 text");
    return std::nullopt;
  }
  line_ += c == '\n' ? 1 : 0;
  return c;
}

}  // namespace headroom
