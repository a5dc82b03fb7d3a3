"""What the exercises of chapter 5 have at hand: rules of batching that are made from an answer, and what a batch costs.

The package is looked up each time, since a `%chapter` replaces it.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .chapter3_given import heard, numbers, package

# ---- shapes and sizes


def shape_of(fun: Callable[..., Any], *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of what `fun` makes of arrays of these shapes."""
    return fun(*map(package("numpy").zeros, shapes)).shape


def shapes_of(tree: Any) -> Any:
    """A tree with the shape of each array in its place: `{"x": (3,)}`."""
    return package().tree.map(np.shape, tree)


def refusal(fun: Callable[..., Any], *args: Any) -> str | None:
    """The error that `fun(*args)` raises, as text: its class and its message; None where it raises none.

    Nothing is compiled for it.
    """
    try:
        numbers(fun, *args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def product_by(written: tuple[Any, int], lhs: Any, rhs: Any) -> Any:
    """The product of two arrays with these dimension numbers, and the axis of this number in front."""
    numbers, place = written
    return package("numpy").moveaxis(package("lax").dot_general(lhs, rhs, numbers), place, 0)


# ---- rules


def rule_of_while(batched_while: Callable[..., Any]) -> Any:
    """A batching rule for `while` that does all by `batched_while(cond, body, init)`, with functions of one example.

    What the two programs are closed over is carried along, so that each example has its own.
    """
    parts, batching = package("layer3_control.bodies").parts, package("layer5_vmap.batching")
    own = batching.batching_rules[package("lax").while_p]

    def rule(axis: Any, args: Sequence[Any], dims: Sequence[Any], *, cond_jaxpr: Any, body_jaxpr: Any, **n: int) -> Any:
        if all(d is None for d in dims):
            return own(axis, args, dims, cond_jaxpr=cond_jaxpr, body_jaxpr=body_jaxpr, **n)
        test, step = map(package("extend.core").jaxpr_as_fun, (cond_jaxpr, body_jaxpr))
        values = [batching.bdim_at_front(x, d, axis.size) for x, d in zip(args, dims, strict=True)]
        cond_consts, body_consts, carry = parts(values, n["cond_nconsts"], n["body_nconsts"])
        out = batched_while(
            lambda now: test(*now[0], *now[2])[0],
            lambda now: (now[0], now[1], step(*now[1], *now[2])),
            (cond_consts, body_consts, carry),
        )[2]
        return out, [0] * len(out)

    return batching.AxisRule(rule)


def rule_of_cond(select_branches: Callable[..., Sequence[Any]]) -> Any:
    """A batching rule for `cond` that asks `select_branches(index, operands, branches)` where the index is a batch.

    All that it is given has the batch axis in front, and `branches` are functions of batches, which give a list. Where
    the index is the same for all examples, the package's own rule goes on.
    """
    batching, front = package("layer5_vmap.batching"), package("layer5_vmap.programs").batch_jaxpr_front
    own, as_fun = batching.batching_rules[package("lax").cond_p], package("extend.core").jaxpr_as_fun

    def rule(axis: Any, args: Sequence[Any], dims: Sequence[Any], *, branches: Sequence[Any], **params: Any) -> Any:
        if dims[0] is None:
            return own(axis, args, dims, branches=branches, **params)
        index, *operands = (batching.bdim_at_front(x, d, axis.size) for x, d in zip(args, dims, strict=True))
        every = [((True,) * len(b.invars), (True,) * len(b.outvars)) for b in branches]
        made = [as_fun(front(b, axis, *marks)[0]) for b, marks in zip(branches, every, strict=True)]
        out = [*select_branches(index, operands, made)]
        return out, [0] * len(out)

    return batching.AxisRule(rule)


def arms_told(fun: Callable[..., Any], *args: Any) -> tuple[Any, list[Any]]:
    """What `numbers` gives, and the values that were told, each once and sorted: those of the arms that were run."""
    out, told = heard(fun, *args)
    return out, sorted({*np.ravel(told).tolist()})
