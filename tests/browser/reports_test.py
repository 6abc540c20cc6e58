#!/usr/bin/python3
"""Opens each kind of report in headless Chromium, without a network, and uses it as a reader would.

    reports_test.py PROGRAM SCENARIOS OUT

OUT gets the reports, and a screenshot of each at 1280 and at 390 pixels width, light and dark. Exit status 77 where
chromium or chromedriver is missing.
"""
import json
import os
import subprocess
import sys
import unittest

import webdriver

PROGRAM, SCENARIOS, OUT = sys.argv[1:4]
WIDTHS = [(1280, 900), (390, 844)]
HOSTILE = "<script>document.title='hurt'</script>"

# Pixels of a chart's canvases that are not transparent.
DRAWN = """
return Array.from(document.querySelectorAll('.chart')).filter((chart) => chart.offsetParent !== null).map((chart) =>
  Array.from(chart.querySelectorAll('canvas')).reduce((sum, canvas) => {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    let painted = 0;
    for (let i = 3; i < pixels.length; i += 4) { painted += pixels[i] > 0 ? 1 : 0; }
    return sum + painted;
  }, 0))"""
# Where the labels of the time axes of the charts that are shown stand.
AXES = """
return Array.from(document.querySelectorAll('.chart[tabindex]')).filter((chart) => chart.offsetParent !== null).map(
  (chart) => Array.from(chart.querySelectorAll('.dygraph-axis-label-x')).map((label) => label.textContent).join(' '))"""
COLUMN = """
const table = document.querySelector(arguments[0]);
const index = Array.from(table.tHead.rows[0].cells).findIndex((cell) => cell.textContent === arguments[1]);
return Array.from(table.tBodies[0].rows).map((row) => Number(row.cells[index].dataset.v)).filter((v) => !isNaN(v))"""
SORT = """
const table = document.querySelector(arguments[0]);
for (const cell of table.tHead.rows[0].cells) {
  if (cell.textContent === arguments[1]) { cell.querySelector('button').click(); return cell.getAttribute('aria-sort'); }
}
return 'no such column'"""
WIDER = """
return Array.from(document.querySelectorAll('body *')).filter((e) => e.closest('.scroll, canvas, .chart, pre') === null
  && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && e.offsetParent !== null)
  .map((e) => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 40))"""


def make(name, command, scenario, *arguments):
    """The page of a command; its exit status is of no concern here."""
    folder = os.path.join(OUT, name)
    os.makedirs(folder, exist_ok=True)
    run = subprocess.run([PROGRAM, command, scenario, "--out", folder, *arguments], capture_output=True, text=True,
                         check=False)
    page = os.path.join(folder, "report.html")
    if not os.path.exists(page):
        raise RuntimeError(f"{command} {scenario} wrote no page: {run.stderr}")
    return page


