// How often something may still happen in a scope.
#pragma once

#include <cstdint>
#include <optional>

namespace headroom::checker {

// Nothing: without bound.
using Allowance = std::optional<std::uint32_t>;

[[nodiscard]] constexpr bool any_left(const Allowance& left) {
  return !left || *left > 0;
}
// Needs any_left.
constexpr void use_one(Allowance& left) {
  if (left) --*left;
}

}  // namespace headroom::checker
