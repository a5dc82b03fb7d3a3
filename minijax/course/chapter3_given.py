"""What the exercises of chapter 3 have at hand: programs run with rules of one's own, numbers, what was told.

The package is looked up each time, since a `%chapter` replaces it.
"""

import ast
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

Rules = Mapping[str, Callable[..., Sequence[Any]]]  # a primitive's name -> (eqn, *operands) -> its results


def package(module: str = "") -> Any:
    return importlib.import_module(f"minijax.{module}".rstrip("."))


# ---- running functions and programs


def numbers(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What `fun(*args)` gives, with Python numbers and lists in the place of arrays. Nothing is compiled for it."""
    with package("layer1_core.config").interpret_jaxprs(True):
        return package().tree.map(lambda x: np.asarray(x).tolist(), fun(*args, **kwargs))


def as_floats(fun: Callable[..., dict[str, Any]], *args: Any, **kwargs: Any) -> dict[str, float]:
    """The variables that `fun(*args)` gives, each as a float of Python's."""
    return {name: float(x) for name, x in fun(*args, **kwargs).items()}


_TOLD: list[list[Any]] = [[]]  # one list for each `heard` that is being done


def tell(x: Any) -> Any:
    """`x`; and each time that the program comes here, its value is told to `heard`."""
    package("debug").callback(lambda x: _TOLD[-1].append(np.asarray(x).tolist()), x)
    return x


def heard(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
    """What `numbers` gives, and the list of what was told while the programs ran."""
    _TOLD.append([])
    try:
        return numbers(fun, *args, **kwargs), _TOLD[-1]
    finally:
        _TOLD.pop()


def counted(program: Callable[[Callable[[Any], Any]], Any]) -> int:
    """How often Python runs the function that `program` is given: one that returns its argument.

    Nothing is compiled for it.
    """
    runs: list[int] = []

    def f(x: Any) -> Any:
        runs.append(1)
        return x

    with package("layer1_core.config").interpret_jaxprs(True):
        program(f)
    return len(runs)


# ---- programs with rules of one's own


def rerun(jaxpr: Any, args: Sequence[Any], rules: Rules) -> list[Any]:
    """The results of a program, equation by equation. An equation with a rule in `rules` is done by that rule.

    The programs of jit are run in place. Other equations are bound as they are, with the programs that they carry.
    """
    env = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*jaxpr.consts, *args], strict=True))
    read = lambda v: v.val if _is_literal(v) else env[v]
    for eqn in jaxpr.eqns:
        results = _results(eqn, [read(v) for v in eqn.invars], rules)
        env.update(zip(eqn.outvars, results, strict=True))
    return [read(v) for v in jaxpr.outvars]


def _results(eqn: Any, operands: list[Any], rules: Rules) -> Sequence[Any]:
    name = eqn.primitive.name
    if name in rules:
        return rules[name](eqn, *operands)
    if name == "jit":
        return rerun(eqn.params["jaxpr"], operands, rules)
    out = eqn.primitive.bind(*operands, **eqn.params)
    return out if eqn.primitive.multiple_results else [out]


def retraced(jaxpr: Any, rules: Rules) -> Any:
    """The program that `rerun` is, traced: a pass, made from rules."""
    return package().make_jaxpr(lambda *args: rerun(jaxpr, args, rules))(*jaxpr.in_avals)


def equations(jaxpr: Any) -> Iterator[Any]:
    """All equations of a program, and those of the programs that they carry."""
    for eqn in jaxpr.eqns:
        yield eqn
        for param in eqn.params.values():
            for inner in param if isinstance(param, tuple) else [param]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


def count(name: str, jaxpr: Any) -> int:
    """How many equations of this primitive a program has, those in the programs that it carries included."""
    return [eqn.primitive.name for eqn in equations(jaxpr)].count(name)


def lengths(jaxpr: Any) -> list[int]:
    """The lengths of all scans in a program, from small to large; those without steps are left out."""
    found = (eqn.params["length"] for eqn in equations(jaxpr) if eqn.primitive.name == "scan")
    return sorted(length for length in found if length)


def _is_literal(v: Any) -> bool:
    return isinstance(v, package("extend.core").Literal)


# ---- types


def common(x: Any, y: Any) -> np.dtype:
    """The dtype that two values have together, or two types such as those of `jax.eval_shape`.

    A weak type gives way: common(0, 1.5) is float32, common(0.5, np.int32(1)) as well.
    """
    pairs = [(v.dtype, v.weak_type) for v in (_typed(x), _typed(y))]
    return package("layer1_core.dtypes").join(*pairs)[0]


def same_numbers(some: Any, others: Any) -> bool:
    """Whether the arrays of two trees are equal, whatever their dtypes are."""
    leaves = package().tree.leaves
    return all(np.array_equal(x, y) for x, y in zip(leaves(some), leaves(others), strict=True))


def _typed(x: Any) -> Any:
    return x if hasattr(x, "weak_type") else package().typeof(x)


# ---- a scan with less to carry


def scan_equation(fun: Callable[..., Any], init: Any) -> Any:
    """The equation of a scan of four steps over floats, with this start."""
    jax = package()
    xs = jax.ShapeDtypeStruct((4,), np.float32)
    (eqn,) = (e for e in jax.make_jaxpr(lambda xs: jax.lax.scan(fun, init, xs))(xs).eqns if e.primitive.name == "scan")
    return eqn


def without_dead_carries(jaxpr: Any, live_carry: Callable[[Any, list[bool]], list[bool]]) -> Any:
    """The program with less to do in its scans: they carry what `live_carry` says, and stack what is read.

    An equation whose results nobody reads is left out, unless it does something besides computing.
    """
    read = {id(v) for v in jaxpr.outvars}
    kept = []
    for eqn in reversed(jaxpr.eqns):
        is_read = [id(v) in read for v in eqn.outvars]
        if eqn.effects or any(is_read):
            if eqn.primitive.name == "scan":
                eqn = _smaller(eqn, [*live_carry(eqn, is_read)], is_read)
            kept.append(eqn)
            read.update(map(id, eqn.invars))
    return jaxpr.replace(eqns=kept[::-1])


def _smaller(eqn: Any, live: list[bool], is_read: list[bool]) -> Any:
    ft_in, ft_out, body = (eqn.params[name] for name in ("ft_in", "ft_out", "jaxpr"))
    keep_out = [*live, *ft_out.split(is_read)[1]]
    consts, _, xs = ft_in.sizes
    keep_in = [True] * consts + live + [True] * xs
    some = lambda values, keep: [v for v, kept in zip(values, keep, strict=True) if kept]
    smaller = body.replace(invars=some(body.invars, keep_in), outvars=some(body.outvars, keep_out))
    params = eqn.params | {
        "jaxpr": package("layer2_jit.passes").without_dead(smaller),
        "ft_in": ft_in.kept(iter(keep_in)),
        "ft_out": ft_out.kept(iter(keep_out)),
    }
    return eqn.replace(invars=some(eqn.invars, keep_in), outvars=some(eqn.outvars, keep_out), params=params)


# ---- programs as text


def value_of(expression: ast.expr, variables: Mapping[str, Any]) -> Any:
    """The value of an expression of a parsed program, with these variables.

    Raises NameError for a variable that is not among them.
    """
    code = compile(ast.Expression(expression), "<program>", "eval")
    return eval(code, {"jnp": package("numpy"), "tell": tell}, dict(variables))
