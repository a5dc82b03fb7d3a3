"""How long the package's files and functions are.

    make size                       lines per layer and file, and what is over the limits
    python tools/size.py --check    only what is over the limits; exit status 1 where there is any

A line that is blank, a comment or part of a docstring counts like any other: it is read too.
"""

import argparse
import ast
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
FUNCTION_LIMIT, FILE_LIMIT = 40, 400


def functions(path):
    """Pairs (name, lines) of every function in a file; its docstring and decorators are not counted."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", code_lines(node)


def code_lines(node):
    """The lines of a function from `def` to its end, without the docstring."""
    total = node.end_lineno - node.lineno + 1
    first = node.body[0]
    has_doc = ast.get_docstring(node, clean=False) is not None
    return total - (first.end_lineno - first.lineno + 1 if has_doc else 0)


def layer_of(path):
    """The folder directly under minijax/ that a file is in; `(top)` for minijax/__init__.py and the like."""
    parts = path.relative_to(ROOT / "minijax").parts
    return parts[0] if len(parts) > 1 else "(top)"


def over_limits(files, lengths):
    """A line of text for every file and function that is longer than its limit."""
    for path, count in files.items():
        if count > FILE_LIMIT:
            yield f"{count:5} lines, over {FILE_LIMIT}: {path.relative_to(ROOT)}"
    for name, count in lengths.items():
        if count > FUNCTION_LIMIT:
            yield f"{count:5} lines, over {FUNCTION_LIMIT}: {name}"


def report(files, lengths):
    """Print lines per layer and file, and how long functions are."""
    layers = defaultdict(dict)
    for path, count in files.items():
        layers[layer_of(path)][path] = count
    for layer, members in sorted(layers.items()):
        print(f"{sum(members.values()):6} {layer}")
        for path, count in members.items():
            print(f"{count:10} {path.relative_to(ROOT / 'minijax')}")
    course = sum(layers["course"].values())
    print(f"{sum(files.values()) - course:6} in all, without course/")
    if lengths:
        counts = sorted(lengths.values())
        long = sum(count > 25 for count in counts)
        print(f"{len(counts):6} functions: median {median(counts):g} lines, longest {counts[-1]}, {long} over 25")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="print only what is over the limits")
    check = parser.parse_args().check
    files = {path: len(path.read_text().splitlines()) for path in sorted((ROOT / "minijax").rglob("*.py"))}
    lengths = dict(pair for path in files for pair in functions(path))
    if not check:
        report(files, lengths)
    too_long = list(over_limits(files, lengths))
    print("\n".join(too_long) if too_long else "Nothing is over the limits.")
    return 1 if check and too_long else 0


if __name__ == "__main__":
    sys.exit(main())