def hostile_scenario():
    """A tenant whose name is markup, and two more of which one starves."""
    rows = {"arrivals": {"kind": "backlog", "n": 50}, "service": {"kind": "constant", "value": "5ms"}}
    document = {
        "schema": 1, "name": "</title><b>hostile", "duration": "2s", "window": "50ms",
        "cluster": {"nodes": 1, "shards": 4}, "backpressure": {"planner": "fixed_order", "batch_size": 4},
        "tenants": [{"name": HOSTILE, "quota": 100, "rows": rows}, {"name": "b", "quota": 100, "rows": rows},
                    {"name": "c", "quota": 100, "rows": rows}],
        "latency_shifts": [{"kind": "step", "on": {"tenant": "b"}, "factor": 3, "at": "1s", "for": "500ms"}],
        "expect": [{"property": "no_starvation"}]}
    path = os.path.join(OUT, "hostile.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scenario = lambda name: os.path.join(SCENARIOS, name)
        cls.pages = {
            "rows_and_requests": make("rows_and_requests", "run", scenario("bursty_tenant.json"), "--set",
                                      "/duration=30s", "--set", "/latency_shifts/0/at=15s", "--set", "/faults/0/at=12s"),
            "rows": make("rows", "run", hostile_scenario()),
            "requests": make("requests", "run", scenario("gate_burst.json")),
            "check": make("check", "check", scenario("check/fixed_order_starves.json")),
            "proof": make("proof", "check", scenario("check/drain.json")),
        }
        counterexample = os.path.join(OUT, "check", "counterexample-no_starvation.json")
        cls.pages["replay"] = make("replay", "replay", counterexample)
        cls.pages["counterexample"] = os.path.join(OUT, "replay", "counterexample.html")
        cls.browser = webdriver.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, name, width=1280, height=900, dark=False):
        self.browser.show_as(width, height, dark)
        self.browser.log("browser")
        self.browser.requests()
        self.browser.open(self.pages[name])
        self.assertEqual(self.browser.run("return document.body.dataset.ready"), "1", "a script did not end")

    def test_every_page_opens_without_a_word_on_the_console_and_asks_for_nothing(self):
        for name in self.pages:
            with self.subTest(name):
                self.open(name)
                self.assertEqual([entry["message"] for entry in self.browser.log("browser")], [])
                asked = [url for url in self.browser.requests() if not url.startswith("data:")]
                self.assertEqual(asked, ["file://" + self.pages[name]])

    def test_the_network_is_refused(self):
        self.open("rows")
        reached = self.browser.run(
            "return fetch('http://127.0.0.1:1/').then(() => 'reached', () => 'refused')")
        self.assertEqual(reached, "refused")

    def test_every_page_fits_both_widths_in_light_and_dark(self):
        for name in self.pages:
            for width, height in WIDTHS:
                for dark in (False, True):
                    with self.subTest(page=name, width=width, dark=dark):
                        self.open(name, width, height, dark)
                        self.assertEqual(self.browser.run(WIDER), [])
                        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                        background = self.browser.run("return getComputedStyle(document.body).backgroundColor")
                        self.assertEqual(background, "rgb(18, 22, 27)" if dark else "rgb(255, 255, 255)")
                        shade = "dark" if dark else "light"
                        self.browser.screenshot(os.path.join(OUT, f"{name}-{width}-{shade}.png"), whole=True)

    def test_charts_draw_at_both_widths(self):
        for name in ("rows_and_requests", "rows", "requests"):
            for width, height in WIDTHS:
                with self.subTest(page=name, width=width):
                    self.open(name, width, height)
                    painted = self.browser.run(DRAWN)
                    self.assertGreater(len(painted), 1)
                    self.assertGreater(min(painted), 500, painted)

    def test_timelines_zoom_together_by_dragging_by_button_and_by_key(self):
        self.open("rows_and_requests")
        whole = self.browser.run(AXES)
        self.assertEqual(len(set(whole)), 1, whole)
        self.browser.drag("#chart-requests-0", 0.3, 0.6)
        dragged = self.browser.run(AXES)
        self.assertNotEqual(dragged, whole)
        self.assertEqual(len(set(dragged)), 1, dragged)
        self.browser.click("[data-zoom=all]")
        self.assertEqual(self.browser.run(AXES), whole)
        self.browser.keys("#chart-requests-1", "+")
        keyed = self.browser.run(AXES)
        self.assertNotEqual(keyed, whole)
        self.assertEqual(len(set(keyed)), 1, keyed)
        self.browser.keys("#chart-requests-1", "0")
        self.assertEqual(self.browser.run(AXES), whole)

    def test_rows_waits_and_flows_can_be_chosen(self):
        self.open("rows_and_requests")
        self.browser.click("input[name=of][value=rows]")
        for shown in ("flows", "waits", "levels"):
            with self.subTest(shown):
                self.browser.click(f"input[name=show][value={shown}]")
                self.assertGreater(min(self.browser.run(DRAWN)), 500)
        self.browser.click("input[name=distribution][value='1']")
        self.assertGreater(min(self.browser.run(DRAWN)), 500)

    def test_tables_sort_both_ways_and_the_share_table_comes_worst_first(self):
        table = "#shares table"
        for width, height in WIDTHS:
            with self.subTest(width=width):
                self.open("rows_and_requests", width, height)
                self.assertEqual(self.browser.run(SORT, table, "completed"), "descending")
                down = self.browser.run(COLUMN, table, "completed")
                self.assertEqual(down, sorted(down, reverse=True))
                self.assertGreater(len(set(down)), 1)
                self.assertEqual(self.browser.run(SORT, table, "completed"), "ascending")
                self.assertEqual(self.browser.run(COLUMN, table, "completed"), down[::-1])
        self.open("rows")
        shares = self.browser.run(COLUMN, table, "share / fair")
        self.assertEqual(shares, sorted(shares))
        first = self.browser.run("return document.querySelector(arguments[0]).tBodies[0].rows[0].cells[0].textContent",
                                 table)
        self.assertEqual(first, "c")

    def test_a_name_that_is_markup_is_shown_as_text(self):
        self.open("rows")
        self.assertEqual(self.browser.run("return document.title"), "</title><b>hostile: fail")
        self.assertIn(HOSTILE, self.browser.run("return document.querySelector('#shares').textContent"))
        self.assertIn(HOSTILE, self.browser.run("return document.querySelector('#sweep-browser').textContent"))

    def test_sweeps_are_shown_with_a_sentence_for_each_namespace(self):
        self.open("rows")
        tables = "return document.querySelectorAll('#sweep-browser table').length"
        self.assertEqual(self.browser.run(tables), 8)
        # The third of three backlogged tenants gets nothing of a batch of 4 that the first two take.
        sentence = self.browser.run(
            "return Array.from(document.querySelectorAll('#sweep-browser tbody tr')).find("
            "(row) => row.cells[0].textContent === 'c').querySelector('.why').textContent")
        self.assertIn("less than its fair part of the batch of 4 among 3 active", sentence)
        self.assertIn("b got 2", sentence)
        before = self.browser.run("return document.querySelector('#sweep-browser caption').textContent")
        self.browser.click("#sweep-browser .pager button:last-of-type")
        after = self.browser.run("return document.querySelector('#sweep-browser caption').textContent")
        self.assertNotEqual(before, after)
        self.browser.run("const s = document.querySelector('#passed-over'); s.value = 'c';"
                         "s.dispatchEvent(new Event('change'))")
        missed = self.browser.run("return Array.from(document.querySelectorAll('#sweep-browser table')).every((table) =>"
                                  "Array.from(table.tBodies[0].rows).some((row) => row.cells[0].textContent === 'c' && "
                                  "row.className === 'passed-over'))")
        self.assertTrue(missed)
        self.assertIn("longest starvation: c on n1",
                      self.browser.run("return document.querySelector('#stretch').textContent"))

    def test_a_counterexample_shows_steps_states_changes_and_the_loop(self):
        for name in ("check", "counterexample"):
            with self.subTest(name):
                self.open(name)
                self.assertIn("for ever", self.browser.run("return document.querySelector('.loop-begins').textContent"))
                self.assertGreater(self.browser.run("return document.querySelectorAll('.step[data-loop]').length"), 0)
                self.assertGreater(self.browser.run("return document.querySelectorAll('.state mark').length"), 0)
                self.browser.click("[data-step=on]")
                self.browser.click("[data-step=on]")
                current = "return document.querySelector('.step.current h4').textContent"
                self.assertTrue(self.browser.run(current).startswith("1. "))
                self.browser.run("document.querySelector('.trace').focus()")
                self.browser.keys(".trace", "n")
                self.assertTrue(self.browser.run(current).startswith("2. "))

    def test_on_paper_the_page_is_light_and_complete(self):
        self.open("rows_and_requests", dark=True)
        printed = self.browser.cdp("Page.printToPDF")["data"]
        self.assertGreater(len(printed), 50_000)

    def test_without_a_script_every_figure_is_there(self):
        with webdriver.Browser(javascript=False) as browser:
            browser.open(self.pages["rows_and_requests"])
            text = browser.cdp("DOM.getDocument", depth=0)
            html = browser.cdp("DOM.getOuterHTML", nodeId=text["root"]["nodeId"])["outerHTML"]
            for part in ('id="verdicts"', 'id="shares"', "quiet_1", "series.csv holds what they show"):
                self.assertIn(part, html)
            self.assertNotIn('data-ready="1"', html)


if __name__ == "__main__":
    if not webdriver.available():
        print("chromium or chromedriver is missing")
        sys.exit(77)
    os.makedirs(OUT, exist_ok=True)
    unittest.main(argv=sys.argv[:1])
