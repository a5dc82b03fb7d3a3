"""How `make course` runs JupyterLab: at the first notebook, and without asking the network for anything."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRST = "notebooks/00_the_tracing_machine.ipynb"

c = get_config()  # noqa: F821 - Jupyter gives this name to its configuration files

c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.handlers.announcements.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"

# Both the browser and the printed address lead to the first notebook; the file browser shows the whole course.
c.LabApp.default_url = f"/lab/tree/{FIRST}" if (ROOT / FIRST).exists() else "/lab"
c.ServerApp.root_dir = str(ROOT)

# Code and outputs travel encrypted between server and kernel: some classrooms share a machine.
c.KernelManager.transport_encryption = "auto"

# Say where to open it, and warn; do not list each extension that is loaded.
c.Application.log_level = "WARN"

# Containers run as root, and Jupyter would refuse to start there.
c.ServerApp.allow_root = os.geteuid() == 0
