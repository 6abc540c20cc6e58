// Runs the built program as a user does, in a folder of its own.
//
//   const ProgramFolder folder;
//   folder.write("x.json", text);
//   const Outcome outcome = folder.run({"run", "x.json", "--json"});
//   outcome.status == 0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::test {

struct Outcome {
  int status = -1;  // -1: the program did not exit by itself
  std::string output;
  std::string errors;

  // The last line of `errors`, without its end.
  [[nodiscard]] std::string last_error_line() const;
};

// An empty folder, removed with what is in it at the end.
class ProgramFolder {
 public:
  ProgramFolder();
  ~ProgramFolder();
  ProgramFolder(const ProgramFolder&) = delete;
  ProgramFolder& operator=(const ProgramFolder&) = delete;

  // Runs the program within the folder. Its output is kept beside the folder, not in it.
  [[nodiscard]] Outcome run(const std::vector<std::string>& arguments) const;

  void write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] bool exists(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  // Names of what is in the folder, or in one in it, in byte order.
  [[nodiscard]] std::vector<std::string> names(const std::string& folder = ".") const;

 private:
  std::filesystem::path root_;
  std::filesystem::path path_;
};

// Path of a scenario that the repository ships.
[[nodiscard]] std::string shipped(const std::string& name);
// The same of a scope to check.
[[nodiscard]] std::string shipped_scope(const std::string& name);

}  // namespace headroom::test
