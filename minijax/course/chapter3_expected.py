"""What is right in the exercises of chapter 3: found by trying, in another way than a solution finds it.

Loops are loops of Python's; what a result depends on is followed forwards, from step to step; a program that is a text
is run by Python.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .chapter3_given import package, tell

# ---- loops


def looks(values: Sequence[float]) -> tuple[int, list[float]]:
    """Where the first positive one of these values is, and which values were looked at to find it."""
    place = next((k for k, x in enumerate(values) if x > 0), len(values))
    return place, list(values[: place + 1])


def steps_to_one(numbers: Any) -> Any:
    """How many steps each of these numbers takes to 1, halved where it is even and else tripled and one more."""
    if np.ndim(numbers):
        return [steps_to_one(n) for n in numbers]
    n, steps = int(numbers), 0
    while n > 1:
        n, steps = (3 * n + 1 if n % 2 else n // 2), steps + 1
    return steps


# ---- what is carried


def needed_carry(eqn: Any, is_read: Sequence[bool]) -> list[bool]:
    """Which parts of the carry of a scan are needed: those that are read, and those on which anything read depends.

    Enough steps are followed forwards for a part to come through all others. Each part leaves its mark in each step.
    """
    ft_in, ft_out = eqn.params["ft_in"], eqn.params["ft_out"]
    n_consts, n_carry, n_xs = ft_in.sizes
    read_carry, read_ys = ft_out.split(is_read)
    carried = [frozenset()] * n_carry
    found: set[int] = {k for k, read in enumerate(read_carry) if read}
    for _ in range(n_carry + 1):
        marked = [sources | {k} for k, sources in enumerate(carried)]
        out, done = _one_step(eqn.params["jaxpr"], [frozenset()] * n_consts + marked + [frozenset()] * n_xs)
        carried, ys = ft_out.split(out)
        found.update(*(y for y, read in zip(ys, read_ys, strict=True) if read), *done)
    found.update(*(sources for sources, read in zip(carried, read_carry, strict=True) if read))
    return [k in found for k in range(n_carry)]


def _one_step(body: Any, inputs: Sequence[frozenset[int]]) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
    """On which parts each result of a step depends, and on which each equation that does something does."""
    depends = dict(zip(map(id, body.invars), inputs, strict=True))
    done = []
    for eqn in body.eqns:
        sources = frozenset().union(*(depends.get(id(v), frozenset()) for v in eqn.invars))
        depends.update((id(v), sources) for v in eqn.outvars)
        done += [sources] if eqn.effects else []
    return [depends.get(id(v), frozenset()) for v in body.outvars], done


# ---- programs as text


def run_by_python(text: str, names: Sequence[str], **variables: Any) -> dict[str, Any]:
    """The values that these variables have after Python has run the text."""
    exec(text, {"tell": tell, "jnp": package("numpy")}, variables)
    return {name: variables[name] for name in names}
