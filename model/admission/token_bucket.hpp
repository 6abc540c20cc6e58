// A tenant's rate limit in one process: a bucket of tokens, each of which lets one request in.
//
//   TokenBucket bucket(limit);
//   if (!bucket.take(now)) refuse();
//   ... one timer while it is not full, at bucket.next_return(): bucket.give_back();
//
// Tokens come back one by one: since the bucket left full, token k returns after ceil(k * 1 s / rate), so the requests
// that it lets in within any (t, t + T] are at most burst + rate * T.
#pragma once

#include <cstdint>

#include "model/admission/config.hpp"
#include "model/base/assert.hpp"
#include "model/base/time.hpp"

namespace headroom {

class TokenBucket {
 public:
  TokenBucket() = default;
  // Full.
  explicit TokenBucket(const RateLimit& limit) : limit_(limit), tokens_(limit.burst) {}

  // One that holds so many, and began to fill at time 0.
  [[nodiscard]] static TokenBucket holding(const RateLimit& limit, std::uint32_t tokens) {
    TokenBucket bucket(limit);
    bucket.tokens_ = tokens;
    return bucket;
  }

  [[nodiscard]] std::uint32_t tokens() const { return tokens_; }
  [[nodiscard]] bool full() const { return tokens_ == limit_.burst; }

  // False if there is none. `at` is payload: only next_return() hangs on it.
  bool take(Time at) {
    if (tokens_ == 0) {
      return false;
    }
    if (full()) {
      left_full_ = at;
      returned_ = 0;
    }
    --tokens_;
    return true;
  }

  // Needs a bucket that is not full.
  void give_back() {
    HEADROOM_ASSERT(!full(), "a token came back to a full bucket of {}", tokens_);
    ++tokens_;
    ++returned_;
  }

  // When the next token comes back. Needs a bucket that is not full.
  [[nodiscard]] Time next_return() const {
    __extension__ using Wide = unsigned __int128;
    constexpr Wide nanosecond_nanohertz = 1'000'000'000'000'000'000;
    const Wide rate = static_cast<Wide>(limit_.nanohertz);
    const Wide wait = ((static_cast<Wide>(returned_) + 1) * nanosecond_nanohertz + rate - 1) / rate;
    const Wide longest = static_cast<Wide>(Duration::max().count());
    return left_full_ + Duration::nanoseconds(static_cast<std::int64_t>(wait < longest ? wait : longest));
  }

  friend bool operator==(const TokenBucket&, const TokenBucket&) = default;

 private:
  RateLimit limit_;
  std::uint32_t tokens_ = 0;
  std::uint64_t returned_ = 0;  // since it left full
  Time left_full_;
};

}  // namespace headroom
