"""The stages between a function and its execution: Traced, Lowered, Compiled (`jax.stages`)."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .aval import ShapedArray, abstractify
from .devices import default_device, sharding_on
from .donation import check_donated, donate, run_in_place, warn_of_unusable
from .jaxpr import Jaxpr
from .jit_call import UNSPECIFIED, jit_p
from .jit_shardings import check_where, put_each
from .staging import struct_of
from .trace import EVAL, Tracer, current_trace
from .tree import PyTreeDef, equality_errors_pytreedef, keystr, tree_flatten, tree_unflatten


@dataclass(frozen=True)
class Traced:
    """A function staged at the types of one call (`jit(f).trace(...)`): its jaxpr and trees."""

    jaxpr: Jaxpr
    in_tree: PyTreeDef
    out_tree: PyTreeDef
    fun_name: str
    donated: tuple[bool, ...]
    params: dict[str, Any]
    args_tree: PyTreeDef
    given: tuple[Any, ...] = ()  # where each leaf of the arguments is, or is said to be

    @property
    def in_avals(self) -> Any:
        return tree_unflatten(self.args_tree, self.jaxpr.in_avals)

    @property
    def out_avals(self) -> Any:
        return tree_unflatten(self.out_tree, self.jaxpr.out_avals)

    @property
    def out_info(self) -> Any:
        """The results' tree of ShapeDtypeStructs."""
        return tree_unflatten(self.out_tree, map(struct_of, self.jaxpr.out_avals))

    @property
    def args_info(self) -> Any:
        """The arguments' tree of ArgInfo: type, and whether donated."""
        infos = [ArgInfo(a, d) for a, d in zip(self.jaxpr.in_avals, self.donated, strict=True)]
        return tree_unflatten(self.args_tree, infos)

    @property
    def donate_argnums(self) -> tuple[int, ...]:
        return tuple(i for i, d in enumerate(self.donated) if d)

    def lower(self, **options: Any) -> "Lowered":
        warn_of_unusable(self)
        return Lowered(self)

    @functools.cached_property
    def places(self) -> bool:
        """Whether it is said where an argument or a result belongs."""
        named = self.params["in_shardings"] + self.params["out_shardings"]
        return any(place is not UNSPECIFIED for place in named)


def execute(traced: Traced, leaves: list[Any], bind: Callable[[list[Any]], list[Any]]) -> Any:
    """The results of a staged call: `bind` computes (or records) them; here arguments are placed and given away."""
    placed = traced.places and current_trace.get() is EVAL
    if placed:
        check_where(leaves, traced.params["in_shardings"])
        leaves = put_each(leaves, traced.params["in_shardings"])
    donates = any(traced.donated)
    if donates:
        check_donated(leaves, traced)
        if current_trace.get() is EVAL:
            warn_of_unusable(traced)
    out = (run_in_place(leaves, traced) if donates else None) or bind(leaves)
    if donates:
        donate(leaves, traced, out)
    if placed:
        out = put_each(out, traced.params["out_shardings"])
    return tree_unflatten(traced.out_tree, out)


@dataclass(frozen=True)
class ArgInfo:
    """What is known of one argument of a staged function."""

    _aval: ShapedArray
    donated: bool

    @property
    def shape(self) -> tuple[int, ...]:
        return self._aval.shape

    @property
    def dtype(self) -> Any:
        return self._aval.dtype


# What can be said of a program. Layer 2 enters its own: text, ir, compile, cost, compiled_cost, memory.
analyses: dict[str, Callable[[Jaxpr], Any]] = {"text": str}


def analysis(what: str, jaxpr: Jaxpr) -> Any:
    """None where that is not known."""
    return analyses[what](jaxpr) if what in analyses else None


def _refuse(traced: Traced) -> Any:
    raise NotImplementedError("partitioned() needs a mesh: chapter 7 brings them")


# What makes the program of one device of a staged call. Chapter 7 enters it.
partitioners: list[Callable[[Traced], Any]] = [_refuse]


def _on_one_device(traced: Traced) -> tuple[list[Any], list[Any]]:
    """Where the arguments and the results of a staged call are: on the device of the first one that is committed."""
    here = next((place for place in traced.given if place is not None), None) or sharding_on(default_device())
    return [here] * len(traced.jaxpr.invars), [here] * len(traced.jaxpr.outvars)


# What says where the arguments and results of a staged call are. Chapter 7 enters what knows of meshes.
locators: list[Callable[[Traced], tuple[list[Any], list[Any]]]] = [_on_one_device]


