"""Prove that the package stands after each chapter: that no earlier layer needs a later one.

    make chapters                       every chapter that there is
    python tools/chapters.py 1          some of them

For each chapter k the layers up to k, and the faces cut at its headings, are written into a folder of their own. In new
processes, every module of that package is imported, and the tests of the layers up to k and the programs written
for JAX run on it.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from minijax.course.chapters import layers
from minijax.course.publish import publish
from minijax.course.trial import programs, run_programs

ROOT = Path(__file__).resolve().parent.parent
IMPORT_ALL = """
import importlib, pkgutil, minijax
names = [m.name for m in pkgutil.walk_packages(minijax.__path__, "minijax.")]
for name in names:
    importlib.import_module(name)
print(len(names) + 1, "modules of", minijax.__path__[0])
"""


def run(folder, *command):
    """Run Python in a folder, whose package is the one that it sees; True where that went well."""
    env = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, *command], cwd=folder, env=env).returncode == 0


def tests(chapter):
    """The folders of the tests of the layers up to a chapter."""
    found = (ROOT / "tests" / f"layer{k}" for k in layers() if k <= chapter)
    return [str(path) for path in found if path.exists()]


def stands(chapter):
    """Whether the package after a chapter imports, passes the tests of its layers and runs the programs."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        publish(folder, chapter)
        if not run(folder, "-c", IMPORT_ALL):
            print(f"The layers up to {chapter} need something that a later chapter brings: see the last error above.")
            return False
        options = "-q", "-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider"
        if not run(folder, "-m", "pytest", *options, *tests(chapter)):
            print(f"The tests of the layers up to {chapter} do not pass on the package without the later ones.")
            return False
    trial = run_programs(chapter, {}, programs(chapter))
    print(f"{trial.programs} programs written for JAX, {len(trial.differ)} differ: {', '.join(trial.differ) or 'none'}")
    return not trial.differ


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", nargs="*", type=int, help="all by default")
    chosen, good = parser.parse_args().chapters or [*layers()], True
    if not layers().keys() >= {*chosen}:
        parser.error(f"there are the chapters {', '.join(map(str, layers()))}")
    for chapter in chosen:
        print(f"chapter {chapter}", flush=True)
        good &= stands(chapter)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
