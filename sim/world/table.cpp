#include "sim/world/table.hpp"

#include <utility>

namespace headroom {

Result<std::unique_ptr<TableReader>> open_table(const std::string& path, std::vector<std::string> columns) {
  Result<BoundedFile> file = BoundedFile::open(path);
  if (!file) return file.faults();
  if (path.ends_with(".jsonl") || path.ends_with(".ndjson")) {
    return open_jsonl(std::move(file.value()), std::move(columns));
  }
  return open_csv(std::move(file.value()), std::move(columns));
}

std::string quoted_excerpt(const std::string& text) {
  constexpr std::size_t longest = 40;
  std::size_t end = std::min(text.size(), longest);
  // Cut before a character, not within one.
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  std::string excerpt = "`";
  for (const char c : text.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    excerpt += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return excerpt + (end < text.size() ? "...`" : "`");
}

}  // namespace headroom
