"""How `make course` runs JupyterLab: at the first notebook, and without asking the network for anything."""

import os
from pathlib import Path

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

ROOT = Path(__file__).resolve().parent.parent
FIRST = "work/00_the_tracing_machine.ipynb"

c = get_config()  # noqa: F821 - Jupyter gives this name to its configuration files

c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.handlers.announcements.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"

# Both the browser and the printed address lead to the first notebook; the file browser shows the whole course.
c.LabApp.default_url = f"/lab/tree/{FIRST}" if (ROOT / FIRST).exists() else "/lab"
c.ServerApp.root_dir = str(ROOT)

WIDGET = "application/vnd.jupyter.widget-view+json"


def without_live_views(model, **place):
    """Leave live views of widgets out of a notebook that is saved: without their kernel they show only an error.

    What stands beside a view, the drawing and its words, is shown then.
    """
    if model["type"] != "notebook" or not model.get("content"):
        return
    for cell in model["content"].get("cells", ()):
        for output in cell.get("outputs", ()):
            if len(output.get("data", ())) > 1:
                output["data"].pop(WIDGET, None)


class ContentsManager(AsyncLargeFileManager):
    """The usual one, with that hook. As `c.ContentsManager.pre_save_hook` it would be warned of: it is set twice."""

    def __init__(self, **options):
        super().__init__(**options)
        self.register_pre_save_hook(without_live_views)


c.ServerApp.contents_manager_class = ContentsManager

# Code and outputs travel encrypted between server and kernel: some classrooms share a machine.
c.KernelManager.transport_encryption = "auto"

# Say where to open it, and warn; do not list each extension that is loaded.
c.Application.log_level = "WARN"

# Containers run as root, and Jupyter would refuse to start there.
c.ServerApp.allow_root = os.geteuid() == 0
