"""The exercises of chapter 3, control flow: what they need, hints, known mistakes. Some are in chapter3_programs.py."""

from .chapter3_cases import (
    LARGE,
    chunk_cases,
    doubling_cases,
    first_cases,
    names,
    range_cases,
    runs_cases,
    steady_cases,
)
from .chapter3_programs import ARMS, COUNTS, LIVE, STAGED, UNROLLED
from .exercise import Exercise, Mistake

TITLE = "control flow"

RUNS = Exercise(
    "3.1", "how often does Python run it?", "python_runs", 1, 5, "sections 2 to 8",
    hints=(
        "Staging needs types, not values: one run for each type of its arguments. What does a loop of Python's need?",
        "All arms of a branch are in the program, so all of them are staged. The number of steps does not matter, and "
        "0 is a number of steps, too.",
        "One of the programs starts with a weak int, and the first step makes a float of it. And one uses the same "
        "function in two loops, at the same types.",
    ),
    cases=runs_cases,
    mistakes=(
        Mistake(
            "one run for each step",
            "The body becomes a program, which does the steps. Python runs it to get that program, and not again.",
            'python_runs()["scan"] == 5',
            explains=("lax.scan(lambda c, x: (f(c + x), None), 0.0, jnp.arange(5.0))", "lax.fori_loop"),
        ),
        Mistake(
            "a loop without steps needs no body",
            "The types of the results come from the body, so it is staged even where it will never be done.",
            'python_runs()["empty"] == 0',
            explains=("jnp.arange(0.0)",),
        ),
        Mistake(
            "a number to start with has a type once and for all",
            "0 is a weak int, and the first step makes a float of it. So the carry starts as a float, and the body is "
            "staged once more.",
            'python_runs()["start"] == 1',
            explains=("0, jnp.arange(5.0)",),
        ),
        Mistake(
            "only the arm that is taken is staged",
            "A program has to say all arms, even if this call takes only one. Which one it is may be known later.",
            'python_runs()["cond"] == 1',
            explains=("lax.cond",),
        ),
    ),
    names=names,
)  # fmt: skip

RANGE = Exercise(
    "3.2", "a range with a step, staged", "range_loop", 1, 10, "sections 6 and 8",
    hints=(
        "Carry a pair: the counter and x. A step makes the next counter from this one, and calls `body` with this one.",
        "With a positive step there is more to do while i < stop, with a negative one while i > stop, and with a step "
        "of 0 there is nothing.",
        "Let the program ask for the sign of the step, too: each way to go on is two comparisons joined by &, and the "
        "two ways are joined by |. `and` and `or` would be questions of Python's.",
    ),
    cases=range_cases,
    mistakes=(
        Mistake(
            "it only counts upwards",
            "range(1, 0, -1) has an element, and i < stop is not true for it. The test depends on the sign of the "
            "step.",
            "numbers(range_loop, 1, 0, -1, lambda i, x: x + 1, 0) == 0",
            explains=(", -1, body", ", -2, body"),
        ),
        Mistake(
            "one step before the first test",
            "Where there is nothing to do, the body is not run: a while loop asks first.",
            "numbers(range_loop, 0, 0, 1, lambda i, x: x + 1, 0) == 1",
        ),
        Mistake(
            "the last step is lost",
            "From 0 to 3 by 2 there are two elements, 0 and 2. A quotient that is rounded down says one.",
            "numbers(range_loop, 0, 3, 2, lambda i, x: x + 1, 0) == 1",
            explains=(", 2, body", ", 3, body", ", -2, body"),
        ),
        Mistake(
            "Python asks for the sign of the step",
            "With a traced step there is no answer. Let the condition of the loop ask, as a part of the program.",
            "asked",
            "try:\n    jax.make_jaxpr(lambda step: range_loop(0, 3, step, lambda i, x: x, 0))(1)\n    asked = False\n"
            "except TypeError:\n    asked = True",
            explains=("lambda a, b, s:",),
        ),
        Mistake(
            "a product or a difference that does not fit",
            "In int32 a number that is too large comes out as another one, so its sign says nothing. Compare i with "
            "stop, and step with 0.",
            f"numbers(range_loop, {LARGE[0]}, lambda i, x: x + 1, 0) == 0"
            f" or numbers(range_loop, {LARGE[-1]}, lambda i, x: x + 1, 0) == 0",
            explains=LARGE,
        ),
    ),
    names=names,
    seconds=5,
)  # fmt: skip

