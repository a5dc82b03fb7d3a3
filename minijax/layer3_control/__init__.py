"""Control flow: branches, loops and calls to Python, as equations that carry programs."""
