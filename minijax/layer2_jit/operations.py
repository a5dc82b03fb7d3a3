"""Operations on scalars: how each is written in Python."""

# An operator is written between its operands, a prefix before its only one; anything else is a function of that name.
OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
}  # fmt: skip
