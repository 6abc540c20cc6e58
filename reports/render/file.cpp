#include "reports/render/file.hpp"

#include <cerrno>
#include <cstring>
#include <ios>
#include <string>
#include <system_error>
#include <utility>

namespace headroom {
namespace {

Diagnostic cannot_write(const std::filesystem::path& path, const std::string& why) {
  return Diagnostic{path.string(), "", "cannot be written (" + why + ")", "a path in a folder that can be written to"};
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
  temporary_ += ".partial";
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
}

AtomicFile::~AtomicFile() {
  if (!renamed_) {
    stream_.close();
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
  }
}

void AtomicFile::write(std::string_view text) {
  stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
  bytes_ += text.size();
}

Result<std::uint64_t> AtomicFile::commit() {
  errno = 0;
  stream_.close();
  if (stream_.fail()) {
    return cannot_write(path_, errno != 0 ? std::strerror(errno) : "no such folder, no permission or no space");
  }
  std::error_code failure;
  std::filesystem::rename(temporary_, path_, failure);
  if (failure) {
    return cannot_write(path_, failure.message());
  }
  renamed_ = true;
  return bytes_;
}

Result<std::uint64_t> write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  return file.commit();
}

}  // namespace headroom
