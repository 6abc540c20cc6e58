// Cluster-wide unique name of a row: the namespace and a number within it.
//
//   const DispatchKey key(namespace_id, 17);   // shown as "quiet_1/17"
#pragma once

#include <compare>
#include <cstdint>

#include "model/base/ids.hpp"

namespace headroom {

// The upper half of the ordinals belongs to rows that requests append: logical request times fan-out, plus the row's
// number.
class DispatchKey {
 public:
  static constexpr unsigned kOrdinalBits = 44;
  static constexpr std::uint64_t kMaxOrdinal = (std::uint64_t{1} << kOrdinalBits) - 1;
  static constexpr std::uint64_t kFirstOfRequests = std::uint64_t{1} << (kOrdinalBits - 1);
  static constexpr std::uint32_t kMaxNamespaces = 1U << (64U - kOrdinalBits);

  constexpr DispatchKey() = default;
  // Needs name < kMaxNamespaces and ordinal < kMaxOrdinal.
  constexpr DispatchKey(NamespaceId name, std::uint64_t ordinal)
      : word_((static_cast<std::uint64_t>(name.value()) << kOrdinalBits) | ordinal) {}

  // Row `row` of the `fan_out` rows of a logical request.
  [[nodiscard]] static constexpr DispatchKey of_request(NamespaceId name, std::uint64_t logical, std::uint32_t fan_out,
                                                        std::uint32_t row) {
    return {name, kFirstOfRequests + logical * fan_out + row};
  }
  // The key whose word() this is.
  [[nodiscard]] static constexpr DispatchKey from_word(std::uint64_t word) {
    DispatchKey key;
    key.word_ = word;
    return key;
  }

  [[nodiscard]] constexpr NamespaceId name() const {
    return NamespaceId(static_cast<std::uint32_t>(word_ >> kOrdinalBits));
  }
  [[nodiscard]] constexpr std::uint64_t ordinal() const { return word_ & kMaxOrdinal; }
  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }

  friend constexpr auto operator<=>(const DispatchKey&, const DispatchKey&) = default;

 private:
  std::uint64_t word_ = ~std::uint64_t{0};
};

}  // namespace headroom
