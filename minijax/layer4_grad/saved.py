"""What a function saves for its backward pass: looked up in its program."""

from collections.abc import Callable, Sequence
from typing import Any

from ..layer1_core.aval import ShapedArray
from ..layer1_core.fun_names import arg_names, fun_signature
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.lax.converting import reduce_precision_p
from ..layer1_core.staging import make_jaxpr
from ..layer1_core.trace import SourceLine, place_of, user_line
from ..layer1_core.tree import tree_flatten, tree_leaves, tree_unflatten
from .naming import name_p
from .reverse import vjp


def saved_residuals(f: Callable[..., Any], *args: Any, **kwargs: Any) -> list[tuple[ShapedArray, str]]:
    """The type of each value that the linearization of `f` keeps, and where that comes from."""
    asked_at = user_line()
    leaves, in_tree = tree_flatten((args, kwargs))

    def flat(*leaves: Any) -> Any:
        args, kwargs = tree_unflatten(in_tree, leaves)
        return f(*args, **kwargs)

    jaxpr, (_, pullback) = make_jaxpr(lambda *leaves: vjp(flat, *leaves), return_shape=True)(*leaves)
    n = len(tree_leaves(pullback))
    names = arg_names(fun_signature(f), args, kwargs) or ("unknown",) * len(leaves)
    return _origins(jaxpr.replace(outvars=jaxpr.outvars[len(jaxpr.outvars) - n :]), names, asked_at)


def print_saved_residuals(f: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Print what the linearization of `f` keeps, one value a line."""
    for aval, origin in saved_residuals(f, *args, **kwargs):
        print(f"{aval.str_short(short_dtypes=True)} {origin}")


def _origins(jaxpr: Jaxpr, names: Sequence[str], asked_at: SourceLine | None) -> list[tuple[ShapedArray, str]]:
    """Of each result of the program its type and its origin: literals, constants, arguments, then what is computed."""
    rounded = {id(eqn.outvars[0]): eqn.invars[0] for eqn in jaxpr.eqns if eqn.primitive is reduce_precision_p}
    saved = {id(rounded.get(id(v), v)) for v in jaxpr.outvars if isinstance(v, Var)}
    found = [(v.aval, "from a literal") for v in jaxpr.outvars if isinstance(v, Literal)]
    found += [(v.aval, "from a constant") for v in jaxpr.constvars if id(v) in saved]
    found += [
        (
            v.aval,
            f"from the argument {name}" if name else "from the argument at flattened index {i}",
        )  # JAX prints {i} too
        for v, name in zip(jaxpr.invars, names, strict=True)
        if id(v) in saved
    ]
    return found + [(v.aval, _origin(eqn, asked_at)) for eqn in jaxpr.eqns for v in eqn.outvars if id(v) in saved]


def _origin(eqn: JaxprEqn, asked_at: SourceLine | None) -> str:
    """What made a value, and at which line of the function: at none, where the line that asked is the nearest one."""
    place = "" if eqn.source_info == asked_at else place_of(eqn.source_info)
    if eqn.primitive is name_p:
        return f"named '{eqn.params['name']}' from {place}"
    if eqn.primitive.name == "jit":
        return f"output of jitted function '{eqn.params['name']}' from {place}"
    return f"output of {eqn.primitive.name} from {place}"
