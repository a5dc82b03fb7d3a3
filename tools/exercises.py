"""Make the exercises from the solutions: what stands between the marks becomes a line that says 'not written yet'.

    make exercises                            every notebook of solutions/
    python tools/exercises.py --check         write nothing; status 1 where a notebook would change

The marks are nbgrader's, `### BEGIN SOLUTION` and `### END SOLUTION`. The exercises are run unsolved, from top to
bottom, and keep what they print.
"""

import argparse
import sys
from pathlib import Path

import nbformat

import outputs
from minijax.course.workbook import BEGIN, END

ROOT = Path(__file__).resolve().parent.parent
STUB = 'raise NotImplementedError("not written yet")'


def split(source):
    """The lines of a cell outside of the marks, with a stub for each marked part; and the lines between the marks.

    Raises ValueError where marks do not come in pairs.
    """
    kept, solution, inside = [], [], False
    for line in source.splitlines():
        if line.strip() in (BEGIN, END):
            if inside != (line.strip() == END):
                raise ValueError(f"{BEGIN} and {END} do not come in pairs:\n{source}")
            inside = not inside
            if inside:
                kept.append(line.replace(BEGIN, STUB))
        else:
            (solution if inside else kept).append(line)
    if inside:
        raise ValueError(f"{END} is missing:\n{source}")
    return kept, solution


def cleared(notebook):
    """A copy of a notebook of solutions without the solutions, and without outputs."""
    notebook = nbformat.from_dict(notebook)
    for cell in notebook.cells:
        cell.source = "\n".join(split(cell.source)[0])
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def exercise_text(path):
    """The text of the exercises' file for the solutions in `path`: cleared, run, settled."""
    notebook = cleared(nbformat.read(path, as_version=4))
    outputs.execute(notebook, path.parent)
    outputs.settle(notebook)
    return nbformat.writes(notebook) + "\n"


def make(path, check):
    """Write the exercises for one notebook of solutions, unless `check`; True when they were there already."""
    target = path.parent.parent / "exercises" / path.name
    text = exercise_text(path)
    same = target.exists() and target.read_text() == text
    if not same and not check:
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)
    print(f"{target.parent.name}/{target.name}: {'unchanged' if same else 'differs' if check else 'made'}")
    return same or not check


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only compare")
    args = parser.parse_args()
    good = [make(path, args.check) for path in sorted((ROOT / "solutions").glob("*.ipynb"))]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
