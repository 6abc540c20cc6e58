// Bytes as a sequence of choices: what a random generator decides in a property test, libFuzzer decides here.
//
//   Choices choices(bytes);
//   while (!choices.spent()) switch (choices.below(3)) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace headroom::fuzz {

class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool spent() const { return next_ == bytes_.size(); }
  // One byte, modulo the bound: texts make readable inputs. Always 0 once the bytes are spent. Needs a bound above 0.
  template <class T>
  [[nodiscard]] T below(T bound) {
    const std::size_t byte = spent() ? 0 : bytes_[next_++];
    return static_cast<T>(byte % static_cast<std::size_t>(bound));
  }
  [[nodiscard]] bool one_in(unsigned n) { return below(n) == 0; }
  // None, or a cap of at most `most`.
  [[nodiscard]] std::optional<std::uint32_t> cap(std::uint32_t most) {
    const std::uint32_t chosen = below(most + 2);
    return chosen > most ? std::nullopt : std::optional(chosen);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
};

}  // namespace headroom::fuzz
