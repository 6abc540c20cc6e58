#include "tests/cli/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/wait.h>

namespace headroom::test {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char letter : word) {
    out += letter == '\'' ? std::string(R"('\'')") : std::string(1, letter);
  }
  return out + "'";
}

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  INFO(name << " is set by ctest");
  REQUIRE(value != nullptr);
  return value;
}

}  // namespace

std::string Outcome::last_error_line() const {
  const std::string text = errors.substr(0, errors.find_last_not_of('\n') + 1);
  return text.substr(text.find_last_of('\n') + 1);
}

ProgramFolder::ProgramFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "headroom_XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  root_ = name;
  path_ = root_ / "folder";
  std::filesystem::create_directory(path_);
}

ProgramFolder::~ProgramFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

Outcome ProgramFolder::run(const std::vector<std::string>& arguments) const {
  const std::filesystem::path output = root_ / "output";
  const std::filesystem::path errors = root_ / "errors";
  std::string command = "cd " + quoted(path_.string()) + " && " + quoted(from_environment("HEADROOM_PROGRAM"));
  for (const std::string& argument : arguments) {
    command += " " + quoted(argument);
  }
  command += " >" + quoted(output.string()) + " 2>" + quoted(errors.string());
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(output), content(errors)};
}

void ProgramFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
}

std::string ProgramFolder::read(const std::string& name) const {
  INFO(name);
  REQUIRE(exists(name));
  return content(path_ / name);
}

std::vector<std::string> ProgramFolder::names(const std::string& folder) const {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(path_ / folder)) {
    found.push_back(entry.path().filename().string());
  }
  std::ranges::sort(found);
  return found;
}

std::string shipped(const std::string& name) {
  return from_environment("HEADROOM_SOURCE_DIR") + "/scenarios/" + name + ".json";
}

std::string shipped_scope(const std::string& name) {
  return shipped("check/" + name);
}

}  // namespace headroom::test
