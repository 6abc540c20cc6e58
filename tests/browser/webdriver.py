"""A browser under WebDriver (W3C), over plain HTTP: Debian's chromedriver drives Debian's chromium.

    with Browser() as browser:
        browser.open(path)
        browser.run("return document.title")

The browser can reach nothing: every host name is unknown to it and every connection goes to a port that refuses.
"""
import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

DRIVER = "/usr/bin/chromedriver"
CHROMIUM = "/usr/bin/chromium"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def available():
    return shutil.which(DRIVER) is not None and shutil.which(CHROMIUM) is not None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    def __init__(self, javascript=True):
        self.profile = tempfile.mkdtemp(prefix="headroom-browser-")
        self.url = f"http://127.0.0.1:{free_port()}"
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.driver = subprocess.Popen(
            [DRIVER, f"--port={self.url.rsplit(':', 1)[1]}", "--silent"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--force-device-scale-factor=1", f"--user-data-dir={self.profile}",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--proxy-server=127.0.0.1:9"]
        options = {"binary": CHROMIUM, "args": arguments}
        if not javascript:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options,
                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self.session = None
        try:
            self.wait_for_driver()
            answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
            self.session = answer["sessionId"]
            self.command("/url", {"url": "about:blank"})
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.session:
            self.call("DELETE", f"/session/{self.session}")
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def wait_for_driver(self):
        deadline = time.monotonic() + 60
        while True:
            try:
                if self.call("GET", "/status")["ready"]:
                    return
            except OSError:
                pass
            if time.monotonic() > deadline:
                raise RuntimeError("chromedriver does not answer")
            time.sleep(0.05)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with self.opener.open(request, timeout=240) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:2000]}") from error

    def command(self, path, body):
        return self.call("POST", f"/session/{self.session}{path}", body)

    def cdp(self, name, **parameters):
        return self.command("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def show_as(self, width, height, dark):
        """The size of the viewport, as a phone where it is narrow, and the colour scheme."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 600)
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        self.command("/url", {"url": "file://" + path})

    def run(self, script, *arguments):
        return self.command("/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.command("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.command(f"/element/{self.find(selector)}/click", {})

    def keys(self, selector, text):
        self.command(f"/element/{self.find(selector)}/value", {"text": text})

    def drag(self, selector, start, end):
        """Across an element, from one part of its width to another."""
        box = self.run("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'center'});"
                       "const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]", selector)
        at = lambda part: {"type": "pointerMove", "duration": 80, "x": int(box[0] + box[2] * part),
                           "y": int(box[1] + box[3] / 2)}
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                   "actions": [at(start), {"type": "pointerDown", "button": 0}, at((start + end) / 2), at(end),
                               {"type": "pointerUp", "button": 0}]}
        self.command("/actions", {"actions": [pointer]})

    def log(self, kind):
        return self.command("/se/log", {"type": kind})

    def requests(self):
        """The addresses that pages have asked for since the last call."""
        addresses = []
        for entry in self.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
        return [address for address in addresses if not address.startswith(("chrome://", "about:"))]

    def screenshot(self, path, whole=False):
        """What is in view, or the whole page."""
        parameters = {"format": "png"}
        if whole:
            width, height = self.run("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
            parameters |= {"captureBeyondViewport": True,
                           "clip": {"x": 0, "y": 0, "width": width, "height": min(height, 12_000), "scale": 1}}
        picture = self.cdp("Page.captureScreenshot", **parameters)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
