"""Prove that the definitions in the notebooks are the package's own text.

    python tools/same.py            a diff for every statement that differs; exit status 1 where there is any
    python tools/same.py --weave    put the package's text into the cells; then `make outputs`

A layer cell is a code cell with the metadata {"minijax": {"layer": "layer1_core/jaxpr.py", "step": "1.4"}}. Each of its
top-level statements is looked up in that file of the package by what it binds (`def f`, `class C`, `x = ...`); one
that binds no name goes by its own text. Lines are compared whole, with their comments and decorators.
"""

import argparse
import ast
import difflib
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("notebooks", "solutions")


def key(node):
    """What a statement is found by: the names that it binds, or its text where it binds none."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=targets):
            return ", ".join(map(ast.unparse, targets))
        case ast.AnnAssign(target=target):
            return ast.unparse(target)
    return ast.unparse(node)


def statements(source):
    """The top-level statements of a source, imports excepted: key -> (first line, last line, text)."""
    lines, found = source.splitlines(), {}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            first = min(n.lineno for n in (node, *getattr(node, "decorator_list", ())))
            found[key(node)] = first, node.end_lineno, "\n".join(lines[first - 1 : node.end_lineno])
    return found


def layer_cells(notebook):
    """The cells that repeat a piece of the package."""
    return [c for c in notebook.cells if c.cell_type == "code" and "layer" in c.metadata.get("minijax", {})]


def marker(cell):
    """The first line of a layer cell, which says in words what the metadata says."""
    about = cell.metadata["minijax"]
    return f"# %%layer {about['layer']}  (step {about['step']})"


def package_statements(cell, package):
    path = package / cell.metadata["minijax"]["layer"]
    return statements(path.read_text()) if path.exists() else {}


def differences(cell, package):
    """What a layer cell and the package do not agree on, a text each: a unified diff, or what is missing."""
    where = f"{cell.metadata['minijax']['layer']} (cell {cell.id})"
    theirs = package_statements(cell, package)
    if cell.source.splitlines()[:1] != [marker(cell)]:
        yield f"{where}: the first line is not {marker(cell)!r}"
    for name, (_, _, text) in statements(cell.source).items():
        if name not in theirs:
            yield f"{where}: the package has no statement {name!r}"
        elif text != theirs[name][2]:
            both = theirs[name][2].splitlines(), text.splitlines()
            yield "\n".join(difflib.unified_diff(*both, f"package: {where}", f"cell: {name}", lineterm=""))


def weave(cell, package):
    """The source of the cell with the package's text of each of its statements; what the package lacks stays."""
    theirs, lines = package_statements(cell, package), cell.source.splitlines()
    for name, (first, last, text) in reversed(statements(cell.source).items()):
        lines[first - 1 : last] = theirs.get(name, (0, 0, text))[2].splitlines()
    return "\n".join(lines)


def check(path, package, weaving):
    """What differs in one notebook, after weaving where that is asked for."""
    notebook = nbformat.read(path, as_version=4)
    cells = layer_cells(notebook)
    if weaving and any(weave(cell, package) != cell.source for cell in cells):
        for cell in cells:
            cell.source = weave(cell, package)
        path.write_text(nbformat.writes(notebook) + "\n")
        print(f"{path.name}: woven; `make outputs` runs it again")
    return [text for cell in cells for text in differences(cell, package)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weave", action="store_true", help="package -> cells")
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks; all of the course by default")
    args = parser.parse_args()
    paths = args.paths or [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.ipynb"))]
    found = {path: check(path, ROOT / "minijax", args.weave) for path in paths}
    for path, texts in found.items():
        print("".join(f"{path.name}: {text}\n" for text in texts), end="")
    if any(found.values()):
        print("To take over the package's text: python tools/same.py --weave")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
