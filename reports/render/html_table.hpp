// A table of report.html whose columns the script can sort.
//
//   HtmlTable table("shares", {{"tenant", ""}, {"share", "of all rows completed"}});
//   table.row({HtmlCell::words("quiet"), HtmlCell::number("25.0%", 0.25)});
//   page += table.text();
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct HtmlColumn {
  std::string_view title;  // plain text
  std::string_view hint;   // what it means; plain text
  bool ascending = false;  // the rows come sorted by it, the least first
};

struct HtmlCell {
  std::string html;             // escaped already
  std::optional<double> order;  // numbers sort by it and stand right; absent: sorts as text, or last when `numeric`
  bool numeric = false;

  // `text` is escaped here.
  [[nodiscard]] static HtmlCell words(std::string_view text);
  [[nodiscard]] static HtmlCell number(std::string_view text, std::optional<double> order);
};

class HtmlTable {
 public:
  HtmlTable(std::string_view caption, const std::vector<HtmlColumn>& columns);

  // As many cells as there are columns.
  void row(const std::vector<HtmlCell>& cells);
  [[nodiscard]] std::string text() const;

 private:
  std::string head_;
  std::string rows_;
};

}  // namespace headroom
