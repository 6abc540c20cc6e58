// The token bucket against its envelope, and against the rule that it stands for in rational arithmetic; and the meter
// of envelopes against all of the windows that it sums up.
#include "model/admission/token_bucket.hpp"

#include <vector>

#include "model/properties/envelope_meter.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

__extension__ using Wide = __int128;
constexpr Wide kPerToken = 1'000'000'000'000'000'000;  // nanoseconds x nanohertz

template <class T>
T below(T bound) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, bound));
}

RateLimit any_limit() {
  const std::int64_t rate = *rc::gen::element<std::int64_t>(1'000'000'000, 3'000'000'000, 333'333'333, 7'777'777'777,
                                                            100'000, 1'000'000'000'000'000'000);
  return {.nanohertz = rate, .burst = 1 + below(6U)};
}

// None, about what a token takes (to the nanosecond before it is back, and the one at which it is), or any up to twice
// that.
Duration any_gap(const RateLimit& limit) {
  const auto token = static_cast<std::int64_t>(kPerToken / limit.nanohertz);
  switch (below(4)) {
    case 0:
      return Duration::zero();
    case 1:
      return Duration::nanoseconds(token + below<std::int64_t>(2));
    default:
      return Duration::nanoseconds(below(2 * token + 2));
  }
}

// When requests got in, and when they tried.
struct History {
  std::vector<Time> tried;
  std::vector<Time> entered;
};

// Tokens come back at the instants that the bucket names, before who arrives then.
History any_history(const RateLimit& limit) {
  TokenBucket bucket(limit);
  History history;
  Time now;
  const int tries = *rc::gen::inRange(1, 60);
  for (int i = 0; i < tries; ++i) {
    now = now + any_gap(limit);
    while (!bucket.full() && bucket.next_return() <= now) {
      bucket.give_back();
    }
    history.tried.push_back(now);
    if (bucket.take(now)) {
      history.entered.push_back(now);
    }
  }
  return history;
}

TEST_CASE("a token bucket lets at most burst + rate x T in within any T", "[property]") {
  check_property("token_bucket.envelope", [] {
    const RateLimit limit = any_limit();
    const std::vector<Time> entered = any_history(limit).entered;
    EnvelopeMeter meter;
    for (std::size_t last = 0; last < entered.size(); ++last) {
      RC_ASSERT(meter.enter(limit, entered[last]));
      for (std::size_t first = 0; first <= last; ++first) {
        const Wide over = static_cast<Wide>(last - first + 1) - limit.burst;
        const Wide passed = (entered[last] - entered[first]).count();
        RC_ASSERT((over * kPerToken <= passed * limit.nanohertz));
      }
    }
  });
}

TEST_CASE("a meter sees exactly the histories that some window shows to be too dense", "[property]") {
  check_property("token_bucket.meter", [] {
    const RateLimit limit = any_limit();
    EnvelopeMeter meter;
    std::vector<Time> entered;
    Time now;
    bool kept = true;
    const int requests = *rc::gen::inRange(1, 30);
    for (int i = 0; i < requests; ++i) {
      now = now + any_gap(limit);
      entered.push_back(now);
      bool windows_kept = true;
      for (std::size_t first = 0; first < entered.size(); ++first) {
        const Wide over = static_cast<Wide>(entered.size() - first) - limit.burst;
        windows_kept = windows_kept && over * kPerToken <= Wide{(now - entered[first]).count()} * limit.nanohertz;
      }
      kept = meter.enter(limit, now);
      RC_ASSERT(kept == windows_kept);
    }
  });
}

// Since the bucket left full at t0, token k is back at the first instant t with (t - t0) x rate >= k seconds.
TEST_CASE("a token bucket lets in what rational arithmetic lets in", "[property]") {
  check_property("token_bucket.rational", [] {
    const RateLimit limit = any_limit();
    const History history = any_history(limit);
    std::vector<Time> expected;
    Time left_full;
    std::uint64_t taken = 0;  // since it left full
    for (const Time at : history.tried) {
      const Wide back = Wide{(at - left_full).count()} * limit.nanohertz / kPerToken;
      if (back >= static_cast<Wide>(taken)) {
        left_full = at;
        taken = 0;
      }
      const Wide returned = taken == 0 ? 0 : Wide{(at - left_full).count()} * limit.nanohertz / kPerToken;
      if (static_cast<Wide>(limit.burst) - static_cast<Wide>(taken) + returned > 0) {
        ++taken;
        expected.push_back(at);
      }
    }
    RC_ASSERT((history.entered == expected));
  });
}

}  // namespace
}  // namespace headroom::test
