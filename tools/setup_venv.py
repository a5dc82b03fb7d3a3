"""Create .venv with the pinned versions, and register the course's kernel in it.

    python3 tools/setup_venv.py course            what a learner needs
    python3 tools/setup_venv.py course cluster    also what several processes need (make cluster-demo)
    python3 tools/setup_venv.py course dev        also what contributors need (make test, make check)

A file in .venv remembers what was installed: a second run does nothing and needs no network.
The program is plain enough for an old Python, on which it says which version is needed.
"""

import argparse
import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "minijax-installed"
OLDEST, NEWEST = (3, 11), (3, 14)
OTHER_NAMES = ("python3.13", "python3.12", "python3.14", "python3.11")

WRONG_PYTHON = """\
minijax needs Python 3.11 to 3.14, and this is Python {have}: {executable}
Name another one, for example: make course PYTHON={example}"""

NO_VENV = """\
{executable} cannot create environments: its venv module is not installed.
On Debian and Ubuntu: apt install python3-venv"""

PIP_FAILED = """\
pip could not install the packages; its own words stand above.
The set-up needs the network this one time. Run the same command again to go on."""

CLUSTER_FAILED = """
If it is mpich or mpi4py that cannot be installed: they are needed for several processes, and come ready for Linux
(x86_64, aarch64) and macOS. Elsewhere install an MPI and its compiler (mpicc) first, and mpi4py is built with it."""


def check_python():
    """Leave with advice where this Python is too old, too new, or cannot create environments."""
    others = [name for name in OTHER_NAMES if shutil.which(name)]
    facts = {
        "have": "{}.{}".format(*sys.version_info),
        "executable": sys.executable,
        "example": others[0] if others else "python3.12",
    }
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        sys.exit(WRONG_PYTHON.format(**facts))
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit(NO_VENV.format(**facts))


def usable():
    """Whether .venv has a Python that runs and was created in this place, not moved here."""
    script = VENV / "bin" / "pip"
    if not script.exists() or str(PYTHON) not in script.read_text():
        return False
    try:
        return subprocess.run([str(PYTHON), "-c", ""]).returncode == 0
    except OSError:
        return False


def wanted_state():
    """A digest of what decides the content of .venv: the project's dependencies and their pins."""
    project = (ROOT / "pyproject.toml").read_text().split("# ---- tests")[0]
    pins = (ROOT / "constraints.txt").read_text()
    return hashlib.sha256((project + pins).encode()).hexdigest()


def installed_extras():
    """The extras that .venv has in today's versions; the empty set where there are none."""
    if not STAMP.exists() or not usable():
        return set()
    state, *extras = STAMP.read_text().split()
    return set(extras) if state == wanted_state() else set()


def create():
    """A new environment in .venv, unless a usable one is there."""
    if usable():
        return
    print("Creating .venv with Python", sys.version.split()[0], flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", "--prompt", "minijax", str(VENV)], check=True)


def install(extras):
    """minijax itself (editable) and the pinned packages of `extras`, put into .venv by pip."""
    print("Installing the pinned packages (once; some minutes on a slow line)", flush=True)
    options = ["-qq", "--disable-pip-version-check", "--no-input", "--no-compile", "--constraint", "constraints.txt"]
    project = ".[{}]".format(",".join(sorted(extras)))
    command = [str(PYTHON), "-m", "pip", "install", *options, "--editable", project]
    if subprocess.run(command, cwd=ROOT).returncode:
        sys.exit(PIP_FAILED + CLUSTER_FAILED * ("cluster" in extras))
    # Compiled by all cores at once, where pip uses one. Some packages bring a file for another Python.
    subprocess.run([str(PYTHON), "-m", "compileall", "-qq", "-j", "0", str(VENV / "lib")])


def register_kernel():
    """A Jupyter kernel named minijax, inside .venv, so that nothing is written to the user's home."""
    options = ["--sys-prefix", "--name", "minijax", "--display-name", "minijax"]
    subprocess.run([str(PYTHON), "-m", "ipykernel", "install", *options], check=True, stdout=subprocess.DEVNULL)


def quiet_jupyterlab():
    """JupyterLab without its question about news, which would cover the text and ask the network."""
    folder = VENV / "etc" / "jupyter" / "labconfig"
    folder.mkdir(parents=True, exist_ok=True)
    settings = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    (folder / "page_config.json").write_text(json.dumps(settings, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("extras", nargs="+", choices=["course", "cluster", "dev", "bench"])
    extras = set(parser.parse_args().extras)
    if extras <= installed_extras():
        return
    check_python()
    extras |= installed_extras()
    create()
    install(extras)
    register_kernel()
    quiet_jupyterlab()
    STAMP.write_text(" ".join([wanted_state(), *sorted(extras)]) + "\n")
    print("Ready.", flush=True)


if __name__ == "__main__":
    main()
