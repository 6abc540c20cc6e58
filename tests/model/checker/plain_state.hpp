// Packing of states that are plain bytes already.
//
//   struct Lock : PlainState<LockState> { ... };
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "model/checker/model.hpp"

namespace headroom::test {

template <class S>
struct PlainState {
  static_assert(std::has_unique_object_representations_v<S>, "equal states need equal bytes");
  using State = S;
  using Effects = checker::NoEffects;
  [[nodiscard]] checker::PackedSize packed_size() const { return {.most = sizeof(S), .fixed = true}; }
  std::size_t pack(const S& state, std::span<std::byte> bytes) const {
    std::memcpy(bytes.data(), &state, sizeof(S));
    return sizeof(S);
  }
  void unpack(std::span<const std::byte> bytes, S& state) const { std::memcpy(&state, bytes.data(), sizeof(S)); }
};

}  // namespace headroom::test
