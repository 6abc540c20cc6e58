// What tells one schedule of steps from another: a digest of all their effects, in order, with their times.
#pragma once

#include <cstdint>

#include "model/base/hash.hpp"
#include "model/base/time.hpp"
#include "model/cluster/effect.hpp"

namespace headroom {

[[nodiscard]] inline std::uint64_t digest_with(std::uint64_t digest, const Effect& effect, Time at) {
  if (effect.kind == EffectKind::sweep_planned || effect.kind == EffectKind::sweep_finished) {
    return digest;  // polls that find nothing say nothing
  }
  const std::uint64_t what = (static_cast<std::uint64_t>(effect.kind) << 56U) |
                             (static_cast<std::uint64_t>(effect.node.value()) << 40U) | effect.name.value();
  return mix(digest ^ what) + (effect.key.word() ^ mix(static_cast<std::uint64_t>(at.nanoseconds()) ^
                                                       static_cast<std::uint64_t>(effect.value)));
}

}  // namespace headroom
