"""The exercises of chapter 3 on programs and kernels: what they need, hints, known mistakes."""

from .chapter3_cases import names
from .chapter3_program_cases import (
    COLLATZ,
    COUNTED,
    branch_cases,
    kernel_cases,
    live_cases,
    numbers_program,
    text_cases,
    unroll_cases,
)
from .exercise import Exercise, Mistake

_UNROLLS = "numbers(rerun, program, [jnp.arange(2.0)], {'scan': scan_by_steps})"
_SCAN = "program = jax.make_jaxpr(lambda xs: lax.scan(lambda c, x: (c * 2.0 + x, {}), 1.0, xs{}))(jnp.arange({}.0))"
UNROLLED = Exercise(
    "3.4", "a rule that unrolls", "scan_by_steps", 2, 20, "sections 2 and 3",
    hints=(
        "One step is rerun(params['jaxpr'], [*consts, *carry, *(x[i] for x in xs)], {'scan': scan_by_steps}).",
        "Take its results apart with ft_out: the first part is the carry of the next step. Keep the ys of step i under "
        "the key i, in a dict, so the order of the steps does not matter.",
        "At the end, y number k is jnp.stack([ys[i][k] for i in range(length)]). With no step it is an array of zeros "
        "that has the shape and the dtype of its outvar.",
    ),
    cases=unroll_cases,
    mistakes=(
        Mistake(
            "all scans go forwards",
            "With reverse=True the last element comes first, so the carry comes from there.",
            f"{_UNROLLS}[0] == 5.0",
            _SCAN.format("c", ", reverse=True", 2),
            explains=("reverse=True",),
        ),
        Mistake(
            "the ys lie in the order of the steps",
            "y[i] belongs to x[i]. In a reverse scan the first step makes the last y.",
            f"{_UNROLLS}[1] == [1.0, 3.0]",
            _SCAN.format("c", ", reverse=True", 2),
            explains=("reverse=True",),
        ),
        Mistake(
            "a scan in a scan stays",
            "The program of a step may have scans itself. Run it with `rerun`, and with your rule.",
            "count('scan', retraced(program, {'scan': scan_by_steps})) > 0",
            "program = jax.make_jaxpr(lambda table: lax.scan(lambda c, row: (lax.scan(lambda c, x: (c + x, None), c, "
            "row)[0], None), 0.0, table))(jnp.ones((2, 2)))",
            explains=("lambda c, row",),
        ),
        Mistake(
            "nothing is stacked where there are no steps",
            "The loop has results all the same: the carry as it came, and ys with no element, of the dtype that the "
            "program says.",
            "is_refused",
            f"{_SCAN.format('c', '', 0)}\ntry:\n    rerun(program, [jnp.arange(0.0)], {{'scan': scan_by_steps}})\n"
            "    is_refused = False\nexcept Exception:\n    is_refused = True",
            explains=("jnp.arange(0.0)", "length=0"),
        ),
    ),
    names=names,
)  # fmt: skip

_ARMS = "program = jax.make_jaxpr(lambda x: lax.cond({}))(1.0)"
ARMS = Exercise(
    "3.5", "both arms, and no branch", "both_arms", 2, 20, "section 7; exercise 3.4",
    hints=(
        "Run each branch with `rerun`, and your rule in the table. That gives one list of results for each branch.",
        "The results that belong together are zip(*lists): one from each branch. `lax.select_n` takes the index and "
        "these, in the order of the branches.",
        "Before all that, ask whether the cond has to stay: `eqn.effects`, or a `while` among equations(branch), for "
        "one of the branches.",
    ),
    cases=branch_cases,
    mistakes=(
        Mistake(
            "the arms change places",
            "The branches are in the order of their numbers, and False is 0. So the first branch is the function for "
            "false.",
            "numbers(rerun, program, [1.0], {'cond': both_arms}) == [3.0]",
            _ARMS.format("x > 0.0, lambda x: x * 2.0, lambda x: x * 3.0, x"),
        ),
        Mistake(
            "what is told is told in any case",
            "An arm that prints, or that calls a function of Python's for what it does, must not run if it is not "
            "taken. Such a cond stays.",
            "heard(rerun, program, [1.0], {'cond': both_arms})[1] != []",
            _ARMS.format("x < 0.0, lambda x: tell(x), lambda x: x, x"),
            explains=("tell(x) * 2.0",),
        ),
        Mistake(
            "each loop ends",
            "A while loop may end only for the numbers with which its arm is taken. Done for others, it might never "
            "stop. Such a cond stays.",
            "count('cond', retraced(program, {'cond': both_arms})) == 0",
            _ARMS.format("x > 1.0, lambda x: lax.while_loop(lambda y: y > 1.0, lambda y: y / 2.0, x), lax.sin, x"),
            explains=("lax.while_loop",),
        ),
        Mistake(
            "a cond in a branch stays",
            "Its own arms can be done without a branch as well: run the branches with `rerun` and your rule.",
            "count('cond', retraced(program, {'cond': both_arms})) == 1",
            _ARMS.format("x > 0.0, lambda: lax.cond(x > 1.0, lambda: 1.0, lambda: 2.0), lambda: 3.0"),
            explains=("lambda: lax.cond",),
        ),
    ),
    names=names,
)  # fmt: skip

