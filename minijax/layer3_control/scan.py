"""scan: a loop of a known number of steps that takes one element of its sequences in each, and stacks what it makes.

carry, ys = scan(f, init, xs)              carry = init
                                           for i in range(length):
                                               carry, ys[i] = f(carry, xs[i])
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core import config
from ..layer1_core.aval import ShapedArray, partition_of_axis, typeof, with_axis, without_axis
from ..layer1_core.errors import ConcretizationTypeError, JaxprTypeError
from ..layer1_core.evaluate import program_of
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.jnp import polynomial
from ..layer1_core.lax.indexing import index_in_dim
from ..layer1_core.lax.joining import concatenate
from ..layer1_core.lax.shaping import expand_dims
from ..layer1_core.primitive import impl_rules
from ..layer1_core.trace import Tracer, pure
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_map, tree_unflatten
from .bodies import Body, Carrier, Source, divided, forwarded, own, parts, remembered, types_of, united
from .carry import check_carry, settled
from .groups import Group, joined, kept, singles
from .mismatch import Typed, same_types

# ---- the primitive


def _scan_rule(
    *avals: ShapedArray, jaxpr: Jaxpr, length: int, ft_in: Group, ft_out: Group, **params: Any
) -> list[ShapedArray]:
    """The types of the carry, and those of what one step makes, with an axis in front.

    `ft_in` and `ft_out` say which operands are constants, carry and sequences, which results are carry and ys.
    """
    consts, init, xs = ft_in.split(avals)
    elements = map(element, xs)
    carry, ys = ft_out.split(jaxpr.out_avals)
    if not same_types([*consts, *init, *elements], jaxpr.in_avals) or any(x.shape[0] != length for x in xs):
        raise JaxprTypeError(
            f"scan jaxpr takes input types\n{_short(jaxpr.in_avals)},\ncalled with operands of types\n{_short(avals)}"
        )
    if not same_types(init, carry):
        raise JaxprTypeError(f"scan input carry input and output types mismatch: \n{_short(init)}\nvs\n{_short(carry)}")
    return [*carry, *(stacked(length, y) for y in ys)]


def stacked(length: int, y: ShapedArray) -> ShapedArray:
    """The type of what all steps make, of one that a step makes."""
    return with_axis(y, 0, length)


def element(xs: ShapedArray) -> ShapedArray:
    """The type of what one step takes of a sequence."""
    return without_axis(xs, 0)


def _short(avals: Sequence[ShapedArray]) -> str:
    return " ".join(a.str_short() for a in avals)


scan_p = Carrier("scan")
scan_p.def_abstract_eval(_scan_rule)


@impl_rules.rule(scan_p)
def _run_scan(
    *operands: np.ndarray, jaxpr: Jaxpr, length: int, reverse: bool, ft_in: Group, ft_out: Group, unroll: int
) -> list[np.ndarray]:
    """One step after the other. What a step makes is written to its place in the stacked results."""
    consts, carry, xs = ft_in.split(operands)
    step, steps = program_of(jaxpr), range(length)
    wholes = [np.empty((length, *y.shape), y.dtype) for y in ft_out.split(jaxpr.out_avals)[1]]
    for i in reversed(steps) if reverse else steps:
        carry, ys = ft_out.split(step([*consts, *carry, *(x[i, ...] for x in xs)]))
        for whole, y in zip(wholes, ys, strict=True):
            whole[i] = y
    return [*own(carry, operands), *wholes]


# ---- the function


def scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: int | bool = 1,
    _split_transpose: bool = False,
) -> tuple[Any, Any]:
    """The last carry, and the stacked ys, of `carry, y = f(carry, x)` over the leading axis of `xs`.

    >>> carry, ys = scan(lambda total, x: (total + x, total), 0, np.arange(4))
    >>> print(carry, ys)
    6 [0 0 1 3]

    carry, x and y are trees of arrays. `xs` may be None: then there are `length` steps. With `reverse` it begins at the
    last element. `unroll` is checked and kept in the equation, as in JAX; the loop runs the same. `_split_transpose` is
    accepted for JAX's sake, and changes nothing. `f` is traced once; the carry must have one type.

    Raises TypeError where the type of the carry changes, or where `f` does not return a pair; ValueError for lengths
    that do not fit.
    """
    if not callable(f):
        raise TypeError("lax.scan: f argument should be a callable.")
    return scan_of(Source.of(f, "scan", (init, xs)), init, xs, length, reverse, unroll)


def _folded(step: Callable[[Any, Any], Any], start: Any, xs: Any, unroll: int) -> Any:
    return scan(lambda carry, x: (step(carry, x), None), start, xs, unroll=unroll)[0]


polynomial.folds.append(_folded)  # of jnp.polyval


def scan_of(source: Source, init: Any, xs: Any, length: Any, reverse: bool, unroll: Any) -> tuple[Any, Any]:
    """`scan` of a function whose origin is known."""
    leaves, in_tree = tree_flatten(((init, xs), {}))
    start_tree, x_tree = in_tree.children()[0].children()
    start, sequences = parts(leaves, start_tree.num_leaves)
    avals = types_of(leaves)
    length = scan_length(sequences, length)
    if config.disable_jit.value:
        return _in_python(source.fun, init, sequences, x_tree, length, reverse)
    x_avals = [*map(element, avals[len(start) :])]
    body, start = settled(lambda carry: _pair(source.staged(in_tree, [*carry, *x_avals])), _carried, start)
    check_carry("scan body", source.fun, Typed(start_tree, types_of(start)), _carried(body))
    out = _bind(body, start, sequences, length, bool(reverse), steps_at_once(unroll, length))
    return tree_unflatten(body.out_tree, out)


def _pair(body: Body) -> Body:
    """`body`, where its result is a pair: a tuple or a list of two."""
    kind, _ = body.out_tree.node_data() or (None, None)
    if kind not in (tuple, list) or len(body.out_tree.children()) != 2:
        raise TypeError(f"scan body output must be a pair, got {body.out}.")
    return body


def _carried(body: Body) -> Typed:
    """The carry that comes out: the first of the pair."""
    tree = body.out_tree.children()[0]
    return Typed(tree, body.jaxpr.out_avals[: tree.num_leaves])


# ---- the equation


def _bind(body: Body, start: Sequence[Any], xs: Sequence[Any], length: int, reverse: bool, unroll: int) -> list[Any]:
    """The results of the loop as its body has them. What no step changes is no result of the equation."""
    jaxpr, unchanged, passed = _simplified(body, len(start))
    same, changing = divided(unchanged, start)
    computed = tuple(i is None for i in passed)
    out = scan_p.bind(
        *same, *body.consts, *changing, *xs, jaxpr=jaxpr, length=length, reverse=reverse, unroll=unroll,
        ft_in=joined(singles(len(same) + len(body.consts)), singles(len(changing)), singles(len(xs))),
        ft_out=joined(singles(len(changing)), kept(singles(len(computed)), computed)),
    )  # fmt: skip
    carry, ys = parts(out, len(changing))
    whole = [pure(xs[i]) for i in passed if i is not None]
    return [*united(unchanged, same, carry), *united(computed, ys, whole)]


@remembered
def _simplified(body: Body, n_carry: int) -> tuple[Jaxpr, tuple[bool, ...], tuple[int | None, ...]]:
    """The body with less to carry and to stack; which of the carry no step changes; which x each y is, if it is one.

    An unchanged part of the carry becomes a constant. A y that is an x is not stacked again.
    """
    jaxpr, n_consts = body.jaxpr, len(body.consts)
    sources, first_x = forwarded(jaxpr), n_consts + n_carry
    unchanged = tuple(source == n_consts + i for i, source in enumerate(sources[:n_carry]))
    passed = tuple(i - first_x if i is not None and i >= first_x else None for i in sources[n_carry:])
    if not any(unchanged) and not any(i is not None for i in passed):
        return jaxpr, unchanged, passed
    consts, carry, xs = parts(jaxpr.invars, n_consts, n_carry)
    same, changing = divided(unchanged, carry)
    _, outvars = divided([*unchanged, *(i is not None for i in passed)], jaxpr.outvars)
    return jaxpr.replace(invars=[*same, *consts, *changing, *xs], outvars=outvars), unchanged, passed


# ---- how many steps


def scan_length(xs: Sequence[Any], length: Any) -> int:
    """The number of steps: the size of the leading axes, and `length` where that is given."""
    bare = [str(x) for x in xs if not hasattr(x, "shape")]
    if bare:
        raise ValueError(f"scan got value with no leading axis to scan over: {', '.join(bare)}.")
    sizes = [x.shape[0] for x in xs]
    if any(partition_of_axis(typeof(x), 0) is not None for x in xs):
        told = ", ".join(str(typeof(x).sharding.spec) for x in xs)
        raise ValueError(f"0th dimension of all xs should be replicated. Got {told}")
    if length is not None:
        length = _concrete_length(length)
        if any(size != length for size in sizes):
            raise ValueError(f"scan got `length` argument of {length} which disagrees with leading axis sizes {sizes}.")
        return length
    if not sizes:
        raise ValueError("scan got no values to scan over and `length` not provided.")
    if len(set(sizes)) > 1:
        raise ValueError(f"scan got values with different leading axis sizes: {', '.join(map(str, sizes))}.")
    return sizes[0]


def _concrete_length(length: Any) -> int:
    if isinstance(length, Tracer):
        raise ConcretizationTypeError(
            length,
            "The `length` argument to `scan` expects a concrete `int` value. For scan-like iteration with a dynamic "
            "length, use `while_loop` or `fori_loop`.",
        )
    return int(length)


def steps_at_once(unroll: Any, length: int) -> int:
    """`unroll` as a number; True stands for all steps."""
    if isinstance(unroll, Tracer):
        raise ConcretizationTypeError(
            unroll, "The `unroll` argument to `scan` expects a concrete `int` or `bool` value."
        )
    if isinstance(unroll, bool):
        return max(length, 1) if unroll else 1
    if unroll < 0:
        raise ValueError("`unroll` must be a `bool` or a non-negative `int`.")
    return operator.index(unroll)


# ---- without staging


def _in_python(
    f: Callable[..., Any], carry: Any, xs: Sequence[Any], tree: PyTreeDef, length: int, reverse: bool
) -> tuple[Any, Any]:
    """The scan as a loop of Python's, under `disable_jit`."""
    if length == 0:
        raise ValueError("zero-length scan is not supported in disable_jit() mode because the output type is unknown.")
    order = -1 if reverse else 1
    ys = []
    for i in range(length)[::order]:
        carry, y = f(carry, tree_unflatten(tree, [index_in_dim(x, i, keepdims=False) for x in xs]))
        ys.append(y)
    return carry, tree_map(lambda *each: concatenate([expand_dims(y, (0,)) for y in each], 0), *ys[::order])
