"""A real browser: start, window size, accessibility checks and screenshots."""

import json
import os
import re
from contextlib import contextmanager, nullcontext
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from websocket import create_connection

import fonts
from geometry import LABELS, LETTERS, OVERLAPS, TARGETS, TOUCHING

SMALL, PHONE, DESKTOP = (320, 568), (390, 844), (1280, 900)
# A4 between its margins, at 96 pixels an inch.
PAPER = (718, 1047)
SCREENSHOTS = os.environ.get("SCREENSHOTS")
FORMATS = {"en": "en-US,en", "ru": "ru-RU,ru,en", "he": "he-IL,he,en"}

# The axe rules about colours, which take the longest.
COLOURS = ["color-contrast", "link-in-text-block"]
# Runs the axe rules for WCAG 2.2 AA and axe's best practices, or only the first ones, and without the others. The rules
# about colours look at one of the texts that stand in the same elements, of the same classes and colour: what is shown
# for each row of a list is looked at once.
AXE = """
const [only, without, done] = arguments;
const runOnly = only.length ? {runOnly: {type: 'rule', values: only}} : {};
const rules = Object.fromEntries(without.map((rule) => [rule, {enabled: false}]));
const place = (e) => e ? `${place(e.parentElement)} ${e.tagName}.${e.className.baseVal ?? e.className}` : '';
const texts = new Map();
document.querySelectorAll(only.length ? 'body *' : 'none').forEach((e) => {
  if ([...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) {
    const style = getComputedStyle(e), key = place(e) + style.color + style.backgroundColor;
    if (!texts.has(key)) texts.set(key, e);
  }
});
const context = texts.size ? {include: [...texts.values()]} : document;
axe.run(context, {resultTypes: ['violations'], rules, ...runOnly}).then(
  (found) => done(found.violations.map((rule) => rule.id + ': ' + rule.nodes.map(
    (node) => node.target + ' ' + (node.any[0] || node.all[0] || node.none[0] || {}).message
  ).join('; '))),
  (error) => done([String(error)]));
"""

# Lists the elements that overflow the page horizontally.
OVERFLOW = """
const root = document.documentElement;
if (root.scrollWidth <= innerWidth) return [];
const scrolls = (e) => e && (getComputedStyle(e).overflowX !== 'visible' || scrolls(e.parentElement));
return [...document.querySelectorAll('body *')].filter((e) => {
  const box = e.getBoundingClientRect();
  return (box.right > innerWidth + 1 || box.left < -1) && !scrolls(e)
    && !e.closest('details:not([open]) > :not(summary)');
}).map((e) => e.tagName + '.' + e.className).concat(['width ' + root.scrollWidth]);
"""