FIRST = Exercise(
    "3.3", "stop when it is found", "first_where", 1, 15, "section 6",
    hints=(
        "Carry two things: the index, and whether the element there was the one. The condition of the loop asks for "
        "both, and looks at no element.",
        "The body looks at the element at the index. If it is not the one, the index goes on by one: jnp.where(is_it, "
        "i, i + 1).",
        "Then the index is right at the end in both cases: where it was found it has stayed, and otherwise it is the "
        "length. The condition is `(i < length) & ~found`. An empty array needs no loop.",
    ),
    cases=first_cases,
    mistakes=(
        Mistake(
            "an empty array is looked at",
            "Where there is no element, even to stage xs[i] is an error. Ask for the length in Python, first.",
            "staged",
            "try:\n    numbers(first_where, lambda x: x > 0, jnp.array([], int))\n    staged = False\n"
            "except IndexError:\n    staged = True",
            explains=("jnp.array([], int)",),
        ),
        Mistake(
            "it looks at all elements",
            "That is what jnp.argmax does. The loop ends with the first element for which `pred` is true.",
            "len(heard(first_where, lambda x: tell(x) > 0, jnp.array([1, 0]))[1]) == 2",
        ),
        Mistake(
            "a look behind the end",
            "`(i < length) & ~pred(xs[i])` computes both sides. Behind the last element it sees that one again. Look "
            "in the body, and carry what was seen.",
            "heard(first_where, lambda x: tell(x) > 0, jnp.array([0]))[1] == [0, 0]",
        ),
        Mistake(
            "nothing found is the last place",
            "For the length as the answer the index has to go on once more after the last element.",
            "numbers(first_where, lambda x: x > 0, jnp.array([0])) == 0",
        ),
        Mistake(
            "one place too far",
            "The index goes on only if the element was not the one.",
            "numbers(first_where, lambda x: x > 0, jnp.array([1])) == 1",
        ),
    ),
    names=names,
    seconds=5,
)  # fmt: skip

STEADY = Exercise(
    "3.6", "a carry whose types stand still", "steady", 2, 20, "section 4",
    hints=(
        "First one round: a function of a part that goes in and of the type that comes out, mapped over both trees "
        "with jax.tree.map.",
        "It gives the part back where that is strong, or where its dtype is the common one already. Otherwise it "
        "converts.",
        "Then compare the types before and after the round (jax.tree.map(jax.typeof, tree)). Are they equal? Else the "
        "function calls itself with the new start.",
    ),
    cases=steady_cases,
    mistakes=(
        Mistake(
            "one round is enough",
            "A part that was converted may change the type of another one in the next step. Go on until nothing "
            "changes.",
            "[str(jax.typeof(x)) for x in steady(lambda c: (c[1], c[1] + 0.5), (0, 0))] == ['~int32[]', 'float32[]']",
            explains=("c[1], c[1] + 0.5", "c[1], c[2]", "c[3], c[0]"),
        ),
        Mistake(
            "a strong part is converted",
            "Who writes np.int32(1) wants an int32, and is told by the loop that a float comes out. Only weak parts "
            "give way.",
            "jax.typeof(steady(lambda c: c + 0.5, np.int32(1))).dtype.name == 'float32'",
            explains=("np.int32(1)",),
        ),
        Mistake(
            "what comes out is always right",
            "The step makes an int of 0.5, but that is no reason to start with 0. The common dtype of both holds what "
            "goes in and what comes out.",
            "numbers(steady, lambda c: jnp.int32(c), 0.5) == 0",
            explains=("jnp.int32(c)",),
        ),
        Mistake(
            "all weak parts become strong",
            "A part whose dtype is right stays as it is, and so weak. It may take another dtype in a larger program.",
            "not jax.typeof(steady(lambda c: c + 1, 0)).weak_type",
        ),
    ),
    names=names,
)  # fmt: skip

