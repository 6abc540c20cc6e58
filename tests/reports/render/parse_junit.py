"""Reads junit.xml with a parser that is not ours, and holds it against result.json.

    parse_junit.py PROGRAM SCENARIOS APPROVED.xml...

Each approved text must be JUnit. Then PROGRAM runs some scenarios: a passing one, a failing one, and one whose value
does not exist. Exits 77 (skipped) without Debian's python3-junitparser.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    from junitparser import Error, Failure, JUnitXml
except ImportError:
    print("skipped: python3-junitparser is not installed")
    sys.exit(77)

RUNS = [
    ("slices", []),
    ("fixed_order_starves", ["--set", "/expect/0/broken=false"]),
    ("small_quotas", ["--set", "/warmup=0s", "--set", "/duration=1ms", "--set",
                      '/expect=[{"metric": "/cluster/jain_index", "at_least": 0.5}]']),
]
OUTCOMES = {"pass": None, "fail": Failure, "undecided": Error}


def outcome_of(case):
    results = [result for result in case.result if isinstance(result, (Failure, Error))]
    if len(results) > 1:
        raise ValueError(f"{case.name} has {len(results)} outcomes")
    return results[0] if results else None


def compare(suite, document):
    cases = list(suite)
    expectations = document["expectations"]
    if len(cases) != len(expectations):
        raise ValueError(f"{len(cases)} test cases of {len(expectations)} expectations")
    for case, expectation in zip(cases, expectations):
        outcome = outcome_of(case)
        if not case.name.startswith(expectation["name"]):
            raise ValueError(f"test case {case.name} of {expectation['name']}")
        wanted = OUTCOMES[expectation["verdict"]]
        if type(outcome) is not (wanted or type(None)):
            raise ValueError(f"{case.name}: {outcome} of a verdict {expectation['verdict']}")
        if outcome is not None and outcome.message != expectation["reason"]:
            raise ValueError(f"{case.name}: says {outcome.message}, not {expectation['reason']}")
    verdicts = [expectation["verdict"] for expectation in expectations]
    counts = (suite.tests, suite.failures, suite.errors)
    if counts != (len(verdicts), verdicts.count("fail"), verdicts.count("undecided")):
        raise ValueError(f"counts {counts} of {verdicts}")


def suite_of(path):
    suites = list(JUnitXml.fromfile(str(path)))
    if len(suites) != 1:
        raise ValueError(f"{path} has {len(suites)} suites")
    return suites[0]


def main():
    program, scenarios, *approved = sys.argv[1:]
    for path in approved:
        cases = list(suite_of(path))
        if not cases:
            raise ValueError(f"{path} has no test case")
        print(f"{path}: {len(cases)} test cases")
    for name, arguments in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, "run", str(Path(scenarios) / f"{name}.json"), "--out", folder, *arguments],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            document = json.loads((Path(folder) / "result.json").read_text(encoding="utf-8"))
            suite = suite_of(Path(folder) / "junit.xml")
            compare(suite, document)
            print(f"{name}: {suite.tests} test cases, {suite.failures} failures, {suite.errors} errors")


if __name__ == "__main__":
    main()
