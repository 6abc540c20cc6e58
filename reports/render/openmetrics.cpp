#include "reports/render/openmetrics.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <string_view>
#include <vector>

#include "model/admission/refusal.hpp"
#include "reports/render/exposition.hpp"

namespace headroom {
namespace {

using Labels = Exposition::Labels;

struct Named {
  std::string_view name;
  const TenantFigures* figures;
};
struct Sender {
  std::string_view name;
  const GateFigures* gate;
};

// Tenants, then groups, each in the order of the result.
std::vector<Named> subjects_of(const RunResult& result) {
  std::vector<Named> subjects;
  subjects.reserve(result.tenants.size() + result.groups.size());
  for (const TenantResult& tenant : result.tenants) {
    subjects.push_back({tenant.name, &tenant.figures});
  }
  for (const GroupResult& group : result.groups) {
    subjects.push_back({group.name, &group.pooled});
  }
  return subjects;
}

template <class Subjects, class Value>
void of_each(Exposition& text, const Subjects& subjects, Value value) {
  for (const auto& subject : subjects) {
    value(Labels{{"tenant", subject.name}}, subject, text);
  }
}

// -- the run ----------------------------------------------------------------------------------------------------------

void write_run(Exposition& text, const RunResult& result) {
  const std::string seed = fmt::format("{}", result.seed);
  const std::string digest = fmt::format("{:016x}", result.scenario_digest);
  text.family("headroom_run", MetricType::info, "The run that these figures are of.");
  text.add({{"scenario", result.scenario_name},
            {"scenario_digest", digest},
            {"seed", seed},
            {"verdict", name_of(result.verdict)},
            {"headroom_version", result.headroom_version}},
           1);
  text.family("headroom_measured_until_seconds", MetricType::gauge, "End of the measured part, in simulated time.");
  text.add_time({}, result.duration.count());
  text.family("headroom_measured_from_seconds", MetricType::gauge, "End of the warm-up, in simulated time.");
  text.add_time({}, result.warmup.count());
  text.family("headroom_expectations", MetricType::gauge, "Expectations of the scenario by verdict.");
  for (const Verdict verdict : {Verdict::pass, Verdict::fail, Verdict::undecided}) {
    std::uint64_t count = 0;
    for (const Judgement& judgement : result.expectations) {
      count += judgement.verdict == verdict ? 1 : 0;
    }
    text.add({{"verdict", name_of(verdict)}}, count);
  }
}

// -- the HTTP side ----------------------------------------------------------------------------------------------------

void write_processes(Exposition& text, const FleetFigures& fleet) {
  const auto gauge = [&](std::string_view name, std::string_view help, auto value) {
    text.family(name, MetricType::gauge, help);
    for (const ProcessFigures& process : fleet.at_end) {
      text.add({{"process", process.name}}, static_cast<std::uint64_t>(std::invoke(value, process)));
    }
  };
  gauge("queue_depth", "Requests that wait at the gate of the process.", &ProcessFigures::queue_depth);
  gauge("inflight", "Requests whose handlers run in the process.", &ProcessFigures::inflight);
  gauge("ready", "1 if the process is ready for requests.", &ProcessFigures::ready);
  gauge("live", "1 if the process is up, saturated and draining ones included.", &ProcessFigures::live);
}

void write_rejections(Exposition& text, const std::vector<Sender>& senders) {
  text.family("admission_rejected", MetricType::counter,
              "Tries refused since the start, at the gates of all processes.");
  for (const Sender& sender : senders) {
    for (std::size_t i = 0; i < kRefusals; ++i) {
      const auto refusal = static_cast<Refusal>(i);
      const std::string_view reason = name_of(refusal);
      const auto found = sender.gate->rejected_by.find(std::string(reason));
      text.add({{"tenant", sender.name},
                {"status", status_of(refusal) == 429 ? "429" : "503"},
                {"scope", of_tenant(refusal) ? "tenant" : "process"},
                {"reason", reason}},
               found == sender.gate->rejected_by.end() ? 0 : found->second);
    }
  }
}

void write_admission(Exposition& text, const std::vector<Sender>& senders) {
  const auto counter = [&](std::string_view name, std::string_view help, auto value) {
    text.family(name, MetricType::counter, help);
    of_each(text, senders, [&](const Labels& labels, const Sender& sender, Exposition& out) {
      out.add(labels, std::invoke(value, *sender.gate));
    });
  };
  const auto summary = [&](std::string_view name, std::string_view help, DistributionSummary GateFigures::* value) {
    text.family(name, MetricType::summary, help);
    of_each(text, senders,
            [&](const Labels& labels, const Sender& sender, Exposition& out) { out.add(labels, sender.gate->*value); });
  };
  counter("admission_arrived", "Tries that reached a gate since the start.",
          [](const GateFigures& gate) { return gate.counts.arrived; });
  counter("admission_admitted", "Tries whose handlers started, since the start.",
          [](const GateFigures& gate) { return gate.counts.admitted; });
  write_rejections(text, senders);
  counter("admission_gone", "Tries whose client left before the handler started, since the start.", &GateFigures::gone);
  summary("admission_wait_seconds", "Wait at the gate of those admitted in the measured part.", &GateFigures::wait);
  summary("handling_seconds", "From the admission to the end of the handler, of those that ended in the measured part.",
          &GateFigures::handling);
  counter("requests", "Logical requests since the start.", &GateFigures::calls);
  counter("requests_answered_in_time", "Logical requests answered 2xx while the client waited, since the start.",
          [](const GateFigures& gate) { return gate.counts.goodput; });
  counter("requests_given_up", "Logical requests given up, since the start.", &GateFigures::gave_up);
  counter("request_retries", "Tries after the first, since the start.", &GateFigures::retries);
  counter("dead_work", "Handlers that succeeded for a client that had left, since the start.", &GateFigures::dead_work);
  summary("response_seconds", "From the first try to the answer in time, of those answered in the measured part.",
          &GateFigures::response);
}

void write_resource(Exposition& text, const std::string& name, const ResourceFigures& resource) {
  text.family(name + "_size", MetricType::gauge, "Units that there are, those in reserve included.");
  text.add({}, resource.size);
  text.family(name + "_reserve", MetricType::gauge, "Units kept for health checks and administration.");
  text.add({}, resource.reserve);
  text.family(name + "_in_use", MetricType::gauge, "Units in use.");
  text.add({}, resource.in_use_at_end);
  text.family(name + "_wait_seconds", MetricType::summary,
              "Wait for a unit, of those that got one in the measured part.");
  text.add({}, resource.wait);
  text.family(name + "_timeouts", MetricType::counter, "Waits for a unit that timed out, since the start.");
  text.add({}, resource.timeouts);
}

// -- rows -------------------------------------------------------------------------------------------------------------

void write_row_counts(Exposition& text, const std::vector<Named>& subjects) {
  struct State {
    std::string_view name;
    std::uint64_t TenantFigures::* count;
  };
  constexpr State states[] = {{"pending", &TenantFigures::pending_at_end},
                              {"claimed", &TenantFigures::claimed_at_end},
                              {"done", &TenantFigures::completed},
                              {"failed", &TenantFigures::failed},
                              {"cancelled", &TenantFigures::cancelled}};
  text.family("outbox_rows", MetricType::gauge, "Rows by their state at the end of the measured part.");
  for (const Named& subject : subjects) {
    for (const State& state : states) {
      text.add({{"tenant", subject.name}, {"state", state.name}}, subject.figures->*state.count);
    }
  }
  const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t TenantFigures::* count) {
    text.family(name, MetricType::counter, help);
    of_each(text, subjects, [&](const Labels& labels, const Named& subject, Exposition& out) {
      out.add(labels, subject.figures->*count);
    });
  };
  counter("outbox_claims", "Rows claimed since the start, again ones included.", &TenantFigures::claimed);
  counter("outbox_retries", "Claims that ended in a retry, since the start.", &TenantFigures::retries);
  counter("outbox_rearmed", "Claims that went stale, since the start.", &TenantFigures::rearmed);
  counter("outbox_duplicates_ignored", "Appends of a key that was there, since the start.",
          &TenantFigures::duplicates_ignored);
}

void write_row_times(Exposition& text, const std::vector<Named>& subjects) {
  const auto summary = [&](std::string_view name, std::string_view help, DistributionSummary TenantFigures::* value) {
    text.family(name, MetricType::summary, help);
    of_each(text, subjects, [&](const Labels& labels, const Named& subject, Exposition& out) {
      out.add(labels, subject.figures->*value);
    });
  };
  summary("outbox_wait_seconds", "From due to the start of execution, in the measured part.", &TenantFigures::wait);
  summary("outbox_claim_wait_seconds", "From due to the claim, in the measured part.", &TenantFigures::claim_wait);
  summary("outbox_sojourn_seconds", "From due to the end of execution, in the measured part.", &TenantFigures::sojourn);
  text.family("outbox_wait_cause_seconds", MetricType::counter,
              "Time that rows waited, by cause, in the measured part.");
  for (const Named& subject : subjects) {
    for (const auto& [cause, nanoseconds] : subject.figures->wait_causes) {
      text.add_time({{"tenant", subject.name}, {"cause", cause}}, nanoseconds);
    }
  }
  text.family("outbox_executing_seconds", MetricType::counter, "Time that workers spent on rows in the measured part.");
  of_each(text, subjects, [](const Labels& labels, const Named& subject, Exposition& out) {
    out.add_time(labels, subject.figures->executing_time);
  });
  text.family("outbox_oldest_unclaimed_seconds", MetricType::gauge, "Age of the row that waits longest for a claim.");
  of_each(text, subjects, [](const Labels& labels, const Named& subject, Exposition& out) {
    out.add_time(labels, subject.figures->oldest_unclaimed.count());
  });
  text.family("outbox_longest_starvation_seconds", MetricType::gauge,
              "Longest time active without being served, in the measured part.");
  of_each(text, subjects, [](const Labels& labels, const Named& subject, Exposition& out) {
    out.add_time(labels, subject.figures->longest_starvation.time.count());
  });
}

}  // namespace

std::string render_openmetrics(const RunResult& result) {
  const std::vector<Named> subjects = subjects_of(result);
  std::vector<Sender> senders;
  for (const Named& subject : subjects) {
    if (subject.figures->gate) {
      senders.push_back({subject.name, &*subject.figures->gate});
    }
  }
  Exposition text;
  write_run(text, result);
  if (const std::optional<FleetFigures>& fleet = result.cluster.fleet) {
    write_processes(text, *fleet);
    write_admission(text, senders);
    if (fleet->database_pool) {
      write_resource(text, "database_pool", *fleet->database_pool);
    }
    if (fleet->downstream) {
      write_resource(text, "downstream", *fleet->downstream);
    }
  }
  write_row_counts(text, subjects);
  write_row_times(text, subjects);
  if (result.cluster.jain_index) {
    text.family("outbox_jain_index", MetricType::gauge,
                "Jain's index over the windows in which tenants were backlogged.");
    text.add_number({}, *result.cluster.jain_index);
  }
  return std::move(text).finish();
}

}  // namespace headroom
