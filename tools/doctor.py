"""Compare what is installed in .venv with the pins of constraints.txt, and say how to mend a difference.

    make doctor

Runs on any Python 3, also where .venv is missing or broken. Exit status 1 where something differs.
"""

import argparse
import json
import subprocess
import sys

from pins import canonical, read_pins
from setup_venv import NEWEST, OLDEST, PYTHON, STAMP, VENV, installed_extras, usable

LOOK_INSIDE = """
import importlib.metadata as m, json, sys
found = {d.metadata["Name"]: d for d in m.distributions()}
print(json.dumps({
    "python": list(sys.version_info[:3]),
    "packages": {name: d.version for name, d in found.items()},
    "direct": found["minijax"].requires if "minijax" in found else [],
}))
"""

MISSING = "There is no .venv yet. It is created by: make course (learners) or make test (contributors)"
BROKEN = (
    "The Python of .venv does not run here: the folder was moved or Python was removed. Mend with: make clean course"
)


def look_inside():
    """What .venv holds: its Python's version, its packages' versions, and what minijax asks for."""
    answer = subprocess.run([str(PYTHON), "-c", LOOK_INSIDE], cwd=VENV, stdout=subprocess.PIPE, check=True)
    found = json.loads(answer.stdout)
    found["packages"] = {canonical(name): version for name, version in found["packages"].items()}
    return found


def direct_names(requirements, extras):
    """The canonical names among `requirements` that are asked for always or by one of `extras`."""
    for requirement in requirements:
        text, _, marker = requirement.partition(";")
        if "extra" not in marker or any(extra in marker for extra in extras):
            yield canonical(text.split("[")[0].split(">")[0].split("<")[0].split("=")[0].strip())


def compare(found, pins):
    """Rows (name, installed, pin, remark) for every pinned package that is here or should be."""
    packages, direct = found["packages"], set(direct_names(found["direct"], installed_extras() or {"course"}))
    for name, pin in sorted(pins.items()):
        have = packages.get(name)
        if have is None and name in direct:
            yield name, "-", pin, "missing"
        elif have is not None:
            yield name, have, pin, "ok" if have == pin else "differs"


def broken_requirements():
    """What `pip check` complains of, a line each: a package that another one needs and that is not here."""
    command = [str(PYTHON), "-m", "pip", "check", "--disable-pip-version-check"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.splitlines() if done.returncode else []


def trouble(found, rows):
    """What is wrong, a line each with how to mend it."""
    if not OLDEST <= tuple(found["python"][:2]) <= NEWEST:
        yield "this Python is not one of 3.11 to 3.14: name one when .venv is made: make course PYTHON=python3.12"
    if "minijax" not in found["packages"] or not STAMP.exists():
        yield "the set-up was not finished: make course (learners) or make test (contributors)"
    elif not installed_extras():
        yield "pyproject.toml or constraints.txt changed since the set-up: make course, or make test"
    wrong = [f"{name}=={pin}" for name, _, pin, remark in rows if remark != "ok"]
    if wrong:
        yield "mend with: .venv/bin/python -m pip install " + " ".join(wrong)
    yield from broken_requirements()


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    if not usable():
        sys.exit(BROKEN if VENV.exists() else MISSING)
    found = look_inside()
    rows = list(compare(found, read_pins()))
    python = ".".join(map(str, found["python"]))
    for name, have, pin, remark in [("", "installed", "pinned", ""), ("python", python, "3.11 to 3.14", ""), *rows]:
        print(f"{name:28} {have:20} {pin:20} {remark}".rstrip())
    problems = list(trouble(found, rows))
    print("\n" + ("\n".join(problems) if problems else f"All {len(rows)} packages are as pinned."))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
