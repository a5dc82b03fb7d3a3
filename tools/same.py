"""Prove that the definitions in the notebooks are the package's own text.

    python tools/same.py             a diff for every statement that differs; exit status 1 where there is any
    python tools/same.py --weave     put the package's text into the cells; then `make outputs`
    python tools/same.py --tangle    put the cells' text into the package; then `make test`

A layer cell begins with a line like `%%layer layer1_core/jaxpr.py (step 1.4)`. Each of its top-level statements is
looked up in that file of the package by what it binds (`def f`, `class C`, `x = ...`); one that binds no name goes by
its own text. Lines are compared whole, with their decorators and the comments in and beside them. A comment or an empty
line between two statements belongs to the cell or to the file, and is neither compared nor copied; so do imports.
"""

import argparse
import difflib
import sys
from pathlib import Path

import nbformat

from minijax.course import cells
from minijax.course.publish import with_typed
from minijax.course.statements import statements

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("notebooks", "solutions")


def layer_cells(notebook):
    """The cells that repeat a piece of the package."""
    return [c for c in notebook.cells if c.cell_type == "code" and cells.is_layer_cell(c.source)]


def typed(cell):
    """The statements of a layer cell, imports excepted."""
    return [s for s in cells.typed(cell.source) if not s.is_import]


def in_package(cell, package):
    """The statements of the file that a cell is a piece of: key -> statement."""
    path = package / cells.about(cell.source)[0]
    return {s.key: s for s in statements(path.read_text())} if path.exists() else {}


def unreadable(cell):
    """What Python finds wrong with a layer cell, a text each."""
    try:
        typed(cell)
    except SyntaxError as error:
        yield f"cell {cell.id}, line {error.lineno}: {error.msg}"


def differences(cell, package):
    """What a layer cell and the package do not agree on, a text each: a unified diff, or what is missing."""
    where, theirs = f"{cells.about(cell.source)[0]} (cell {cell.id})", in_package(cell, package)
    for s in typed(cell):
        if s.key not in theirs:
            yield f"{where}: the package has no statement {s.key!r}"
        elif s.text != theirs[s.key].text:
            both = theirs[s.key].text.splitlines(), s.text.splitlines()
            yield "\n".join(difflib.unified_diff(*both, f"package: {where}", f"cell: {s.key}", lineterm=""))


def weave(cell, package):
    """The source of the cell with the package's text of each of its statements; what the package lacks stays."""
    return cells.woven(cell.source, in_package(cell, package))


def tangle(cell, package):
    """Put the text of the cell's statements into the package; the file, where that changed it."""
    path = package / cells.about(cell.source)[0]
    if not path.exists():
        return None
    before = path.read_text()
    after = with_typed(before, typed(cell))
    if after == before:
        return None
    path.write_text(after)
    return path


def check(path, package, way=None):
    """What differs in one notebook, after weaving or tangling where that is asked for."""
    notebook = nbformat.read(path, as_version=4)
    found = layer_cells(notebook)
    if broken := [text for cell in found for text in unreadable(cell)]:
        return broken
    if way == "weave" and any(weave(cell, package) != cell.source for cell in found):
        for cell in found:
            cell.source = weave(cell, package)
        path.write_text(nbformat.writes(notebook) + "\n")
        print(f"{path.name}: woven; `make outputs` runs it again")
    if way == "tangle":
        changed = [tangle(cell, package) for cell in found]
        print("".join(f"{file}: tangled\n" for file in dict.fromkeys(changed) if file), end="")
    return [text for cell in found for text in differences(cell, package)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--weave", dest="way", action="store_const", const="weave", help="package -> cells")
    way.add_argument("--tangle", dest="way", action="store_const", const="tangle", help="cells -> package")
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks; all of the course by default")
    args = parser.parse_args()
    paths = args.paths or [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.ipynb"))]
    found = {path: check(path, ROOT / "minijax", args.way) for path in paths}
    for path, texts in found.items():
        print("".join(f"{path.name}: {text}\n" for text in texts), end="")
    if any(found.values()):
        print("To take over the package's text: make weave. To take over the cells': make tangle")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
