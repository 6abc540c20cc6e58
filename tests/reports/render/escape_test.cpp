#include "reports/render/escape.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

using namespace headroom;

TEST_CASE("markup in HTML is text") {
  CHECK(html_escaped("<script>alert('1')</script>") == "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
  CHECK(html_escaped("a\"onload=\"x") == "a&quot;onload=&quot;x");
  CHECK(html_escaped("&lt;") == "&amp;lt;");
}

TEST_CASE("markup in XML is text, and what XML cannot hold is spelt out") {
  CHECK(xml_escaped("<a b=\"c\">&'") == "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
  CHECK(xml_escaped("a\tb\nc") == "a&#9;b&#10;c");
  CHECK(xml_escaped(std::string("\x01\x7F\0", 3)) == "\\x01\\x7f\\x00");
  CHECK(xml_escaped("\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD") == "\\xfffe\\xffff\xEF\xBF\xBD");
}

TEST_CASE("a JSON string reads back the same and cannot end a script") {
  std::string every_byte;
  for (int c = 0; c < 128; ++c) {
    every_byte += static_cast<char>(c);
  }
  for (const std::string& text :
       {std::string("</script><!--"), std::string("a,b\"c\\\n\x01"), every_byte, std::string("\u00fc\u2028")}) {
    const std::string quoted = json_quoted(text);
    CHECK(quoted.find('<') == std::string::npos);
    CHECK(nlohmann::json::parse(quoted).get<std::string>() == text);
  }
}

TEST_CASE("CSV cells are quoted where RFC 4180 asks for it, and where they start like a formula") {
  CHECK(csv_cell("quiet_1") == "quiet_1");
  CHECK(csv_cell("") == "");
  CHECK(csv_cell("a,b\"c") == "\"a,b\"\"c\"");
  CHECK(csv_cell("a\nb") == "\"a\nb\"");
  CHECK(csv_cell("=1+1") == "\"=1+1\"");
  CHECK(csv_cell("+1") == "\"+1\"");
  CHECK(csv_cell("-1") == "\"-1\"");
  CHECK(csv_cell("@x") == "\"@x\"");
}

TEST_CASE("a name in a pull request is neither markup nor a mention nor a new column") {
  CHECK(markdown_cell("a|b") == "a\\|b");
  CHECK(markdown_cell("<b>x</b>") == "&lt;b&gt;x&lt;/b&gt;");
  CHECK(markdown_cell("a\nb") == "a b");
  CHECK(markdown_cell("[x](y)`@you`") == "\\[x\\](y)\\`\\@you\\`");
}

TEST_CASE("the value of a label escapes what would end it or its line") {
  CHECK(label_escaped("a\"b\\c\nd") == "a\\\"b\\\\c\\nd");
  CHECK(label_escaped("{x=1},# EOF \xc3\xbc") == "{x=1},# EOF \xc3\xbc");
}

TEST_CASE("control characters do not reach the terminal") {
  CHECK(terminal_safe("\x1b[2Jx\n") == "\\x1b[2Jx\\x0a");
  CHECK(terminal_safe("\xc2\x9b") == "\\x9b");
  CHECK(terminal_safe("gr\u00fcn") == "gr\u00fcn");
}
