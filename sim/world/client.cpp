#include "sim/world/client.hpp"

#include <algorithm>

#include "model/base/assert.hpp"
#include "sim/world/latency_shift.hpp"

namespace headroom {
namespace {

// So that a long calm does not save up a storm.
constexpr std::int64_t kMostSaved = 10 * Decimal::kOne;

}  // namespace

RetryPolicy::RetryPolicy(const RetrySpec& spec, Stream stream) : spec_(spec), stream_(stream) {
  HEADROOM_ASSERT(spec.delay >= Duration::zero() && spec.multiplier >= Decimal::whole(1),
                  "a delay of {} ns times {}e-9", spec.delay.count(), spec.multiplier.billionths);
  delays_.push_back(std::min(spec.delay, spec.max_delay));
}

void RetryPolicy::first_try() {
  if (spec_.budget) {
    saved_ = std::min(saved_ + std::min(spec_.budget->billionths, kMostSaved), kMostSaved);
  }
}

std::optional<Duration> RetryPolicy::next(std::uint32_t retries, std::optional<Duration> told) {
  const bool used_up = spec_.attempts && retries >= *spec_.attempts;
  if (spec_.kind == RetryKind::none || used_up || (spec_.budget && saved_ < Decimal::kOne)) {
    return std::nullopt;
  }
  if (spec_.budget) {
    saved_ -= Decimal::kOne;
  }
  const Duration delay = jittered(delay_before(retries));
  return spec_.honour_retry_after && told ? std::max(delay, *told) : delay;
}

Duration RetryPolicy::delay_before(std::uint32_t retries) {
  if (spec_.kind == RetryKind::fixed) {
    return spec_.delay;
  }
  while (delays_.size() <= retries) {
    const Duration longer = std::min(scaled(delays_.back(), spec_.multiplier), spec_.max_delay);
    if (longer == delays_.back()) {
      break;  // and so would be all that follow
    }
    delays_.push_back(longer);
  }
  return delays_[std::min<std::size_t>(retries, delays_.size() - 1)];
}

Duration RetryPolicy::jittered(Duration delay) {
  const auto up_to = [this](Duration most) {
    return Duration::nanoseconds(
        static_cast<std::int64_t>(stream_.below(static_cast<std::uint64_t>(most.count()) + 1)));
  };
  switch (spec_.jitter) {
    case RetryJitter::none:
      return delay;
    case RetryJitter::full:
      return up_to(delay);
    case RetryJitter::equal:
      return delay - delay / 2 + up_to(delay / 2);
  }
  return delay;
}

}  // namespace headroom
