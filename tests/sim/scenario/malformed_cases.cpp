#include "tests/sim/scenario/malformed_cases.hpp"

#include "tests/sim/scenario/broken_copies.hpp"

namespace headroom::test {
namespace {

void add_whole_numbers(Cases& cases) {
  for (const char* pointer :
       {"/seed", "/cluster/nodes", "/cluster/shards", "/cluster/workers", "/outbox/backoff_multiplier",
        "/outbox/max_attempts", "/backpressure/batch_size", "/tenants/0/quota", "/tenants/0/weight", "/tenants/2/count",
        "/tenants/0/rows/workflows", "/tenants/1/rows/arrivals/n", "/faults/1/shard", "/expect/0/at_most_sweeps"}) {
    cases.set(pointer, "-1", "out of range");
    cases.set(pointer, "3.9", "not a whole number");
    cases.set(pointer, "18446744073709551616", "out of range");
    cases.set(pointer, "1e40", "out of range");
    cases.set(pointer, "null", "not allowed");
    cases.set(pointer, "[1]", "not allowed");
  }
  for (const char* pointer : {"/cluster/nodes", "/cluster/shards", "/cluster/workers", "/outbox/max_attempts",
                              "/backpressure/batch_size", "/tenants/0/weight", "/tenants/2/count",
                              "/tenants/0/rows/workflows", "/tenants/1/rows/arrivals/n", "/schema"}) {
    cases.set(pointer, "0", "out of range");
  }
  cases.set("/schema", "2", "out of range");
  cases.set("/schema", "\"1\"", "not allowed");
  cases.set("/cluster/nodes", "1025", "1 to 1024");
  cases.set("/cluster/nodes", "\"three\"", "not allowed");
  cases.set("/cluster/shards", "1048577", "1 to 1048576");
  cases.set("/tenants/0/quota", "4294967296", "0 to 4294967295");
  cases.set("/tenants/0/weight", "1000001", "1 to 1000000");
  cases.set("/outbox/max_attempts", "65536", "1 to 65535");
  cases.set("/cluster/workers", "\"unlimitd\"", "did you mean \"unlimited\"?");
}

void add_durations(Cases& cases) {
  for (const char* pointer :
       {"/duration", "/warmup", "/drain", "/window", "/cluster/poll_interval", "/cluster/min_sweep_gap",
        "/cluster/sweep_cost", "/cluster/claim_cost", "/cluster/detection_delay", "/cluster/adoption_delay",
        "/cluster/reconcile_interval", "/cluster/stale_after", "/outbox/backoff_base", "/outbox/backoff_max",
        "/tenants/0/rows/visible_after", "/tenants/0/rows/service/mean", "/latency_shifts/0/at",
        "/latency_shifts/0/for", "/faults/0/at"}) {
    cases.set(pointer, "5", "not allowed");
    cases.set(pointer, "\"5\"", "not allowed");
    cases.set(pointer, "\"-5s\"", "out of range");
    cases.set(pointer, "\"9999999999h\"", "out of range");
    cases.set(pointer, "\"0.1ns\"", "whole number of nanoseconds");
  }
  for (const char* pointer : {"/duration", "/window", "/cluster/poll_interval", "/cluster/reconcile_interval",
                              "/cluster/stale_after", "/tenants/0/rows/service/mean", "/latency_shifts/0/for"}) {
    cases.set(pointer, "\"0s\"", "out of range");
  }
  cases.set("/duration", "\"5 s\"", "units: ns, us, ms, s, m, h");
  cases.set("/duration", "\"5d\"", "units: ns, us, ms, s, m, h");
  cases.set("/duration", "\"NaNs\"", "not allowed");
  cases.set("/warmup", "\"60s\"", "nothing to measure");
  cases.set("/window", "\"1us\"", "too many windows");
}

void add_rates_and_decimals(Cases& cases) {
  const std::string rate = "/tenants/0/rows/arrivals/rate";
  cases.set(rate, "5", "such as \"5/s\"");
  cases.set(rate, "\"5\"", "such as \"5/s\"");
  cases.set(rate, "\"5/d\"", "not allowed");
  cases.set(rate, "\"0/s\"", "out of range");
  cases.set(rate, "\"-5/s\"", "out of range");
  cases.set(rate, "\"1000000001/s\"", "out of range");
  cases.set(rate, "\"0.0000000001/s\"", "nine digits");
  cases.set("/tenants/0/rows/failure", "1.5", "out of range");
  cases.set("/tenants/0/rows/failure", "-0.1", "out of range");
  cases.set("/tenants/0/rows/failure", "\"0.1\"", "a number from 0 to 1");
  cases.set("/tenants/0/rows/failure", "0.0000000001", "nine digits");
  cases.set("/latency_shifts/0/factor", "0", "above 0");
  cases.set("/latency_shifts/0/factor", "-3", "out of range");
  cases.set("/latency_shifts/0/factor", "1e7", "out of range");
  cases.set("/expect/2/at_most", "\"200\"", "not allowed");
  cases.set("/expect/4/at_least", "1.1", "out of range");
}

void add_names(Cases& cases) {
  cases.set("/backpressure/planner", "\"rotatin\"", "did you mean \"rotating\"?");
  cases.set("/backpressure/planner", "1", "not allowed");
  cases.set("/backpressure/claimed_counts", "\"owned_shard\"", "did you mean \"owned_shards\"?");
  cases.set("/backpressure/ceiling_growth", "\"setled\"", "did you mean \"settled\"?");
  cases.set("/cluster/dispatch", "\"paralel\"", "did you mean \"parallel\"?");
  cases.set("/outbox/shard_by", "\"dispach_key\"", "did you mean \"dispatch_key\"?");
  cases.set("/tie_break", "\"rnadom\"", "did you mean \"random\"?");
  cases.set("/cluster/wake", "\"yes\"", "true or false");
  cases.set("/cluster/wake", "1", "true or false");
  cases.set("/tenants/0/noisy", "null", "true or false");
  cases.set("/name", "\"\"", "bytes");
  cases.set("/name", "7", "not allowed");
  cases.set("/name", "\"a\\u0000b\"", "zero character");
  cases.set("/description", "[]", "not allowed");
  cases.set("/tenants/0/name", "\"" + std::string(256, 'x') + "\"", "256 bytes");
  cases.set("/tenants/0/rows/arrivals/kind", "\"poison\"", "did you mean \"poisson\"?");
  cases.set("/tenants/0/rows/service/kind", "\"exponental\"", "did you mean \"exponential\"?");
  cases.set("/latency_shifts/0/kind", "\"stop\"", "did you mean \"step\"?");
  cases.set("/faults/0/kind", "\"crsh\"", "did you mean \"crash\"?");
  cases.set("/expect/0/property", "\"no_starvaton\"", "did you mean \"no_starvation\"?");
  cases.set("/expect/0/property", "\"name_blind\"", "\"name_blind\" compares two runs and is not evaluated during one");
  cases.set("/expect/3/sometimes", "\"at_celing\"", "did you mean \"at_ceiling\"?");
  cases.set("/expect/3/sometimes", "\"refused_42\"", "did you mean \"refused_429\"?");
}

void add_keys(Cases& cases) {
  for (const char* pointer :
       {"/schema", "/name", "/duration", "/cluster", "/tenants", "/tenants/0/name", "/tenants/0/rows/arrivals/kind",
        "/tenants/0/rows/arrivals/rate", "/tenants/0/rows/service/mean", "/latency_shifts/0/on",
        "/latency_shifts/0/factor", "/latency_shifts/0/at", "/latency_shifts/0/for", "/faults/0/node", "/faults/0/at",
        "/faults/1/shard", "/faults/1/to"}) {
    cases.remove(pointer, "is missing");
  }
  cases.set("/tenants/1/rows", R"({"failure": 0.1})", "the other keys need it", "/tenants/1/rows/arrivals");
  cases.remove("/expect/2/at_most", "\"at_least\", \"at_most\", or both");
  cases.remove("/expect/4/at_least", "needs a bound");
  cases.remove("/expect/0/property", "one of the keys", "/expect/0");
  cases.set("/clutser", "{}", "did you mean \"cluster\"?");
  cases.set("/cluster/node", "3", "did you mean \"nodes\"?");
  cases.set("/cluster/wibble", "3", "unknown key");
  cases.set("/outbox/backof_base", "\"1s\"", "did you mean \"backoff_base\"?");
  cases.set("/backpressure/batchsize", "4", "did you mean \"batch_size\"?");
  cases.set("/tenants/0/qouta", "4", "did you mean \"quota\"?");
  cases.set("/tenants/0/rows/servise", "{}", "did you mean \"service\"?");
  cases.set("/tenants/0/rows/arrivals/rat", "\"1/s\"", "did you mean \"rate\"?");
  cases.set("/latency_shifts/0/over", "\"1s\"", "unknown key");  // a key of another shape
  cases.set("/faults/0/shard", "1", "unknown key");
  cases.set("/expect/0/at_most", "1", "did you mean \"at_most_ms\"?");
  cases.set("/expect/0/metric", "\"/x\"", "one of the keys", "/expect/0");
  cases.set("/check", "{}", "there is nothing to happen");
  cases.replace(R"("name": "sound")", R"("name": "sound", "name": "twice")", "/name", "duplicate key");
  cases.replace(R"("nodes": 3)", R"("nodes": 3, "nodes": 3)", "/cluster/nodes", "duplicate key");
  cases.replace(R"("kind": "poisson")", R"("kind": "poisson", "kind": "poisson")", "/tenants/0/rows/arrivals/kind",
                "duplicate key");
}

void add_shapes(Cases& cases) {
  for (const char* pointer :
       {"/cluster", "/outbox", "/backpressure", "/tenants", "/tenants/0", "/tenants/0/rows", "/tenants/0/rows/arrivals",
        "/tenants/0/rows/service", "/tenants/0/routes", "/latency_shifts", "/latency_shifts/0", "/faults", "/faults/0",
        "/expect", "/expect/0", "/cluster/worker_pools", "/cluster/worker_pools/fast", "/cluster/ownership"}) {
    cases.set(pointer, "7", "not allowed");
  }
  cases.set("/tenants", "[]", "1 to");
  cases.set("/tenants/0/routes", "[]", "1 to");
  cases.set("/cluster/worker_pools/fast", "[]", "1 to");
}

void add_references(Cases& cases) {
  cases.set("/cluster/ownership", "\"evn\"", "did you mean \"even\"?");
  cases.set("/cluster/ownership", "{}", "not allowed");
  cases.set("/cluster/ownership", R"({"weight": [1,1,1]})", "did you mean", "/cluster/ownership/weight");
  cases.set("/cluster/ownership", R"({"weights": [1, 1]})", "one per node", "/cluster/ownership/weights");
  cases.set("/cluster/ownership", R"({"weights": [0, 0, 0]})", "above 0", "/cluster/ownership/weights");
  cases.set("/cluster/ownership", R"({"explicit": [[0], [1], [2]]})", "not listed", "/cluster/ownership/explicit");
  cases.set("/cluster/ownership", R"({"explicit": [[0, 0], [1], [2]]})", "twice", "/cluster/ownership/explicit/0/1");
  cases.set("/cluster/ownership", R"({"explicit": [[99], [], []]})", "no shard 99", "/cluster/ownership/explicit/0/0");
  cases.set("/cluster/worker_pools/fast", R"(["n4"])", "no node n4", "/cluster/worker_pools/fast/0");
  cases.set("/cluster/worker_pools/fast", R"(["n0"])", "such as \"n1\"", "/cluster/worker_pools/fast/0");
  cases.set("/cluster/worker_pools/fast", R"(["n1", "n1"])", "twice", "/cluster/worker_pools/fast/1");
  cases.set("/tenants/0/routes/1/worker_pool", "\"fats\"", "did you mean \"fast\"?");
  cases.set("/tenants/0/routes/1", "\"default\"", "listed twice");
  cases.set("/tenants/1/name", "\"a\"", "taken by tenant 0");
  cases.set("/tenants/1/name", "\"many_07\"", "taken by tenant 1", "/tenants/2/name");
  cases.set("/tenants/1/id", "\"a\"", "taken by tenant 0");
  cases.set("/latency_shifts/0/on", R"({"tenant": "nosy"})", "did you mean \"noisy\"?", "/latency_shifts/0/on/tenant");
  cases.set("/latency_shifts/0/on", R"({"route": "defualt"})", "did you mean \"default\"?",
            "/latency_shifts/0/on/route");
  cases.set("/latency_shifts/0/on", R"({"node": "n9"})", "no node n9", "/latency_shifts/0/on/node");
  cases.set("/latency_shifts/0/on", "\"stor\"", "did you mean \"store\"?");
  cases.set("/latency_shifts/0/on", R"({"tenant": "a", "node": "n1"})", "one key");
  cases.set("/latency_shifts/0/at", "\"60s\"", "not inside the run");
  cases.set("/faults/0/node", "\"n4\"", "no node n4");
  cases.set("/faults/0/node", "\"node2\"", "such as \"n1\"");
  cases.set("/faults/0/at", "\"60s\"", "not inside the run");
  cases.set("/faults/1/every", "\"2m\"", "not inside the run");
  cases.set("/faults/1/to", "\"n12\"", "no node n12");
  cases.set("/faults/1/shard", "64", "no shard 64");
  cases.set("/expect/2/metric", "\"tenants/a\"", "JSON pointer");
  cases.set("/expect/2/metric", "\"/a~2b\"", "JSON pointer");
  const std::string metric = "/expect/2/metric";
  cases.set(metric, "\"/tenants/a/wait_ms/p9\"", "did you mean \"/tenants/a/wait_ms/p90\"?");
  cases.set(metric, "\"/tenants/a/wait/p99\"", "did you mean \"/tenants/a/wait_ms/p99\"?");
  cases.set(metric, "\"/cluster/jain_indx\"", "did you mean \"/cluster/jain_index\"?");
  cases.set(metric, "\"/tenants/a\"", "is no figure of result.json");
  cases.set(metric, "\"/something/entirely/different/from/all/that/there/is\"", "`headroom list`");
  cases.set(metric, "\"/tenants/nosy/wait_ms/p99\"", "did you mean \"noisy\"?");
  cases.set(metric, "\"/tenants/many/wait_ms/p99\"", "it is a group");
  cases.set(metric, "\"/groups/a/wait_ms/p99\"", "it is a tenant");
  cases.set(metric, "\"/tenants/noisy/gate/goodput\"", "sends no \"requests\"");
  cases.set(metric, "\"/nodes/n4/sweeps\"", "n1 to n3");
  cases.set(metric, "\"/reached/at_celing\"", "did you mean \"at_ceiling\"?");
  cases.set("/expect/2/at_least", "300", "above \"at_most\"");
}

void add_distributions_and_arrivals(Cases& cases) {
  const std::string service = "/tenants/0/rows/service";
  cases.set(service, R"({"kind": "uniform", "low": "2s", "high": "1s"})", "above \"high\"", service + "/low");
  cases.set(service, R"({"kind": "pareto", "mean": "1s", "shape": 1})", "above 1", service + "/shape");
  cases.set(service, R"({"kind": "erlang", "mean": "1s", "k": 0})", "out of range", service + "/k");
  cases.set(service, R"({"kind": "lognormal", "mean": "1s", "sigma": -1})", "out of range", service + "/sigma");
  cases.set(service, R"({"kind": "constant"})", "is missing", service + "/value");
  cases.set(service, R"({"kind": "empirical", "values": []})", "1 to", service + "/values");
  cases.set(service, R"({"kind": "empirical"})", "needs its values", service);
  cases.set(service, R"({"kind": "empirical", "file": "x.csv"})", "belong together", service);
  cases.set(service, R"({"kind": "empirical", "file": "no_such.csv", "column": "ms"})", "no_such.csv",
            service + "/file");
  const std::string arrivals = "/tenants/0/rows/arrivals";
  cases.set(arrivals, R"({"kind": "on_off", "rate_on": "5/s", "rate_off": "0/s", "mean_on": "0s", "mean_off": "1s"})",
            "out of range", arrivals + "/mean_on");
  cases.set(arrivals, R"({"kind": "pareto", "rate": "5/s", "shape": 0.5})", "out of range", arrivals + "/shape");
  cases.set(arrivals, R"({"kind": "schedule", "at": []})", "1 to", arrivals + "/at");
  cases.set(arrivals, R"({"kind": "schedule", "at": [{"n": 2}]})", "is missing", arrivals + "/at/0/at");
  cases.set(arrivals, R"({"kind": "backlog", "n": 67108865})", "out of range", arrivals + "/n");
  cases.set(arrivals, R"({"kind": "closed_loop", "clients": 0, "think": {"kind": "constant", "value": "1s"}})",
            "out of range", arrivals + "/clients");
  cases.set(arrivals, R"({"kind": "closed_loop", "clients": 1, "think": {"kind": "normal"}})", "unknown name",
            arrivals + "/think/kind");
  cases.set(arrivals, R"({"kind": "trace", "file": "no_such.csv", "time": "ms"})", "no_such.csv", arrivals + "/file");
  cases.set("/tenants", R"([{"name": "noisy", "count": 1000000}, {"name": "b", "count": 100000}])", "members counted");
  cases.set("/tenants/2/rows/arrivals", R"({"kind": "backlog", "n": 60000000})", "requests at once", "/tenants");
  cases.set("/cluster/min_sweep_gap", "\"0s\"", "in no time");
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

void add_texts(Cases& cases) {
  cases.whole("empty", "", "empty");
  cases.whole("blank", " \n ", "empty");
  cases.whole("a list", "[]", "not allowed");
  cases.whole("a number", "1", "not allowed");
  cases.whole("cut short", sound_scenario().substr(0, sound_scenario().size() / 2), "line");
  cases.whole("followed by more", sound_scenario() + "}", "line");
  cases.whole("deep list", repeated("[", 10'000) + repeated("]", 10'000), "deeper than 64");
  cases.whole("deep object", repeated("{\"a\":", 10'000) + "1" + repeated("}", 10'000), "deeper than 64");
  cases.whole("deep and open", repeated("[", 10'000), "deeper than 64");
  cases.whole("byte order mark", "\xEF\xBB\xBF" + sound_scenario(), "byte order mark");
  cases.whole("zero byte", sound_scenario() + std::string(1, '\0'), "zero byte");
  cases.whole("UTF-16", std::string("{\0\"\0", 4), "zero byte");
  cases.replace("sound", "s\xFFund", "", "not UTF-8 at byte");
  cases.replace("sound", "s\xC3", "", "not UTF-8 at byte");
  cases.replace("sound", "s\xED\xA0\x80", "", "not UTF-8 at byte");
  cases.replace("sound", "s\\ud800", "", "line");
  cases.replace("sound", "a\nb", "", "line");
  cases.replace("\"60s\"", "NaN", "", "line");
  cases.replace("\"60s\"", "1e999", "", "overflow");
  cases.replace("\"60s\"", "'60s'", "", "line");
  cases.replace("\"60s\",", "\"60s\",,", "", "line");
}

}  // namespace

const std::string& sound_scenario() {
  static const std::string text = R"({
    "schema": 1, "name": "sound", "description": "nothing is wrong with it", "seed": 1, "duration": "60s",
    "warmup": "5s", "drain": "1m", "window": "1s", "tie_break": "sequence",
    "cluster": { "nodes": 3, "shards": 64, "ownership": "even", "workers": 16, "worker_pools": {"fast": ["n1", "n2"]},
                 "processes": 2, "dispatch": "parallel", "poll_interval": "20ms", "wake": true, "min_sweep_gap": "1ms" },
    "outbox": { "backoff_base": "50ms", "max_attempts": 5 },
    "backpressure": { "planner": "unscoped", "batch_size": 16 },
    "admission": { "max_inflight": 16, "max_queue_depth": 64, "queue_wait": "200ms", "queue_order": "fifo",
                   "retry_after": 1, "retry_after_jitter": 2, "retry_after_form": "http_date",
                   "readiness": {"depth_high": 48, "depth_low": 16, "lag_high": "150ms", "lag_low": "50ms"},
                   "database_pool": {"size": 100, "reserve": 4, "checkout_timeout": "1s"},
                   "downstream": {"size": 50, "checkout_timeout": "1s", "part": 0.5},
                   "tenant": {"max_inflight": 8, "max_queue_depth": 8, "rate_limit": {"rate": "50/s", "burst": 20}},
                   "load_balancer": {"policy": "sticky", "reaction_delay": "1s", "panic_share": 0.5},
                   "health_check": {"interval": "5s", "service": "2ms", "timeout": "1s"} },
    "tenants": [ {"name": "a", "quota": 16, "routes": ["default", {"queue": "gpu", "worker_pool": "fast"}],
                  "rows": {"arrivals": {"kind": "poisson", "rate": "5/s"}, "service": {"kind": "exponential", "mean": "50ms"}},
                  "requests": {"arrivals": {"kind": "closed_loop", "clients": 5, "think": {"kind": "constant", "value": "1s"}},
                               "service": {"kind": "constant", "value": "10ms"}, "failure": 0.1, "fan_out": 2,
                               "client": {"timeout": "1s", "on_timeout": "silent", "idempotency_key": true,
                                          "retry": {"kind": "exponential", "delay": "100ms", "multiplier": 2,
                                                    "max_delay": "1s", "jitter": "full", "attempts": 3, "budget": 0.1,
                                                    "honour_retry_after": true},
                                          "patience": {"kind": "exponential", "mean": "30s"}}},
                  "admission": {"max_inflight": "unbounded", "max_queue_depth": 4}},
                 {"name": "noisy", "noisy": true, "rows": {"arrivals": {"kind": "backlog", "n": 10}}},
                 {"name": "many", "count": 20, "rows": {"arrivals": {"kind": "constant", "rate": "1/m"}}} ],
    "latency_shifts": [ {"kind": "step", "on": {"tenant": "noisy"}, "factor": 3, "at": "10s", "for": "10s"} ],
    "faults": [ {"kind": "crash", "node": "n2", "at": "30s"}, {"kind": "handoff", "shard": 3, "to": "n1", "every": "10s"},
                {"kind": "drain", "node": "n1", "process": 2, "for": "5s", "every": "10s"},
                {"kind": "limit_change", "tenant": "a", "max_inflight": 4, "at": "20s"} ],
    "expect": [ {"property": "no_starvation", "at_most_sweeps": 2}, {"property": "slice", "broken": true},
                {"metric": "/tenants/a/wait_ms/p99", "at_most": 200}, {"sometimes": "at_ceiling"},
                {"property": "fairness", "at_least": 0.9} ]
  })";
  return text;
}

std::vector<MalformedCase> malformed_cases() {
  Cases cases;
  add_whole_numbers(cases);
  add_durations(cases);
  add_rates_and_decimals(cases);
  add_names(cases);
  add_keys(cases);
  add_shapes(cases);
  add_references(cases);
  add_distributions_and_arrivals(cases);
  add_gate_cases(cases);
  add_fault_cases(cases);
  add_texts(cases);
  return cases.take();
}

}  // namespace headroom::test
