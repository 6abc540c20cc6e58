// Distributions and arrival processes.
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"
#include "sim/scenario/traces.hpp"

namespace headroom {
namespace {

constexpr Duration kShortest = Duration::nanoseconds(1);

// What `empirical` says: the values themselves, or where they are.
struct EmpiricalSource {
  std::vector<Duration> values;
  std::string file;
  std::string column;
};

EmpiricalSpec read_empirical(EmpiricalSource source, Reading& reading) {
  if (source.values.empty() == source.file.empty()) {
    reading.fault("an empirical distribution needs its values, once", "\"values\", or \"file\" and \"column\"");
    return {};
  }
  if (source.file.empty() != source.column.empty()) {
    reading.fault("\"file\" and \"column\" belong together", "both, or \"values\"");
    return {};
  }
  if (source.file.empty()) {
    return {std::move(source.values)};
  }
  const auto step = reading.enter("file");
  return {load_durations(source.file, source.column, reading)};
}

template <class T>
ObjectRule<T> with_mean() {
  ObjectRule<T> object;
  object.required("mean", &T::mean, duration(kShortest), "expected value");
  return object;
}

Rule<DistributionSpec> make_distribution_rule() {
  KindRule<DistributionSpec> kinds("a distribution of durations", "kind");

  ObjectRule<ConstantSpec> constant;
  constant.required("value", &ConstantSpec::value, duration(), "the duration");
  kinds.add("constant", "always the same", constant);

  ObjectRule<UniformSpec> uniform;
  uniform.required("low", &UniformSpec::low, duration(), "shortest");
  uniform.required("high", &UniformSpec::high, duration(), "longest");
  uniform.check([](const UniformSpec& spec, Reading& reading) {
    if (spec.low > spec.high) {
      const auto step = reading.enter("low");
      reading.fault(format_duration(spec.low) + " is above \"high\"", "at most " + format_duration(spec.high));
    }
  });
  kinds.add("uniform", "every duration from low to high alike", uniform);

  kinds.add("exponential", "memoryless", with_mean<ExponentialSpec>());

  ObjectRule<LognormalSpec> lognormal = with_mean<LognormalSpec>();
  lognormal.required("sigma", &LognormalSpec::sigma, decimal(Decimal{0}, Decimal::whole(4)),
                     "standard deviation of the logarithm; the squared coefficient of variation is exp(sigma^2) - 1");
  kinds.add("lognormal", "the exponential of a normal", lognormal);

  ObjectRule<ParetoSpec> pareto = with_mean<ParetoSpec>();
  pareto.required("shape", &ParetoSpec::shape, decimal(Decimal::whole(1), Decimal::whole(1000), true),
                  "tail exponent; below 2 the variance is infinite");
  kinds.add("pareto", "heavy tail (type I)", pareto);

  ObjectRule<ErlangSpec> erlang = with_mean<ErlangSpec>();
  erlang.required("k", &ErlangSpec::k, whole<std::uint32_t>(1, 1000), "number of stages");
  kinds.add("erlang", "sum of k exponentials", erlang);

  ObjectRule<EmpiricalSource> empirical;
  empirical.key("values", &EmpiricalSource::values, list(duration(), 1, kMaxListed), "each as likely as the others");
  empirical.key("file", &EmpiricalSource::file, text(1, 4096), "CSV or JSONL file, relative to the scenario");
  empirical.key("column", &EmpiricalSource::column, text(1, 255), "the column of the values");
  kinds.add("empirical", "measured values", empirical,
            [](EmpiricalSource source, Reading& reading) { return read_empirical(std::move(source), reading); });
  return kinds.rule();
}

template <class T>
ObjectRule<T> with_rate() {
  ObjectRule<T> object;
  object.required("rate", &T::rate, rate(), "mean rate");
  return object;
}

void add_random_arrivals(KindRule<ArrivalSpec>& kinds) {
  kinds.add("constant", "evenly spaced; the first after one interval", with_rate<ConstantArrivals>());
  kinds.add("poisson", "independent of each other", with_rate<PoissonArrivals>());

  ObjectRule<OnOffArrivals> on_off;
  on_off.required("rate_on", &OnOffArrivals::rate_on, rate(), "while on");
  on_off.required("rate_off", &OnOffArrivals::rate_off, rate(Rate{0}), "while off");
  on_off.required("mean_on", &OnOffArrivals::mean_on, duration(kShortest), "mean time on");
  on_off.required("mean_off", &OnOffArrivals::mean_off, duration(kShortest), "mean time off");
  kinds.add("on_off", "Poisson at two rates in turn, for exponential times; starts off", on_off);

  ObjectRule<ParetoArrivals> pareto = with_rate<ParetoArrivals>();
  pareto.required("shape", &ParetoArrivals::shape, decimal(Decimal::whole(1), Decimal::whole(1000), true),
                  "tail exponent of the intervals");
  kinds.add("pareto", "heavy-tailed intervals", pareto);
}

void add_given_arrivals(KindRule<ArrivalSpec>& kinds) {
  ObjectRule<ScheduledArrival> entry;
  entry.required("at", &ScheduledArrival::at, instant(), "when");
  entry.key("n", &ScheduledArrival::n, whole<std::uint64_t>(1, kMaxRowsAtOnce), "how many at once");
  ObjectRule<ScheduleArrivals> schedule;
  schedule.required("at", &ScheduleArrivals::at, list(entry.rule(), 1, kMaxListed), "instants and numbers");
  kinds.add("schedule", "given numbers at given instants", schedule);

  ObjectRule<BacklogArrivals> backlog;
  backlog.required("n", &BacklogArrivals::n, whole<std::uint64_t>(1, kMaxRowsAtOnce), "rows kept Pending");
  kinds.add("backlog", "n rows at time 0, and as many again as are claimed", backlog);

  ObjectRule<TraceArrivals> trace;
  trace.required("file", &TraceArrivals::file, text(1, 4096), "CSV or JSONL file, relative to the scenario");
  trace.required("time", &TraceArrivals::time, text(1, 255), "the column of the instants");
  trace.key("tenant", &TraceArrivals::tenant, text(1, 255), "a column; only entries with this tenant's id in it count");
  trace.key("service", &TraceArrivals::service, text(1, 255), "the column of the service times");
  kinds.add("trace", "what a file has recorded", trace);
}

Rule<ArrivalSpec> make_arrivals_rule() {
  KindRule<ArrivalSpec> kinds("an arrival process", "kind");
  add_random_arrivals(kinds);
  add_given_arrivals(kinds);

  ObjectRule<ClosedLoopArrivals> closed_loop;
  closed_loop.required("clients", &ClosedLoopArrivals::clients, whole<std::uint32_t>(1, kMaxCount), "how many");
  closed_loop.required("think", &ClosedLoopArrivals::think, distribution_rule(), "from a result to what comes next");
  kinds.add("closed_loop", "clients that wait for the result of a row or request, think, and go on", closed_loop);
  return kinds.rule();
}

}  // namespace

const Rule<DistributionSpec>& distribution_rule() {
  static const Rule<DistributionSpec> rule = defined_as("distribution", make_distribution_rule());
  return rule;
}

const Rule<ArrivalSpec>& arrivals_rule() {
  static const Rule<ArrivalSpec> rule = defined_as("arrivals", make_arrivals_rule());
  return rule;
}

}  // namespace headroom
