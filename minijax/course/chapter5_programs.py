"""The exercises of chapter 5 on the law of vmap, on writing, on loops and branches of batches, and on lanes."""

from .chapter5_cases import names
from .chapter5_program_cases import branch_cases, lane_cases, loop_cases, update_cases, while_cases
from .exercise import Exercise, Mistake

LAW = Exercise(
    "5.5", "vmap, by a loop", "vmap_by_loop", 2, 25, "section 4",
    hints=(
        "Make two lists of one length first: the arrays of all arguments (`tree_flatten_with_path` gives them with "
        "their paths), and their axes. For the axes, put as many copies of an axis into a list as the part of the "
        "arguments has leaves.",
        "The sizes of the mapped axes: np.shape(x)[axis] where the axis is not None. If a set of them has more than "
        "one element, make the error from the paths.",
        "Example i: of each array jnp.take(x, i, axis), or x itself under None; then jax.tree.unflatten with the tree "
        "of the arguments. In the end one jax.tree.map over all results stacks their leaves.",
    ),
    cases=loop_cases,
    mistakes=(
        Mistake(
            "the first size counts for all",
            "A batch of 3 and a batch of 2 have no examples in common. Nobody is told, if some are left out or made "
            "up.",
            "not str(refusal(vmap_by_loop(lambda *args: 0), jnp.zeros(3), jnp.zeros(2))).startswith('ValueError: "
            "vmap')",
            explains=("refusal(",),
        ),
        Mistake(
            "None is axis 0",
            "Under None an array is the same for all examples, and each of them gets all of it.",
            "numbers(vmap_by_loop(lambda x, y: y, (0, None)), jnp.arange(2), jnp.array([5, 7])) == [5, 7]",
            explains=("None",),
        ),
        Mistake(
            "one axis for each argument",
            "in_axes may be a tree: what stands at a place holds for all arrays that are below the same place of the "
            "arguments.",
            "refusal(vmap_by_loop(lambda p: p['w'] + p['b'], ({'w': None, 'b': 0},)), {'w': 1, 'b': jnp.arange(2)}) "
            "is not None",
            explains=("({'w'", "((0, None), None)"),
        ),
        Mistake(
            "the result is one array",
            "A function may give a tree. Then each of its leaves is stacked by itself: jax.tree.map takes several "
            "trees.",
            "refused or not isinstance(vmap_by_loop(lambda x: (x, x))(jnp.arange(3)), tuple)",
            "refused = refusal(vmap_by_loop(lambda x: (x, x)), jnp.arange(3)) is not None",
            explains=("lambda x: (x, {",),
        ),
    ),
    names=names,
)  # fmt: skip

_WRITTEN = (
    "with_rules(batching_rules, {{lax.dynamic_update_slice_p: update_batching}}, {}(jax.vmap(lambda x, u, i: "
    "lax.dynamic_update_slice(x, u, (i,)), in_axes={})), {}, {}, jnp.array({}))"
)
UPDATE = Exercise(
    "5.6", "each example writes at its own place", "update_batching", 2, 20, "section 7",
    hints=(
        "Put all operands in order first: each with its batch axis in front, of `x` and of `update` one more axis, and "
        "of the starts, which were numbers, their only one.",
        "The indices are the starts beside each other: jnp.stack(starts, axis=1), a row for each example.",
        "An example has rank n, so its axes are 1 to n in `x`, and in `update` as well: these are the axes of the "
        "block, and the numbers in a row are for them. Axis 0 of `x` and axis 0 of the indices run along with each "
        "other.",
    ),
    cases=update_cases,
    mistakes=(
        Mistake(
            "all write where the first one does",
            "The starts may have a batch axis, too: each example has a place of its own.",
            f"numbers(lambda: {_WRITTEN.format('', '(0, 0, 0)', 'jnp.zeros((2, 2))', 'jnp.ones((2, 1))', [1, 0])}) "
            "== [[0.0, 1.0], [0.0, 1.0]]",
        ),
        Mistake(
            "what stands out is left out",
            "scatter leaves a block out that does not fit, unless it is told otherwise. dynamic_update_slice pushes it "
            'back inside: mode="clip".',
            f"numbers(lambda: {_WRITTEN.format('', '(0, 0, 0)', 'jnp.zeros((1, 2))', 'jnp.ones((1, 1))', [5])}) "
            "== [[0.0, 0.0]]",
            explains=("9]",),
        ),
        Mistake(
            "every operand has a batch axis",
            "Any of them may be the same for all examples: its place is None. bdim_at_front makes a batch of it.",
            "is_refused",
            "is_refused = refusal(lambda: "
            f"{_WRITTEN.format('', '(None, 0, 0)', 'jnp.zeros(2)', 'jnp.ones((2, 1))', [1, 0])}) is not None",
            explains=("None",),
        ),
        Mistake(
            "one after the other",
            "The values are right, and the program is a loop over the examples. Let one scatter write all blocks.",
            "not {'while', 'scan', 'dynamic_update_slice'}.isdisjoint(operations("
            f"{_WRITTEN.format('jax.make_jaxpr', '(0, 0, 0)', 'jnp.zeros((2, 2))', 'jnp.ones((2, 1))', [1, 0])}))",
            explains=("operations(",),
        ),
    ),
    names=names,
)  # fmt: skip

