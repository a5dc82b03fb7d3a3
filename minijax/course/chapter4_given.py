"""What the exercises of chapter 4 have at hand: rules put into the package for a moment, and what is kept, counted.

The package is looked up each time, since a `%chapter` replaces it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .chapter3_given import equations, numbers, package, retraced

DIGITS = 4  # after the point: what float32 has, with room for other orders of the same operations


# ---- numbers


def rounded(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What `numbers(fun, *args)` gives, each number as a float with four digits after the point."""
    return package().tree.map(lambda x: round(float(x), DIGITS), numbers(fun, *args, **kwargs))


def pulled(fun: Callable[..., Any], xs: Sequence[Any], ct: Any) -> Any:
    """The cotangents of the arguments `xs` of a function, from the cotangent of its result: one for each."""
    return package().vjp(fun, *xs)[1](ct)


def with_rules(table: dict[Any, Any], rules: Mapping[Any, Any], fun: Callable[..., Any], *args: Any) -> Any:
    """`fun(*args)`, while `table` has these rules in place of its own."""
    before = {primitive: table[primitive] for primitive in rules}
    try:
        table.update(rules)
        package().clear_caches()  # derivatives of programs are remembered, and they were made by the other rules
        return fun(*args)
    finally:
        table.update(before)
        package().clear_caches()


# ---- programs


def operations(jaxpr: Any) -> list[str]:
    """The names of the primitives of a program, in its order; those in the programs that it carries included."""
    return [eqn.primitive.name for eqn in equations(jaxpr)]


def residuals(fun: Callable[..., Any], *args: Any) -> int:
    """How many numbers the linear program of `fun` at these arguments keeps."""
    _, push = package().linearize(fun, *args)
    return size_of(push)


def size_of(tree: Any) -> int:
    """How many numbers the arrays of a tree hold."""
    return sum(math.prod(np.shape(x)) for x in package().tree.leaves(tree))


# ---- a chain of steps that are watched


class Watched:
    """A chain of n steps, each of which tells when it is run, when its residual is kept, and when it is pulled back.

    Step k takes x to x * x + k / 8, so each has a slope of its own.
    """

    def __init__(self, n: int):
        self.events: list[tuple[str, int]] = []
        self.step_p, self.slope_p = self._primitives()
        self.steps = [lambda x, k=k: self.step_p.bind(x, k=k) for k in range(n)]

    def _primitives(self) -> tuple[Any, Any]:
        step_p, slope_p = (package("extend.core").Primitive(name) for name in ("step", "slope"))
        ad, lax = package("interpreters.ad"), package("lax")

        def run(x: Any, k: int) -> Any:
            self.events.append(("run", k))
            return _step(x, k)

        def jvp(primals: Sequence[Any], tangents: Sequence[Any], k: int) -> tuple[Any, Any]:
            self.events.append(("keep", k))
            return _step(primals[0], k), slope_p.bind(tangents[0], primals[0] + primals[0], k=k)

        def transpose(ct: Any, t: Any, slope: Any, k: int) -> list[Any]:
            self.events.append(("drop", k))
            return [lax.mul(ct, slope), None]

        for primitive, impl in ((step_p, run), (slope_p, lambda t, slope, k: t * slope)):
            primitive.def_impl(impl)
            primitive.def_abstract_eval(lambda x, *_, k: x)
        ad.primitive_jvps[step_p], ad.primitive_transposes[slope_p] = jvp, transpose
        return step_p, slope_p

    def most_kept(self) -> int:
        """How many residuals there were at one time, at most."""
        counts = np.cumsum([{"run": 0, "keep": 1, "drop": -1}[event] for event, _ in self.events])
        return int(max(counts, default=0))


def _step(x: Any, k: int) -> Any:
    return x * x + np.float32(k / 8)


def watched_pullback(vjp_of_chain: Callable[..., Any], n: int, size: int) -> dict[str, Any]:
    """What `vjp_of_chain(steps, x, size)` gives, keeps and does, for a chain of n steps.

    'value' and 'cotangent' are numbers; 'kept' is how many numbers the pullback holds, and 'most' how many residuals
    there are at one time; 'runs' is how often steps are run, with and without a residual, and 'order' the numbers of
    the steps as they are pulled back.
    """
    chain = Watched(n)
    y, pull = vjp_of_chain(chain.steps, package("numpy").float32(0.5), size)
    ct = pull(package("numpy").float32(1.0))
    runs = sum(event in ("run", "keep") for event, _ in chain.events)
    found = dict(value=rounded(lambda: y), cotangent=rounded(lambda: ct))
    order = [k for event, k in chain.events if event == "drop"]
    return found | dict(kept=size_of(pull), most=chain.most_kept(), runs=runs, order=order)


# ---- a program in two


def inlined(fun: Callable[..., Any], *args: Any) -> Any:
    """The program of `fun`, with those of jit in place."""
    return retraced(package().make_jaxpr(fun)(*args), {})


def run_in_two(parts: tuple[Any, Any], jaxpr: Any, unknown: Sequence[bool], args: Sequence[Any]) -> list[Any]:
    """The results of a program by its two parts: the first with the known arguments, the second with the others.

    Raises JaxprTypeError where a part is no program, since it reads what is not there.
    """
    known, rest = parts
    for part in parts:
        package("extend.core").check_jaxpr(part)
    early, late = ([x for x, mark in zip(args, unknown, strict=True) if mark is wanted] for wanted in (False, True))
    run = package("core").eval_jaxpr
    first = run(known, known.consts, *early)
    n = len(first) - (len(rest.invars) - len(late))
    own, second = iter(first[:n]), iter(run(rest, rest.consts, *first[n:], *late))
    depends = _reached(jaxpr, unknown)
    return [next(second if v in depends else own) for v in map(_key, jaxpr.outvars)]


def in_short(parts: tuple[Any, Any], unknown: Sequence[bool]) -> dict[str, list[str]]:
    """What two programs do and what goes from one to the other: names of operations, and types, each sorted."""
    known, rest = parts
    between = rest.invars[: len(rest.invars) - sum(unknown)]
    return dict(
        known=sorted(operations(known)), between=sorted(str(v.aval) for v in between), rest=sorted(operations(rest))
    )


def _key(v: Any) -> Any:
    """A variable; None for a literal, which cannot be hashed."""
    return v if isinstance(v, package("extend.core").Var) else None


def _reached(jaxpr: Any, unknown: Sequence[bool]) -> set[Any]:
    """The variables that depend on the unknown inputs."""
    found = {v for v, mark in zip(jaxpr.invars, unknown, strict=True) if mark}
    for eqn in jaxpr.eqns:
        if not found.isdisjoint(map(_key, eqn.invars)):
            found.update(eqn.outvars)
    return found


# ---- a fixed point


def settled(f: Callable[[Any, Any], Any], a: Any, x: Any, rounds: int = 60) -> Any:
    """What x = f(a, x) leads to, done again and again."""
    for _ in range(rounds):
        x = f(a, x)
    return x


def implicit(f: Callable[[Any, Any], Any], start: Any, pull: Callable[..., Any]) -> Callable[[Any], Any]:
    """The function from a to the x with x = f(a, x), whose reverse mode is `pull(f, a, x, ct)`."""
    fixed_point = package().custom_vjp(lambda a: settled(f, a, start))

    def forward(a: Any) -> tuple[Any, tuple[Any, Any]]:
        x = settled(f, a, start)
        return x, (a, x)

    fixed_point.defvjp(forward, lambda kept, ct: (pull(f, *kept, ct),))
    return fixed_point