@dataclass(frozen=True)
class Lowered:
    """A staged function on its way to being run (`jit(f).lower(...)`)."""

    traced: Traced

    def __getattr__(self, name: str) -> Any:
        if name == "out_info":  # what is lowered knows of no weak types
            avals = [aval.strip_weak_type() for aval in self.traced.jaxpr.out_avals]
            return tree_unflatten(self.traced.out_tree, map(struct_of, avals))
        if name in ("in_tree", "out_tree", "args_info", "in_avals", "out_avals", "donate_argnums"):
            return getattr(self.traced, "args_tree" if name == "in_tree" else name)
        raise AttributeError(f"'Lowered' object has no attribute {name!r}")

    def as_text(self, dialect: str | None = None) -> str:
        """The text of the program: the jaxpr; from layer 2 on, the Python source of its loops."""
        return analysis("text", self.traced.jaxpr)

    def compiler_ir(self, dialect: str | None = None) -> Any:
        """The program as data: from layer 2 on a `Program`, with `steps` (kernels, and equations that are called)."""
        return analysis("ir", self.traced.jaxpr)

    def cost_analysis(self) -> dict[str, float] | None:
        """'flops', 'transcendentals' and 'bytes accessed', where each equation reads and writes memory."""
        return analysis("cost", self.traced.jaxpr)

    def partitioned(self) -> Any:
        """The program of one device of a mesh, from chapter 7 on: print it. It has the collectives and their bytes."""
        return partitioners[-1](self.traced)

    def compile(self, compiler_options: Any = None) -> "Compiled":
        analysis("compile", self.traced.jaxpr)
        return Compiled(self.traced)


@dataclass(frozen=True)
class Compiled:
    """A staged function ready to be run at one kind of call: other types are refused, never traced again."""

    traced: Traced

    def __getattr__(self, name: str) -> Any:
        if name not in ("out_info", "in_tree", "out_tree", "args_info", "in_avals", "donate_argnums"):
            raise AttributeError(f"'Compiled' object has no attribute {name!r}")
        return getattr(Lowered(self.traced), name)

    @property
    def input_shardings(self) -> Any:
        """Where each argument is: a tuple for the positional arguments, and a dict for the others."""
        return self.traced.args_tree.unflatten(locators[-1](self.traced)[0])

    @property
    def output_shardings(self) -> Any:
        """Where each result will be."""
        return self.traced.out_tree.unflatten(locators[-1](self.traced)[1])

    def as_text(self) -> str:
        return Lowered(self.traced).as_text()

    def cost_analysis(self) -> dict[str, float] | None:
        """'flops', 'transcendentals' and 'bytes accessed', where each kernel reads and writes memory."""
        return analysis("compiled_cost", self.traced.jaxpr)

    def memory_analysis(self) -> Any:
        """The bytes of arguments, results and what is kept in between."""
        return analysis("memory", self.traced.jaxpr)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves, tree = tree_flatten((args, kwargs))
        t = self.traced
        if tree != t.args_tree:
            raise TypeError(_other_tree(t.args_tree, tree))
        for x in leaves:
            if isinstance(x, Tracer):
                raise TypeError(
                    "Cannot apply JAX transformations to a function lowered and compiled for a particular signature. "
                    f"Detected argument of Tracer type {type(x)}."
                )
        _check_types(t, [abstractify(x) for x in leaves])
        return execute(t, leaves, lambda leaves: jit_p.bind(*leaves, **t.params))


def _other_tree(compiled: PyTreeDef, called: PyTreeDef) -> str:
    """What differs between the tree of arguments that was compiled and the one of a call."""
    differences = list(equality_errors_pytreedef(compiled, called))
    told = "\n".join(
        f"    * at {('args', 'kwargs')[path[0].idx]}{keystr(path[1:])}, seen {seen} but now given {given}, so {why}"
        for path, seen, given, why in differences
    )
    return (
        "Function compiled with input pytree does not match the input pytree it was called with. "
        f"There are {len(differences)} mismatches, including:\n{told}"
    )


def _check_types(traced: Traced, called: Sequence[ShapedArray]) -> None:
    """Raises TypeError where an argument has another shape or dtype than the compiled one, naming it."""
    jaxpr = traced.jaxpr
    names = jaxpr.debug_info.arg_names if jaxpr.debug_info else ()
    told = [
        f"Argument '{name}' compiled with {a.str_short()} and called with {b.str_short()}"
        for name, a, b in zip(names, jaxpr.in_avals, called, strict=False)
        if (a.shape, a.dtype) != (b.shape, b.dtype)
    ]
    if told:
        raise TypeError(
            "Argument types differ from the types for which this computation was compiled. Perhaps you are calling "
            "the compiled executable with a different enable_x64 mode than when it was AOT compiled? "
            "The mismatches are:\n" + "\n".join(told)
        )
