"""Programs made from programs: the jvp, the two halves of a linearization, a transpose, the known and the unknown part.

Equations that carry programs (calls, loops, branches) are differentiated by these. Each is made once for each program
and each pattern of zeros, so two equal calls have one derivative.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..layer1_core.aval import ShapedArray
from ..layer1_core.evaluate import keep_interpreted
from ..layer1_core.jaxpr import Atom, DebugInfo, Jaxpr, JaxprEqn, Literal
from ..layer1_core.literals import TypedNdArray, TypedNumber, with_type
from ..layer1_core.staging import DynamicJaxprTrace, eval_jaxpr, jaxpr_as_fun
from ..layer1_core.trace import set_current_trace
from ..layer2_jit.passes import without_dead
from .dce import Marks, dce_whole, remembered
from .jvp import jvp_flat
from .linearize import LinearizeTrace, PartialTrace
from .tangents import Zero, instantiate, tangent_aval
from .transpose import UndefinedPrimal, backward_pass

# ---- helpers


def nonzeros(tangents: Sequence[Any]) -> Marks:
    """Which tangents are not `Zero`."""
    return tuple(type(t) is not Zero for t in tangents)


def only(marks: Sequence[bool], values: Sequence[Any]) -> list[Any]:
    """The values that are marked."""
    return [x for mark, x in zip(marks, values, strict=True) if mark]


def only_not(marks: Sequence[bool], values: Sequence[Any]) -> list[Any]:
    """The values that are not marked."""
    return [x for mark, x in zip(marks, values, strict=True) if not mark]


def filled(marks: Sequence[bool], values: Sequence[Any], avals: Sequence[ShapedArray]) -> list[Any]:
    """A tangent for each place: the next of `values` where it is marked, else the `Zero` of a value of this type."""
    rest = iter(values)
    return [next(rest) if mark else Zero(tangent_aval(a)) for mark, a in zip(marks, avals, strict=True)]


def for_operands(linear: Sequence[bool], nonzero: Sequence[bool], cts: Sequence[Any]) -> list[Any]:
    """What a transpose rule gives: `cts` are those of the linear operands that are marked `nonzero`; else None.

    >>> for_operands([False, True, True], [False, True], ["ct"])
    [None, None, 'ct']
    """
    found = dict(zip(only(nonzero, [i for i, mark in enumerate(linear) if mark]), cts, strict=True))
    return [found.get(i) for i in range(len(linear))]


def _info(jaxpr: Jaxpr) -> DebugInfo:
    return jaxpr.debug_info or DebugInfo("jit", "<unknown>")


def staged(fun: Callable[..., Sequence[Any]], avals: Sequence[ShapedArray], like: Jaxpr) -> Jaxpr:
    """The program of a function of flat arguments of these types, which is run as the program `like` is."""
    trace = DynamicJaxprTrace(_info(like))
    try:
        with set_current_trace(trace):
            out = fun(*map(trace.new_arg, avals))
        return run_like(like, trace.finish(out))
    finally:
        trace.close()


def run_like(original: Jaxpr, derived: Jaxpr) -> Jaxpr:
    """`derived`, interpreted where the original program is (jax.numpy's own functions are)."""
    if original._program is not None and original._program[0] is keep_interpreted:
        keep_interpreted(derived)
    return derived


def narrowed(eqn: JaxprEqn, used_inputs: Sequence[bool], used: Sequence[bool], params: dict[str, Any]) -> JaxprEqn:
    """`eqn` with these of its operands and of its results only, and with these parameters."""
    return eqn.replace(invars=only(used_inputs, eqn.invars), outvars=only(used, eqn.outvars), params=params)


def closed_over_nothing(jaxpr: Jaxpr) -> tuple[Jaxpr, list[Any]]:
    """`jaxpr` with its constants as its first inputs, and these constants."""
    return jaxpr.replace(constvars=[], consts=[], invars=[*jaxpr.constvars, *jaxpr.invars]), jaxpr.consts


@remembered
def rearranged(jaxpr: Jaxpr, inputs: tuple[int, ...], results: tuple[int, ...] | None = None) -> Jaxpr:
    """`jaxpr` with these of its inputs in this order, and these of its results."""
    invars = [jaxpr.invars[i] for i in inputs]
    outvars = jaxpr.outvars if results is None else [jaxpr.outvars[i] for i in results]
    return run_like(jaxpr, jaxpr.replace(invars=invars, outvars=outvars))


def marked_last(marks: Sequence[bool]) -> list[int]:
    """All positions: first those that are not marked, then those that are."""
    return sorted(range(len(marks)), key=lambda i: marks[i])


# ---- forward mode


@remembered
def jvp_jaxpr(jaxpr: Jaxpr, nonzero: Marks, instantiated: Marks | None = None) -> tuple[Jaxpr, Marks]:
    """The program of the values and the tangents, and which results have tangents.

    It takes the inputs, then the tangents of those marked `nonzero`; it gives the results, then their tangents. Of the
    results marked `instantiated` there is a tangent in any case.
    """
    marks: list[bool] = []
    n, ensured = len(jaxpr.invars), instantiated or (False,) * len(jaxpr.outvars)

    def both(*args: Any) -> list[Any]:
        tangents = filled(nonzero, args[n:], jaxpr.in_avals)
        out, out_dot = jvp_flat(jaxpr_as_fun(jaxpr), args[:n], tangents)
        out_dot = [instantiate(t) if mark else t for mark, t in zip(ensured, out_dot, strict=True)]
        marks.extend(nonzeros(out_dot))
        return [*out, *only(marks, out_dot)]

    tangent_avals = [tangent_aval(a) for a in only(nonzero, jaxpr.in_avals)]
    return staged(both, [*jaxpr.in_avals, *tangent_avals], jaxpr), tuple(marks)


# ---- linearization


class WithResiduals:
    """A program in two, of which the first gives residuals to the second.

    For each residual `forwarded` has the position of the constant or input of the original that it is, or None for a
    new one. The new ones are the last results of the first.
    """

    forwarded: list[int | None]

    @property
    def n_new(self) -> int:
        """How many residuals the first program gives."""
        return sum(i is None for i in self.forwarded)

    def residuals(self, given: Sequence[Any], new: Sequence[Any]) -> list[Any]:
        """All residuals, from the constants and inputs of the original, and the new ones."""
        rest = iter(new)
        return [next(rest) if i is None else given[i] for i in self.forwarded]


@dataclass(frozen=True, eq=False)
class LinearizedJaxpr(WithResiduals):
    """A program in two: of the values, and of the tangents.

    `primal` gives the results and then the residuals that are new. `tangent` takes residuals and then the tangents of
    the nonzero inputs; it gives the tangents of the results marked `nonzero`.
    """

    primal: Jaxpr
    tangent: Jaxpr
    nonzero: Marks
    forwarded: list[int | None]


@remembered
def linearize_jaxpr(
    jaxpr: Jaxpr, nonzero: Marks, instantiated: Marks | None = None, may_forward: Marks | None = None,
    as_it_is: bool = False,
) -> LinearizedJaxpr:  # fmt: skip
    """The linearization of a program in the inputs that are marked `nonzero`.

    Of the results marked `instantiated` there is a tangent in any case. Only the constants and inputs marked in
    `may_forward` are residuals themselves; all are, if it is not given. With `as_it_is` the program of the values keeps
    what no result needs, and the numbers in it are residuals too.
    """
    primal_trace = DynamicJaxprTrace(_info(jaxpr))
    tangent_trace = (_WithoutNumbers if as_it_is else DynamicJaxprTrace)(_info(jaxpr))
    jaxpr = _with_typed_numbers(jaxpr) if as_it_is else jaxpr
    trace = LinearizeTrace(primal_trace, tangent_trace)
    try:
        inputs = [primal_trace.new_arg(a) for a in jaxpr.in_avals]
        with set_current_trace(trace):
            args = [trace.start(x) if mark else x for mark, x in zip(nonzero, inputs, strict=True)]
            out, out_dot = trace.split(eval_jaxpr(jaxpr, jaxpr.consts, *args))
            ensured = instantiated or (False,) * len(out)
            out_dot = [instantiate(t) if mark else t for mark, t in zip(ensured, out_dot, strict=True)]
        marks = nonzeros(out_dot)
        tangent, residuals = closed_over_nothing(dce_whole(tangent_trace.finish(only(marks, out_dot))))
        given = [*jaxpr.consts, *inputs]
        forwarded = positions(residuals, given, may_forward)
        new = [x for x, i in zip(residuals, forwarded, strict=True) if i is None]
        primal = primal_trace.finish([*out, *new])
        primal = primal if as_it_is else dce_whole(primal)
    finally:
        trace.close()
        primal_trace.close()
    return LinearizedJaxpr(run_like(jaxpr, primal), run_like(jaxpr, tangent), marks, forwarded)


class _WithoutNumbers(DynamicJaxprTrace):
    """A recording trace that keeps the numbers which came from Python as constants, and not as literals."""

    def atom(self, x: Any) -> Atom:
        return self._constvar(x) if isinstance(x, (TypedNumber, TypedNdArray)) else super().atom(x)


def _with_typed_numbers(jaxpr: Jaxpr) -> Jaxpr:
    """The same program, where numbers from Python are told from those that the rules of derivatives write."""
    typed = lambda v: Literal(with_type(v.val), v.aval) if _is_from_python(v) else v
    return jaxpr.replace(eqns=[eqn.replace(invars=[*map(typed, eqn.invars)]) for eqn in jaxpr.eqns])


def _is_from_python(v: Atom) -> bool:
    return isinstance(v, Literal) and not isinstance(v.val, np.generic)


def positions(values: Sequence[Any], given: Sequence[Any], allowed: Marks | None = None) -> list[int | None]:
    """For each value its position among those `given`, where it is one of them and that is allowed."""
    place = {id(x): i for i, x in enumerate(given) if allowed is None or allowed[i]}
    return [place.get(id(x)) for x in values]


# ---- the known part and the unknown part


@dataclass(frozen=True, eq=False)
class PartialJaxpr(WithResiduals):
    """A program in two, by what depends on its unknown inputs.

    `known` takes the known inputs; it gives the known results and then the residuals that are new. `unknown` takes
    residuals and then the unknown inputs; it gives the results marked `unknown_out`. The inputs that `forwarded` counts
    are the known ones.
    """

    known: Jaxpr
    unknown: Jaxpr
    unknown_out: Marks
    forwarded: list[int | None]


@remembered
def partial_eval_jaxpr(
    jaxpr: Jaxpr, unknown: Marks, instantiated: Marks | None = None, may_forward: Marks | None = None
) -> PartialJaxpr:
    """The two parts of a program of which some inputs are unknown. Results marked `instantiated` count as unknown.

    Only the constants and known inputs marked in `may_forward` are residuals themselves; all are, if it is not given.
    """
    known_trace, unknown_trace = DynamicJaxprTrace(_info(jaxpr)), DynamicJaxprTrace(_info(jaxpr))
    trace = PartialTrace(known_trace, unknown_trace)
    try:
        args = [(unknown_trace if mark else known_trace).new_arg(a)
                for mark, a in zip(unknown, jaxpr.in_avals, strict=True)]  # fmt: skip
        with set_current_trace(trace):
            out = eval_jaxpr(jaxpr, jaxpr.consts, *args)
        ensured = instantiated or (False,) * len(out)
        marks = tuple(ensure or trace.is_unknown(x) for ensure, x in zip(ensured, out, strict=True))
        rest, residuals = closed_over_nothing(without_dead(unknown_trace.finish(only(marks, out))))
        forwarded = positions(residuals, [*jaxpr.consts, *only_not(unknown, args)], may_forward)
        new = [x for x, i in zip(residuals, forwarded, strict=True) if i is None]
        known = known_trace.finish([*only_not(marks, out), *new])
    finally:
        unknown_trace.close()
        known_trace.close()
    return PartialJaxpr(run_like(jaxpr, known), run_like(jaxpr, rest), marks, forwarded)


# ---- transposition


@remembered
def transpose_jaxpr(
    jaxpr: Jaxpr, linear: Marks, nonzero: Marks, in_avals: tuple[ShapedArray, ...], instantiated: Marks | None = None,
    linear_avals: tuple[ShapedArray, ...] | None = None,
) -> tuple[Jaxpr, Marks]:  # fmt: skip
    """The transposed program, and which of the linear inputs have cotangents.

    It takes, of the types `in_avals`, the other inputs and then the cotangents of the results marked `nonzero`; it
    gives cotangents of the linear inputs. Of those marked `instantiated` there is one in any case. `linear_avals` are
    the types of the linear operands, where they may differ from those of the inputs: a loop makes a weak type strong.
    """
    marks: list[bool] = []
    n = len(linear) - sum(linear)
    ensured = instantiated or (False,) * sum(linear)

    def transposed(*args: Any) -> list[Any]:
        rest = iter(args[:n])
        undefined = iter(linear_avals or map(tangent_aval, only(linear, jaxpr.in_avals)))
        operands = [UndefinedPrimal(next(undefined)) if mark else next(rest) for mark in linear]
        cts = filled(nonzero, args[n:], jaxpr.out_avals)
        out = only(linear, backward_pass(jaxpr, jaxpr.consts, operands, cts))
        out = [instantiate(ct) if mark else ct for mark, ct in zip(ensured, out, strict=True)]
        marks.extend(nonzeros(out))
        return only(marks, out)

    return staged(transposed, in_avals, jaxpr), tuple(marks)
