"""The carry of a loop: what a step takes over from the step before. Its type is the same in every step."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..layer1_core import dtypes
from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.fun_names import fun_signature
from ..layer1_core.lax.converting import convert_element_type
from ..layer1_core.tree import equality_errors, keystr
from .bodies import Body, types_of
from .mismatch import Typed, advice, differing, listed, made_varying, same_type, same_types, what_differs

# ---- weak types


def settled(
    stage: Callable[[Sequence[ShapedArray]], Body], carried: Callable[[Body], Typed], init: Sequence[Any]
) -> tuple[Body, list[Any]]:
    """The body of a loop, and what its carry starts with.

    `stage` makes the body at types of the carry, and `carried` says of which types the carry comes out. A weakly typed
    start, such as the number 0, takes the dtype that comes out; then the body is staged once more.
    """
    body = stage(types_of(init))
    out = carried(body).avals
    if len(out) != len(init):
        return body, [*init]
    start = [promoted(x, aval) for x, aval in zip(init, out, strict=True)]
    if any(new is not old for new, old in zip(start, init, strict=True)):
        body = stage(types_of(start))
    return body, start


def promoted(x: Any, out: ShapedArray) -> Any:
    """`x`, of the dtype that it has together with `out`, where it is weakly typed and not of that type already."""
    aval = typeof(x)
    if not aval.weak_type or same_type(aval, out):
        return x
    return convert_element_type(x, dtypes.join((aval.dtype, True), (out.dtype, out.weak_type))[0])


# ---- a carry that comes out as something else


def check_carry(what: str, fun: Callable[..., Any], start: Typed, end: Typed) -> None:
    """Raises TypeError where the carry of `fun` comes out as another tree, or of other types, than it went in."""
    if start.tree == end.tree and same_types(start.avals, end.avals):
        return
    if end.whole is None:  # the trees tell it best: a `return` is missing
        trees = f"the input tree structure is:\n{start.tree}\nthe output tree structure is:\n{end.tree}\n"
        _refuse(what, "have the same pytree structure", trees, _SAME_TREE)
    part = _carry_names(fun)
    if start.tree != end.tree:
        told = [
            f"{part(path)} is a {old} but the corresponding component of the carry output is a {new}, so {why}"
            for path, old, new, why in equality_errors(start.whole, end.whole)
        ]
        if told:  # else the structures are the same, though the metadata of a node of the user's is not
            _refuse(what, "have the same pytree structure", listed(told, gap="\n"), _SAME_TREE)
        return
    told = [
        f"{part(path)} has type {a.str_short()} but the corresponding output carry component has type "
        f"{b.str_short()}{what_differs(a, b)}"
        for path, a, b in differing(start, end)
    ]
    fixes = [
        f"{made_varying(a, b)}, to the initial carry value corresponding to {part(path)}"
        for path, a, b in differing(start, end)
        if b.vma - a.vma
    ]
    _refuse(what, "have equal types", listed(told, gap="\n") + advice(fixes, gap="\n"), _SAME_TYPES)


_SAME_TREE = "the carry output has the same pytree structure as the carry input"
_SAME_TYPES = "all output types match the corresponding input types"


def _refuse(what: str, must: str, told: str, so_that: str) -> NoReturn:
    raise TypeError(
        f"{what} function carry input and carry output must {must}, but they differ:\n\n{told}\n"
        f"Revise the function so that {so_that}."
    )


def _carry_names(fun: Callable[..., Any]) -> Callable[[Any], str]:
    """What a part of the carry is called: by the first parameter of the function, where Python can tell it."""
    signature = fun_signature(fun)
    name = next(iter(signature.parameters), "") if signature else ""

    def told(path: Any) -> str:
        if not path:
            return f"the input carry {name}" if name else "the input carry"
        return f"the input carry component {name}{keystr(path)}" if name else f"the input carry at path {keystr(path)}"

    return told
