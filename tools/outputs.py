"""Run notebooks and record what they print, the same every time.

    make outputs                                           every notebook
    python tools/outputs.py notebooks/01_*.ipynb           some of them
    python tools/outputs.py --check                        write nothing; status 1 where an output would change

The one way in which outputs come into the repository. A notebook runs from top to bottom in a new kernel,
in its own folder; cells then count 1, 2, 3, ... What differs between machines or runs is left out: times, the kernel's
version, widget ids. A cell that raises stops the run unless it carries the tag `raises-exception`.
"""

import argparse
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from traitlets.config import Config

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("notebooks", "solutions", "exercises")
WIDGET = "application/vnd.jupyter.widget-view+json"

# Without encryption every kernel warns that there is none.
ENCRYPTED = Config({"KernelManager": {"transport_encryption": "auto"}})

# `python3` is the one kernel name that every Jupyter has: in .venv, under JupyterHub and on Binder.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}


def execute(notebook, folder):
    """Run every code cell of `notebook`, in place, in a new kernel that works in `folder`."""
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=600,
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        store_widget_state=False,
        config=ENCRYPTED,
    )
    client.execute()


def merge_streams(outputs):
    """`outputs` with neighbouring pieces of the same stream joined: where a stream is cut depends on timing."""
    merged = []
    for output in outputs:
        last = merged[-1] if merged else None
        if last and output.output_type == "stream" and last.get("name") == output.name:
            last.text += output.text
        else:
            merged.append(output)
    return merged


def is_empty(output):
    """Whether an output shows nothing, as that of a counter that has gone away."""
    return "data" in output and not output.data


def settle_output(output):
    """Remove from an output, in place, what another session does not understand: widget ids and metadata."""
    output.get("data", {}).pop(WIDGET, None)
    if "metadata" in output:
        output.metadata = nbformat.NotebookNode()


def settle(notebook):
    """Make `notebook`, in place, depend only on its cells: count them 1..n, drop what varies."""
    for key in set(notebook.metadata) & {"widgets", "signature"}:
        del notebook.metadata[key]
    notebook.metadata.update(nbformat.from_dict(METADATA))
    count = 0
    for index, cell in enumerate(notebook.cells):
        cell.setdefault("id", f"cell-{index}")
        for key in ("execution", "ExecuteTime", "collapsed", "scrolled"):
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            count += bool(cell.source.strip())
            settle_code(cell, count)
    notebook.nbformat, notebook.nbformat_minor = 4, 5


def settle_code(cell, count):
    """Give a code cell and its results the number `count`; an empty cell has none, as in Jupyter."""
    cell.execution_count = count if cell.source.strip() else None
    cell.outputs = merge_streams([output for output in cell.outputs if not is_empty(output)])
    for output in cell.outputs:
        settle_output(output)
        if output.output_type == "execute_result":
            output.execution_count = count


def recorded(path):
    """The text that the file of a notebook has after a fresh run."""
    notebook = nbformat.read(path, as_version=4)
    execute(notebook, path.parent)
    settle(notebook)
    return nbformat.writes(notebook) + "\n"


def record(path, check):
    """Run one notebook and write it unless `check`; True when its text is as it was."""
    try:
        text = recorded(path)
    except CellExecutionError as error:
        print(f"{path}: a cell raised\n{error}")
        return False
    same = text == path.read_text()
    if not same and not check:
        path.write_text(text)
    print(f"{path.name}: {'unchanged' if same else 'differs' if check else 'recorded'}")
    return same or not check


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks; all of the course by default")
    parser.add_argument("--check", action="store_true", help="only compare")
    args = parser.parse_args()
    paths = args.paths or [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.ipynb"))]
    if not paths:
        print("There are no notebooks yet.")
    good = [record(path, args.check) for path in paths]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
