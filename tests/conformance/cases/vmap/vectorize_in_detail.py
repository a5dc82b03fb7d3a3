import jax, jax.numpy as jnp

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

x = jnp.arange(12.0).reshape(4, 3)

show("vec", lambda: jax.make_jaxpr(jnp.vectorize(lambda a,b: a+b))(x,x[0]))
show("vec1", lambda: jax.make_jaxpr(jnp.vectorize(lambda a,b: a@b, signature='(n),(n)->()'))(x,x[0]))
show("vec2", lambda: jnp.vectorize(lambda a,b: a@b, signature='(n),(n)->(n)')(x,x[0]))
show("vec3", lambda: jnp.vectorize(lambda a,b: a@b, signature='(n),(n)->(),()')(x,x[0]))
show("vec4", lambda: jnp.vectorize(lambda a,b: (a@b,a), signature='(n),(n)->()')(x,x[0]))
show("vec5", lambda: jnp.vectorize(lambda a,b: a@b, signature='(n),n)->()')(x,x[0]))
show("vec6", lambda: jnp.vectorize(lambda a,n: a*n, excluded={1})(x,3))
show("vec7", lambda: jnp.vectorize(lambda a,n: a*n, excluded={'n'})(x,n=3))
show("vec8", lambda: jnp.vectorize(lambda a: a, excluded={-1})(x))
show("vec9", lambda: jnp.vectorize(lambda a: a, excluded={1.5})(x))
show("vec10", lambda: jnp.vectorize(lambda a,b: a@b, signature='(n),(n)->()')(x))
show("vec11", lambda: jax.make_jaxpr(jnp.vectorize(lambda a,b: a+b))(jnp.ones((2,1,3)),jnp.ones((1,1))))
show("vec12", lambda: jnp.vectorize(lambda a,b: a+b)(jnp.ones((2,)),jnp.ones((3,))))
show("vec13", lambda: jnp.vectorize(lambda a,b: a if b is None else a+b)(jnp.ones((2,)),None))
show("fpf", lambda: jnp.frompyfunc(lambda a,b: a+10*b, 2, 1)(jnp.arange(4),1))
show("fpfo", lambda: jnp.frompyfunc(lambda a,b: a+10*b, 2, 1).outer(jnp.arange(2),jnp.arange(3)))
show("fpfr", lambda: jnp.frompyfunc(lambda a,b: a+b, 2, 1, identity=0).reduce(jnp.arange(4)))
show("fpfj", lambda: jax.make_jaxpr(jnp.frompyfunc(lambda a,b: a+10*b, 2, 1))(jnp.arange(4),1))
show("aaa", lambda: jax.make_jaxpr(lambda a: jnp.apply_along_axis(lambda v: v.sum(), 1, a))(jnp.ones((2,3,4))))
show("aaa2", lambda: jnp.apply_along_axis(lambda v: v[:2]*2, 0, x))
show("ff", lambda: jax.make_jaxpr(lambda: jnp.fromfunction(lambda i,j: i+j, (2,3)))())
show("ff2", lambda: jnp.fromfunction(lambda i,j: i*10+j, (2,3)))
