#include "tests/sim/scenario/broken_copies.hpp"

namespace headroom::test {
namespace {

void add_admission(Cases& cases) {
  for (const char* pointer :
       {"/admission/max_inflight", "/admission/max_queue_depth", "/admission/retry_after",
        "/admission/retry_after_jitter", "/admission/readiness/depth_high", "/admission/database_pool/size",
        "/admission/database_pool/reserve", "/admission/downstream/size", "/admission/tenant/max_inflight",
        "/admission/tenant/rate_limit/burst", "/tenants/0/admission/max_queue_depth", "/cluster/processes",
        "/tenants/0/requests/fan_out", "/tenants/0/requests/client/retry/attempts", "/faults/2/process"}) {
    cases.set(pointer, "-1", "out of range");
    cases.set(pointer, "1.5", "not a whole number");
    cases.set(pointer, "1e40", "out of range");
    cases.set(pointer, "null", "not allowed");
    cases.set(pointer, "\"7\"", "not allowed");
  }
  for (const char* pointer :
       {"/admission/max_inflight", "/admission/retry_after", "/admission/readiness/depth_low",
        "/admission/database_pool/size", "/admission/downstream/size", "/admission/tenant/max_inflight",
        "/admission/tenant/rate_limit/burst", "/cluster/processes", "/tenants/0/requests/client/retry/attempts"}) {
    cases.set(pointer, "0", "out of range");
  }
  for (const char* pointer :
       {"/admission/queue_wait", "/admission/database_pool/checkout_timeout", "/admission/downstream/checkout_timeout",
        "/admission/load_balancer/reaction_delay", "/admission/health_check/interval", "/admission/readiness/lag_high",
        "/tenants/0/requests/client/timeout", "/tenants/0/requests/client/retry/delay",
        "/tenants/0/requests/client/retry/max_delay", "/faults/2/for"}) {
    cases.set(pointer, "5", "not allowed");
    cases.set(pointer, "\"5\"", "not allowed");
    cases.set(pointer, "\"-5s\"", "out of range");
  }
  for (const char* pointer :
       {"/admission/database_pool/checkout_timeout", "/admission/downstream/checkout_timeout",
        "/admission/readiness/lag_low", "/admission/health_check/interval", "/admission/health_check/timeout",
        "/tenants/0/requests/client/timeout", "/faults/2/for"}) {
    cases.set(pointer, "\"0s\"", "out of range");
  }
  for (const char* pointer :
       {"/admission/max_inflight", "/admission/max_queue_depth", "/admission/queue_wait",
        "/admission/tenant/max_inflight", "/admission/tenant/rate_limit", "/tenants/0/admission/max_queue_depth",
        "/tenants/0/requests/client/retry/attempts", "/faults/3/max_inflight"}) {
    cases.set(pointer, "\"unbouned\"", "did you mean \"unbounded\"?");
  }
  cases.set("/cluster/processes", "65", "1 to 64");
  cases.set("/admission/queue_order", "\"tenant_roundrobin\"", "did you mean \"tenant_round_robin\"?");
  cases.set("/admission/retry_after_form", "\"http-date\"", "did you mean \"http_date\"?");
  cases.set("/admission/load_balancer/policy", "\"least_load\"", "did you mean \"least_loaded\"?");
  cases.set("/admission/load_balancer/panic_share", "1.1", "from 0 to 1");
  cases.set("/admission/downstream/part", "0", "above 0");
  cases.set("/admission/queue_depth", "4", "did you mean \"max_queue_depth\"?");
  cases.set("/admission/tenant/rate_limit/rate", "\"0/s\"", "out of range");
  cases.remove("/admission/tenant/rate_limit/rate", "is missing");
  cases.remove("/admission/database_pool/size", "is missing");
  cases.remove("/admission/downstream/size", "is missing");
}

void add_gate_relations(Cases& cases) {
  cases.set("/admission/readiness", "{}", "has no marks");
  cases.remove("/admission/readiness/depth_low", "\"depth_high\" and \"depth_low\" belong together");
  cases.remove("/admission/readiness/lag_high", "\"lag_high\" and \"lag_low\" belong together");
  cases.set("/admission/readiness/depth_low", "49", "49 is above \"depth_high\"; at most 48");
  cases.set("/admission/readiness/lag_low", "\"151ms\"", "151ms is above \"lag_high\"; at most 150ms");
  cases.set("/admission/database_pool/reserve", "100",
            "100 leaves no connection to handlers; less than the size of 100");
  cases.remove("/admission/database_pool", "there is no \"database_pool\"", "/admission/health_check");
  cases.set("/tenants/1/rows/database_pool", "1", "true or false");
  cases.set("/cluster", R"({"nodes": 1024, "processes": 64, "worker_pools": {"fast": ["n1"]}})", "65536 processes",
            "/cluster/processes");

  cases.set("/tenants/2/requests",
            R"({"arrivals": {"kind": "schedule", "at": [{"at": "1s", "n": 60000}]}, "fan_out": 60})",
            "requests at once", "/tenants");
  cases.set("/faults/2/node", "\"n4\"", "no node n4");
  cases.remove("/faults/2/node", "the node of the process");
  cases.set("/faults/2/process", "3", "a node has no process 3; processes are 1 to 2");
  cases.set("/faults/2/for", "\"11s\"", "11s is longer than \"every\"; at most 10s");
  cases.set("/faults/3/tenant", "\"nosy\"", "did you mean \"noisy\"?");
  cases.remove("/faults/3/max_inflight", "changes no limit", "/faults/3");
  cases.set("/faults/3", R"({"kind": "limit_change", "at": "1s", "rate_limit": {"rate": "1/s"}})",
            "rate limits are those of a tenant", "/faults/3/tenant");
  cases.set("/latency_shifts/0/on", "\"database\"", "did you mean \"database_pool\"?");
  cases.set("/latency_shifts/0/on", R"({"database_pool": true})", "unknown key", "/latency_shifts/0/on/database_pool");
}

void add_requests(Cases& cases) {
  const std::string requests = "/tenants/0/requests";
  const std::string retry = requests + "/client/retry";
  cases.remove(requests + "/arrivals", "the other keys need it");
  cases.set(requests + "/arrivals", R"({"kind": "backlog", "n": 3})", "keeps rows Pending");
  cases.set(requests + "/arrivals", R"({"kind": "trace", "file": "no_such.csv", "time": "ms"})", "no_such.csv",
            requests + "/arrivals/file");
  cases.set(requests + "/arrivals", R"({"kind": "trace", "file": "x.csv", "time": "t", "service": "s"})",
            "gives the service times already", requests + "/service");
  cases.set(requests + "/failure", "1.5", "from 0 to 1");
  cases.set(requests + "/fan_out", "1001", "0 to 1000");
  cases.set(requests + "/client/on_timeout", "\"disconect\"", "did you mean \"disconnect\"?");
  cases.set(requests + "/client/idempotency_key", "\"k\"", "true or false");
  cases.set(requests + "/client/patience", R"({"kind": "constant", "value": "0s"})", "lets every client leave at once");
  cases.set(requests + "/client/patience", "\"1s\"", "a distribution");
  cases.set(retry + "/kind", "\"exponental\"", "did you mean \"exponential\"?");
  cases.set(retry + "/kind", "\"fixed\"", "unknown key", retry + "/multiplier");
  cases.set(retry, R"({"kind": "none", "delay": "1s"})", "unknown key", retry + "/delay");
  cases.set(retry + "/jitter", "\"ful\"", "did you mean \"full\"?");
  cases.set(retry + "/multiplier", "0.5", "from 1 to 1000");
  cases.set(retry + "/budget", "-0.1", "from 0 to 10");
  cases.set(retry + "/max_delay", "\"99ms\"", "99ms is below \"delay\"; at least 100ms");
  cases.set(retry, R"({"kind": "fixed", "delay": "0s", "attempts": "unbounded"})", "for ever in no time",
            retry + "/attempts");
  const std::string think = requests + "/arrivals/think";
  cases.set(think, R"({"kind": "constant", "value": "0s"})", "refused at once send them for ever in no time");
}

}  // namespace

void add_gate_cases(Cases& cases) {
  add_admission(cases);
  add_gate_relations(cases);
  add_requests(cases);
}

}  // namespace headroom::test
