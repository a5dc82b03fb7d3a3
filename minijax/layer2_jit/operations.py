"""What the two sides of a kernel agree on: how operations are written, and where an array keeps its elements."""

# An operator is written between its operands, a prefix before its only one; anything else is a function of that name.
OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
}  # fmt: skip

SPLIT = "minijax_split"  # the symbol of the function that runs a kernel in parts: see threads.py
DATA = 16  # bytes from the start of a NumPy array's object to the address of its elements
