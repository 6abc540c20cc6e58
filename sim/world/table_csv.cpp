#include <algorithm>
#include <utility>

#include "sim/world/table.hpp"

namespace headroom {
namespace {

class CsvReader : public TableReader {
 public:
  CsvReader(BoundedFile file, std::vector<std::string> columns) : TableReader(std::move(file), std::move(columns)) {}

  // Reads the header and finds the columns in it.
  bool start() {
    if (!read_record()) return fault_ ? false : fail("empty file", "a header that names the columns");
    if (record_.front().starts_with("\xEF\xBB\xBF")) record_.front().erase(0, 3);  // byte order mark
    width_ = record_.size();
    for (const std::string& column : columns_) {
      const auto found = std::ranges::find(record_, column);
      if (found == record_.end()) {
        return fail("no column " + quoted_excerpt(column), "one of " + list_of_columns());
      }
      if (std::find(found + 1, record_.end(), column) != record_.end()) {
        return fail("two columns " + quoted_excerpt(column), "names that differ");
      }
      positions_.push_back(static_cast<std::size_t>(found - record_.begin()));
    }
    return true;
  }

  bool next() override {
    do {
      if (!read_record()) return false;
    } while (record_.size() == 1 && record_.front().empty());  // a blank line
    if (record_.size() != width_) {
      return fail(std::to_string(record_.size()) + " fields", std::to_string(width_) + ", as in the header");
    }
    for (std::size_t i = 0; i < positions_.size(); ++i) fields_[i] = record_[positions_[i]];
    return true;
  }

 private:
  enum class FieldEnd : std::uint8_t { comma, line, fault };

  std::string list_of_columns() const {
    constexpr std::size_t most = 20;
    std::string list;
    for (std::size_t i = 0; i < std::min(record_.size(), most); ++i) {
      list += (i == 0 ? "" : ", ") + quoted_excerpt(record_[i]);
    }
    return list + (record_.size() > most ? ", ..." : "");
  }

  // False at the end of the file and on a fault.
  bool read_record() {
    line_ = file_.line();
    record_bytes_ = 0;
    if (!file_.peek()) return stop();
    std::size_t fields = 0;
    FieldEnd end = FieldEnd::comma;
    while (end == FieldEnd::comma) {
      if (fields == record_.size()) record_.emplace_back();
      std::string& field = record_[fields++];
      field.clear();
      end = file_.peek() == '"' ? read_quoted(field) : read_plain(field);
    }
    record_.resize(fields);
    return end == FieldEnd::line;
  }

  FieldEnd read_plain(std::string& field) {
    while (const std::optional<char> c = file_.next()) {
      if (*c == ',') return FieldEnd::comma;
      if (*c == '\n') return FieldEnd::line;
      if (*c == '\r') return end_of_line();
      if (*c == '"') return broken("a quote within a field that does not start with one", "the whole field in quotes");
      if (!append(field, *c)) return FieldEnd::fault;
    }
    return end_of_file();
  }

  FieldEnd read_quoted(std::string& field) {
    (void)file_.next();  // the opening quote
    while (const std::optional<char> c = file_.next()) {
      if (*c != '"') {
        if (!append(field, *c)) return FieldEnd::fault;
        continue;
      }
      if (file_.peek() != '"') return after_quoted();
      (void)file_.next();
      if (!append(field, '"')) return FieldEnd::fault;
    }
    return file_.fault() ? end_of_file() : broken("a quote that is never closed", "a second quote");
  }

  FieldEnd after_quoted() {
    const std::optional<char> c = file_.next();
    if (!c) return end_of_file();
    if (*c == ',') return FieldEnd::comma;
    if (*c == '\n') return FieldEnd::line;
    if (*c == '\r') return end_of_line();
    return broken("text after a closing quote", "a comma, or the quote doubled");
  }

  // After a carriage return.
  FieldEnd end_of_line() {
    const std::optional<char> c = file_.next();
    if (c == '\n') return FieldEnd::line;
    return !c ? end_of_file() : broken("a carriage return without a line feed", "lines that end in LF or CRLF");
  }

  FieldEnd end_of_file() {
    fault_ = file_.fault();
    return fault_ ? FieldEnd::fault : FieldEnd::line;
  }

  FieldEnd broken(std::string wrong, std::string right) {
    fail(std::move(wrong), std::move(right));
    return FieldEnd::fault;
  }

  bool append(std::string& field, char c) {
    field += c;
    if (++record_bytes_ <= kMaximumRecordBytes) return true;
    return fail("a record of more than " + std::to_string(kMaximumRecordBytes) + " bytes", "shorter lines");
  }

  std::vector<std::string> record_;
  std::vector<std::size_t> positions_;
  std::size_t width_ = 0;
  std::size_t record_bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<TableReader>> open_csv(BoundedFile file, std::vector<std::string> columns) {
  auto reader = std::make_unique<CsvReader>(std::move(file), std::move(columns));
  if (!reader->start()) return *reader->fault();
  return std::unique_ptr<TableReader>(std::move(reader));
}

}  // namespace headroom
