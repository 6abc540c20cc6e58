// Where a reader stands in a document, and every fault that it has found so far.
//
//   Reading reading("x.json");
//   const auto step = reading.enter("cluster");
//   reading.fault("unknown key \"node\"", "did you mean \"nodes\"?");   // x.json: /cluster: ...
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/result.hpp"

namespace headroom {

// A document can be wrong in a million places; the first ones are enough to mend it.
inline constexpr std::size_t kMaxFaults = 1000;

class Reading {
 public:
  // Files that the document names are found relative to `folder`.
  explicit Reading(std::string file, std::filesystem::path folder = {})
      : file_(std::move(file)), folder_(std::move(folder)) {}

  // While it lives, the reader stands one step deeper.
  class Step {
   public:
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { reading_.pointer_.resize(length_); }

   private:
    friend class Reading;
    Step(Reading& reading, std::string_view key);
    Reading& reading_;
    std::size_t length_;
  };
  [[nodiscard]] Step enter(std::string_view key) { return Step(*this, key); }
  [[nodiscard]] Step enter(std::size_t index) { return Step(*this, std::to_string(index)); }

  [[nodiscard]] const std::string& pointer() const { return pointer_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  // A fault where the reader stands, or at another place.
  void fault(std::string wrong, std::string right = {});
  void fault_at(std::string pointer, std::string wrong, std::string right = {});

  void override_fault(std::string pointer, std::string wrong, std::string right);
  // Another reading of the same file, without faults so far.
  [[nodiscard]] Reading standing_at(std::string pointer) const;

  // Faults at or below this pointer are named as those of the `--set` option that put the value there.
  void blame_override(std::string pointer) { overrides_.push_back(std::move(pointer)); }

  [[nodiscard]] std::size_t fault_count() const { return count_; }  // listed or not
  // Whether so many faults were found that looking for more is no use.
  [[nodiscard]] bool is_full() const { return faults_.size() > kMaxFaults; }
  [[nodiscard]] bool has_faults() const { return !faults_.empty(); }
  // Whether nothing at the pointer, above it or below it was found wrong: only then is it worth comparing with.
  [[nodiscard]] bool sound(std::string_view pointer) const;
  [[nodiscard]] Diagnostics take_faults() { return std::move(faults_); }

 private:
  void add(Diagnostic fault);

  std::string file_;
  std::filesystem::path folder_;
  std::string pointer_;
  std::vector<std::string> overrides_;
  Diagnostics faults_;
  std::size_t count_ = 0;
};

}  // namespace headroom
