"""A real JupyterLab in a real browser, for the tests of what a learner clicks and reads.

`make test-browser` runs these; `make test` does not. They need Chromium or Chrome, found by name or named by the
variable CHROMIUM, and download none. With SCREENSHOTS=folder each test also leaves pictures there.
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).parent.parent.parent
TOKEN = "browser-tests"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
WIDTH, HEIGHT = 1280, 2600  # of a page
expect.set_options(timeout=60_000)


def find_browser():
    """The path of a Chromium on this machine. Raises FileNotFoundError where there is none."""
    named = os.environ.get("CHROMIUM")
    found = [path for name in ([named] if named else [*BROWSERS, MAC]) if (path := shutil.which(name))]
    if not found:
        raise FileNotFoundError(f"no browser for the tests: install one of {', '.join(BROWSERS)}, or set CHROMIUM=path")
    return found[0]


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        # Containers run as root and have little shared memory: Chromium refuses the one and crashes on the other.
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=find_browser(), args=options)
        yield browser
        browser.close()


# ---- the server


class Lab:
    """A JupyterLab that serves one folder, with settings of its own."""

    def __init__(self, folder):
        self.folder, self.notebooks = folder, folder / "notebooks"
        self.notebooks.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{free.getsockname()[1]}"

    def environment(self):
        """Nothing of the user's own settings is read or written."""
        names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
        names += ("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")
        own = {name: str(self.folder / name.lower()) for name in names}
        return os.environ | own | {"PYTHONPATH": str(ROOT)}

    def start(self):
        """Serve, in a process group of its own."""
        options = {
            "ServerApp.root_dir": self.notebooks,
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": self.address.rpartition(":")[2],
            "ServerApp.port_retries": 0,
            "IdentityProvider.token": TOKEN,
            "LabApp.expose_app_in_browser": True,
        }
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--config={ROOT / 'tools/jupyter_config.py'}"]
        command += [f"--{name}={value}" for name, value in options.items()]
        with (self.folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                command, env=self.environment(), stdout=log, stderr=log, start_new_session=True
            )

    def wait_until_ready(self, seconds=60):
        """Raises RuntimeError with the server's own words where it does not answer."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                return urllib.request.urlopen(f"{self.address}/api?token={TOKEN}", timeout=5)
            except OSError:
                time.sleep(0.2)
        raise RuntimeError(f"JupyterLab does not answer:\n{(self.folder / 'log').read_text()}")

    def stop(self):
        """End the server, which ends its kernels: it is asked first, and made to after that."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is None:
                os.killpg(self.process.pid, sign)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(15)

    def write(self, name, sources):
        """A notebook with these code cells."""
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), self.notebooks / name)


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    lab = Lab(tmp_path_factory.mktemp("lab"))
    lab.start()
    try:
        lab.wait_until_ready()
        yield lab
    finally:
        lab.stop()


# ---- pages


class Notebook:
    """A notebook that is open in a page of its own."""

    def __init__(self, browser, lab, name):
        self.page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        self.page.set_default_timeout(60_000)
        self.page.goto(f"{lab.address}/lab/tree/{name}?token={TOKEN}&reset")
        self.cells = self.page.locator(".jp-Notebook .jp-CodeCell")
        expect(self.cells.first).to_be_visible()

    def command(self, name, **args):
        """Carry out a command of JupyterLab, and wait until it is done."""
        self.page.evaluate("([name, args]) => jupyterapp.commands.execute(name, args)", [name, args])

    def run(self):
        """Run all cells, and wait for the last one to be counted."""
        ready = "() => jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
        self.page.wait_for_function(ready)
        self.command("notebook:run-all-cells")
        count = self.cells.count()
        expect(self.cells.nth(count - 1).locator(".jp-InputPrompt")).to_have_text(f"[{count}]:")

    def output(self, cell):
        return self.cells.nth(cell).locator(".jp-Cell-outputArea")

    def theme(self, name):
        self.command("apputils:change-theme", theme=f"JupyterLab {name}")
        expect(self.page.locator(f"body[data-jp-theme-light={'true' if name == 'Light' else 'false'}]")).to_have_count(
            1
        )

    @contextlib.contextmanager
    def sized(self, width, height=HEIGHT):
        """Inside of this `with`, the page has another size."""
        self.page.set_viewport_size({"width": width, "height": height})
        try:
            yield self
        finally:
            self.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})

    def picture(self, locator, name):
        """A screenshot of one element, where the variable SCREENSHOTS names a folder."""
        if os.environ.get("SCREENSHOTS"):
            locator.screenshot(path=Path(os.environ["SCREENSHOTS"]) / f"{name}.png")


