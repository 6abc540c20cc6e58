#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/world/table.hpp"

namespace headroom {
namespace {

// Takes the members asked for out of one object, numbers as they are written: a parsed double would have lost digits.
class MemberPicker : public nlohmann::json_sax<nlohmann::json> {
 public:
  MemberPicker(const std::vector<std::string>& columns, std::vector<std::string>& fields)
      : columns_(columns), fields_(fields), found_(columns.size(), false) {}

  bool null() override { return wrong_type("null"); }
  bool boolean(bool value) override { return take(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return take(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return take(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return take(text); }
  bool string(string_t& value) override { return take(value); }
  bool binary(binary_t&) override { return refuse("binary data"); }
  bool start_array(std::size_t) override { return depth_ == 0 ? refuse("no JSON object") : open("an array"); }
  bool end_array() override { return close(); }
  bool start_object(std::size_t) override { return open("an object"); }
  bool end_object() override { return close(); }

  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    const auto column = std::ranges::find(columns_, name);
    wanted_ = column != columns_.end();
    position_ = static_cast<std::size_t>(column - columns_.begin());
    if (wanted_ && found_[position_]) return refuse("two members " + quoted_excerpt(name));
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    const bool out_of_range = error.id == 406;
    return refuse((out_of_range ? "a number out of range" : "not JSON") + (" at byte " + std::to_string(position)));
  }

  [[nodiscard]] const std::string& fault() const { return fault_; }
  // The first column that the object did not have; columns.size() if it had them all.
  [[nodiscard]] std::size_t first_missing() const {
    return static_cast<std::size_t>(std::ranges::find(found_, false) - found_.begin());
  }

 private:
  bool refuse(std::string what) {
    if (fault_.empty()) fault_ = std::move(what);
    return false;
  }
  bool wrong_type(const std::string& type) {
    if (depth_ == 0) return refuse("no JSON object");
    return depth_ == 1 && wanted_ ? refuse("member " + quoted_excerpt(columns_[position_]) + " is " + type) : true;
  }
  bool take(std::string text) {
    if (depth_ == 0) return refuse("no JSON object");
    if (depth_ == 1 && wanted_) {
      fields_[position_] = std::move(text);
      found_[position_] = true;
    }
    return true;
  }
  bool open(const std::string& type) {
    if (depth_ > 0 && !wrong_type(type)) return false;
    ++depth_;
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }

  const std::vector<std::string>& columns_;
  std::vector<std::string>& fields_;
  std::vector<bool> found_;
  std::size_t depth_ = 0;
  std::size_t position_ = 0;
  bool wanted_ = false;
  std::string fault_;
};

class JsonlReader : public TableReader {
 public:
  JsonlReader(BoundedFile file, std::vector<std::string> columns) : TableReader(std::move(file), std::move(columns)) {}

  bool next() override {
    do {
      if (!read_line()) return false;
    } while (text_.find_first_not_of(" \t\r") == std::string::npos);
    MemberPicker picker(columns_, fields_);
    const bool parsed = nlohmann::json::sax_parse(text_, &picker);
    if (!parsed) return fail(picker.fault(), "a JSON object on each line");
    if (picker.first_missing() < columns_.size()) {
      return fail("no member " + quoted_excerpt(columns_[picker.first_missing()]), "one in each object");
    }
    return true;
  }

 private:
  // False at the end of the file and on a fault.
  bool read_line() {
    line_ = file_.line();
    text_.clear();
    if (!file_.peek()) return stop();
    while (const std::optional<char> c = file_.next()) {
      if (*c == '\n') return true;
      text_ += *c;
      if (text_.size() > kMaximumRecordBytes) {
        return fail("a line of more than " + std::to_string(kMaximumRecordBytes) + " bytes", "shorter lines");
      }
    }
    return file_.fault() ? stop() : true;
  }

  std::string text_;
};

}  // namespace

std::unique_ptr<TableReader> open_jsonl(BoundedFile file, std::vector<std::string> columns) {
  return std::make_unique<JsonlReader>(std::move(file), std::move(columns));
}

}  // namespace headroom
