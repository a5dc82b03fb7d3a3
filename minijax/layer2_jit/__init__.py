"""The compiler: a jaxpr becomes readable Python loops, and Numba makes machine code of them."""
