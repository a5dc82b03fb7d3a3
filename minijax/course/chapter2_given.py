"""What the exercises of chapter 2 have at hand: loops and whole programs run as plain Python, errors in ulp.

The package is looked up each time, since a `%chapter` replaces it.
"""

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from unittest import mock

import numpy as np

Steps = Sequence[tuple[str, Sequence[str]]]  # the result of each step, and what the step reads


def layer2(module: str) -> Any:
    return importlib.import_module(f"minijax.layer2_jit.{module}")


# ---- loops and programs as Python


def text_of(body: Sequence[Any], **arrays: np.ndarray) -> str:
    """The Python text of a function `loops` that does these statements. The arrays say the types of its buffers."""
    loops = layer2("loops")
    buffers = [loops.Buffer(name, x.shape, x.dtype) for name, x in arrays.items()]
    return layer2("render").rendered(loops.Kernel("loops", buffers, [], [*body]))


def function_of(text: str) -> Callable[..., None]:
    """The function `loops` of a text. What it calls is what kernels call."""
    scope: dict[str, Any] = {}
    exec(text, scope)
    for name in {*scope["loops"].__code__.co_names} - {"range"}:
        scope[name] = _operation(name)
    return scope["loops"]


def _operation(name: str) -> Any:
    modules = [layer2(m) for m in ("maths", "rounded", "maths64")]
    return next((vars(m)[name] for m in modules if name in vars(m)), None) or getattr(layer2("plain"), name)


def run_loops(body: Sequence[Any], **arrays: np.ndarray) -> dict[str, np.ndarray]:
    """The arrays after these statements were run as plain Python, on copies of `arrays`, which bear the buffers' names.

    Raises IndexError for a place before the start or beyond the end of an array.
    """
    copies = {name: np.array(x) for name, x in arrays.items()}
    loops = function_of(text_of(body, **copies))
    with np.errstate(all="ignore"):
        loops(*map(layer2("plain").flat, copies.values()))
    return copies


def run_program(jaxpr: Any, *args: Any) -> list[np.ndarray]:
    """The results of a program: its loops, run as plain Python."""
    scope: dict[str, Any] = {"__name__": "program"}
    exec(layer2("compiler").Program(jaxpr).text, scope)
    return scope["main"](*map(np.asarray, args))


def run_with(keep: Callable[[Any], set[Any]], jaxpr: Any, *args: Any) -> list[np.ndarray]:
    """`run_program`, where `keep` of the program decides what is written to memory, and nothing else does."""
    fusion = layer2("fusion")
    decide = mock.patch.object(fusion, "needed", lambda flow: set(map(id, keep(flow.jaxpr))))
    with decide, mock.patch.object(fusion, "computed_again", lambda plan: set()):
        return run_program(jaxpr, *args)


def kernels_of(function: Callable[..., Any], *args: Any) -> list[Any]:
    """The kernels of a function at these arguments, before any two of them are joined."""
    jaxpr = layer2("passes").optimized(importlib.import_module("minijax").make_jaxpr(function)(*args))
    plan, names = layer2("fusion").Plan(jaxpr), layer2("render").names_of(jaxpr)
    groups = [step for step in plan.steps if isinstance(step, layer2("fusion").Group)]
    return [layer2("writing").written(plan, group, f"kernel_{k}", names) for k, group in enumerate(groups)]


def arrays_for(*kernels: Any) -> dict[str, np.ndarray]:
    """An array of different numbers for each buffer of these kernels, by its name."""
    buffers = {buffer.name: buffer for kernel in kernels for buffer in kernel.buffers}
    numbered = enumerate(sorted(buffers.values(), key=lambda buffer: buffer.name))
    return {b.name: (np.arange(b.size, dtype=b.dtype) * (k + 2) + k).reshape(b.shape) for k, b in numbered}


# ---- numbers

_ODD = {
    "f": [0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, np.nan, 1e-42],
    "i": [0, 1, -3, 2**31 - 1, -(2**31)],
    "u": [0, 1, 7, 2**32 - 1],
}


def odd(dtype: Any) -> np.ndarray:
    """Numbers of this dtype (of 32 bits) on which careless rules fail."""
    return np.array(_ODD[np.dtype(dtype).kind], dtype)


def ulps(function: Callable[..., Any], exact: Callable[..., Any], x: np.ndarray) -> float:
    """The largest error of a float32 function at these points, in units in the last place; infinity for no number."""
    with np.errstate(all="ignore"):
        right, got = exact(np.float64(x)), np.float64(function(x))
        errors = np.abs(got - right) / np.spacing(np.abs(np.float32(right)))
    return float(np.max(np.where(np.isfinite(errors), errors, np.inf)))


# ---- where arrays lie


def what_is_lost(steps: Steps, results: Iterable[str], donated: Iterable[str], lies: Mapping[str, str]) -> list[str]:
    """Run the steps with each result written to the buffer `lies[result]`; say what is no longer there when needed."""
    made = [out for out, _ in steps]
    arguments = {v for _, reads in steps for v in reads} | {*results, *donated}
    arguments -= {*made}
    holds, lost = {v: v for v in arguments}, []
    for out, reads in steps:
        buffer = lies[out]
        for v in reads:
            place = lies.get(v, v)
            if holds.get(place) != v:
                lost.append(f"{out} reads {v}, but buffer {place} holds {holds.get(place)}")
            if place == buffer:
                lost.append(f"{out} is written to buffer {place} while {v} is read from it")
        holds[buffer] = out
    lost += [f"the result {v} is overwritten" for v in results if holds.get(lies.get(v, v)) != v]
    return lost + [f"argument {v} was not given away" for v in sorted(arguments - {*donated}) if holds[v] != v]
