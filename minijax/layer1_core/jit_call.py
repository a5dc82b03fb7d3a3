"""The primitive `jit`: a call of a staged function, as one equation."""

from enum import Enum
from typing import Any

import numpy as np

from . import config
from .evaluate import run
from .jaxpr import Jaxpr, JaxprEqn
from .pretty import Names
from .primitive import Primitive, impl_rules


class Unspecified:
    """The value of a parameter that was not given."""

    def __repr__(self) -> str:
        return "UnspecifiedValue"


UNSPECIFIED = Unspecified()


class Inline(Enum):
    """Whether a call is dissolved into its caller."""

    AUTO = "auto"
    TRUE = "true"
    FALSE = "false"

    def __str__(self) -> str:
        return f"Inline.{self.name}"


# ---- the primitive

jit_p = Primitive("jit")
jit_p.multiple_results = True
jit_p.def_abstract_eval(lambda *avals, jaxpr, **params: jaxpr.out_avals)


@impl_rules.rule(jit_p)
def _run_jit(*values: np.ndarray, jaxpr: Jaxpr, **params: Any) -> list[np.ndarray]:
    return run(jaxpr, values)


def _jit_pretty(eqn: JaxprEqn, names: Names) -> list[tuple[str, Any]]:
    """name first, then what differs from the default. The inner binders take the names of what is outside."""
    jaxpr, params = eqn.params["jaxpr"], dict(eqn.params)
    if id(jaxpr) not in names.jaxprs:  # inputs are called what the operands are, results what the equation binds
        names.share(jaxpr.invars, eqn.invars)
        names.share(jaxpr.outvars, eqn.outvars)
    shown = [("jaxpr", jaxpr)]
    if params["ctx_mesh"] is not None:
        shown.append(("ctx_mesh", params["ctx_mesh"]))
    for key in ("in_shardings", "out_shardings"):
        if any(place is not UNSPECIFIED for place in params[key]):
            shown.append((key, params[key]))
    if any(params["donated_invars"]):
        shown.append(("donated_invars", params["donated_invars"]))
    if params["inline"] is Inline.TRUE:
        shown.append(("inline", params["inline"]))
    if params["keep_unused"]:
        shown.append(("keep_unused", True))
    return [("name", params["name"]), *sorted(shown, key=lambda kv: kv[0])]


jit_p.pretty = _jit_pretty


def jit_params(
    jaxpr: Jaxpr, name: str, places: tuple[Any, Any], donated: tuple[bool, ...], keep_unused: bool, inline: Inline
) -> dict[str, Any]:
    """The parameters of a jit equation, as JAX has them. `places` are those of the operands and of the results."""
    n_in, n_out = len(jaxpr.invars), len(jaxpr.outvars)
    return dict(
        jaxpr=jaxpr, in_shardings=places[0], out_shardings=places[1],
        in_layouts=(None,) * n_in, out_layouts=(None,) * n_out, donated_invars=donated,
        ctx_mesh=getattr(config.everywhere.value, "mesh", None), name=name,
        keep_unused=keep_unused, inline=inline, compiler_options_kvs=(),
    )  # fmt: skip
