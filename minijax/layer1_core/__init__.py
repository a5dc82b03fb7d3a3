"""The core: avals, pytrees, primitives, tracers, jaxprs, arrays, lax and jnp."""
