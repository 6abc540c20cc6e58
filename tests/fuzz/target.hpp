// A fuzz target: it is given bytes that may be anything, and either nothing is wrong or it ends the process.
//
//   FUZZ_TARGET(bytes) {
//     const Result<Trace> trace = read(bytes);
//     if (!trace) check_faults(trace.faults(), 20);
//   }
//
// libFuzzer links a target to its engine (preset `fuzz`); every other build links it to replay_corpus.cpp, which gives
// it the files of its corpus. Expectations are HEADROOM_ASSERTs, so that they fail as those of the program do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "model/base/assert.hpp"
#include "model/base/result.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): a function head that libFuzzer prescribes
#define FUZZ_TARGET(bytes)                                                 \
  static void fuzz_one(std::span<const std::uint8_t> bytes);               \
  int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fuzz_one({data, size});                                                \
    return 0;                                                              \
  }                                                                        \
  static void fuzz_one(std::span<const std::uint8_t> bytes)

namespace headroom::fuzz {

inline std::string text_of(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

// What every refusal owes its reader: at least one fault, each of which names its file and is one printable line.
inline void check_faults(const Diagnostics& faults, std::size_t most) {
  HEADROOM_ASSERT(!faults.empty() && faults.size() <= most, "{} faults", faults.size());
  for (const Diagnostic& fault : faults) {
    const std::string line = fault.text();
    HEADROOM_ASSERT(!fault.wrong.empty(), "a fault without a reason: {}", line);
    HEADROOM_ASSERT(!fault.file.empty(), "a fault of no file: {}", line);
    HEADROOM_ASSERT(
        std::ranges::none_of(line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }),
        "a fault with a control character: {}", line);
    HEADROOM_ASSERT(line.size() < 2'000, "a fault of {} bytes", line.size());
  }
}

}  // namespace headroom::fuzz
