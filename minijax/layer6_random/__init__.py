"""Layer 6, random numbers as a pure function: threefry, keys as types, samplers."""
