// When rows were claimed, executed and ended, for a trace: a bounded part of the run.
//
//   RowSliceBook book;
//   book.add(slice, in_the_stretch_asked_for);   // at the end of each execution
//   result.slices = std::move(book).finish();
//
// Kept are the first kMostSlices executions that ended in the stretch that was asked for, and, as far as there is room,
// the first ones of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/time.hpp"
#include "model/outbox/dispatch_key.hpp"

namespace headroom {

// What became of an execution.
enum class SliceEnd : std::uint8_t {
  completed,
  retried,
  dead_lettered,
  stale,    // its fence was no longer live: the result was ignored
  delayed,  // the store could not be reached
  died,     // its worker did
};
[[nodiscard]] std::string_view name_of(SliceEnd end);

struct RowSlice {
  DispatchKey key;
  std::string row;            // its name for `headroom why --row`; the book's owner gives it
  std::uint32_t subject = 0;  // in RunSeries::subjects
  std::uint16_t node = 0;
  std::uint16_t attempt = 0;  // failed tries before
  Time due;
  Time claimed;
  Time started;
  Time ended;
  SliceEnd end = SliceEnd::completed;
  friend bool operator==(const RowSlice&, const RowSlice&) = default;
};

struct RowSlices {
  std::vector<RowSlice> slices;  // in the order of their ends
  std::uint64_t ended = 0;       // executions of the whole run
};

class RowSliceBook {
 public:
  static constexpr std::size_t kMostSlices = 20'000;

  void add(const RowSlice& slice, bool in_asked);
  [[nodiscard]] RowSlices finish() &&;

 private:
  std::vector<RowSlice> first_;
  std::vector<RowSlice> asked_;
  std::uint64_t ended_ = 0;
};

}  // namespace headroom
