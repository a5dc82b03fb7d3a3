"""The cases of chapter 5's exercises on axes, rules and the law of vmap: laws as text, from small to large.

Programs are interpreted (`numbers`, `rounded`): what a wrong answer makes of them is not compiled.
"""

import math
from collections.abc import Iterator
from typing import Any

from .exercise import Case, names_of


def names() -> dict[str, Any]:
    """What the cases may name: what the first cells of the notebook bring, and what expected values need."""
    modules = [f"minijax.course.chapter{k}" for k in ("3_given", "4_given", "5_given", "5_expected")]
    shown = names_of(*modules, jax="minijax", jnp="minijax.numpy", lax="minijax.lax", np="numpy")
    batching = vars(names_of(of="minijax.layer5_vmap.batching")["of"])
    return shown | {name: batching[name] for name in ("batching_rules", "bdim_at_front", "size_of")}


# ---- 5.1

MAPPED = {  # functions by their names, and the shapes of their arguments, as the notebook shows them
    "rows": "(jax.vmap(lambda x: x.sum()), (2, 3, 4))",
    "columns": "(jax.vmap(lambda x: x.sum(), in_axes=1), (2, 3, 4))",
    "last": "(jax.vmap(lambda x: x, in_axes=-1), (2, 3, 4))",
    "out": "(jax.vmap(lambda x: x, out_axes=1), (2, 3, 4))",
    "stays": "(jax.vmap(lambda x: x, in_axes=1, out_axes=1), (2, 3, 4))",
    "behind": "(jax.vmap(lambda x: x, in_axes=1, out_axes=-1), (2, 3, 4))",
    "shared": "(jax.vmap(lambda x, y: x @ y, in_axes=(0, None)), (2, 3, 4), (4, 5))",
    "copied": "(jax.vmap(lambda x, y: y, in_axes=(0, None)), (2, 3, 4), (4, 5))",
    "once": "(jax.vmap(lambda x, y: y, in_axes=(0, None), out_axes=None), (2, 3, 4), (4, 5))",
    "nested": "(jax.vmap(jax.vmap(lambda x: x.sum())), (2, 3, 4))",
    "inner": "(jax.vmap(jax.vmap(lambda x: x.sum(), in_axes=1)), (2, 3, 4))",
    "pairs": "(jax.vmap(jax.vmap(lambda x, y: x @ y, in_axes=(None, 0)), in_axes=(0, None)), (5, 3), (7, 3))",
    "turned": "(jax.vmap(jax.vmap(lambda x, y: x @ y, in_axes=(0, None)), in_axes=(None, 0)), (5, 3), (7, 3))",
}


def shape_cases() -> Iterator[Case]:
    for name, mapped in MAPPED.items():
        yield Case(f'result_shapes()["{name}"]', "shape_of(*mapped)", f"mapped = {mapped}")


# ---- 5.2

RULES = "RULES = {lax.cumsum_p: cumsum_batching, lax.rev_p: rev_batching}"
_WITH = "with_rules(batching_rules, RULES, {})"
_ALONG = (  # functions of an example, their example's number of axes, and what is counted in the program
    ("lax.cumsum(x)", 1, ["cumsum"]),
    ("lax.cumsum(x, reverse=True)", 1, ["cumsum"]),
    ("lax.rev(x, [0])", 1, ["rev"]),
    ("lax.cumsum(x, axis=1)", 2, ["cumsum"]),
    ("lax.cumsum(x, axis=0, reverse=True)", 2, ["cumsum"]),
    ("lax.rev(x, [1])", 2, ["rev"]),
    ("lax.rev(x, [0, 1])", 2, ["rev"]),
    ("lax.rev(lax.cumsum(x, axis=1), [0])", 2, ["cumsum", "rev"]),
    ("lax.cumsum(lax.rev(x, [2, 0]), axis=1)", 3, ["rev", "cumsum"]),
)
_SHAPES = {1: ((2, 2), (2, 3)), 2: ((2, 2, 2), (2, 3, 4)), 3: ((2, 3, 2, 2),)}


def _numbered(shape: tuple[int, ...]) -> str:
    """An array of this shape, as code: its elements are 0, 1, 2, ..."""
    return f"jnp.arange({math.prod(shape)}).reshape{shape}"


