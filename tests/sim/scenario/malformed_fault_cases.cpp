#include "tests/sim/scenario/broken_copies.hpp"

namespace headroom::test {
namespace {

// Puts a fault in the place of the first; what is wrong with it is expected at one of its keys.
void fault(Cases& cases, const std::string& text, const std::string& key, const std::string& word) {
  cases.set("/faults/0", text, word, "/faults/0" + (key.empty() ? "" : "/" + key));
}

void add_switches(Cases& cases) {
  cases.set("/swarm", "\"yes\"", "true or false");
  cases.set("/outbox/settle_guard", "\"fense\"", "did you mean \"fence\"?");
  cases.set("/outbox/rearm_pass", "\"list_or_act\"", "did you mean \"list_and_act\"?");
  cases.set("/outbox/rearm_act_delay", "\"-1s\"", "out of range");
  cases.set("/outbox/rearm_counts_attempt", "1", "true or false");
  cases.set("/outbox/lease_renewal", "\"10s\"", "true or false");
  cases.set("/backpressure/fraction_refresh", "\"alive\"", "did you mean \"live\"?");
  cases.set("/backpressure/quota_cache_ttl", "5", "a duration such as");
  cases.set("/backpressure/on_quota_error", "\"last_know\"", "did you mean \"last_known\"?");
  cases.set("/backpressure/scope_on_loss", "\"narow\"", "did you mean \"narrow\"?");
  cases.set("/backpressure/zero_owned", "1", "\"zero\" or \"counts_as_one\"");
  cases.set("/tenants/0/rows/visible_jitter", "\"5ms\"", "a distribution of durations");
}

void add_timing(Cases& cases) {
  fault(cases, R"({"kind": "crash", "node": "n1"})", "at", "is missing; \"at\", \"every\", both, or \"rate\"");
  fault(cases, R"({"kind": "crash", "node": "n1", "rate": "1/m", "every": "5s"})", "rate",
        "comes at random, and \"every\" at a period; one of the two");
  fault(cases, R"({"kind": "crash", "node": "n1", "at": "5s", "dwell": "5s"})", "dwell",
        "has no effect without \"rate\"; \"rate\" beside it");
  fault(cases, R"({"kind": "crash", "node": "n1", "rate": "0/s"})", "rate", "out of range");
  fault(cases, R"({"kind": "crash", "node": "n1", "rate": "1/s", "dwell": "-1s"})", "dwell", "out of range");
  fault(cases, R"({"kind": "crash", "node": "n1", "rate": "1/s", "at": "60s"})", "at", "not inside the run");
}

void add_node_faults(Cases& cases) {
  for (const char* kind : {"crash", "restart", "join", "leave", "lost_wake_up"}) {
    fault(cases, R"({"at": "1s", "kind": ")" + std::string(kind) + "\"}", "node", "is missing");
    fault(cases, R"({"at": "1s", "node": "n4", "kind": ")" + std::string(kind) + "\"}", "node", "no node n4");
  }
  for (const char* kind : {"pause", "partition"}) {
    const std::string begin = R"({"at": "1s", "kind": ")" + std::string(kind) + "\"";
    fault(cases, begin + R"(, "for": "1s"})", "node", "is missing");
    fault(cases, begin + R"(, "node": "n1"})", "for", "is missing; a duration");
    fault(cases, begin + R"(, "node": "n1", "for": "0s"})", "for", "above 0");
    fault(cases, begin + R"(, "node": "n9", "for": "1s"})", "node", "no node n9");
    fault(cases, begin + R"(, "node": "n1", "for": "3s", "every": "2s"})", "for",
          "3s is longer than \"every\"; at most 2s");
  }
  fault(cases, R"({"kind": "pause", "node": "n1", "for": "1s", "at": "1s", "one_way": true})", "one_way",
        "unknown key");
  fault(cases, R"({"kind": "partition", "node": "n1", "for": "1s", "at": "1s", "one_way": "yes"})", "one_way",
        "true or false");
  fault(cases, R"({"kind": "clock_skew", "node": "n1", "at": "1s"})", "offset", "is missing");
  fault(cases, R"({"kind": "clock_skew", "node": "n1", "at": "1s", "offset": -11})", "offset",
        "a duration such as \"250ms\" or \"-11s\", at most 87600h either way");
  fault(cases, R"({"kind": "clock_skew", "node": "n1", "at": "1s", "offset": "-87601h"})", "offset", "out of range");
  cases.set("/faults", R"([{"kind": "join", "node": "n1", "at": "1s"}, {"kind": "join", "node": "n2", "at": "1s"},
                           {"kind": "join", "node": "n3", "at": "1s"}])",
            "every node joins later");
  fault(cases, R"({"kind": "join", "nodes": "n1", "at": "1s"})", "nodes", "did you mean \"node\"?");
}

