import jax, jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name

P = jax.checkpoint_policies

def f(W, x):
    y = jnp.sin(W @ x)
    z = checkpoint_name(jnp.cos(y), "z")
    u = checkpoint_name(jnp.sin(z) * x, "u")
    return (u * y).sum()

W, x = jnp.ones((3, 3)), jnp.arange(3.0)
policies = [
    None, P.everything_saveable, P.dots_saveable, P.dots_with_no_batch_dims_saveable, P.save_only_these_names("z"),
    P.save_any_names_but_these("z"), P.save_anything_except_these_names("z"),
    P.save_from_both_policies(P.dots_saveable, P.save_only_these_names("u")),
]
for policy in policies:
    g = jax.grad(jax.checkpoint(f, policy=policy))
    for eqn in jax.make_jaxpr(g)(W, x).eqns:
        print(eqn.primitive, [str(v.aval) for v in eqn.invars], [str(v.aval) for v in eqn.outvars])
    print(eqn.params["jaxpr"])
    print(g(W, x))
try:
    jax.grad(jax.checkpoint(f, policy=lambda *args, **params: "yes"))(W, x)
except TypeError as e:
    print(e)