_ENDED = "numbers(batched_while, lambda x: x < 3, lambda x: x + 1, jnp.array([0, 2]))"
_ROWS = "numbers(batched_while, lambda x: x.sum() < 3, lambda x: x + 1, jnp.array([[0, 0], [5, 5]]))"
LOOP = Exercise(
    "5.7", "until the last one has ended", "batched_while", 2, 20, "section 12",
    hints=(
        "The loop is lax.while_loop with the whole batch as its carry. Its condition asks each example, by jax.vmap, "
        "and goes on if the answer is true for any of them.",
        "A round for one example: it is what `body` gives if the condition is true for it, and else what it was. "
        "Without a branch: jnp.where.",
        "jax.vmap of that function is a round for all. The value may be a tree: choose for each leaf, with "
        "jax.tree.map over the new value and the old one.",
    ),
    cases=while_cases,
    mistakes=(
        Mistake(
            "it stops with the first one",
            "The loop goes on as long as the condition is true for any example, not for all of them.",
            f"{_ENDED} == [1, 3]",
        ),
        Mistake(
            "those that have ended go on",
            "The body changes all examples of the batch. Keep the old value where the condition is false.",
            f"{_ENDED} == [3, 5]",
        ),
        Mistake(
            "the condition is a factor",
            "The body may make NaN of an example that has ended, and 0 times NaN is NaN. A choice is no product.",
            "str(numbers(batched_while, lambda x: x >= 1.0, lambda x: jnp.sqrt(x - 1.0), jnp.array([0.5, 2.0]))) "
            "== '[nan, 0.0]'",
            explains=("jnp.sqrt(",),
        ),
        Mistake(
            "the mask meets the last axis",
            "NumPy lines shapes up at their last axes, and the examples lie along the first one. Choose for *one* "
            "example, and let jax.vmap do it for all: there the condition is one truth value, and goes with any shape.",
            f"{_ROWS} == [[3, 0], [8, 5]]",
            explains=("s['x']",),
        ),
        Mistake(
            "a loop for each example",
            "The values are right, and there are as many loops as examples, one after the other. Let one loop do a "
            "round of all of them.",
            "count('while', jax.make_jaxpr(lambda xs: batched_while(lambda x: x < 3, lambda x: x + 1, xs))"
            "(jnp.arange(3))) != 1",
            explains=("count('while'", "len(heard("),
        ),
    ),
    names=names,
)  # fmt: skip

