"""What the primitives compute, in NumPy. The modules mirror those of lax: `lax.F.foo_p` computes `impl.F.foo`."""

from types import ModuleType

from .. import lax
from ..primitive import Primitive, impl_rules
from . import (
    conv,
    converting,
    dot,
    elementwise,
    fft,
    gather,
    indexing,
    joining,
    linalg,
    reducing,
    scatter,
    shaping,
    sorting,
    special,
    windows,
)


def register(primitives: ModuleType, rules: ModuleType) -> None:
    """Enter each function of `rules` as the impl rule of the primitive of its name in `primitives`."""
    for p in vars(primitives).values():
        if isinstance(p, Primitive) and p not in impl_rules:
            rule = getattr(rules, p.name.replace("-", "_"), None) or getattr(rules, p.name + "_", None)
            if rule is not None:
                impl_rules[p] = rule


register(lax.elementwise, elementwise)
register(lax.converting, converting)
register(lax.shaping, shaping)
register(lax.joining, joining)
register(lax.reducing, reducing)
register(lax.dot, dot)
register(lax.conv, conv)
register(lax.gather, gather)
register(lax.indexing, indexing)
register(lax.scatter, scatter)
register(lax.sorting, sorting)
register(lax.windows, windows)
register(lax.special, special)
register(lax.linalg, linalg)
register(lax.fft, fft)
