// The clients of a tenant: how long they wait for an answer, and when they try again.
//
//   RetryPolicy policy(spec.client.retry, Stream(seed, tenant.entity, Purpose::retry));
//   policy.first_try();
//   if (const std::optional<Duration> delay = policy.next(retries, told_to_wait)) try_again_after(*delay);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.hpp"
#include "sim/engine/decimal.hpp"
#include "sim/engine/distribution.hpp"
#include "sim/engine/stream.hpp"
#include "sim/world/arrivals.hpp"

namespace headroom {

enum class RetryKind : std::uint8_t { none, fixed, exponential };
// Of a delay d: d itself; uniform over [0, d]; d / 2 plus uniform over [0, d / 2].
enum class RetryJitter : std::uint8_t { none, full, equal };
// What a client does whose timeout has passed: the gate sees that it is gone, or does not learn of it.
enum class OnTimeout : std::uint8_t { disconnect, silent };

struct RetrySpec {
  RetryKind kind = RetryKind::none;
  Duration delay = Duration::zero();       // before the first retry
  Decimal multiplier = Decimal::whole(2);  // at least 1; each delay is rounded to the nearest nanosecond
  Duration max_delay = Duration::max();
  RetryJitter jitter = RetryJitter::none;
  std::optional<std::uint32_t> attempts = 3;  // retries of one logical request; absent: unbounded
  std::optional<Decimal> budget;              // retries per first try; absent: none
  bool honour_retry_after = true;             // never sooner than a refusal says
};

struct ClientSpec {
  std::optional<Duration> timeout;  // of each try
  OnTimeout on_timeout = OnTimeout::disconnect;
  RetrySpec retry;
  bool idempotency_key = true;               // a retry is the same logical request
  std::optional<DistributionSpec> patience;  // leaves for good after so long, whatever the stage
};

// What a scenario says of a tenant's requests.
struct RequestsSpec {
  ArrivalSpec arrivals;
  DistributionSpec service = ExponentialSpec{Duration::milliseconds(50)};
  Decimal failure;            // probability that a handler fails of itself
  std::uint32_t fan_out = 0;  // rows that a handler appends when it succeeds
  ClientSpec client;
};

// All clients of one tenant draw their delays, and share their retry budget, here.
class RetryPolicy {
 public:
  RetryPolicy(const RetrySpec& spec, Stream stream);

  // A logical request is tried for the first time: the budget grows.
  void first_try();
  // The delay until the next try of a logical request that was tried again `retries` times so far; nothing: it gives
  // up. `told`: what the refusal said, if it was one.
  [[nodiscard]] std::optional<Duration> next(std::uint32_t retries, std::optional<Duration> told);

 private:
  [[nodiscard]] Duration delay_before(std::uint32_t retries);
  [[nodiscard]] Duration jittered(Duration delay);

  RetrySpec spec_;
  Stream stream_;
  std::vector<Duration> delays_;  // by retries so far, as far as they were asked for or grow
  std::int64_t saved_ = 0;        // of the budget, in billionths of a retry; at most ten retries
};

}  // namespace headroom
