"""Large transposes in squares of 32 bytes a side, which vector instructions turn.

    for tile in range(250):
        for strip in range(250):
            transpose_float32(b, strip * 8 + tile * 16000, 2000, a, strip * 16000 + tile * 8, 2000)

Some rows of the result are done at a time. What else is computed of them is computed then: the cache still has them.
2000 x 2000 floats take 0.3 ms so, and 0.8 ms in tiles of which each element is moved by itself.
"""

from collections.abc import Sequence
from dataclasses import replace

from .hoisting import in_terms_of
from .loops import For, Index, Load, Statement, Store, Transpose, counter, loads, statements, with_values
from .writing import COUNTERS, Writer, places, results

SIDES = {4: 8, 8: 4}  # of a square: elements, by their bytes
FEW = 8  # rounds of the outermost loop, which are divided among threads


def turned_axis(writer: Writer) -> int | None:
    """The axis that changes places with the last one, where the kernel can do its work in squares; or None."""
    shape = writer.group.key[1]
    stored = _only_store(writer.body)
    if stored is None or stored.value.dtype.kind not in "fiu" or stored.value.dtype.itemsize not in SIDES:
        return None
    side = SIDES[stored.value.dtype.itemsize]
    axes = [k for k in range(len(shape) - 1) if _across(writer.body, stored, k, len(shape) - 1)]
    axis = next((k for k in axes if shape[k] % side == shape[-1] % side == 0), None)
    rounds = shape[0] // side if axis == 0 else shape[0]
    return axis if rounds >= FEW else None


def _only_store(body: Sequence[Statement]) -> Store | None:
    stores = [s for s in statements(body) if isinstance(s, Store)]
    return stores[0] if len(stores) == 1 else None


def _across(body: Sequence[Statement], stored: Store, axis: int, last: int) -> Load | None:
    """What has neighbours along `axis`, and the dtype of what is stored. Only counters say its place."""
    for x in loads(body):
        steps = dict(x.index.terms)
        lies_across = steps.get(COUNTERS[axis]) == 1 and steps.get(COUNTERS[last], 0) > 1
        if lies_across and x.dtype == stored.value.dtype and steps.keys() <= {*COUNTERS[: last + 1], "tile"}:
            return x
    return None


def in_squares(writer: Writer, axis: int) -> list[Statement]:
    """The loops over squares of the last axis and this one."""
    shape = writer.group.key[1]
    last = len(shape) - 1
    writer.begin()
    side = SIDES[writer.group.eqns[0].outvars[0].aval.dtype.itemsize]
    at = [*places(shape)]
    at[axis] += counter("tile") * side
    results(writer, tuple(at))
    stored = _only_store(writer.body)
    assert stored is not None
    source = _across(writer.body, stored, axis, last)
    assert source is not None
    there = Load(stored.buffer, stored.index, source.dtype)
    step, wide = dict(source.index.terms)[COUNTERS[last]], dict(stored.index.terms)[COUNTERS[axis]]
    move = Transpose(_corner(there, axis, last, side), _corner(source, axis, last, side), (wide, step))
    body: list[Statement] = [For("strip", shape[-1] // side, [move])]
    rest = [_reading(s, source, there) for s in writer.body]
    if rest != [Store(stored.buffer, stored.index, there)]:
        body.append(For(COUNTERS[axis], side, [For(COUNTERS[last], shape[-1], rest)]))
    for k in reversed(range(last)):
        body = [For("tile", shape[k] // side, body) if k == axis else For(COUNTERS[k], shape[k], body)]
    return body


def _corner(x: Load, axis: int, last: int, side: int) -> Load:
    """The first element of a square."""
    steps = dict(x.index.terms)
    del steps[COUNTERS[axis]]
    steps["strip"] = steps.pop(COUNTERS[last]) * side
    return replace(x, index=Index(tuple(sorted(steps.items())), x.index.constant))


def _reading(s: Statement, old: Load, new: Load) -> Statement:
    """The statement with `new` in the place of `old`."""
    return with_values(s, lambda value: in_terms_of(value, lambda x: new if x == old else x))
