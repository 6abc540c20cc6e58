// Named columns of a CSV file (RFC 4180, with a header) or a JSONL file (an object a line), record by record. Blank
// lines are skipped.
//
//   Result<std::unique_ptr<TableReader>> table = open_table("trace.csv", {"arrival_ms", "tenant"});
//   while (table.value()->next()) use(table.value()->field(0));
//   if (table.value()->fault()) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/base/result.hpp"
#include "sim/world/bounded_file.hpp"

namespace headroom {

// A longer record is refused: it would be a file without line ends.
inline constexpr std::size_t kMaximumRecordBytes = std::size_t{1} << 20U;

class TableReader {
 public:
  virtual ~TableReader() = default;
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  // Reads the next record; false at the end and where fault() then says what is wrong.
  [[nodiscard]] virtual bool next() = 0;

  // The text of the i-th column asked for, of the present record.
  [[nodiscard]] const std::string& field(std::size_t column) const { return fields_[column]; }
  // The line on which the present record starts.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] const std::optional<Diagnostic>& fault() const { return fault_; }
  // A fault of the present record.
  [[nodiscard]] Diagnostic diagnostic(std::string wrong, std::string right = "") const {
    return file_.diagnostic(line_, std::move(wrong), std::move(right));
  }

 protected:
  TableReader(BoundedFile file, std::vector<std::string> columns)
      : file_(std::move(file)), columns_(std::move(columns)), fields_(columns_.size()) {}
  // Always false.
  bool fail(std::string wrong, std::string right = "") {
    fault_ = diagnostic(std::move(wrong), std::move(right));
    return false;
  }
  // False: at the end of the file, or because the file is faulty.
  bool stop() {
    fault_ = file_.fault();
    return false;
  }

  BoundedFile file_;
  std::vector<std::string> columns_;
  std::vector<std::string> fields_;
  std::uint64_t line_ = 1;
  std::optional<Diagnostic> fault_;
};

// JSONL where the name ends in `.jsonl` or `.ndjson`, else CSV. Fails where the file cannot be read, and for CSV where
// the header lacks a column. Each column is named once.
[[nodiscard]] Result<std::unique_ptr<TableReader>> open_table(const std::string& path,
                                                              std::vector<std::string> columns);

// The readers themselves; `open_table` chooses.
[[nodiscard]] Result<std::unique_ptr<TableReader>> open_csv(BoundedFile file, std::vector<std::string> columns);
[[nodiscard]] std::unique_ptr<TableReader> open_jsonl(BoundedFile file, std::vector<std::string> columns);

// A text of unknown origin for a message: in quotes, cut to a few dozen bytes, control characters replaced.
[[nodiscard]] std::string quoted_excerpt(const std::string& text);

}  // namespace headroom