@pytest.fixture(scope="session")
def open_notebook(browser, lab):
    """A function that opens a notebook of these cells and runs it, once for each name."""
    opened = {}

    def open_it(name, sources):
        if name not in opened:
            lab.write(name, sources)
            opened[name] = Notebook(browser, lab, name)
            opened[name].run()
        return opened[name]

    yield open_it
    for notebook in opened.values():
        notebook.page.close()


# ---- what tests ask of a widget


def button(notebook, cell, name):
    return notebook.output(cell).get_by_role("button", name=name, exact=True)


def status(notebook, cell):
    """The sentence that screen readers speak."""
    return notebook.output(cell).get_by_role("status")


def focused(page):
    """What has the keyboard's focus: its text or its role."""
    return page.evaluate("() => document.activeElement.innerText || document.activeElement.getAttribute('role')")


def tabbed(notebook, cell, last="slider", times=1):
    """What has the focus in turn when Tab is pressed from a cell on, until `last` has had it so many times."""
    notebook.cells.nth(cell).locator(".jp-InputPrompt").click()
    found = []
    for _ in range(60):
        notebook.page.keyboard.press("Tab")
        found.append(focused(notebook.page))
        if found.count(last) == times:
            break
    return found


# Of every text that is seen: its colour, and the first ground behind it that is not transparent.
COLOURS = """
(root) => {
  const seen = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || !element.getClientRects().length) continue;
    if (["STYLE", "OPTION", "title", "desc"].includes(element.tagName)) continue;
    const svg = element.closest("svg");
    const text = getComputedStyle(element)[svg ? "fill" : "color"];
    let behind = svg ? svg.parentElement : element;
    while (behind && /rgba\\(.*, 0\\)/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
    seen.push([walk.currentNode.textContent.trim(), text, getComputedStyle(behind || document.body).backgroundColor,
               parseFloat(getComputedStyle(element).fontSize)]);
  }
  return seen;
}
"""


def luminance(colour):
    """The relative luminance of rgb(r, g, b), as WCAG 2 defines it."""
    channels = [int(c) / 255 for c in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def looks(place):
    """What COLOURS finds in a place, once it finds the same again: a drawing may be on its way, a button change."""
    before = place.evaluate(COLOURS)
    for _ in range(100):
        place.page.wait_for_timeout(100)
        now = place.evaluate(COLOURS)
        if now and now == before:
            break
        before = now
    return before


def contrast(one, other):
    """The contrast ratio of two colours, as WCAG 2 defines it: from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def assert_legible(notebook, cell, name):
    """Every text of a widget has the contrast to its ground that WCAG 2 asks for, and 14 pixels or more.

    A picture of this name is taken, and the theme is light afterwards.
    """
    notebook.picture(notebook.output(cell), name)
    texts = looks(notebook.output(cell).locator(".minijax-page"))
    notebook.theme("Light")
    assert len(texts) > 5
    assert [text for text in texts if contrast(text[1], text[2]) < 4.5] == []
    assert [text for text in texts if text[3] < 14] == []


# The width of a widget, and by how much what it shows and it itself stick out. All at once: it may be drawn anew.
WIDTHS = """
(area) => {
  const box = area.querySelector(".minijax-page"), width = box.getBoundingClientRect().width;
  return [width, box.scrollWidth - box.clientWidth, width - area.getBoundingClientRect().width];
}
"""


def assert_not_widened(notebook, cell):
    """A widget is no wider than its place, and what it shows is no wider than the widget."""
    expect(notebook.output(cell).locator(".minijax-page")).to_be_visible()
    width, hidden, beyond = notebook.output(cell).evaluate(WIDTHS)
    assert width > 0
    assert hidden <= 1
    assert beyond <= 1