_CHOSEN = "with_rules(batching_rules, {{lax.cond_p: rule_of_cond(select_branches)}}, {})"
_LOG = "f = lambda x: lax.cond(x > 0.0, jnp.log, lambda x: x, x)"
BRANCHES = Exercise(
    "5.8", "an arm that nobody takes", "select_branches", 3, 25, "section 11",
    hints=(
        "Without the rest: all results of all branches, and then lax.select_n(which, *cases) for each result, where "
        "`which` is the index for each element: along(index, case). The cases are one from each branch.",
        "Branch i is taken where index == i. It sees jnp.where(along(taken, x), x, lax.stop_gradient(x)) of each "
        "operand x. In reverse mode, what comes back for those that do not take it, even NaN, ends there.",
        "lax.cond(taken.any(), branch, nothing, *seen) runs a branch only if somebody takes it. `nothing` gives zeros "
        "of the types that jax.eval_shape says.",
    ),
    cases=branch_cases,
    mistakes=(
        Mistake(
            "only the results are chosen",
            "The values are right, and the gradient is NaN: a cotangent of 0 goes into the branch and meets an "
            "infinite slope. Guard what the branch sees as well.",
            f"{_CHOSEN.format('numbers, jax.vmap(f), x')} == [1.0, 0.0] and "
            f"'nan' in str({_CHOSEN.format('numbers, jax.grad(lambda x: jax.vmap(f)(x).sum()), x')})",
            "f = lambda x: lax.cond(x > 0.0, jnp.sqrt, lambda x: x, x)\nx = jnp.array([1.0, 0.0])",
            explains=("grad(",),
        ),
        Mistake(
            "the mask is a factor",
            "0 times NaN is NaN, in the value already. lax.select_n does not look at what it does not take.",
            f"'nan' in str({_CHOSEN.format('numbers, jax.vmap(f), jnp.array([1.0, -1.0])')})",
            _LOG,
            explains=("jnp.log", "jnp.sqrt"),
        ),
        Mistake(
            "every arm is run",
            "The values are right. But ask first whether anybody takes a branch: lax.cond(taken.any(), ...) runs one "
            "of two functions.",
            f"{_CHOSEN.format('arms_told, jax.vmap(f), jnp.array([1, 2])')}[1] == [0, 1]",
            "f = lambda x: lax.cond(x > 0, lambda x: x + 0 * tell(1), lambda x: x + 0 * tell(0), x)",
            explains=("tell(",),
        ),
        Mistake(
            "the index lies along the last axis",
            "NumPy lines shapes up at their last axes, and the examples lie along the first one. along(index, x) says "
            "it for each element.",
            f"{_CHOSEN.format('numbers, jax.vmap(f), jnp.array([True, False]), jnp.array([[1, 2], [3, 4]])')} "
            "== [[2, -2], [6, -4]]",
            "f = lambda p, x: lax.cond(p, lambda x: x * 2, lambda x: -x, x)",
            explains=("reshape(",),
        ),
    ),
    names=names,
)  # fmt: skip

_LANES = "rounded(run_lanes, {!r}, {})"
LANES = Exercise(
    "5.9", "one program, many lanes", "run_lanes", 4, 60, "sections 10 to 12; exercises 3.11, 5.7 and 5.8",
    hints=(
        "A function run(statements, known, mask) gives the variables after the statements. The mask is None as long as "
        "all lanes take part. An assignment under a mask is jnp.where(mask, new, old). For an `if` whose test has "
        "lanes, ask the test once, and then run both arms: under the mask and the test, under the mask and not the "
        "test.",
        "A `while` is lax.while_loop with all variables as its carry. A lane is active where the mask and the test are "
        "true. If that has lanes, the loop goes on while any is active, and the body runs under that mask; if it is "
        "one truth value, the loop asks it, and the body has no mask.",
        "Shapes: jax.eval_shape(one_round, known) says what a round makes of them. Broadcast each variable to what "
        "comes out, and look again, until nothing changes. For a lax.cond, both arms must give the same shapes: take "
        "the larger one of the two for each variable.",
    ),
    cases=lane_cases,
    mistakes=(
        Mistake(
            "everything has lanes",
            "A number that is the same for all lanes is computed once. Only what is made from a lane's own numbers, or "
            "changed under a mask, has lanes.",
            f"isinstance({_LANES.format('y = a', 'x=jnp.arange(2.0), y=0.0, a=1.0')}['y'], list)",
            explains=("y = a + 1.0", "b = 3.0", "while i < a", "while a > 0.0"),
        ),
        Mistake(
            "masks do not nest",
            "A lane that is out of the outer arm is out of the inner one as well, whatever the inner test says for it.",
            _LANES.format("if x > 0.0:\n    if y > 0.0:\n        x = 5.0", "x=jnp.array([1.0, -1.0]), y=jnp.ones(2)")
            + "['x'] == [5.0, 5.0]",
            explains=("    if y > 0.0", "    while x < 9.0", "    while i < 2.0", "    if a > b", "    while j < x"),
        ),
        Mistake(
            "the test is asked again for the other arm",
            "The first arm may change what the test is about. Ask it once, before both arms.",
            _LANES.format("if x > 0.0:\n    x = -x\nelse:\n    x = x - 1.0", "x=jnp.array([1.0, -1.0])")
            + "['x'] == [-2.0, -2.0]",
            explains=("else:",),
        ),
        Mistake(
            "one look is enough",
            "In one round a variable may get lanes from another one, and in the next round it gives them to a third "
            "one. Look until no shape changes.",
            "after is not None and before is None",
            "text = 'while i < 2.0:\\n    {}z = x\\n    i = i + 1.0'\n"
            "x = jnp.array([1.0, 2.0])\n"
            "before, after = (refusal(lambda: run_lanes(text.format(more), x=x, y=0.0, z=0.0, i=0.0)) "
            "for more in ('', 'y = z\\n    '))",
            explains=("y = z",),
        ),
    ),
    names=names,
)  # fmt: skip
