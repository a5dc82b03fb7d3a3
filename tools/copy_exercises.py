"""Copy the exercises to work/, where learners edit them; a file that is there already stays as it is.

    python tools/copy_exercises.py

git ignores work/, so a new version of the course never meets a learner's answers.
"""

import argparse
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def copy_new(source, target):
    """Copy the notebooks of `source` that `target` does not have, and return their names."""
    target.mkdir(exist_ok=True)
    new = [path for path in sorted(source.glob("*.ipynb")) if not (target / path.name).exists()]
    for path in new:
        shutil.copy(path, target)
    return [path.name for path in new]


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for name in copy_new(ROOT / "exercises", ROOT / "work"):
        print(f"work/{name}: your copy of the exercises")


if __name__ == "__main__":
    main()
