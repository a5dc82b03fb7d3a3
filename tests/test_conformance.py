"""Programs written for JAX print on minijax what JAX 0.11.0 printed (tests/conformance)."""

import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "conformance"
CASES = sorted(f"{path.parent.name}/{path.stem}" for path in (HERE / "cases").glob("*/*.py"))

# Cases that stand with an early layer and also use a later one. Each must fail until that layer
# is there, and then its entry goes.
WAITING = {
    "array/device_put_inside_jit": "layer 4, chapter 4: takes a gradient through device_put",
    "array/isinstance_of_array": "layer 6, chapter 6: looks at the type of a random key",
    "array/pytree_of_arrays_is_leaf": "layer 6, chapter 6: has a random key among the leaves",
    "core/custom_primitive_without_rules": "layers 4 and 5: asks jvp and vmap for rules that are missing",
    "core/python_loop_unrolls": "layer 3, chapter 3: compares the unrolled loop with scan",
    "lax/stop_gradient_and_barrier": "layer 4, chapter 4: takes gradients",
}

# Cases that print something else because minijax does something else, on purpose.
DESIGNED = {
    "array/annotations_and_single_dispatch": "Tracer inherits from jax.Array here, as in JAX before 0.11 (chapter 1, "
    "section 13): so functools.singledispatch sends a tracer to the function for jax.Array",
}


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


@pytest.mark.parametrize("case", [case for case in CASES if case not in WAITING | DESIGNED])
def test_a_program_prints_what_jax_prints(case):
    layer = case.split("/")[0]
    difference = differences(layer).get(case)
    assert difference is None, f"{case}\n{difference}\nalone: python tests/conformance/run.py -v {case}"


@pytest.mark.parametrize("case", sorted(WAITING | DESIGNED))
def test_a_case_that_is_let_off_still_differs(case):
    layer = case.split("/")[0]
    assert case in differences(layer), f"{case} passes now: take it out of WAITING or DESIGNED"
