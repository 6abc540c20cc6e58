#include "reports/render/html_table.hpp"

#include <cstddef>
#include <fmt/format.h>

#include "reports/render/escape.hpp"

namespace headroom {

HtmlCell HtmlCell::words(std::string_view text) {
  return {html_escaped(text), std::nullopt, false};
}
HtmlCell HtmlCell::number(std::string_view text, std::optional<double> order) {
  return {html_escaped(text), order, true};
}

HtmlTable::HtmlTable(std::string_view caption, const std::vector<HtmlColumn>& columns) {
  head_ = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">"
      "<table class=\"sortable\"><caption>{0}</caption>\n<thead><tr>",
      html_escaped(caption));
  for (const HtmlColumn& column : columns) {
    head_ += fmt::format("<th scope=\"col\" title=\"{}\"{}>{}</th>", html_escaped(column.hint),
                         column.ascending ? " aria-sort=\"ascending\"" : "", html_escaped(column.title));
  }
  head_ += "</tr></thead>\n<tbody>\n";
}

void HtmlTable::row(const std::vector<HtmlCell>& cells) {
  rows_ += "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const HtmlCell& cell = cells[i];
    if (i == 0) {
      rows_ += "<th scope=\"row\">" + cell.html + "</th>";
    } else if (!cell.numeric) {
      rows_ += "<td>" + cell.html + "</td>";
    } else if (cell.order) {
      rows_ += fmt::format("<td class=\"n\" data-v=\"{}\">{}</td>", *cell.order, cell.html);
    } else {
      rows_ += "<td class=\"n\">" + cell.html + "</td>";
    }
  }
  rows_ += "</tr>\n";
}

std::string HtmlTable::text() const {
  return head_ + rows_ + "</tbody></table></div>\n";
}

}  // namespace headroom
