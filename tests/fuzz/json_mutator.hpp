// Lets libFuzzer change documents as documents: most changes to the bytes of one only break its syntax. Included by
// the targets that read JSON; without libFuzzer it is never called.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed);
