"""Keys in memory: a program of keys as one of their words.

    { lambda ; a:key<fry>[]. let b:u32[3] = random_bits[bit_width=32 shape=(3,)] a in (b,) }
    { lambda ; a:u32[2]. let c:u32[] d:u32[] = unstack a; ... in (b,) }

What is run, interpreted or compiled, knows of no keys. A primitive on keys has a rule in `memory_rules`: what it
computes on words. One that does not look at the elements needs none: an array of keys is one of words along one more
axis, which its function does not see, and that is what vmap is for. An equation that carries programs carries theirs.
"""

import functools
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import FrameType
from typing import Any

import numpy as np

from ..layer1_core import evaluate
from ..layer1_core.array import numpy_value
from ..layer1_core.aval import Shape, ShapedArray, canonicalize_shape, shaped, told
from ..layer1_core.evaluate import keep_interpreted
from ..layer1_core.jaxpr import Jaxpr, Literal, jaxprs_in_params, subjaxprs
from ..layer1_core.jit import caches
from ..layer1_core.lax.converting import convert_element_type_p
from ..layer1_core.lax.elementwise import eq_p, ne_p
from ..layer1_core.lax.reducing import reduce_and, reduce_or
from ..layer1_core.lax.shaping import broadcast_in_dim
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.staging import DynamicJaxprTrace, eval_jaxpr, operand_avals, stage
from ..layer1_core.trace import EVAL, SourceLine, running, set_current_trace
from ..layer3_control import eager  # noqa: F401 - it enters the impl rule of scan
from ..layer3_control.scan import scan_p
from ..layer5_vmap.vmap import vmap
from .blocks import lower_half_p, threefry2x32_p, threefry_words_p, upper_half_p
from .key_array import PRNGKeyArray
from .key_types import has_keys, impl_of, keys_aval, resolve_prng_impl, words_aval
from .primitives import (
    random_bits_p,
    random_clone_p,
    random_fold_in_p,
    random_seed_p,
    random_split_p,
    random_unwrap_p,
    random_wrap_p,
)
from .rounding import as_compiled

# primitive -> rule, from the types of the operands, the operands as they lie in memory, and the parameters, to results
memory_rules: dict[Primitive, Callable[..., Any]] = {}