void add_store_faults(Cases& cases) {
  fault(cases, R"({"kind": "store_error", "node": "n4", "at": "1s"})", "node", "no node n4");
  fault(cases, R"({"kind": "store_error", "claimed": "released", "at": "1s"})", "claimed", "did you mean \"release\"?");
  fault(cases, R"({"kind": "store_slowness", "for": "1s", "at": "1s"})", "factor", "is missing");
  fault(cases, R"({"kind": "store_slowness", "factor": 0, "for": "1s", "at": "1s"})", "factor", "above 0");
  fault(cases, R"({"kind": "store_slowness", "factor": 2, "at": "1s"})", "for", "is missing");
  fault(cases, R"({"kind": "worker_death", "node": "n4", "at": "1s"})", "node", "no node n4");
  fault(cases, R"({"kind": "worker_hang", "at": "1s"})", "for", "is missing");
  fault(cases, R"({"kind": "worker_hang", "node": "n4", "for": "1s", "at": "1s"})", "node", "no node n4");
  fault(cases, R"({"kind": "quota_error", "for": "1s", "at": "1s"})", "kind", "a \"quota_cache_ttl\" above 0s");
}

void add_tenant_faults(Cases& cases) {
  for (const std::string kind : {"duplicate_append", "workflow_pause", "workflow_resume", "workflow_end"}) {
    fault(cases, R"({"at": "1s", "kind": ")" + kind + "\"}", "tenant", "is missing");
    fault(cases, R"({"at": "1s", "tenant": "nosy", "kind": ")" + kind + "\"}", "tenant", "did you mean \"noisy\"?");
  }
  fault(cases, R"({"kind": "duplicate_append", "tenant": "a", "n": 0, "at": "1s"})", "n", "1 to 1000000");
  fault(cases, R"({"kind": "duplicate_append", "tenant": "many", "n": 1000000, "at": "1s", "every": "0s"})", "every",
        "above 0");
  fault(cases, R"({"kind": "workflow_pause", "tenant": "a", "workflow": 2, "at": "1s"})", "workflow",
        "tenant \"a\" has no workflow 2; the only workflow is 1");
  fault(cases, R"({"kind": "workflow_pause", "tenant": "a", "workflow": 0, "at": "1s"})", "workflow", "out of range");
  fault(cases, R"({"kind": "workflow_pause", "tenant": "a", "for": "3s", "every": "2s"})", "for", "at most 2s");
  fault(cases, R"({"kind": "workflow_resume", "tenant": "a", "for": "3s", "at": "2s"})", "for", "unknown key");
  fault(cases, R"({"kind": "quota_change", "tenant": "a", "at": "1s"})", "quota", "is missing");
  fault(cases, R"({"kind": "quota_change", "tenant": "b", "quota": 1, "at": "1s"})", "tenant", "there is no tenant");
  fault(cases, R"({"kind": "quota_change", "tenant": "a", "quota": -1, "at": "1s"})", "quota", "out of range");
}

void add_client_faults(Cases& cases) {
  fault(cases, R"({"kind": "client_disconnect", "at": "1s"})", "tenant", "is missing");
  fault(cases, R"({"kind": "client_disconnect", "tenant": "noisy", "at": "1s"})", "tenant",
        "tenant \"noisy\" sends no requests");
  fault(cases, R"({"kind": "client_disconnect", "tenant": "a", "stage": "runing", "at": "1s"})", "stage",
        "did you mean \"running\"?");
  fault(cases, R"({"kind": "handler_failure", "tenant": "noisy", "at": "1s"})", "tenant", "sends no requests");
}

}  // namespace

void add_fault_cases(Cases& cases) {
  add_switches(cases);
  add_timing(cases);
  add_node_faults(cases);
  add_store_faults(cases);
  add_tenant_faults(cases);
  add_client_faults(cases);
}

}  // namespace headroom::test
