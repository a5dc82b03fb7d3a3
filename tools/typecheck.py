"""Check the package's types with pyright: the files that changed since the last clean run, or all of them.

    python tools/typecheck.py          what changed (make check)
    python tools/typecheck.py --all    everything (make test): about a minute

NumPy's types have very many overloads, and pyright keeps nothing between runs. A change can break a file that did
not change: so `make test` looks at all of them.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAMP = Path(sys.prefix) / "minijax-types-clean"  # its time is the start of the last clean run


def changed(files):
    """The files that are newer than the last clean run; all of them before the first."""
    if not STAMP.exists():
        return files
    return [path for path in files if path.stat().st_mtime > STAMP.stat().st_mtime]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every file")
    files = sorted((ROOT / "minijax").rglob("*.py"))
    files = files if parser.parse_args().all else changed(files)
    if not files:
        return 0
    started = STAMP.with_suffix(".started")
    started.touch()
    # On standard input: so many names would be too long for a command on some systems.
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-"]
    status = subprocess.run(command, cwd=ROOT, input="\n".join(map(str, files)), text=True).returncode
    if status == 0:
        started.replace(STAMP)
    return status


if __name__ == "__main__":
    sys.exit(main())
