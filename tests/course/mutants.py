"""Solutions with one small error: an operator, a constant or a condition that is another one.

The rule is fixed: every place between the marks of a solution at which one of the changes below applies.
"""

import ast
import copy

import exercises

_OTHER = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


def mutants(source):
    """The texts of all mutants of an answer cell, each with the line that is another one: (line, text)."""
    marked = _marked_lines(source)
    tree = ast.parse(source)
    for index, place in enumerate(_places(tree, marked)):
        for change in _changes(place):
            mutant = copy.deepcopy(tree)
            node = _places(mutant, marked)[index]
            change(node)
            yield _statement_at(mutant, node), ast.unparse(mutant)


def _places(tree, lines):
    """The nodes on these lines, always in the same order."""
    return [node for node in ast.walk(tree) if getattr(getattr(node, "target", node), "lineno", 0) in lines]


def _marked_lines(source):
    """The numbers of the lines between the marks."""
    lines, inside = set(), False
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip() in (exercises.BEGIN, exercises.END):
            inside = line.strip() == exercises.BEGIN
        elif inside:
            lines.add(number)
    return lines


def _statement_at(tree, node):
    """The first line of the smallest statement that holds `node`, as Python writes it."""
    holders = [s for s in ast.walk(tree) if isinstance(s, ast.stmt) and any(n is node for n in ast.walk(s))]
    return ast.unparse(min(holders, key=lambda s: len(ast.unparse(s)))).splitlines()[0]


def _leave_out(statement):
    """Make a statement into one that does nothing."""
    statement.__class__, nothing = ast.Expr, ast.Constant(None)
    vars(statement).update(value=nothing)


def _changes(node):
    """The changes that apply to a node: functions that make them in place."""
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in _OTHER:
            yield lambda node: node.ops.__setitem__(0, _OTHER[type(node.ops[0])]())
        case ast.BoolOp() | ast.BinOp() if type(node.op) in _OTHER:
            yield lambda node: setattr(node, "op", _OTHER[type(node.op)]())
        case ast.Constant(value=bool()):
            yield lambda node: setattr(node, "value", not node.value)
        case ast.Constant(value=int()):
            yield lambda node: setattr(node, "value", node.value + 1)
        case ast.If() | ast.IfExp():
            yield lambda node: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield lambda node: setattr(node, "op", ast.UAdd())
        case ast.comprehension(ifs=[_, *_]):
            yield lambda node: node.ifs.clear()
        case ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Expr():
            yield _leave_out
