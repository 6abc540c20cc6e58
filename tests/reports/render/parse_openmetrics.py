"""Reads metrics.txt with a parser that is not ours, and holds its figures against result.json.

    parse_openmetrics.py PROGRAM SCENARIOS APPROVED.txt...

Each approved text must be OpenMetrics. Then PROGRAM runs some scenarios, and what its metrics.txt says must be what its
result.json says. Exits 77 (skipped) without Debian's python3-prometheus-client.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    print("skipped: python3-prometheus-client is not installed")
    sys.exit(77)

# One with requests that wait at the end, one whose handlers and rows use the pool, one of many tenants as groups.
SCENARIOS = ["metastable_retries", "requests_to_rows", "ten_thousand_tenants"]
REJECTED = {"429": "rejected_429", "503": "rejected_503"}


def samples_of(text):
    """{name: [(labels, value)]}; raises ValueError where the text is not OpenMetrics."""
    samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            samples.setdefault(sample.name, []).append((sample.labels, sample.value))
    return samples


def read(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return file.read()


def require_equal(found, expected, what):
    if found != expected:
        raise ValueError(f"{what}: metrics.txt has {found}, result.json {expected}")


def require_close(found, milliseconds, what):
    if abs(found * 1000 - milliseconds) > 1e-9 * max(1.0, milliseconds):
        raise ValueError(f"{what}: metrics.txt has {found} s, result.json {milliseconds} ms")


def compare_gate(samples, tenants, document):
    def total(name, **labels):
        return sum(value for found, value in samples.get(name, []) if labels.items() <= found.items())

    inside = 0
    for name, gate in ((name, figures["gate"]) for name, figures in tenants.items() if "gate" in figures):
        require_equal(total("admission_arrived_total", tenant=name), gate["arrived"], f"arrived of {name}")
        require_equal(total("admission_admitted_total", tenant=name), gate["admitted"], f"admitted of {name}")
        for status, key in REJECTED.items():
            require_equal(total("admission_rejected_total", tenant=name, status=status), gate[key], f"{key} of {name}")
        for reason, count in gate["rejected_by"].items():
            require_equal(total("admission_rejected_total", tenant=name, reason=reason), count, f"{reason} of {name}")
        require_equal(total("admission_wait_seconds_count", tenant=name), gate["wait_ms"]["count"], f"waits of {name}")
        if gate["wait_ms"]["count"] > 0:
            require_close(
                total("admission_wait_seconds", tenant=name, quantile="0.99"), gate["wait_ms"]["p99"], f"p99 of {name}"
            )
        inside += gate["inside_at_end"]
    require_equal(total("queue_depth") + total("inflight"), inside, "requests inside at the end")
    if "gate" in document["cluster"]:
        processes = document["cluster"]["gate"]["processes"]
        for name in ("ready", "live", "queue_depth", "inflight"):
            require_equal(len(samples[name]), processes, f"processes with {name}")
        pool = document["cluster"].get("database_pool")
        if pool and pool["peak_waiting"] == 0 and total("database_pool_in_use") < total("inflight"):
            raise ValueError("a handler runs without a connection, and none waited for one")
        if any(value > live for (_, value), (_, live) in zip(samples["ready"], samples["live"])):
            raise ValueError("a process is ready and not live")


def compare_rows(samples, tenants):
    keys = {"pending": "pending_at_end", "claimed": "claimed_at_end", "done": "completed", "failed": "failed",
            "cancelled": "cancelled"}
    require_equal(len(samples["outbox_rows"]), len(keys) * len(tenants), "tenants and states")
    for labels, value in samples["outbox_rows"]:
        require_equal(value, tenants[labels["tenant"]][keys[labels["state"]]], f"rows of {labels}")


def compare_run(program, scenario):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([program, "run", scenario, "--out", folder, "--no-properties"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, timeout=100)
        if run.returncode not in (0, 1, 3):
            raise ValueError(f"the run of {scenario} ended with {run.returncode}")
        samples = samples_of(read(Path(folder) / "metrics.txt"))
        document = json.loads(read(Path(folder) / "result.json"))
    tenants = {**document["tenants"], **document["groups"]}
    compare_gate(samples, tenants, document)
    compare_rows(samples, tenants)


def main(program, scenarios, *approved):
    for path in approved:
        samples = samples_of(read(path))
        print(f"{path}: {sum(len(each) for each in samples.values())} samples")
    hostile = {labels["tenant"] for labels, _ in samples_of(read(approved[-1]))["outbox_rows"]}
    require_equal('a,b"c\nd' in hostile and 'web \\ "1"\n' in hostile, True, "names come back as they were")
    for name in SCENARIOS:
        compare_run(program, Path(scenarios) / f"{name}.json")
        print(f"{name}: metrics.txt and result.json agree")


main(*sys.argv[1:])
