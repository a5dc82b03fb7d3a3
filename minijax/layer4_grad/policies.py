"""Policies of `checkpoint`: which values are saved for the backward pass. The others are computed again.

A policy is a function of an equation's primitive, the types of its operands and its parameters; it says whether the
results may be saved.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from ..layer1_core.lax.conv import conv_general_dilated_p
from ..layer1_core.lax.dot import dot_general_p
from ..layer1_core.primitive import Primitive
from .naming import name_p

Policy = Callable[..., Any]


def everything_saveable(*_: Any, **__: Any) -> bool:
    """Save all, as without `checkpoint`."""
    return True


def nothing_saveable(*_: Any, **__: Any) -> bool:
    """Compute all again: the policy of `checkpoint` where none is given."""
    return False


@dataclass(frozen=True)
class DotsSaveable:
    """Save the results of matrix products and convolutions; or, with `only_if_no_batch_dims`, those of matrix products
    without batch dimensions.
    """

    only_if_no_batch_dims: bool

    def __call__(self, primitive: Primitive, *_: Any, **params: Any) -> bool:
        if not self.only_if_no_batch_dims:
            return primitive in (dot_general_p, conv_general_dilated_p)
        return primitive is dot_general_p and not any(params["dimension_numbers"][1])


@dataclass(frozen=True)
class SaveOnlyTheseNames:
    """Save what `checkpoint_name` has given one of these names."""

    saveable_names: frozenset[str]

    def __call__(self, primitive: Primitive, *_: Any, **params: Any) -> bool:
        return primitive is name_p and params["name"] in self.saveable_names


@dataclass(frozen=True)
class SaveAnyNamesButThese:
    """Save what has a name, but none of these."""

    names: frozenset[str]

    def __call__(self, primitive: Primitive, *_: Any, **params: Any) -> bool:
        return primitive is name_p and params["name"] not in self.names


def save_only_these_names(*names_which_can_be_saved: str) -> Policy:
    """The policy that saves what has one of these names."""
    return SaveOnlyTheseNames(frozenset(names_which_can_be_saved))


def save_any_names_but_these(*names_not_to_save: str) -> Policy:
    """The policy that saves what has a name, but none of these."""
    return SaveAnyNamesButThese(frozenset(names_not_to_save))


def save_anything_except_these_names(*names_not_to_save: str) -> Policy:
    """Save all. (In JAX 0.11 the names change nothing here: what they name is saved as what it was made of.)"""
    return lambda *_, **__: True


def save_from_both_policies(policy_1: Policy, policy_2: Policy) -> Policy:
    """Save what one of two policies saves. Both have to say a bool."""

    def policy(primitive: Primitive, *args: Any, **params: Any) -> bool:
        out1, out2 = policy_1(primitive, *args, **params), policy_2(primitive, *args, **params)
        if not (isinstance(out1, bool) and isinstance(out2, bool)):
            raise ValueError(
                f"The return value of the policies should be a boolean. Got: {out1} and {out2}. Please write a custom "
                "policy function directly, rather than using this helper function."
            )
        return out1 or out2

    return policy


def _no_offloading(name: str) -> Callable[..., Any]:
    """Stands for a policy that moves values to another memory. Raises NotImplementedError, with what to do."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise NotImplementedError(
            f"{name}: this machine has one memory, so nothing can be offloaded; save it or compute it again"
        )

    return refuse


checkpoint_policies = SimpleNamespace(
    SaveOnlyTheseNames=SaveOnlyTheseNames,
    SaveAnyNamesButThese=SaveAnyNamesButThese,
    everything_saveable=everything_saveable,
    nothing_saveable=nothing_saveable,
    dots_saveable=DotsSaveable(False),
    checkpoint_dots=DotsSaveable(False),
    dots_with_no_batch_dims_saveable=DotsSaveable(True),
    checkpoint_dots_with_no_batch_dims=DotsSaveable(True),
    save_anything_except_these_names=save_anything_except_these_names,
    save_any_names_but_these=save_any_names_but_these,
    save_only_these_names=save_only_these_names,
    save_from_both_policies=save_from_both_policies,
    offload_dot_with_no_batch_dims=_no_offloading("offload_dot_with_no_batch_dims"),
    save_and_offload_only_these_names=_no_offloading("save_and_offload_only_these_names"),
)

# ---- what a policy may say instead of a bool


@dataclass(frozen=True)
class Recompute_:
    """Compute it again."""


@dataclass(frozen=True)
class Saveable_:
    """Save it."""


Recompute, Saveable = Recompute_(), Saveable_()


def is_saved(policy: Policy, primitive: Primitive, avals: Any, params: dict[str, Any]) -> bool:
    """What a policy says of an equation. Raises TypeError where that is neither a bool nor one of these."""
    said = policy(primitive, *avals, **params)
    if not isinstance(said, (bool, Recompute_, Saveable_)):
        raise TypeError(
            "Value returned by a remat policy should be a bool or `ad_checkpoint.Recompute`, `ad_checkpoint.Saveable` "
            f"or `ad_checkpoint.Offloadable(...)`. Got {said} of type {type(said)}."
        )
    return said is True or said is Saveable
