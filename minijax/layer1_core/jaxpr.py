"""The jaxpr: a small typed program. Variables, equations, and nothing that Python can do behind its back.

jaxpr ::= { lambda constvars ; invars . let eqns in (outvars) }
eqn   ::= outvars = primitive[params] invars
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .aval import ShapedArray, typeof
from .errors import JaxprTypeError
from .primitive import Primitive
from .trace import SourceLine


class Var:
    """A variable: bound once, as an input or by one equation. Its name is given when it is printed."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self) -> str:
        return f"Var(id={id(self)}):{self.aval}"


class DropVar(Var):
    """A result that nobody reads; printed `_`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "_"


class Literal:
    """A scalar constant that stands in an equation itself: `2.0` in `mul a 2.0:f32[]`."""

    __slots__ = ("val", "aval")
    __hash__ = None  # type: ignore[assignment]  # as in JAX: so that no environment is keyed by one

    def __init__(self, val: Any, aval: ShapedArray):
        self.val, self.aval = val, aval

    def __repr__(self) -> str:
        return f"Literal({self.val})"


Atom = Var | Literal


class JaxprEqn:
    """One equation: `outvars = primitive[params] invars`, and the line of the program that it came from."""

    __slots__ = ("invars", "outvars", "primitive", "params", "source_info")

    def __init__(
        self,
        invars: Sequence[Atom],
        outvars: Sequence[Var],
        primitive: Primitive,
        params: dict[str, Any],
        source_info: SourceLine | None = None,
    ):
        # lists are kept, not copied: a trace makes thousands of equations
        self.invars = invars if type(invars) is list else list(invars)
        self.outvars = outvars if type(outvars) is list else list(outvars)
        self.primitive, self.params, self.source_info = primitive, params, source_info

    @property
    def effects(self) -> Any:
        own = self.primitive.effects_of(self.params)
        subs = [sub.effects for sub in jaxprs_in_params(self.params)]
        return set(own).union(*subs) if subs else own

    def replace(self, **changes: Any) -> "JaxprEqn":
        """This equation with some fields changed."""
        return JaxprEqn(**({name: getattr(self, name) for name in self.__slots__} | changes))

    def __repr__(self) -> str:
        return printer[JaxprEqn](self)


new_jaxpr_eqn = JaxprEqn


@dataclass(frozen=True)
class DebugInfo:
    """What a message says about the function that a jaxpr came from."""

    traced_for: str  # 'jit', 'make_jaxpr', 'scan', ...
    func_src_info: str  # 'relu at model.py:12'
    arg_names: tuple[str, ...] = ()
    result_paths: tuple[str, ...] = ()

    @property
    def func_name(self) -> str:
        return self.func_src_info.split(" ")[0]


class Jaxpr:
    """A program: inputs, equations in order, outputs; and the constants that `constvars` stand for.

    With its constants it is closed (JAX once had a class ClosedJaxpr for that, whose name still works).
    """

    __slots__ = (
        "constvars",
        "invars",
        "outvars",
        "eqns",
        "debug_info",
        "consts",
        "_effects",
        "_program",
        "__weakref__",
    )

    def __init__(
        self,
        constvars: Sequence[Var],
        invars: Sequence[Var],
        outvars: Sequence[Atom],
        eqns: Sequence[JaxprEqn],
        effects: set[Any] | None = None,
        debug_info: DebugInfo | None = None,
        consts: Sequence[Any] = (),
    ):
        self.constvars, self.invars, self.outvars = list(constvars), list(invars), list(outvars)
        self.eqns, self.debug_info, self.consts = list(eqns), debug_info, list(consts)
        self._effects = effects
        self._program: Any = None  # the runnable form, kept by evaluate.program_of

    @property
    def jaxpr(self) -> "Jaxpr":
        return self

    @property
    def effects(self) -> set[Any]:
        """What the program does besides computing: the union over its equations."""
        if self._effects is None:
            self._effects = set().union(*(eqn.effects for eqn in self.eqns))
        return self._effects

    @property
    def in_avals(self) -> list[ShapedArray]:
        return [v.aval for v in self.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        return [v.aval for v in self.outvars]

    @property
    def literals(self) -> list[Any]:
        return self.consts

    def replace(self, **changes: Any) -> "Jaxpr":
        """This program with some fields changed."""
        names = ("constvars", "invars", "outvars", "eqns", "debug_info", "consts")
        return Jaxpr(**({name: getattr(self, name) for name in names} | changes))

    def pretty_print(
        self, *, print_shapes: bool = True, custom_pp_eqn_rules: bool = True, print_effects: bool = False, **more: Any
    ) -> str:
        """The text of the program: without settings, what `print` shows. Colours and places are not shown."""
        shown = dict(print_shapes=print_shapes, custom_pp_eqn_rules=custom_pp_eqn_rules, print_effects=print_effects)
        return printer[Jaxpr](self, **shown)

    def __repr__(self) -> str:
        return printer[Jaxpr](self)


ClosedJaxpr = Jaxpr

# The text of a Jaxpr and of a JaxprEqn: entered by pretty.py, which stands above this module.
printer: dict[type, Any] = {}


def jaxprs_in_params(params: dict[str, Any]) -> Iterator[Jaxpr]:
    """The sub-programs that an equation carries in its parameters, alone or in a tuple."""
    for value in params.values():
        for v in value if isinstance(value, (tuple, list)) else (value,):
            if type(v) is Jaxpr:
                yield v


def subjaxprs(jaxpr: Jaxpr) -> Iterator[Jaxpr]:
    """The sub-programs of all equations of `jaxpr`."""
    for eqn in jaxpr.eqns:
        yield from jaxprs_in_params(eqn.params)


def literal(x: Any) -> Literal | None:
    """`x` as a literal of an equation, where it is a scalar: a Python or NumPy number; else None."""
    if isinstance(x, (np.generic, np.ndarray)):
        aval = typeof(x)
        return None if aval.shape else Literal(x if x.dtype == aval.dtype else x.astype(aval.dtype), aval)
    return Literal(x, typeof(x)) if isinstance(x, (bool, int, float, complex)) else None


# ---- the type checker


def check_jaxpr(jaxpr: Jaxpr) -> None:
    """Re-derive the type of every equation. Raises JaxprTypeError at the first that is not as recorded."""
    bound = {id(v) for v in (*jaxpr.constvars, *jaxpr.invars)}
    for eqn in jaxpr.eqns:
        _check_eqn(eqn, bound)
        for sub in jaxprs_in_params(eqn.params):
            check_jaxpr(sub)
        bound.update(id(v) for v in eqn.outvars)
    _check_bound(jaxpr.outvars, bound, "an output")


def _check_eqn(eqn: JaxprEqn, bound: set[int]) -> None:
    _check_bound(eqn.invars, bound, f"an operand of {eqn.primitive}")
    out = eqn.primitive.out_avals(tuple(v.aval for v in eqn.invars), eqn.params)
    avals = list(out) if eqn.primitive.multiple_results else [out]
    if [v.aval for v in eqn.outvars] != avals:
        raise JaxprTypeError(f"Expected {[str(v.aval) for v in eqn.outvars]}, got {list(map(str, avals))} in:\n{eqn}")


def _check_bound(atoms: Sequence[Atom], bound: set[int], what: str) -> None:
    for atom in atoms:
        if isinstance(atom, Var) and id(atom) not in bound:
            raise JaxprTypeError(f"Variable '{atom}' not defined, used as {what}")
