"""Copy the exercises to work/, where learners edit them; a file that is there already stays as it is.

    python tools/copy_exercises.py

git ignores work/, so a new version of the course never meets a learner's answers.
"""

import argparse

from minijax.course.workbook import ROOT, WORK, copy_new


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for name in copy_new(ROOT / "exercises", WORK):
        print(f"work/{name}: your copy of the exercises")


if __name__ == "__main__":
    main()
