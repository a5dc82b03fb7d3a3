"""A real JupyterLab in a real browser, for the tests of what a learner clicks and reads.

`make test-browser` runs these; `make test` does not. They need Chromium or Chrome, found by name or named by the
variable CHROMIUM, and download none. With SCREENSHOTS=folder each test also leaves pictures there.
"""

import contextlib
import os
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

    def __init__(self, browser, lab, name, width=1280, height=2600):
        self.page = browser.new_page(viewport={"width": width, "height": height})
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
