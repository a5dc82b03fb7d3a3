"""`jax.Array`: what arrays and tracers have in common, an abstract base class without implementation.

One instance check, three classes: `Tracer` inherits from Array; `ArrayImpl`, the array with a value, is
registered as a virtual subclass (its own bases end at `object`); PRNGKeyArray (layer 6) inherits.
"""

import abc


class Array(abc.ABC):
    """The type of every array: `isinstance(x, jax.Array)` holds for arrays with a value and for tracers."""

    __slots__ = ("__weakref__",)