def along_cases() -> Iterator[Case]:
    for fun, ndim, found in _ALONG:
        for shape in _SHAPES[ndim]:
            setup = f"f = lambda x: {fun}\nx = {_numbered(shape)}"
            for d in range(ndim + 1):
                program = f"jax.make_jaxpr(jax.vmap(f, in_axes={d}, out_axes={d})), x"
                call, look = _WITH.format(f"numbers, jax.vmap(f, in_axes={d}), x"), _WITH.format(program)
                yield Case(call, f"by_examples(f, {d}, x)", setup, look)
                yield Case(f"operations({look})", str(found), setup, look)
    setup = "f = lambda x: lax.cumsum(lax.rev(x, [1]), axis=0)\nx = jnp.arange(24).reshape(2, 2, 3, 2)"
    for inner, outer in ((0, 0), (1, 1), (2, 3)):
        call = _WITH.format(f"numbers, jax.vmap(jax.vmap(f, in_axes={inner}), in_axes={outer}), x")
        yield Case(call, f"by_examples(lambda x: jnp.array(by_examples(f, {inner}, x)), {outer}, x)", setup)


# ---- 5.3

PRODUCTS = {  # in_axes, and the shapes of the batches, of `lambda a, b: a @ b`, as the notebook shows them
    "vectors": ((0, 0), (2, 4), (2, 4)),
    "matrices": ((0, 0), (2, 3, 4), (2, 4, 5)),
    "left": ((0, None), (2, 3, 4), (4, 5)),
    "right": ((None, 0), (3, 4), (2, 4, 5)),
    "last": ((2, None), (3, 4, 2), (4, 5)),
    "columns": ((1, 2), (3, 2, 4), (4, 5, 2)),
    "again": ((1, 0), (6, 2, 3, 4), (2, 6, 4, 5)),
}


def product_cases() -> Iterator[Case]:
    for name, (axes, *shapes) in PRODUCTS.items():
        setup = "a, b = {}, {}".format(*map(_numbered, shapes))
        call = f'numbers(product_by, product_numbers()["{name}"], a, b)'
        yield Case(call, f"by_examples(lambda a, b: a @ b, {axes}, a, b)", setup)


# ---- 5.4

_ROWS = (  # rows with padding, and how many elements each has
    ("[[3.0]]", "[1]"),
    ("[[4.0, 0.0]]", "[1]"),
    ("[[1.0, 3.0], [5.0, 7.0]]", "[2, 1]"),
    ("[[1.0, 3.0], [5.0, 7.0]]", "[0, 2]"),
    ("[[1.0, jnp.nan], [5.0, 7.0]]", "[1, 2]"),
    ("[[2.0, 4.0, jnp.inf], [5.0, 7.0, 9.0], [1.0, -jnp.inf, jnp.nan]]", "[2, 3, 1]"),
    ("[[jnp.nan, jnp.nan], [1000.0, 999.0]]", "[0, 2]"),
)
_SINGLE = (  # a row, and how many elements it has
    ("[4.0]", 1),
    ("[0.0, 1.0]", 2),
    ("[4.0, 2.0]", 1),
    ("[4.0, jnp.nan]", 1),
    ("[4.0, 2.0]", 0),
    ("[1000.0, 999.0]", 2),
    ("[-1000.0, -999.0, 1000.0]", 2),
)


def ragged_cases() -> Iterator[Case]:
    for x, n in _SINGLE:
        setup = f"x = jnp.array({x})"
        yield Case(f"rounded(weights_of_first, x, {n})", f"softmaxes_of_first([x], [{n}])[0]", setup)
    slope = "jax.grad(lambda x, n: weights_of_first(x, n) @ jnp.arange(1.0, x.size + 1))"
    for rows, counts in _ROWS:
        setup = f"rows = jnp.array({rows})\ncounts = jnp.array({counts})"
        for f in ("jax.vmap(weights_of_first)", "jax.jit(jax.vmap(weights_of_first))"):
            yield Case(f"rounded({f}, rows, counts)", "softmaxes_of_first(rows, counts)", setup)
        yield Case(f"rounded(jax.vmap({slope}), rows, counts)", "slopes_of_first(rows, counts)", setup)
    setup = "columns = jnp.arange(12.0).reshape(4, 3)\ncounts = jnp.array([1, 4, 0])"
    yield Case("rounded(jax.vmap(weights_of_first, in_axes=(1, 0)), columns, counts)",
               "softmaxes_of_first(columns.T, counts)", setup)  # fmt: skip
