"""Programs written for JAX print on minijax what JAX 0.11.0 printed (tests/conformance)."""

import functools
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from minijax.course.chapters import layers

HERE = Path(__file__).parent / "conformance"
CASES = sorted(f"{path.parent.name}/{path.stem}" for path in (HERE / "cases").glob("*/*.py"))

KNOWN = tomllib.loads((HERE / "let_off.toml").read_text())
WAITING = {case: about for case, about in KNOWN["waiting"].items() if about["chapter"] not in layers()}
LET_OFF = WAITING | KNOWN["designed"]


@functools.cache
def run(layer):
    """What run.py says of a layer: all its cases run in one process, once."""
    command = [sys.executable, HERE / "run.py", "--verbose", layer]
    return subprocess.run(command, cwd=HERE.parent.parent, capture_output=True, text=True, timeout=600)


def differences(layer):
    """What differs from JAX's output in a layer, {case: diff}."""
    said = run(layer).stdout
    assert re.search(r"^\d+ passed, \d+ failed$", said, re.MULTILINE), f"run.py stopped:\n{run(layer).stderr[-2000:]}"
    cases, _ = re.split(r"^\w+ +\d+ of +\d+$", said, maxsplit=1, flags=re.MULTILINE)
    _, *parts = re.split(r"^differs: ", cases, flags=re.MULTILINE)
    return dict(part.split("\n", 1) for part in parts)


@pytest.mark.parametrize("case", [case for case in CASES if case not in LET_OFF])
def test_a_program_prints_what_jax_prints(case):
    layer = case.split("/")[0]
    difference = differences(layer).get(case)
    assert difference is None, f"{case}\n{difference}\nalone: python tests/conformance/run.py -v {case}"


@pytest.mark.parametrize("case", sorted(LET_OFF))
def test_a_case_that_is_let_off_still_differs(case):
    layer = case.split("/")[0]
    assert case in differences(layer), f"{case} passes now: take it out of let_off.toml"