_LIVE = "eqn = scan_equation(lambda c, x: ({}, {}), {})"
LIVE = Exercise(
    "3.9", "what is carried in vain", "live_carry", 3, 25, "sections 3 and 4; dead code in chapter 2",
    hints=(
        "One round is the pass for dead code, over the step's program: begin with the outvars that are wanted, go "
        "through the equations from the last to the first, and collect what they read.",
        "Wanted are the ys that are read, and those parts of the carry that are known to be needed. At first these "
        "are the ones that are read as results.",
        "After a round, an input of the carry that was collected is needed as well, and so is the outvar at its "
        "place. Repeat, as often as there are parts: each round adds one, or nothing more comes.",
    ),
    cases=live_cases,
    mistakes=(
        Mistake(
            "one round is enough",
            "The part that is needed now needs others, in the step before. Each round may add some: go on until one "
            "adds none.",
            "[*live_carry(eqn, [True, False, False, False])] != [True] * 4",
            _LIVE.format("(c[1], c[2], c[3], x)", "None", "(0.0, 0.0, 0.0, 0.0)"),
            explains=("c[1], c[2], c[3], x", "c[2] * 2.0), None)", "c[2] * c[1]"),
        ),
        Mistake(
            "what has a reader is needed",
            "The reader may be nobody's: a part that only makes its own next value, or two that only make each other. "
            "Begin with what is wanted, and not with what is there.",
            "[*live_carry(eqn, [False])] == [True]",
            _LIVE.format("c + x", "None", "0.0"),
        ),
        Mistake(
            "the ys need nothing",
            "A y that is read was made in a step, from the carry.",
            "[*live_carry(eqn, [False, True])] == [False]",
            _LIVE.format("c + x", "c * 2.0", "0.0"),
            explains=("c * 2.0)", "c[0] * x", "c[0] * 2.0)"),
        ),
        Mistake(
            "an equation that tells something is dead code",
            "Nobody reads a result of it, but it is done all the same, and with the right value.",
            "[*live_carry(eqn, [True, False])] == [True, False]",
            _LIVE.format("(c[0] + x, (tell(c[1]), c[1] + x)[1])", "None", "(0.0, 0.0)"),
            explains=("tell(",),
        ),
    ),
    names=names,
)  # fmt: skip

COUNTS = Exercise(
    "3.10", "a kernel that knows when to stop", "collatz_kernel", 3, 30, "section 10; chapter 2, sections 3 and 7",
    hints=(
        "Write the text of the loops first: for i0 in range(n): number = a[i0]; steps = 0; while number > 1: ...; "
        "b[i0] = steps.",
        "A line is Let(name, value), and a variable that is read is Name(name, dtype). An element is Load(buffer.name, "
        "counter('i0'), dtype), and a number is Const(3, dtype).",
        "In the inner loop there are two statements: an If, with one Let in each of its lists, and the Let that "
        "counts. Both arms bind the same name.",
    ),
    cases=kernel_cases,
    mistakes=(
        Mistake(
            "only the first element is done",
            "The buffers are flat, and have `size` elements. One loop goes over all of them.",
            f"{COUNTED} == [1, 7, 7]",
            numbers_program("np.int32([2, 2, 2])"),
            explains=("np.int32([", "np.arange("),
        ),
        Mistake(
            "the count goes on with the next number",
            "Each number has a count of its own: it begins with 0 inside of the outer loop.",
            f"{COUNTED} == [1, 2, 3]",
            numbers_program("np.int32([2, 2, 2])"),
            explains=("np.int32([", "np.arange("),
        ),
        Mistake(
            "numbers are counted, and not steps",
            "From 2 to 1 there are two numbers, and one step. 1 takes none.",
            f"{COUNTED} == 1",
            numbers_program("np.int32(1)"),
        ),
    ),
    names=names,
    parts=("collatz_p", "collatz_impl"),
    plug=COLLATZ,
)  # fmt: skip

STAGED = Exercise(
    "3.11", "if and while, staged", "run_staged", 4, 60, "sections 6 and 7; exercise 3.6",
    hints=(
        "One function, run(statements, known), that goes through the statements with a `match` and returns the "
        "variables after them. `known | {name: value}` is a new dict with one more.",
        "The while: lax.while_loop over the dict of all known variables. Its body runs the statements with that dict, "
        "and gives back the same names. What no round changes costs nothing.",
        "The if: ask jax.eval_shape for the variables after each arm. Those in both are the result; lax.cond takes two "
        "functions that run their arm and convert each result to the common dtype.",
    ),
    cases=text_cases,
    mistakes=(
        Mistake(
            "both arms are run",
            "They are only staged, as two functions for lax.cond. A statement that tells something then does it once.",
            "heard(run_staged, 'if x > 0:\\n    tell(1)\\nelse:\\n    tell(2)', x=1)[1] != [1]",
            explains=("if x", "if n"),
        ),
        Mistake(
            "the arms must assign the same variables",
            "A variable that one arm leaves alone keeps its value there, and one that is new in one arm only is gone "
            "after it.",
            "is_refused",
            "try:\n    run_staged('if x > 0:\\n    z = 1', x=1)\n    is_refused = False\n"
            "except Exception:\n    is_refused = True",
            explains=("    z = ",),
        ),
        Mistake(
            "the arms must agree about dtypes",
            "1 in one arm and 0.5 in the other: lax.cond refuses that. Convert both to the common dtype, in the arms.",
            "is_refused",
            "try:\n    run_staged('if x > 0:\\n    y = 1\\nelse:\\n    y = 0.5', x=1)\n    is_refused = False\n"
            "except TypeError:\n    is_refused = True",
            explains=("    y = 0.5", "    y = x * 0.5"),
        ),
        Mistake(
            "what is new in a loop is carried",
            "Before the first round it has no value, so it cannot be in the carry. It lives within one round.",
            "is_refused",
            "try:\n    run_staged('while x < 2:\\n    y = x + 1\\n    x = y', x=1)\n    is_refused = False\n"
            "except Exception:\n    is_refused = True",
            explains=("    y = x + 1\n", "    t = b"),
        ),
    ),
    names=names,
)  # fmt: skip