DOUBLING = Exercise(
    "3.7", "all partial results by doubling", "by_doubling", 2, 20, "section 8",
    hints=(
        "At distance d, two pieces of the array are combined: all but the last d elements, and all but the first d. "
        "Slices do that for any length.",
        "The first d elements have nothing to look back to. They stay, and the results follow them: jnp.concatenate.",
        "With reverse the last d elements stay. And the first operand is the piece that lies later, because the scan "
        "comes from there.",
    ),
    cases=doubling_cases,
    mistakes=(
        Mistake(
            "the operands change places",
            "A sum does not care, but `lambda a, b: a` does. What comes first along the scan is the first operand, and "
            "with reverse that is what stands later.",
            "numbers(by_doubling, lambda a, b: a, jnp.arange(2) + 2) == [2, 3]"
            " or numbers(by_doubling, lambda a, b: a, jnp.arange(2) + 2, reverse=True) == [2, 3]",
            explains=("lambda a, b: a\n", "lambda a, b: b", "a[0] * b[0]"),
        ),
        Mistake(
            "reverse changes nothing",
            "With reverse=True the scan comes from the last element, so each element looks forward.",
            "numbers(by_doubling, lambda a, b: a + b, jnp.arange(2) + 2, reverse=True) == [2, 5]",
            explains=("reverse=True",),
        ),
        Mistake(
            "the distance grows by one",
            "After distance 1 each element stands for two. To look back by 2 is to look at two more, and then by 4. In "
            "between, elements would count twice.",
            "numbers(by_doubling, lambda a, b: a + b, jnp.ones(4, int)) == [1, 2, 3, 5]",
            explains=("jnp.arange(4)", "jnp.arange(5)"),
        ),
        Mistake(
            "one element after the other",
            "That is right, but a loop of n - 1 steps. `fn` works on many elements at once: one call for each "
            "distance.",
            "counted(lambda f: by_doubling(lambda a, b: f(a + b), jnp.arange(9))) >= 8",
            explains=("counted",),
        ),
        Mistake(
            "zeros are put before the start",
            "That is right for a sum only: a product with 0 is 0. The elements that have nothing to look back to are "
            "not combined at all.",
            "numbers(by_doubling, lambda a, b: a * b, jnp.arange(2) + 2) == [0, 6]",
            explains=("a * b", "lambda a, b: a\n", "a[0] * b[0]"),
        ),
    ),
    names=names,
    seconds=5,
)  # fmt: skip

CHUNKS = Exercise(
    "3.8", "a loop of loops", "scan_in_chunks", 2, 20, "section 5",
    hints=(
        "Cut each array of xs into `x[:whole]`, with the shape (rounds, size, ...), and `x[whole:]`. Both can be "
        "scanned over, even where they are empty.",
        "The body of the outer scan is a scan: lambda carry, chunk: lax.scan(f, carry, chunk). It returns a pair, as a "
        "body must.",
        "The ys of the outer scan have the two axes (rounds, size): reshape them to one. The carry goes from the first "
        "loop to the second, and with reverse the elements left over are the first loop.",
    ),
    cases=chunk_cases,
    mistakes=(
        Mistake(
            "one loop does it all",
            "The values are right, but five elements in chunks of two should be a loop of two rounds, a loop of two "
            "steps in it, and one of one step for the rest.",
            "lengths(jax.make_jaxpr(lambda xs: scan_in_chunks(lambda c, x: (c + x, c), 0, xs, 2))(jnp.arange(5)))"
            " == [5]",
            explains=("lengths",),
        ),
        Mistake(
            "the rest is forgotten",
            "Five elements in chunks of two leave one over.",
            "len(scan_in_chunks(lambda c, x: (c + x, c), 0, jnp.arange(5), 2)[1]) == 4",
        ),
        Mistake(
            "the rest begins anew",
            "It goes on with the carry that comes out of the other loop, and not with `init`.",
            "numbers(scan_in_chunks, lambda c, x: (c + x, c), 10, jnp.ones(3, int), 2)[0] in (11, 12)",
        ),
        Mistake(
            "with reverse, the rest is still the last to be done",
            "Backwards the last elements come first: their loop gets `init`, and the chunks get its carry.",
            "numbers(scan_in_chunks, lambda c, x: (c * 2 + x, c), 0, jnp.array([0, 0, 1]), 2, reverse=True)[0] == 1",
            explains=("reverse=True",),
        ),
        Mistake(
            "with reverse, only one of the two loops turns around",
            "The chunks come from the last to the first, and within each chunk its elements do, too.",
            "numbers(scan_in_chunks, lambda c, x: (c * 2 + x, c), 0, jnp.array([1, 0, 0, 0]), 2, reverse=True)[0]"
            " in (2, 4)",
            explains=("reverse=True",),
        ),
    ),
    names=names,
)  # fmt: skip

EXERCISES = (RUNS, RANGE, FIRST, UNROLLED, ARMS, STEADY, DOUBLING, CHUNKS, LIVE, COUNTS, STAGED)