def made(mark):
    """Creates a file, unless another test has; returns true if it did."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


class Browser:
    """A headless Chromium in one language. It sees neither the fonts nor the settings of the machine's user."""

    def __init__(self, language, inspected, family="dejavu"):
        """Takes a directory with a file for each page that was inspected, which processes of tests share."""
        options = webdriver.ChromeOptions()
        for argument in [
            "--headless=new", "--no-sandbox", "--ignore-certificate-errors", "--lang=en-US",
            "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
            "--disable-component-update", "--no-first-run", "--force-prefers-reduced-motion",
        ]:
            options.add_argument(argument)
        options.add_experimental_option(
            "prefs", {"intl.accept_languages": FORMATS[language], "credentials_enable_service": False})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        surroundings = {
            "FONTCONFIG_FILE": str(fonts.configuration(family, inspected)),
            "HOME": str(inspected), "LANG": "C.UTF-8", "TZ": "UTC",
        }
        self.driver = webdriver.Chrome(options=options, service=Service(
            "/usr/bin/chromedriver", env={"PATH": os.environ["PATH"], **surroundings}))
        self.driver.set_page_load_timeout(120)
        self.driver.set_script_timeout(120)
        self.language = language
        self.scripts = True
        self.size = DESKTOP
        self.inspected = inspected
        self.axe = files("axe_playwright_python").joinpath("axe.min.js").read_text()

    def quit(self):
        self.driver.quit()

    def start_over(self, size=DESKTOP, scripts=True):
        """Clears the cookies, sets the window size and switches scripts on or off."""
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.size = size
        self.resize(*size)
        self.use_scheme("light")
        self.allow_scripts(scripts)
        self.scripts = scripts
        self.driver.get_log("browser")
        return self

    def resize(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        # Phones lay the scroll bar over the page, and a window as high as the page needs none.
        self.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": (width, height) != DESKTOP})

    def allow_scripts(self, allowed):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not allowed})

    def use_scheme(self, scheme):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": scheme},
                          {"name": "prefers-reduced-motion", "value": "reduce"}]})

    @contextmanager
    def large_text(self):
        """Shows text of twice the size while the block runs, as a browser's setting does."""
        self.driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})

    @contextmanager
    def offline(self):
        """Takes the network from pages and service workers while the block runs (CDP)."""
        address = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urlopen(f"http://{address}/json/list") as answer:
            targets = [one for one in json.load(answer) if one["type"] == "service_worker"]
        # Each service worker has its own network conditions, which last as long as the connection.
        workers = [create_connection(one["webSocketDebuggerUrl"], suppress_origin=True) for one in targets]
        assert workers, "no service worker runs"
        try:
            self.emulate(workers, {"offline": True})
            yield
        finally:
            self.emulate(workers, {"offline": False})
            for worker in workers:
                worker.close()

    def emulate(self, workers, conditions):
        conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1, **conditions}
        for method, parameters in [
                ("Network.enable", {}), ("Network.emulateNetworkConditions", conditions)]:
            for worker in workers:
                worker.send(json.dumps({"id": 1, "method": method, "params": parameters}))
                while (answer := json.loads(worker.recv())).get("id") != 1:
                    pass
                assert "error" not in answer, answer
            self.driver.execute_cdp_cmd(method, parameters)

    @property
    def path(self):
        return re.sub(r"^https://[^/]+", "", self.driver.current_url)

    def sign_in_as(self, visitor):
        """Copies the visitor's session cookies into the browser and returns its driver."""
        for name, value in visitor.cookies.items():
            self.driver.execute_cdp_cmd("Network.setCookie", {
                "name": name, "value": value, "url": visitor.portal.origin, "path": "/",
                "secure": True, "httpOnly": True, "sameSite": "Lax"})
        return self.driver

    def inspect(self, kind):
        """Checks the page once per language and size: its width, its distances and its texts, each at twice their size,
        too. Axe checks it once per direction of writing, because its markup is the same in every language and size."""
        if not made(self.mark(kind)):
            return
        assert self.driver.execute_script("return innerWidth") == self.size[0]
        for large in [False, True]:
            with self.large_text() if large else nullcontext():
                found = [
                    self.driver.execute_script(script)
                    for script in [OVERFLOW, TOUCHING, OVERLAPS, LABELS, TARGETS, LETTERS]]
            assert not any(found), f"{kind} is too wide, touches, overlaps or is too small, {large=}: {found}"
        html = self.driver.find_element(By.TAG_NAME, "html")
        shown = self.driver.execute_script("return document.body.innerText + document.title")
        assert not re.search(r"\[[a-z_-]+\.[a-z._-]+\]|\{[a-z]+\}", shown), f"{kind} lacks words: {shown}"
        assert html.get_attribute("lang") == self.language
        assert html.get_attribute("dir") == ("rtl" if self.language == "he" else "ltr")
        if SCREENSHOTS or made(self.mark(kind, html.get_attribute("dir"))):
            self.check_accessibility(kind)

    def check_accessibility(self, kind):
        """Runs axe on the page in both colour schemes."""
        self.allow_scripts(True)
        self.driver.execute_script(self.axe)
        violations = self.driver.execute_async_script(AXE, [], COLOURS)
        assert violations == [], f"{kind}: {violations}"
        # Colours are the same in both directions.
        for scheme in ["light", "dark"] if SCREENSHOTS or self.language != "he" else []:
            self.use_scheme(scheme)
            violations = self.driver.execute_async_script(AXE, COLOURS, [])
            self.picture(f"{kind}-{self.language}-{self.size[0]}-{scheme}")
            assert violations == [], f"{kind} in {scheme}: {violations}"
        self.use_scheme("light")
        self.allow_scripts(self.scripts)

    def forget(self, kind):
        """Lets the page be checked once more, because its next state differs."""
        for direction in [None, "ltr", "rtl"]:
            self.mark(kind, direction).unlink(missing_ok=True)

    def mark(self, kind, direction=None):
        """The file that says that the page was inspected; with a direction, that axe has checked it there."""
        width, height = self.size
        return self.inspected / quote(f"{kind} {direction or f'{self.language} {width} {height}'}", safe="")

    def picture(self, name):
        if not SCREENSHOTS or self.size == SMALL:
            return
        directory = Path(SCREENSHOTS)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"{name}.png").write_bytes(self.whole_page())

    def whole_page(self):
        """Returns a screenshot of the whole page."""
        height = self.driver.execute_script("return document.documentElement.scrollHeight")
        self.resize(self.size[0], max(height, self.size[1]))
        taken = self.driver.get_screenshot_as_png()
        self.resize(*self.size)
        return taken

    def complaints(self):
        """Returns console errors and warnings, such as blocked styles and broken scripts."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")
                and "the server responded with a status of 4" not in entry["message"]]
