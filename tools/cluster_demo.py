"""Run the programs of demos/ in one process with four devices and in four with one, and compare what they print.

    make cluster-demo

A sum has other roundings in other orders: so numbers may differ by a relative 1e-4. Exit status 1 where the programs
print something else, or where the error of a process that ends does not reach the others.
"""

import importlib.util
import math
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MPIEXEC = Path(sys.executable).with_name("mpiexec")
SECONDS = 300

MISSING = """\
{what} is missing: several processes speak by MPI.
make cluster-demo installs it with pip, where it comes ready for this machine: Linux (x86_64, aarch64) and macOS.
With an MPI of your own: install mpi4py, which finds it, and run mpiexec -n 4 python demos/data_parallel.py"""


def check_mpi():
    """Leave with advice where there is no MPI."""
    if importlib.util.find_spec("mpi4py") is None:
        sys.exit(MISSING.format(what="mpi4py"))
    if not MPIEXEC.exists():
        sys.exit(MISSING.format(what="mpiexec"))
    found = subprocess.run([sys.executable, "-c", "from mpi4py import MPI"], capture_output=True, text=True)
    if found.returncode:
        sys.exit(MISSING.format(what="an MPI that works") + "\n" + found.stderr.strip().splitlines()[-1])


def run(program, processes, devices):
    """Run a program, and show what it prints. Returns that, and the exit status."""
    print(f"\nJAX_NUM_CPU_DEVICES={devices} mpiexec -n {processes} python demos/{program}", flush=True)
    env = {**os.environ, "JAX_NUM_CPU_DEVICES": str(devices), "MINIJAX_COMPILE_PROGRESS": "0"}
    command = [str(MPIEXEC), "-n", str(processes), sys.executable, f"demos/{program}"]
    begun, lines = time.monotonic(), []
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as started:
        for line in started.stdout:
            lines.append(line)
            print("    " + line, end="", flush=True)
        status = started.wait(SECONDS)
    print(f"    ({time.monotonic() - begun:.0f} seconds)", flush=True)
    return lines, status


def same(program):
    """Whether a program prints the same in one process and in four."""
    (one, status), (four, statuses) = run(program, 1, 4), run(program, 4, 1)
    good = status == statuses == 0 and one != [] and alike("".join(one).split(), "".join(four).split())
    print("the same" if good else "NOT the same", flush=True)
    return good


def alike(words, others):
    """Whether two texts, in words, are the same but for the roundings of numbers."""
    return len(words) == len(others) and all(map(close, words, others))


def close(word, other):
    try:
        return math.isclose(float(word), float(other), rel_tol=1e-4)
    except ValueError:
        return word == other


def ends():
    """Whether the others learn that a process has ended, and end too."""
    lines, status = run("one_ends.py", 4, 1)
    told = [line for line in lines if "needs process 2, which has ended: MemoryError" in line]
    good = len(told) == 3 and status != 0
    print("the other three have been told" if good else "NOT all of the others have been told", flush=True)
    return good


def main():
    check_mpi()
    results = [same("data_parallel.py"), same("tensor_parallel.py"), ends()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
