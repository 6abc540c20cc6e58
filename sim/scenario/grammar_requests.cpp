// A tenant's requests and the clients that send them.
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"

namespace headroom {
namespace {

constexpr Duration kShortest = Duration::nanoseconds(1);
constexpr std::uint32_t kMaxFanOut = 1000;
// More than this is never saved up.
constexpr Decimal kMostBudget = Decimal::whole(10);

ObjectRule<RetrySpec> retry_keys(RetryKind kind) {
  RetrySpec initial;
  initial.kind = kind;
  initial.delay = Duration::milliseconds(100);
  ObjectRule<RetrySpec> object(initial);
  if (kind == RetryKind::none) {
    return object;
  }
  const bool grows = kind == RetryKind::exponential;
  object.key("delay", &RetrySpec::delay, duration(), grows ? "before the first retry" : "before each retry");
  if (grows) {
    object.key("multiplier", &RetrySpec::multiplier, decimal(Decimal::whole(1), Decimal::whole(1000)),
               "growth of the delay");
    object.key_into(
        "max_delay", duration(), [](RetrySpec& retry, Duration longest) { retry.max_delay = longest; },
        "longest delay (default: no bound)");
  }
  object.key("jitter", &RetrySpec::jitter, choice<RetryJitter>(), "what is drawn of the delay");
  object.key("attempts", &RetrySpec::attempts, or_none("unbounded", whole<std::uint32_t>(1, kMaxCount)),
             "retries of one request, after its first try");
  object.key("budget", &RetrySpec::budget, decimal(Decimal{0}, kMostBudget),
             "retries that each first try adds to what all clients of the tenant may spend (default: no bound)");
  object.key("honour_retry_after", &RetrySpec::honour_retry_after, flag(), "never sooner than a refusal says");
  object.check([](const RetrySpec& retry, Reading& reading) {
    if (retry.max_delay < retry.delay) {
      const auto step = reading.enter("max_delay");
      reading.fault(format_duration(retry.max_delay) + " is below \"delay\"",
                    "at least " + format_duration(retry.delay));
    }
    // Refused at once, again and again, at one instant.
    if (!retry.attempts && !retry.budget && retry.delay == Duration::zero()) {
      const auto step = reading.enter("attempts");
      reading.fault("\"unbounded\" with a delay of 0s lets a client try again for ever in no time",
                    "a delay above 0, a number of attempts, or a budget");
    }
  });
  return object;
}

Rule<RetrySpec> make_retry_rule() {
  KindRule<RetrySpec> kinds("how clients try again", "kind");
  for (const EnumName<RetryKind>& kind : enum_names<RetryKind>()) {
    kinds.add(kind.name, kind.summary, retry_keys(kind.value));
  }
  return kinds.rule();
}

Rule<ClientSpec> client_rule() {
  ObjectRule<ClientSpec> object;
  object.key("timeout", &ClientSpec::timeout, duration(kShortest),
             "how long a client waits for the answer to a try (default: without end)");
  object.key("on_timeout", &ClientSpec::on_timeout, choice<OnTimeout>(), "what a client does then");
  object.key("retry", &ClientSpec::retry, retry_rule(), "when a client tries again (default: never)");
  object.key("idempotency_key", &ClientSpec::idempotency_key, flag(), "whether a retry is the same logical request");
  object.key("patience", &ClientSpec::patience, distribution_rule(),
             "how long a client stays, whatever the stage (default: without end)");
  return object.rule();
}

// The keys of `requests`: which of them are there matters.
struct RequestsKeys {
  std::optional<ArrivalSpec> arrivals;
  std::optional<DistributionSpec> service;
  std::optional<Decimal> failure;
  std::optional<std::uint32_t> fan_out;
  std::optional<ClientSpec> client;
};

void check_requests(const RequestsKeys& keys, Reading& reading) {
  if (!keys.arrivals) {
    if (keys.service || keys.failure || keys.fan_out || keys.client) {
      const auto step = reading.enter("arrivals");
      reading.fault("is missing", "the other keys need it");
    }
    return;
  }
  if (std::holds_alternative<BacklogArrivals>(*keys.arrivals)) {
    const auto step = reading.enter("arrivals");
    reading.fault("\"backlog\" keeps rows Pending, and requests are not kept", "\"closed_loop\", or another kind");
  }
  const auto* trace = std::get_if<TraceArrivals>(&*keys.arrivals);
  if (trace != nullptr && !trace->service.empty() && keys.service) {
    const auto step = reading.enter("service");
    reading.fault("the trace gives the service times already", "leave out one of the two");
  }
}

std::optional<RequestsSpec> to_requests(RequestsKeys keys, Reading&) {
  if (!keys.arrivals) {
    return std::nullopt;
  }
  RequestsSpec requests;
  requests.arrivals = std::move(*keys.arrivals);
  requests.service = keys.service ? std::move(*keys.service) : requests.service;
  requests.failure = keys.failure.value_or(requests.failure);
  requests.fan_out = keys.fan_out.value_or(requests.fan_out);
  requests.client = keys.client ? std::move(*keys.client) : requests.client;
  return requests;
}

Rule<std::optional<RequestsSpec>> make_requests_rule() {
  ObjectRule<RequestsKeys> object;
  object.key("arrivals", &RequestsKeys::arrivals, arrivals_rule(), "when requests come; absent: never");
  object.key("service", &RequestsKeys::service, distribution_rule(),
             "how long a handler runs (default: exponential, 50ms)");
  object.key("failure", &RequestsKeys::failure, decimal(Decimal{0}, Decimal::whole(1)),
             "probability that a handler fails (default: 0)");
  object.key("fan_out", &RequestsKeys::fan_out, whole<std::uint32_t>(0, kMaxFanOut),
             "rows that a handler appends when it succeeds (default: 0)");
  object.key("client", &RequestsKeys::client, client_rule(), "who sends them");
  object.check(check_requests);
  return mapped<std::optional<RequestsSpec>>(object.rule(), to_requests);
}

}  // namespace

const Rule<RetrySpec>& retry_rule() {
  static const Rule<RetrySpec> rule = make_retry_rule();
  return rule;
}

const Rule<std::optional<RequestsSpec>>& requests_rule() {
  static const Rule<std::optional<RequestsSpec>> rule = make_requests_rule();
  return rule;
}

}  // namespace headroom
