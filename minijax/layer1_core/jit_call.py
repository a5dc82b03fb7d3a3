"""The primitive `jit`: a call of a staged function, as one equation."""

from enum import Enum
from typing import Any

import numpy as np

from .evaluate import program_of
from .jaxpr import Jaxpr, JaxprEqn, Var
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
    return program_of(jaxpr)(values)


def _jit_pretty(eqn: JaxprEqn, names: Names) -> list[tuple[str, Any]]:
    """name first, then what differs from the default. The inner binders take the names of what is outside."""
    jaxpr, params = eqn.params["jaxpr"], dict(eqn.params)
    if id(jaxpr) not in names.jaxprs:
        _take_outer_names(eqn, jaxpr, names)
    shown = [("jaxpr", jaxpr)]
    if any(params["donated_invars"]):
        shown.append(("donated_invars", params["donated_invars"]))
    if params["inline"] is Inline.TRUE:
        shown.append(("inline", params["inline"]))
    if params["keep_unused"]:
        shown.append(("keep_unused", True))
    return [("name", params["name"]), *sorted(shown, key=lambda kv: kv[0])]


def _take_outer_names(eqn: JaxprEqn, jaxpr: Jaxpr, names: Names) -> None:
    """Inputs are called what the operands are, results what the equation binds; each name once."""
    taken = set()
    for inner, outer in zip(jaxpr.invars, eqn.invars, strict=True):
        if isinstance(outer, Var) and names.var(outer) not in taken:
            names.vars[id(inner)] = names.var(outer)
            taken.add(names.var(outer))
    invars = {id(v) for v in jaxpr.invars}
    for inner, outer in zip(jaxpr.outvars, eqn.outvars, strict=True):
        named_already = id(inner) in invars and id(inner) in names.vars
        if isinstance(inner, Var) and not named_already:
            names.vars[id(inner)] = names.var(outer)


jit_p.pretty = _jit_pretty


def jit_params(jaxpr: Jaxpr, name: str, donated: tuple[bool, ...], keep_unused: bool, inline: Inline) -> dict[str, Any]:
    """The parameters of a jit equation, as JAX has them."""
    n_in, n_out = len(jaxpr.invars), len(jaxpr.outvars)
    return dict(
        jaxpr=jaxpr, in_shardings=(UNSPECIFIED,) * n_in, out_shardings=(UNSPECIFIED,) * n_out,
        in_layouts=(None,) * n_in, out_layouts=(None,) * n_out, donated_invars=donated, ctx_mesh=None, name=name,
        keep_unused=keep_unused, inline=inline, compiler_options_kvs=(),
    )  # fmt: skip
