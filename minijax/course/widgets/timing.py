"""How long each step of a compiled program takes on this machine. For a button: times differ from run to run."""

import time
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from .figure import package_module

ROUNDS = 7


def microseconds(program: Any, values: Sequence[np.ndarray]) -> list[float]:
    """The shortest time of each step, in ROUNDS calls of the program with these values."""
    main, values = program.main, [*map(package_module("layer2_jit.plain").in_order, values)]
    shortest: dict[str, float] = {}
    steps = {name: timed(name, main.__globals__[name], shortest) for name, _ in program.steps}
    run = FunctionType(main.__code__, main.__globals__ | steps)
    for _ in range(ROUNDS):
        run(*values)
    return [1e6 * shortest[name] for name, _ in program.steps]


def timed(name: str, step: Callable[..., Any], shortest: dict[str, float]) -> Callable[..., Any]:
    """`step`, which notes its shortest time in seconds."""

    def run(*args: Any) -> Any:
        start = time.perf_counter()
        out = step(*args)
        shortest[name] = min(time.perf_counter() - start, shortest.get(name, float("inf")))
        return out

    return run
