"""Copy the chapters and their exercises to work/, where learners work; a file that is there already stays as it is.

    python tools/copy_course.py

The copies have no outputs. git ignores work/, so a new version of the course never meets a learner's answers.
"""

import argparse

from minijax.course.copies import copy_course
from minijax.course.workbook import NotReadable


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    try:
        print("".join(f"{line}\n" for line in copy_course()), end="")
    except (NotReadable, OSError) as error:  # the course opens all the same
        print(f"Not everything was copied to work/: {error}")


if __name__ == "__main__":
    main()
