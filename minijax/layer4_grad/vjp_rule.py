"""The two halves of a user's rule for reverse mode, run and checked: trees in, leaves out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.dtypes import float0
from ..layer1_core.tree import (
    PyTreeDef,
    keystr,
    tree_flatten,
    tree_flatten_with_path,
    tree_leaves,
    tree_map,
    tree_unflatten,
)
from ..layer3_control.mismatch import Typed, same_types, what_differs
from .dce import Marks
from .tangents import SymbolicZero, Zero, instantiate, same_place, symbolic, tangent_aval


@dataclass
class CustomVJPPrimal:
    """What fwd is given for each argument, where it asks for symbolic zeros."""

    value: Any
    perturbed: bool


def custom_vjp_primal_tree_values(tree: Any) -> Any:
    """The tree of the values in a tree of `CustomVJPPrimal`s."""

    def value(leaf: Any) -> Any:
        if type(leaf) is not CustomVJPPrimal:
            raise TypeError(f"unexpected leaf type {type(leaf)}")
        return leaf.value

    return tree_map(value, tree)


@dataclass(frozen=True, eq=False)
class Trees:
    """The trees of what fwd gives: the results, the residuals."""

    out: PyTreeDef
    residuals: PyTreeDef


@dataclass(frozen=True, eq=False)
class VJPRule:
    """The rule in one call of a custom_vjp function, for arguments of one tree and of these types."""

    fwd: Callable[..., Any]  # of the arguments that are differentiated
    bwd: Callable[..., Any]  # of the residuals and the cotangent
    primal_name: str
    fwd_name: str
    bwd_name: str
    in_tree: PyTreeDef
    in_avals: list[ShapedArray]
    symbolic_zeros: bool
    out: Typed | None = None  # the result of the function, where that has been run

    def run_fwd(self, primals: Sequence[Any], nonzero: Sequence[bool]) -> tuple[list[Any], list[Any], Trees]:
        """The leaves of the results and of the residuals, and the trees of both. Raises TypeError for no pair."""
        given = primals
        if self.symbolic_zeros:
            given = [CustomVJPPrimal(x, mark) for x, mark in zip(primals, nonzero, strict=True)]
        pair = self.fwd(*tree_unflatten(self.in_tree, given))
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise TypeError(
                f"{self._must_be_a_pair(f'equal to those of the custom_vjp-decorated function {self.primal_name}')}"
                f"instead of a pair the fwd rule {self.fwd_name} produced {pair}."
            )
        out, out_tree = tree_flatten(pair[0])
        residuals, res_tree = tree_flatten(pair[1])
        for x in residuals:
            typeof(x)  # raises for what is no array
        self._check_out(Typed(out_tree, [*map(typeof, out)]))
        return out, residuals, Trees(out_tree, res_tree)

    def _must_be_a_pair(self, first: str) -> str:
        return (
            f"Custom VJP fwd rule {self.fwd_name} for function {self.primal_name} must produce a pair (list or tuple "
            f"of length two) where the first element represents the primal output ({first}) and the second element "
            "represents residuals (i.e. values stored from the forward pass for use on the backward pass), but "
        )

    def _check_out(self, found: Typed) -> None:
        """Raises TypeError where fwd gives another result than the function itself, once that has been run."""
        if self.out is None or (found.tree == self.out.tree and same_types(found.avals, self.out.avals)):
            return
        head = self._must_be_a_pair(f"equal to the output of the custom_vjp-decorated function {self.primal_name}")
        shown, wanted = (
            str(tree_unflatten(x.tree, [a.str_short() for a in x.avals])).replace("'", "") for x in (found, self.out)
        )
        what, end = "shapes/dtypes of", ""
        if found.tree != self.out.tree:
            what, end = "container/pytree structure", "."
        raise TypeError(
            f"{head}instead the fwd rule output's first element had {what}:\n    {shown}\n"
            f"while the custom_vjp-decorated function {self.primal_name} had output {what}:\n    {wanted}{end}"
        )

    def run_bwd(self, trees: Trees, residuals: Sequence[Any], cts: Sequence[Any]) -> list[Any]:
        """The cotangents of the arguments' leaves. Raises TypeError or ValueError where bwd gives no such."""
        given = [symbolic(ct) if self.symbolic_zeros else instantiate(ct) for ct in cts]
        found = self.bwd(tree_unflatten(trees.residuals, residuals), tree_unflatten(trees.out, given))
        leaves = self._leaves(found)
        paths = [path for path, _ in tree_flatten_with_path(tree_unflatten(self.in_tree, self.in_avals))[0]]
        return [_checked(ct, aval, path) for ct, aval, path in zip(leaves, self.in_avals, paths, strict=True)]

    def _leaves(self, found: Any) -> list[Any]:
        """A cotangent for each leaf of the arguments; None where bwd has None for it, or for a tree around it."""
        children = self.in_tree.children()
        if isinstance(found, list) and len(found) == len(children):
            found = tuple(found)
        whole = tree_unflatten(self.in_tree, [_Place() for _ in self.in_avals])
        leaves: list[Any] = []

        def take(ct: Any, place: Any) -> None:
            count = len(tree_leaves(place))
            leaves.extend([ct] * count)

        try:
            if not isinstance(found, tuple):
                raise ValueError
            tree_map(take, found, whole, is_leaf=lambda x: x is None)
        except ValueError:
            raise TypeError(
                "Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args "
                "tuple of the primal function, and in particular must produce a tuple of length equal to the number of "
                f"arguments to the primal function, but got bwd output structure {tree_flatten(found)[1]} for primal "
                f"input structure {self.in_tree}."
            ) from None
        return leaves


@dataclass(frozen=True, eq=False)
class Pull:
    """bwd as the transpose rule of what stands between the two halves. Of the results only those `used` are left."""

    rule: VJPRule
    trees: Trees
    used: Marks | None

    def __call__(self, residuals: Sequence[Any], cts: Sequence[Any]) -> list[Any]:
        if self.used is not None:
            assert self.rule.out is not None
            rest = iter(cts)
            avals = self.rule.out.avals
            cts = [next(rest) if mark else Zero(tangent_aval(a)) for mark, a in zip(self.used, avals, strict=True)]
        return self.rule.run_bwd(self.trees, residuals, cts)


class _Place:
    """Stands for a leaf of the arguments."""


def _checked(ct: Any, aval: ShapedArray, path: Any) -> Any:
    """A cotangent of a value of type `aval`. Raises ValueError for one of another shape."""
    expected = tangent_aval(aval)
    if ct is None or expected.dtype == float0:
        return Zero(expected)
    if type(ct) is SymbolicZero:
        if ct.shape != expected.shape:
            raise ValueError(
                "Custom VJP bwd rule produced a SymbolicZero with a shape/dtype that does not match the corresponding "
                f"input tangent shape/dtype: at output{keystr(path)} the SymbolicZero had shape/dtype "
                f"{ct.aval.str_short()} while the corresponding input had shape/dtype {aval.str_short()}. Consider "
                "just returning a None here instead of a SymbolicZero object."
            )
        return Zero(ct.aval)
    found = typeof(ct)
    if found.shape != expected.shape or not same_place(found, expected):  # another dtype is let pass, as in JAX
        raise ValueError(
            "Custom VJP bwd rule must produce an output with the same type as the args tuple of the primal function, "
            f"but at output{keystr(path)} the bwd rule produced an output of type {found.str_short()} corresponding to "
            f"an input of type {aval.str_short()}{what_differs(aval, found)}"
        )
    return ct
