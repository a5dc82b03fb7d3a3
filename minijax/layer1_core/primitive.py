"""Primitives, and the tables that say what each means to each transformation.

A primitive is a name. What it does to values (`impl`), to types (the shape rule), to tangents, to batch
axes and so on is said in tables, one table a family of rules. A missing entry is a loud error.
"""

from collections.abc import Callable
from typing import Any

from .aval import ShapedArray
from .config import abstract_mesh
from .trace import current_trace

Rule = Callable[..., Any]
no_effects: frozenset[Any] = frozenset()
_CACHED_TYPES = 8192  # entries of one primitive's type cache; it starts afresh when it is full


class Primitive:
    """An operation that a trace records as one equation.

    >>> mul_add_p = Primitive("mul_add")
    >>> mul_add_p.def_abstract_eval(lambda x, y, z: x)  # doctest: +ELLIPSIS
    <function ...>

    `bind` applies it: to values, or to tracers, as the current trace decides.
    """

    multiple_results = False
    effects: frozenset[Any] = no_effects
    impl: Rule | None = None  # for a primitive of the user's own: applied to the arguments as they come
    pretty: Rule | None = None  # how an equation of it is printed, where that is special

    def __init__(self, name: str):
        self.name = name
        self.abstract_eval: Rule = self._no_abstract_eval
        self._types: dict[Any, Any] = {}

    def bind(self, *args: Any, **params: Any) -> Any:
        """The result of applying this primitive, as the current trace sees it."""
        return current_trace.get().process_primitive(self, args, params)

    def out_avals(self, in_avals: tuple[ShapedArray, ...], params: dict[str, Any]) -> Any:
        """The type of the result (a list of types for `multiple_results`), from the shape rule, remembered.

        Loops unroll into thousands of equal equations: asking the rule once for each kind makes tracing cheap.
        """
        key = (in_avals, abstract_mesh.value, *params.items())
        try:
            return self._types[key]
        except KeyError:
            out = self._types[key] = typed[-1](self, in_avals, params)
        except TypeError:  # a parameter that cannot be hashed: that is said before the rule could complain of it
            check_hashable(self, params)
            return typed[-1](self, in_avals, params)
        if len(self._types) > _CACHED_TYPES:
            self._types.clear()
        return out

    def effects_of(self, params: dict[str, Any]) -> frozenset[Any]:
        """What an equation with these parameters does besides computing."""
        return self.effects

    def _no_abstract_eval(self, *avals: ShapedArray, **params: Any) -> Any:
        raise NotImplementedError(f"Abstract evaluation for '{self.name}' not implemented")

    def def_abstract_eval(self, rule: Rule) -> Rule:
        """Set the shape rule: from the avals of the operands to the aval (or list of avals) of the result."""
        self.abstract_eval = rule
        self.forget_types()
        return rule

    def forget_types(self) -> None:
        """Ask the rules again from here on: one of them is another now."""
        self._types.clear()

    def def_impl(self, impl: Rule) -> Rule:
        """Set what the primitive does to concrete values."""
        self.impl = impl
        return impl

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


# The type of a result, from primitive, types of operands, and parameters: what the shape rule says. Chapter 7 adds what
# the types tell of places: sharding, varying axes, memory.
typed: list[Callable[[Primitive, tuple[ShapedArray, ...], dict[str, Any]], Any]] = [
    lambda primitive, in_avals, params: primitive.abstract_eval(*in_avals, **params)
]


def check_hashable(primitive: Primitive, params: dict[str, Any]) -> None:
    """Raises TypeError for a parameter that cannot be hashed, by which equations could not be compared; dicts pass."""
    for name, value in params.items():
        try:
            hash(tuple(value.items()) if type(value) is dict else value)
        except TypeError as error:
            raise TypeError(
                "As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods. In a call to "
                f"primitive {primitive}, the value of parameter {name} was not hashable: {value}"
            ) from error


class RuleTable(dict[Primitive, Rule]):
    """One family of rules: primitive -> rule. `missing` is JAX's sentence for an entry that is not there."""

    def __init__(self, family: str, missing: str):
        super().__init__()
        self.family, self.missing = family, missing

    def rule(self, *primitives: Primitive) -> Callable[[Rule], Rule]:
        """A decorator that enters a function as the rule of `primitives`."""

        def enter(rule: Rule) -> Rule:
            self.update(dict.fromkeys(primitives, rule))
            return rule

        return enter

    def __missing__(self, primitive: Primitive) -> Rule:
        raise NotImplementedError(self.missing.format(primitive))


class TypeRules(RuleTable):
    """A family of rules that say something of types: entering one forgets what was found without it."""

    def __setitem__(self, primitive: Primitive, rule: Rule) -> None:
        super().__setitem__(primitive, rule)
        primitive.forget_types()

    def update(self, rules: Any) -> None:  # type: ignore[override]  # names of keywords would be no primitives
        """Enter several rules."""
        for primitive, rule in dict(rules).items():
            self[primitive] = rule


impl_rules = RuleTable("impl", "Evaluation rule for '{0}' not implemented")
