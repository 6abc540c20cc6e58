// Tenant names, reasons and labels are data: each renderer escapes them for the language that it writes.
#pragma once

#include <string>
#include <string_view>

namespace headroom {

// As the content of an element or of a quoted attribute.
[[nodiscard]] std::string html_escaped(std::string_view text);
// As the content of an element or of a quoted attribute of XML 1.0, which reads back the same; what XML cannot hold
// (control characters, U+FFFE, U+FFFF) as \xNN.
[[nodiscard]] std::string xml_escaped(std::string_view text);
// A JSON string with its quotes; `<`, `>` and `&` as \u escapes, so that no text can end the <script> around it.
[[nodiscard]] std::string json_quoted(std::string_view text);
// One cell of RFC 4180, in quotes where it must be, and where it starts like a formula (= + - @, tab): it is a name,
// and reading the file gives it back unchanged.
[[nodiscard]] std::string csv_cell(std::string_view text);
// As the content of a table cell in a pull request: on one line, with neither markup nor a column's end in it.
[[nodiscard]] std::string markdown_cell(std::string_view text);
// The value of a label of OpenMetrics, without its quotes.
[[nodiscard]] std::string label_escaped(std::string_view text);
// On one line of a terminal: control characters as \xNN, so that a name can neither move the cursor nor colour it.
[[nodiscard]] std::string terminal_safe(std::string_view text);

}  // namespace headroom