def in_memory(*primitives: Primitive) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that enters a function as the rule of `primitives`."""

    def enter(rule: Callable[..., Any]) -> Callable[..., Any]:
        memory_rules.update(dict.fromkeys(primitives, rule))
        return rule

    return enter


# ---- the rules


def _of_each(fun: Callable[..., Any], ndim: int) -> Callable[..., Any]:
    """A function of one key as one of an array of keys with so many axes."""
    return functools.reduce(lambda f, _: vmap(f), range(ndim), fun)


@in_memory(random_seed_p)
def _seed(avals: Sequence[ShapedArray], seeds: Any, *, impl: Any) -> Any:
    return _of_each(impl.seed, avals[0].ndim)(seeds)


@in_memory(random_split_p)
def _split(avals: Sequence[ShapedArray], words: Any, *, shape: Shape) -> Any:
    impl = impl_of(avals[0])
    sizes = canonicalize_shape(shape)  # of numbers of Python: the program may have NumPy's
    return _of_each(lambda key: impl.split(key, sizes), avals[0].ndim)(words)


@in_memory(random_bits_p)
def _bits(avals: Sequence[ShapedArray], words: Any, *, bit_width: int, shape: Shape) -> Any:
    impl = impl_of(avals[0])
    return _of_each(lambda key: impl.random_bits(key, bit_width, shape), avals[0].ndim)(words)


@in_memory(random_fold_in_p)
def _fold_in(avals: Sequence[ShapedArray], words: Any, data: Any) -> Any:
    """Both have one shape, but for axes of size 1; or one is a scalar."""
    keys, numbers = avals
    impl = impl_of(keys)
    shape = random_fold_in_p.out_avals(tuple(avals), {}).shape
    words, data = _stretched(words, keys.shape, shape, impl.key_shape), _stretched(data, numbers.shape, shape, ())
    return _of_each(impl.fold_in, len(shape))(words, data)


def _stretched(x: Any, shape: Shape, target: Shape, behind: Shape) -> Any:
    """`x`, of `shape` and axes behind, with `target` instead."""
    offset = len(target) - len(shape)
    dims = [d + offset for d in range(len(shape))] + [len(target) + d for d in range(len(behind))]
    return broadcast_in_dim(x, (*target, *behind), dims)


for _p in (random_wrap_p, random_unwrap_p, random_clone_p, convert_element_type_p):
    memory_rules[_p] = lambda avals, words, **params: words


def _comparison(reduce: Callable[..., Any]) -> Callable[..., Any]:
    """Keys are equal where all their words are."""

    def rule(avals: Sequence[ShapedArray], *words: Any) -> Any:
        behind, shape = impl_of(avals[0]).key_shape, eq_p.out_avals(tuple(avals), {}).shape
        x, y = (_stretched(x, a.shape, shape, behind) for x, a in zip(words, avals, strict=True))
        compared = (eq_p if reduce is reduce_and else ne_p).bind(x, y)
        return reduce(compared, tuple(range(len(shape), len(shape) + len(behind))))

    return rule


memory_rules[eq_p], memory_rules[ne_p] = _comparison(reduce_and), _comparison(reduce_or)


@in_memory(threefry2x32_p)
def _threefry(avals: Sequence[ShapedArray], *words: Any) -> Any:
    """Two results, each the half of a word that is computed once."""
    word = threefry_words_p.bind(*words)
    return [upper_half_p.bind(word), lower_half_p.bind(word)]


# ---- one operation


def on_words(primitive: Primitive, avals: Sequence[ShapedArray], words: Sequence[Any], params: dict[str, Any]) -> Any:
    """The results of an operation, in memory: its operands have the types `avals` and lie in memory as `words`."""
    keys = any(map(has_keys, avals))
    if primitive in memory_rules and (keys or primitive in _ALWAYS):
        return memory_rules[primitive](avals, *words, **params)
    if any(True for _ in jaxprs_in_params(params)):
        with scopes.get(primitive, _no_scope)(params):
            changed = {name: _of_words(value) for name, value in params.items()}
        return primitive.bind(*words, **changed)
    return _on_more_axes(primitive, avals, words, params) if keys else primitive.bind(*words, **params)


# Equations whose programs know names of axes: from the parameters to a `with` in which these are bound. Chapter 7
# enters shard_map.
scopes: dict[Primitive, Callable[[dict[str, Any]], AbstractContextManager[Any]]] = {}
_no_scope = lambda params: nullcontext()

_ALWAYS = {random_seed_p, random_wrap_p, threefry2x32_p}  # primitives that no operand tells to be of keys


# How a function of words is computed whose results are to be divided so: as their types say. Chapter 7 enters it.
dividers: list[Callable[[Callable[..., Any], Sequence[Any], Sequence[Any]], Any]] = [
    lambda fun, words, places: fun(*words)
]


def results_on_words(
    primitive: Primitive, avals: Sequence[ShapedArray], out: Sequence[ShapedArray], words: Sequence[Any], params: Any
) -> list[Any]:
    """The results of an operation, in memory, as a list: they have the types `out`, and are divided as these say."""

    def compute(avals: Sequence[ShapedArray], *words: Any) -> list[Any]:
        results = on_words(primitive, avals, words, params)
        return list(results) if primitive.multiple_results else [results]

    places = [told(words_aval(aval)) for aval in out]
    of_keys = primitive in _ALWAYS or any(map(has_keys, avals))
    if not places or None in places or not of_keys or any(True for _ in jaxprs_in_params(params)):
        return compute(avals, *words)
    undivided = [aval.update(sharding=None) for aval in avals]
    return dividers[-1](functools.partial(compute, undivided), words, places)


def _of_words(param: Any) -> Any:
    """A parameter with the programs in it as those of words."""
    if isinstance(param, Jaxpr):
        return program_of_words(param)
    if isinstance(param, (tuple, list)) and any(isinstance(x, Jaxpr) for x in param):
        return type(param)(map(_of_words, param))
    return param


def _on_more_axes(primitive: Primitive, avals: Sequence[ShapedArray], words: Sequence[Any], params: Any) -> Any:
    """The operation applied to each word of the keys by itself, along their last axes."""
    in_axes = tuple(-1 if has_keys(a) else None for a in avals)
    rank = next(len(impl_of(a).key_shape) for a in avals if has_keys(a))
    apply = functools.partial(primitive.bind, **params)
    out = functools.reduce(lambda f, _: vmap(f, in_axes, -1), range(rank), apply)(*words)
    if not primitive.multiple_results:
        return out
    types = primitive.out_avals(tuple(avals), params)
    return [x if has_keys(a) else x[(..., *(0,) * rank)] for a, x in zip(types, out, strict=True)]  # the same for each


def by_keys(fun: Callable[..., Any]) -> Callable[..., Any]:
    """The rule of a primitive that is said by `fun`, a function of keys: its program of words is applied."""

    def rule(avals: Sequence[ShapedArray], *words: Any, **params: Any) -> Any:
        jaxpr, _ = stage(functools.partial(fun, **params), avals, {}, "jit")
        program = program_of_words(jaxpr)
        out = eval_jaxpr(program, program.consts, *words)
        return out[0] if len(out) == 1 else out

    return rule


# ---- on values


# Who sees an operation on keys that have a value, and lets it be computed: the last one (reuse.py is).
watchers: list[Callable[..., Any]] = [lambda primitive, args, params, compute: compute()]


def _on_keys(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """An operation on values, some of which are keys."""
    return watchers[-1](primitive, args, params, lambda: _computed(primitive, args, params))


def _computed(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """The results, in memory and as keys. The shape rule is asked first."""
    avals = operand_avals(primitive, args)
    found = primitive.out_avals(avals, params)
    out = found if primitive.multiple_results else [found]
    words = [x._base_array if type(x) is PRNGKeyArray else x for x in args]
    held = [_held(aval, x) for aval, x in zip(out, results_on_words(primitive, avals, out, words, params), strict=True)]
    return held if primitive.multiple_results else held[0]


def _held(aval: ShapedArray, words: Any) -> Any:
    return PRNGKeyArray(impl_of(aval), words) if has_keys(aval) else words


def _impl(primitive: Primitive) -> Callable[..., Any]:
    """What a primitive does that makes keys of operands that are none."""
    return lambda *args, **params: _on_keys(primitive, args, params)


evaluate.holders[PRNGKeyArray] = _on_keys
random_seed_p.def_impl(_impl(random_seed_p))
random_wrap_p.def_impl(_impl(random_wrap_p))


def _run_on_words(primitive: Primitive) -> Callable[..., Any]:
    """The impl rule of a primitive on keys: on words, as they lie in memory, of keys of the default implementation."""

    def run(*operands: np.ndarray, **params: Any) -> np.ndarray:
        key = keys_aval(resolve_prng_impl(None), operands[0].shape[:-1])
        first = shaped(operands[0].shape, operands[0].dtype) if primitive in _ALWAYS else key
        avals = [first, *(shaped(x.shape, x.dtype) for x in operands[1:])]
        with set_current_trace(EVAL):
            return numpy_value(on_words(primitive, avals, operands, params))

    return run


def enter(*primitives: Primitive) -> None:
    """Give primitives on keys their impl rules."""
    for primitive in primitives:
        impl_rules[primitive] = _run_on_words(primitive)


enter(random_seed_p, random_split_p, random_fold_in_p, random_bits_p, random_wrap_p, random_unwrap_p, random_clone_p)


def _scan_of_words(run: Callable[..., Any]) -> Callable[..., Any]:
    """The impl rule of scan, for steps that make keys: it stacks their words."""
    return lambda *operands, jaxpr, **params: run(*operands, jaxpr=program_of_words(jaxpr), **params)


impl_rules[scan_p] = _scan_of_words(impl_rules[scan_p])

# ---- programs

DRAWS = {random_bits_p, random_split_p}  # primitives that make arrays of random numbers
LARGE = 1 << 14  # elements: a program of the package that draws more is compiled, though others of its are interpreted
WIDE = {np.dtype("uint64"): 4, np.dtype("float64"): 4}  # NumPy has no a * b + c rounded once: it takes 17 operations
STEPS = 64  # of a loop: the derivative of gamma numbers takes one for each, of half a millisecond where interpreted
_programs: "weakref.WeakKeyDictionary[Jaxpr, Any]" = weakref.WeakKeyDictionary()
caches.append(_programs)


def program_of_words(jaxpr: Jaxpr) -> Jaxpr:
    """The program in which each array of keys is one of their words; `jaxpr` itself, where it has nothing to do with
    keys. It is made once.
    """
    found = _programs.get(jaxpr)
    if found is None:
        same = not _is_concerned(jaxpr)
        found = jaxpr if same else _translated(jaxpr)
        _programs[jaxpr] = _SAME if same else found
    return jaxpr if found is _SAME else found


_SAME = object()  # (a table that held the program itself would keep it alive)


def _is_concerned(jaxpr: Jaxpr) -> bool:
    """Whether there are keys in a program, or in those that its equations carry."""
    variables = [*jaxpr.constvars, *jaxpr.invars, *(v for eqn in jaxpr.eqns for v in eqn.outvars)]
    return (
        any(has_keys(v.aval) for v in variables)
        or any(eqn.primitive in _ALWAYS for eqn in jaxpr.eqns)
        or any(_is_concerned(sub) for eqn in jaxpr.eqns for sub in jaxprs_in_params(eqn.params))
    )


def _translated(jaxpr: Jaxpr) -> Jaxpr:
    """The program of words, recorded while the equations are applied to words."""
    assert jaxpr.debug_info is not None
    trace = DynamicJaxprTrace(jaxpr.debug_info)
    try:
        with set_current_trace(trace):
            args = [trace.new_arg(words_aval(v.aval)) for v in jaxpr.invars]
            consts = [x._base_array if type(x) is PRNGKeyArray else x for x in jaxpr.consts]
            out = trace.finish(_applied(jaxpr, consts, args))
    finally:
        trace.close()
    return _with_digits(jaxpr, out)


def _with_digits(jaxpr: Jaxpr, out: Jaxpr) -> Jaxpr:
    """`out`, the program of words of `jaxpr`; for one of the package, one that rounds as compiled code does.

    It is interpreted, unless that takes long.
    """
    if not (jaxpr._program and jaxpr._program[0] is keep_interpreted):
        return out
    out = as_compiled(out)
    if not _takes_long(jaxpr):
        _keep_interpreted(out)
    return out


def _keep_interpreted(jaxpr: Jaxpr) -> None:
    """Let a program be interpreted, and those that its equations carry."""
    keep_interpreted(jaxpr)
    for sub in subjaxprs(jaxpr):
        _keep_interpreted(sub)


def _applied(jaxpr: Jaxpr, consts: Sequence[Any], args: Sequence[Any]) -> list[Any]:
    env = dict(zip(map(id, (*jaxpr.constvars, *jaxpr.invars)), (*consts, *args), strict=True))
    read = lambda v: v.val if type(v) is Literal else env[id(v)]
    for eqn in jaxpr.eqns:
        avals, types = [v.aval for v in eqn.invars], [v.aval for v in eqn.outvars]
        out = results_on_words(eqn.primitive, avals, types, [*map(read, eqn.invars)], eqn.params)
        env.update(zip(map(id, eqn.outvars), out, strict=True))
    return [read(v) for v in jaxpr.outvars]


def _line_of(frame: FrameType) -> SourceLine | None:
    eqn = frame.f_locals.get("eqn")
    return None if eqn is None else eqn.source_info


running[id(_applied.__code__)] = _line_of


def _work(aval: ShapedArray) -> int:
    """How many numbers of 32 bits take as long to draw as these, interpreted."""
    return aval.size * WIDE.get(aval.dtype, 1)


def _takes_long(jaxpr: Jaxpr) -> bool:
    """Whether a program makes large arrays from keys, or has a loop of many steps."""
    return any(
        (eqn.primitive in DRAWS and _work(eqn.outvars[0].aval) >= LARGE)
        or (eqn.primitive is scan_p and eqn.params["length"] >= STEPS)
        or any(map(_takes_long, jaxprs_in_params(eqn.params)))
        for eqn in jaxpr.eqns
    )


evaluate.stored.append(program_of_words)
