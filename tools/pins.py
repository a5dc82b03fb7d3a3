"""The pins of constraints.txt: read by the other tools, and checked here against what can be installed.

    python tools/pins.py            ask pip, for every Python version, whether the pins still fit
    python tools/pins.py 3.14       for one version

Needs the network. Nothing is installed.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def canonical(name):
    """A package's name as indexes compare it: `ml_dtypes` and `ML-Dtypes` are `ml-dtypes`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_pins(path=CONSTRAINTS):
    """The dictionary {canonical name: version} of a file of `name==version` lines."""
    lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    pairs = (line.split("==") for line in lines if line)
    return {canonical(name): version for name, version in pairs}


def fits(python):
    """Whether pip finds a wheel of every pin that the course and its developers need on `python`."""
    options = ["--dry-run", "--quiet", "--quiet", "--only-binary=:all:", "--python-version", python]
    with tempfile.TemporaryDirectory() as target:
        command = [sys.executable, "-m", "pip", "install", *options, "--target", target]
        wanted = [f"{name}=={version}" for name, version in read_pins().items()]
        # Some pins are for other systems or other versions; pip takes each pin by itself.
        return subprocess.run([*command, "--no-deps", *wanted], check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", nargs="*", default=PYTHONS, help="versions; all supported ones by default")
    answers = {python: fits(python) for python in parser.parse_args().python}
    for python, answer in answers.items():
        print(f"Python {python}: {'every pin has a wheel' if answer else 'some pins do not fit'}")
    return 0 if all(answers.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
