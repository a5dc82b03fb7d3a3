"""What is right in the exercises of chapter 4: found by trying, in another way than a solution finds it.

Slopes are differences of NumPy's float64 numbers, transposes are found from unit vectors, products of derivatives are
products of matrices; and what a program depends on is followed forwards.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .chapter3_given import package
from .chapter4_given import DIGITS

_STEP = 1e-5

# ---- slopes


def _rounded(x: Any) -> Any:
    return np.round(x, DIGITS).tolist()


def by_differences(fun: Callable[..., Any], xs: Sequence[Any], ts: Sequence[Any]) -> tuple[Any, Any]:
    """The value of a function of NumPy's at `xs`, and its slope along `ts`."""
    here = [np.asarray(x, float) for x in xs]
    there, back = ([x + h * np.asarray(t) for x, t in zip(here, ts, strict=True)] for h in (_STEP, -_STEP))
    return _rounded(fun(*here)), _rounded((fun(*there) - fun(*back)) / (2 * _STEP))


def slope_of(fun: Callable[[Any], Any], x: float) -> Any:
    """The derivative of a function of one number, by the package."""
    return package().jvp(fun, (x,), (1.0,))[1]


# ---- a choice without NaN


def where_safe(fun: Callable[[float], float], is_safe: Callable[[float], bool], otherwise: float, x: Any) -> Any:
    """`fun(x)` where `is_safe(x)`, and `otherwise` elsewhere; element by element."""
    if np.ndim(x):
        return [where_safe(fun, is_safe, otherwise, each) for each in x]
    return _rounded(fun(float(x))) if is_safe(x) else otherwise


def slope_where_safe(fun: Callable[[float], float], is_safe: Callable[[float], bool], x: Any) -> Any:
    """The slope of `fun` at `x` where `is_safe(x)`, and 0 elsewhere; element by element."""
    if np.ndim(x):
        return [slope_where_safe(fun, is_safe, each) for each in x]
    return by_differences(fun, [float(x)], [1.0])[1] if is_safe(x) else 0.0


# ---- linear functions


def by_unit_vectors(fun: Callable[..., Any], xs: Sequence[Any], ct: Any) -> tuple[Any, ...]:
    """The cotangents of the operands of a linear function: of each element, what <ct, fun> is where only it is 1."""
    zeros = [np.zeros(np.shape(x), np.float32) for x in xs]

    def cotangent(i: int) -> Any:
        out = np.zeros(zeros[i].shape)
        for place in np.ndindex(out.shape):
            unit = zeros[i].copy()
            unit[place] = 1
            out[place] = np.vdot(ct, fun(*zeros[:i], unit, *zeros[i + 1 :]))
        return out.tolist()

    return tuple(map(cotangent, range(len(xs))))


def by_matrices(model: Callable[[Any], Any], loss: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """J^T H J v, as a product of matrices: J of the model at `x`, and H of the loss at what the model gives."""
    ravel, jax = package("flatten_util").ravel_pytree, package()
    (flat, unravel), (flat_v, _) = ravel(x), ravel(v)
    y, unravel_y = ravel(model(x))
    jacobian = np.asarray(jax.jacrev(lambda x: ravel(model(unravel(x)))[0])(flat), float)
    curvature = np.asarray(jax.jacrev(jax.grad(lambda y: loss(unravel_y(y))))(y), float)
    product = jacobian.T @ curvature @ jacobian @ np.asarray(flat_v, float)
    return jax.tree.map(lambda x: _rounded(np.asarray(x, float)), unravel(product.astype(np.float32)))


def by_unrolling(f: Callable[[Any, Any], Any], a: Any, x: Any, ct: Any, rounds: int = 60) -> Any:
    """The cotangent of `a` where x = f(a, x) is done again and again, from `x`, and all of it is differentiated."""

    def iterated(a: Any) -> Any:
        x_now = x
        for _ in range(rounds):
            x_now = f(a, x_now)
        return x_now

    return package().vjp(iterated, a)[1](ct)[0]


# ---- programs as text


def by_differences_of_text(text: str, variables: dict[str, float], cts: dict[str, float]) -> dict[str, float]:
    """What the sum of all variables, times their numbers in `cts`, changes with each of `variables`."""

    def total(**changed: float) -> float:
        names: dict[str, Any] = {"jnp": np} | variables | changed
        exec(text, names)
        return sum(ct * names[name] for name, ct in cts.items())

    return {
        name: float(_rounded((total(**{name: x + _STEP}) - total(**{name: x - _STEP})) / (2 * _STEP)))
        for name, x in variables.items()
    }


# ---- chains


def chain_in_segments(n: int, size: int) -> dict[str, Any]:
    """What a chain of n steps gives, keeps and does, if only the inputs of segments of this size are kept."""
    x, slope = 0.5, 1.0
    for k in range(n):
        x, slope = x * x + k / 8, slope * 2 * x
    found = dict(value=_rounded(x), cotangent=_rounded(slope))
    order = [*reversed(range(n))]
    return found | dict(kept=-(-n // size), most=min(n, size), runs=2 * n, order=order)


# ---- a program in two


def split_in_short(jaxpr: Any, unknown: Sequence[bool], saveable: Callable[[Any], bool]) -> dict[str, list[str]]:
    """What two parts of a program do, and what goes from one to the other, where only `saveable` values may be kept.

    Each variable is followed forwards to all that depends on it.
    """
    variables = package("extend.core").Var
    read = lambda eqn: {v for v in eqn.invars if isinstance(v, variables)}

    def leads_to(start: Iterable[Any], through: Sequence[Any]) -> set[Any]:
        found = set(start)
        for eqn in through:
            if found & read(eqn):
                found.update(eqn.outvars)
        return found

    results = {v for v in jaxpr.outvars if isinstance(v, variables)}
    eqns = [eqn for eqn in jaxpr.eqns if leads_to(eqn.outvars, jaxpr.eqns) & results]
    after = leads_to([v for v, mark in zip(jaxpr.invars, unknown, strict=True) if mark], eqns)
    late = [eqn for eqn in eqns if read(eqn) & after]
    early = [eqn for eqn in eqns if not read(eqn) & after]
    fleeting = [eqn for eqn in early if not saveable(eqn)]
    wanted = set().union(*map(read, late)) - after
    again = [eqn for eqn in fleeting if leads_to(eqn.outvars, fleeting) & wanted]
    given = {*jaxpr.constvars, *jaxpr.invars} - after
    given.update(v for eqn in early if saveable(eqn) for v in eqn.outvars)
    between = {v for v in given if leads_to([v], fleeting) & wanted}
    known = [eqn for eqn in early if leads_to(eqn.outvars, early) & (between | (results - after))]
    return dict(
        known=sorted(eqn.primitive.name for eqn in known),
        between=sorted(str(v.aval) for v in between),
        rest=sorted(eqn.primitive.name for eqn in [*again, *late]),
    )
