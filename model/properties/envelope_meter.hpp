// Whether the requests that a rate limit lets in keep to its promise: at most burst + rate * T of them in any (t, t +
// T].
//
//   EnvelopeMeter meter;
//   const bool kept = meter.enter(limit, now);
//
// They keep to it exactly if a vessel into which each pours 1, and which leaks at `rate`, never holds more than
// `burst`: what it holds is the largest excess of the requests in [t, now] over rate * (now - t). In units of 10^-18
// requests everything is a whole number.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/admission/config.hpp"
#include "model/base/time.hpp"

namespace headroom {

class EnvelopeMeter {
 public:
  bool enter(const RateLimit& limit, Time at) {
    const Wide leaked = static_cast<Wide>(limit.nanohertz) * (at - last_).count();
    level_ = std::max<Wide>(0, level_ - leaked) + kOneRequest;
    last_ = at;
    return level_ <= limit.burst * kOneRequest;
  }

 private:
  __extension__ using Wide = __int128;
  static constexpr Wide kOneRequest = 1'000'000'000'000'000'000;

  Wide level_ = 0;
  Time last_;
};

}  // namespace headroom
