#include "sim/world/trace.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace headroom {
namespace {

// A file that lives as long as its test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content, const std::string& extension = ".csv")
      : path_(std::filesystem::temp_directory_path() /
              ("headroom_trace_" + std::to_string(getpid()) + "_" + std::to_string(next_number()) + extension)) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  static int next_number() {
    static int number = 0;
    return number++;
  }

  std::filesystem::path path_;
};

using Entry = std::pair<std::int64_t, std::int64_t>;  // nanoseconds of the arrival and the service

std::vector<Entry> entries(const Trace& trace, const std::string& tenant) {
  std::vector<Entry> result;
  const std::shared_ptr<const Trace::Entries> rows = trace.entries_of(tenant);
  for (const TraceEntry& entry : *rows) {
    result.emplace_back(entry.at.nanoseconds(), entry.service.count());
  }
  return result;
}

std::vector<Entry> read_all(const std::string& content, const TraceColumns& columns,
                            const std::string& extension = ".csv") {
  const TemporaryFile file(content, extension);
  const Result<Trace> trace = read_trace(file.path(), columns);
  if (!trace) FAIL(trace.faults().front().text());
  return entries(trace.value(), "anyone");
}

// The faults of a file, without its path.
std::vector<std::string> faults_of(const std::string& content, const TraceColumns& columns,
                                   const std::string& extension = ".csv") {
  const TemporaryFile file(content, extension);
  const Result<Trace> trace = read_trace(file.path(), columns);
  std::vector<std::string> texts;
  if (trace) return texts;
  for (const Diagnostic& fault : trace.faults()) {
    REQUIRE(fault.file == file.path());
    texts.push_back(fault.wrong + (fault.right.empty() ? "" : "; " + fault.right));
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST_CASE("times and services are read in the units of their columns") {
  REQUIRE(read_all("arrival_ms,kind,exec_us\n0,x,5\n52.5,y,7.25\n", {"arrival_ms", "", "exec_us"}) ==
          std::vector<Entry>{{0, 5'000}, {52'500'000, 7'250}});
  REQUIRE(read_all("when\n1.5\n", {"when", "", ""}) == std::vector<Entry>{{1'500'000'000, 0}});
}

TEST_CASE("CRLF, a byte order mark, blank lines and a missing last line end are accepted") {
  REQUIRE(read_all("\xEF\xBB\xBFt_s,x\r\n1,a\r\n\r\n2,b", {"t_s", "", ""}) ==
          std::vector<Entry>{{1'000'000'000, 0}, {2'000'000'000, 0}});
}

TEST_CASE("quoted fields may hold commas, line ends and doubled quotes") {
  const TemporaryFile file("\"t_s\",\"who, what\"\n\"1\",\"a \"\"b\"\", c\nd\"\n2,plain\n");
  const Result<Trace> trace = read_trace(file.path(), {"t_s", "who, what", ""});
  REQUIRE(trace);
  REQUIRE(trace.value().tenants() == Texts{"a \"b\", c\nd", "plain"});
}

TEST_CASE("with a tenant column each tenant takes its own rows, and one that is not named takes none") {
  const TemporaryFile file("t_s,who\n1,a\n2,b\n3,a\n");
  const Result<Trace> trace = read_trace(file.path(), {"t_s", "who", ""});
  REQUIRE(trace);
  REQUIRE(entries(trace.value(), "a") == std::vector<Entry>{{1'000'000'000, 0}, {3'000'000'000, 0}});
  REQUIRE(entries(trace.value(), "b") == std::vector<Entry>{{2'000'000'000, 0}});
  REQUIRE(entries(trace.value(), "c").empty());
  REQUIRE(trace.value().tenants() == Texts{"a", "b"});
  REQUIRE_FALSE(trace.value().has_service());
}

TEST_CASE("without a tenant column every tenant shares all rows") {
  const TemporaryFile file("t_s,exec_s\n1,2\n");
  const Result<Trace> trace = read_trace(file.path(), {"t_s", "", "exec_s"});
  REQUIRE(trace);
  REQUIRE(trace.value().entries_of("a") == trace.value().entries_of("b"));
  REQUIRE(trace.value().has_service());
  REQUIRE(trace.value().tenants().empty());
}

TEST_CASE("rows out of time order are sorted, those of one instant in the order of the file") {
  REQUIRE(read_all("t_s,w_s\n3,1\n1,2\n3,3\n1,4\n2,5\n", {"t_s", "", "w_s"}) ==
          std::vector<Entry>{{1'000'000'000, 2'000'000'000},
                             {1'000'000'000, 4'000'000'000},
                             {2'000'000'000, 5'000'000'000},
                             {3'000'000'000, 1'000'000'000},
                             {3'000'000'000, 3'000'000'000}});
}

TEST_CASE("JSONL is read like CSV, numbers by their digits and other members ignored") {
  REQUIRE(
      read_all("{\"t_s\": 123456789.123456789, \"x\": {\"t_s\": [1, {}]}, \"w_ms\": 1e1}\n\n{\"w_ms\":0,\"t_s\":\"1\"}",
               {"t_s", "", "w_ms"},
               ".jsonl") == std::vector<Entry>{{1'000'000'000, 0}, {123'456'789'123'456'789, 10'000'000}});
}

TEST_CASE("a JSONL tenant may be a string or a number") {
  const TemporaryFile file("{\"t\":1,\"who\":\"\\u00fc\"}\n{\"t\":1,\"who\":7}\n", ".jsonl");
  const Result<Trace> trace = read_trace(file.path(), {"t", "who", ""});
  REQUIRE(trace);
  REQUIRE(trace.value().tenants() == Texts{"7", "\xC3\xBC"});
}

TEST_CASE("one column may be both the time and the service") {
  REQUIRE(read_all("t_s\n1\n", {"t_s", "", "t_s"}) == std::vector<Entry>{{1'000'000'000, 1'000'000'000}});
  REQUIRE(read_all("{\"t_s\":1}", {"t_s", "", "t_s"}, ".jsonl") == std::vector<Entry>{{1'000'000'000, 1'000'000'000}});
}

TEST_CASE("every bad number of a file is named with its line, in one go") {
  REQUIRE(faults_of("t_ms,w_s\n1,1\nabc,nan\n,1\n-2,1e99\n", {"t_ms", "", "w_s"}) ==
          Texts{"line 3: t_ms is `abc`, not a number; a number of milliseconds, at least 0",
                "line 3: w_s is `nan`, not a number; a number of seconds, at least 0",
                "line 4: t_ms is empty; a number of milliseconds, at least 0",
                "line 5: t_ms is `-2`, negative; a number of milliseconds, at least 0",
                "line 5: w_s is `1e99`, more than 292 years; a number of seconds, at least 0"});
}

TEST_CASE("a file of the wrong kind is given up after a score of faults") {
  std::string content = "t\n";
  for (int i = 0; i < 1000; ++i) content += "x\n";
  REQUIRE(faults_of(content, {"t", "", ""}).size() == 20);
}

TEST_CASE("a line number counts the lines within quoted fields") {
  REQUIRE(faults_of("t,x\n1,\"a\nb\"\nz,c\n", {"t", "", ""}) ==
          Texts{"line 4: t is `z`, not a number; a number of seconds, at least 0"});
}

TEST_CASE("a missing or doubled column is named with those that are there") {
  REQUIRE(faults_of("arrival_ms,tenant\n1,a\n", {"arrival", "", ""}) ==
          Texts{"line 1: no column `arrival`; one of `arrival_ms`, `tenant`"});
  REQUIRE(faults_of("t,t\n1,2\n", {"t", "", ""}) == Texts{"line 1: two columns `t`; names that differ"});
  REQUIRE(faults_of("", {"t", "", ""}) == Texts{"line 1: empty file; a header that names the columns"});
  REQUIRE(faults_of("{\"t\":1}\n{\"x\":1}\n", {"t", "", ""}, ".jsonl") ==
          Texts{"line 2: no member `t`; one in each object"});
  REQUIRE(faults_of("{\"t\":1,\"t\":1}\n", {"t", "", ""}, ".jsonl") ==
          Texts{"line 1: two members `t`; a JSON object on each line"});
}

TEST_CASE("records that break the format are refused with their line") {
  const TraceColumns columns{"t", "", ""};
  REQUIRE(faults_of("t,x\n1\n", columns) == Texts{"line 2: 1 fields; 2, as in the header"});
  REQUIRE(faults_of("t,x\n1,2,3\n", columns) == Texts{"line 2: 3 fields; 2, as in the header"});
  REQUIRE(faults_of("t,x\n1,\"a\n2,b\n", columns) == Texts{"line 2: a quote that is never closed; a second quote"});
  REQUIRE(faults_of("t,x\n1,a\"b\n", columns) ==
          Texts{"line 2: a quote within a field that does not start with one; the whole field in quotes"});
  REQUIRE(faults_of("t,x\n1,\"a\"b\n", columns) ==
          Texts{"line 2: text after a closing quote; a comma, or the quote doubled"});
  REQUIRE(faults_of("t,x\n1,a\r2,b\n", columns) ==
          Texts{"line 2: a carriage return without a line feed; lines that end in LF or CRLF"});
  REQUIRE(faults_of("[1]\n", columns, ".jsonl") == Texts{"line 1: no JSON object; a JSON object on each line"});
  REQUIRE(faults_of("7\n", columns, ".jsonl") == Texts{"line 1: no JSON object; a JSON object on each line"});
  REQUIRE(faults_of("null\n", columns, ".jsonl") == Texts{"line 1: no JSON object; a JSON object on each line"});
  REQUIRE(faults_of("{\"t\":null}\n", columns, ".jsonl") ==
          Texts{"line 1: member `t` is null; a JSON object on each line"});
  REQUIRE(faults_of("{\"t\":[1]}\n", columns, ".jsonl") ==
          Texts{"line 1: member `t` is an array; a JSON object on each line"});
  REQUIRE(faults_of("{\"t\":1\n", columns, ".jsonl").front().starts_with("line 1: not JSON at byte"));
  REQUIRE(faults_of("{\"t\":1e999}\n", columns, ".jsonl").front().starts_with("line 1: a number out of range"));
  REQUIRE(faults_of("{\"t\":NaN}\n", columns, ".jsonl").front().starts_with("line 1: not JSON"));
}

TEST_CASE("text that is not UTF-8 is refused wherever it stands") {
  for (const char* bad : {"\xFF", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3(", "\x80"}) {
    REQUIRE(faults_of(std::string("t,x\n1,a\n1,") + bad + "\n", {"t", "", ""}) ==
            Texts{"line 3: not valid UTF-8; UTF-8 text"});
  }
  REQUIRE(faults_of("t,x\n1,\xE2\x82", {"t", "", ""}) == Texts{"line 2: ends within a character; UTF-8"});
  REQUIRE(faults_of(std::string("t,x\n1,a\0b\n", 10), {"t", "", ""}) == Texts{"line 2: a byte of value 0; UTF-8 text"});
  REQUIRE(read_all("t,x\n1,\xE2\x82\xAC\xF0\x9F\x98\x80\xC3\xBC\n", {"t", "", ""}).size() == 1);
}

TEST_CASE("a record without an end is refused before it fills the memory") {
  REQUIRE(faults_of("t\n" + std::string(2'000'000, '1'), {"t", "", ""}) ==
          Texts{"line 2: a record of more than 1048576 bytes; shorter lines"});
  REQUIRE(faults_of(std::string(2'000'000, '['), {"t", "", ""}, ".jsonl") ==
          Texts{"line 1: a line of more than 1048576 bytes; shorter lines"});
}

TEST_CASE("deep nesting in JSONL is refused without exhausting the stack") {
  REQUIRE(faults_of("{\"t\":1,\"x\":" + std::string(500'000, '['), {"t", "", ""}, ".jsonl")
              .front()
              .starts_with("line 1: not JSON"));
}

TEST_CASE("a file that is too large is refused by its size, unread") {
  const TemporaryFile file("t\n1\n");
  std::filesystem::resize_file(file.path(), std::uintmax_t{1} << 30U);  // sparse
  const Result<Trace> trace = read_trace(file.path(), {"t", "", ""});
  REQUIRE_FALSE(trace);
  REQUIRE(trace.faults().front().wrong == "more than 256 MiB");
}

TEST_CASE("what is missing or no regular file is refused") {
  const Result<Trace> missing = read_trace("/nonexistent/trace.csv", {"t", "", ""});
  REQUIRE_FALSE(missing);
  REQUIRE(missing.faults().front().text() == "/nonexistent/trace.csv: /: no such file; a CSV or JSONL file");
  const Result<Trace> folder = read_trace("/tmp", {"t", "", ""});
  REQUIRE_FALSE(folder);
  REQUIRE(folder.faults().front().wrong == "not a regular file");
  const Result<Trace> device = read_trace("/dev/zero", {"t", "", ""});
  REQUIRE_FALSE(device);
}

TEST_CASE("a message holds no line end and no more than a piece of what it complains about") {
  REQUIRE(faults_of("t\n\"a\nb\t" + std::string(100, 'x') + "\"\n", {"t", "", ""}) ==
          Texts{"line 2: t is `a?b?" + std::string(36, 'x') + "...`, not a number; a number of seconds, at least 0"});
}

TEST_CASE("durations of one column are read in the order of the file") {
  const TemporaryFile file("x,value_ms\na,2.5\nb,1\n");
  const Result<std::vector<Duration>> values = read_durations(file.path(), "value_ms");
  REQUIRE(values);
  REQUIRE(values.value() == std::vector<Duration>{Duration::microseconds(2500), Duration::milliseconds(1)});
}

TEST_CASE("durations without a value are refused") {
  const TemporaryFile file("value_ms\n");
  const Result<std::vector<Duration>> values = read_durations(file.path(), "value_ms");
  REQUIRE_FALSE(values);
  REQUIRE(values.faults().front().wrong == "no rows");
}

}  // namespace
}  // namespace headroom
