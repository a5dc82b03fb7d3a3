"""jax.numpy in terms of lax: promotion of types and ranks, and then the primitives."""
