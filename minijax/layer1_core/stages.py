"""The stages between a function and its execution: Traced, Lowered, Compiled (`jax.stages`)."""

from dataclasses import dataclass
from typing import Any

from .aval import ShapedArray, abstractify
from .jaxpr import Jaxpr
from .jit_call import jit_p
from .staging import struct_of
from .tree import PyTreeDef, tree_flatten, tree_unflatten


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
        return Lowered(self)


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


@dataclass(frozen=True)
class Lowered:
    """A staged function on its way to being run (`jit(f).lower(...)`). In this layer its text is the jaxpr."""

    traced: Traced

    def __getattr__(self, name: str) -> Any:
        if name in ("in_tree", "out_tree", "out_info", "args_info", "in_avals", "out_avals", "donate_argnums"):
            return getattr(self.traced, "args_tree" if name == "in_tree" else name)
        raise AttributeError(f"'Lowered' object has no attribute {name!r}")

    def as_text(self, dialect: str | None = None) -> str:
        return str(self.traced.jaxpr)

    def compile(self, compiler_options: Any = None) -> "Compiled":
        return Compiled(self.traced)


@dataclass(frozen=True)
class Compiled:
    """A staged function ready to be run at one kind of call: other types are refused, never traced again."""

    traced: Traced

    def __getattr__(self, name: str) -> Any:
        return getattr(Lowered(self.traced), name)

    def as_text(self) -> str:
        return str(self.traced.jaxpr)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves, tree = tree_flatten((args, kwargs))
        t = self.traced
        if tree != t.args_tree:
            raise TypeError(
                "Function compiled with input pytree does not match the input pytree it was called with. There are "
                f"{t.args_tree.num_leaves} leaves in the compiled and {tree.num_leaves} in the called tree: "
                f"{t.args_tree} vs. {tree}"
            )
        avals = [abstractify(x) for x in leaves]
        wrong = [
            (a, b) for a, b in zip(t.jaxpr.in_avals, avals, strict=True) if (a.shape, a.dtype) != (b.shape, b.dtype)
        ]
        if wrong:
            told = "\n".join(f"compiled for {a.str_short()}, called with {b.str_short()}" for a, b in wrong)
            raise TypeError(
                "Argument types differ from the types for which this computation was compiled. Perhaps you are calling "
                "the compiled executable with a different enable_x64 mode than when it was AOT compiled? "
                f"These are the argument mismatches:\n{told}"
            )
        return tree_unflatten(t.out_tree, jit_p.bind(*leaves, **t.params))
