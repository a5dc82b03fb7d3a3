"""Differentiation: programs of tangents made from programs, forward and backward."""
