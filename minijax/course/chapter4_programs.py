"""The exercises of chapter 4 on tags, passes backwards, memory, and programs in two parts."""

from .chapter4_cases import names
from .chapter4_program_cases import fixed_point_cases, segment_cases, split_cases, tag_cases, text_cases
from .exercise import Exercise, Mistake

_TWICE = "derivative(lambda x: {}derivative(lambda y: {}, 1.0), 2.0) == {}"
TAGGED = Exercise(
    "4.6", "whose slope is it?", "derivative", 2, 20, "section 2",
    hints=(
        "Each call of `derivative` takes a new tag, next(TAGS), and makes one Dual with it. A Dual of another tag is a "
        "number like any other: its slope, for this derivative, is 0.0.",
        "When two Duals with different tags meet, the one that was made later belongs to the inner derivative. The "
        "result is a Dual of that tag, and the other one is a part of its value and of its slope.",
        "In `combined`: the largest tag, the two pairs for it, and a Dual of `value(...)` and `slope(...)`. These may "
        "work on Duals again, by their operators. In `derivative`: the second part of the pair that comes out.",
    ),
    cases=tag_cases,
    mistakes=(
        Mistake(
            "a slope belongs to whoever asks",
            "Inside of the inner derivative, x has a slope, but one that belongs to the outer derivative. Ask for the "
            "tag before you take a slope.",
            _TWICE.format("x * ", "x", "1.0"),
        ),
        Mistake(
            "the outer derivative goes first",
            "Then the inner one finds a Dual that is not its own, with its slope inside, and says 0.0. The innermost "
            "derivative is finished first, so its Dual must be the outermost one: the largest tag.",
            _TWICE.format("", "y * x", "0.0"),
        ),
        Mistake(
            "the first operand has the say",
            "x * y and y * x are the same product. Which derivative the result belongs to is decided by the tags.",
            _TWICE.format("", "x * y", "0.0"),
        ),
    ),
    names=names,
)  # fmt: skip

_PULL = "rounded(pull_program, {!r}, {}, {}) == {}"
TEXT = Exercise(
    "4.7", "a program, backwards", "pull_program", 2, 20, "sections 5 and 6; value_of in chapter 3's exercises",
    hints=(
        "Forwards first: for each statement the names that it reads, its value, and its pullback, by jax.vjp of "
        "value_of as a function of what it reads. Keep the name, the names that are read, and the pullback.",
        "Then go through that list from the last to the first. The statement's name has a cotangent, or else there is "
        "nothing to do. Pull it back, and add what comes out to the cotangents of the names that were read.",
        "Before the statement, its name was another variable, or the same name with an old value. So take its "
        "cotangent out of the dict (`pop`) before you add anything.",
    ),
    cases=text_cases,
    mistakes=(
        Mistake(
            "the last reader wins",
            "A value that is read by two statements has a cotangent from each: add them.",
            _PULL.format("y = 2.0 * x\nz = 3.0 * x", "{'x': 1.0}", "{'y': 1.0, 'z': 1.0}", "{'x': 2.0}"),
            explains=("z = 3.0 * x", "u * x", "x = 7.0 * y", "'x': 1.0, 'y': 5.0"),
        ),
        Mistake(
            "the new value's cotangent stays",
            "After x = 3 x, the cotangent of x is that of the new value. Before the statement nobody has read that: "
            "take it away, and then add what is pulled back.",
            _PULL.format("x = 3.0 * x", "{'x': 2.0}", "{'x': 1.0}", "{'x': 4.0}"),
        ),
        Mistake(
            "from the first to the last",
            "The cotangent of a statement's value comes from the statements after it. So go backwards.",
            _PULL.format("y = 2.0 * x\nz = 3.0 * y", "{'x': 1.0}", "{'z': 1.0}", "{'x': 0.0}"),
        ),
        Mistake(
            "slopes at the end",
            "A pullback belongs to the values that its statement read. Later the names may hold other ones: make it "
            "when the statement is done.",
            _PULL.format("x = x * x", "{'x': 3.0}", "{'x': 1.0}", "{'x': 18.0}"),
        ),
    ),
    names=names,
)  # fmt: skip

_LINE = "rounded(pull_fixed_point, lambda a, x: 0.5 * x + a, 1.0, 2.0, 1.0)"
FIXED = Exercise(
    "4.8", "the slope of where it ends", "pull_fixed_point", 3, 25, "sections 6, 9 and 10",
    hints=(
        "jax.vjp(f, a, x) gives the pullback of one step at the fixed point, which has two results: a cotangent for a, "
        "and one for x.",
        "Let w be the sum of all cotangents that come to x. One is ct, from outside, and one comes from the next "
        "step's x, where w comes to as well: w = ct + B w, with B the second part of the pullback.",
        "That is a fixed point itself: begin with w = ct, and do it ROUNDS times with lax.scan. In the end, the first "
        "part of the pullback of w is the answer. Add trees with jax.tree.map.",
    ),
    cases=fixed_point_cases,
    mistakes=(
        Mistake(
            "one step is differentiated",
            "a acts in each step, and x goes on to the next one. The cotangent of x comes back again and again: "
            "collect it in w first.",
            f"{_LINE} == 1.0",
        ),
        Mistake(
            "only the last echo is left",
            "Each round adds ct: w = ct + B w. Without it the numbers only shrink, to 0.",
            f"{_LINE} == 0.0",
        ),
        Mistake(
            "w is the answer",
            "w is the cotangent of x. The one of a is what a step makes of it.",
            "rounded(pull_fixed_point, lambda a, x: 0.5 * a, 1.0, 0.5, 1.0) == 1.0",
        ),
        Mistake(
            "each round is linearized anew",
            "All rounds are at the same point, so one linear program serves all of them: call jax.vjp once, outside of "
            "the loop.",
            "count('sin', jax.make_jaxpr(lambda a, x: pull_fixed_point(f, a, x, 1.0))(0.75, 0.5)) > 1",
            "f = lambda a, x: jnp.cos(a * x)",
            explains=("count(",),
        ),
    ),
    names=names,
)  # fmt: skip

_WATCHED = "watched_pullback(vjp_in_segments, 2, {})"
SEGMENTS = Exercise(
    "4.9", "less memory, more work", "vjp_in_segments", 3, 25, "sections 6 and 11",
    hints=(
        "Forwards: cut `steps` into lists of `size` steps, and go through them without any derivative. Note x before "
        "each list: these are the starts.",
        "Backwards: for the last segment first, jax.vjp of a function that does all its steps, at its start. Pull the "
        "cotangent through it, and only then go on to the segment before.",
        "jax.tree_util.Partial(function, starts) is a function of the cotangent that holds the starts as leaves. The "
        "segments are functions, and no arrays: bind them with functools.partial.",
    ),
    cases=segment_cases,
    mistakes=(
        Mistake(
            "the forward pass is differentiated",
            "Then each step keeps its residual at once. Do the steps without a derivative first, and again, with one, "
            "when the cotangent has come to their segment.",
            f"{_WATCHED.format(1)}['runs'] == 2",
        ),
        Mistake(
            "all segments at once",
            "The residuals of one segment can go before those of the next one are made. Pull the cotangent through a "
            "segment before you do the one in front of it again.",
            f"{_WATCHED.format(1)}['most'] == 2",
        ),
        Mistake(
            "every step has a start",
            "That many inputs need as much memory as the residuals. Keep one for each segment: the steps inside are "
            "done again from there.",
            f"{_WATCHED.format(2)}['kept'] == 2",
        ),
        Mistake(
            "the first segment is pulled back first",
            "The cotangent comes from the end. For numbers the order makes no difference, since a product of numbers "
            "has none; but trees do not even fit.",
            f"{_WATCHED.format(1)}['order'] == [0, 1]",
        ),
    ),
    names=names,
)  # fmt: skip

_PARTS = "in_short(split_program(program, [False, True], lambda eqn: {}), [False, True])"
_INLINED = "program = inlined(lambda x, t: {}, 1.0, 2.0)"
SPLIT = Exercise(
    "4.10", "a program in two parts", "split_program", 4, 60, "sections 4 and 11; dead code in chapter 2",
    hints=(
        "Forwards: collect the variables that depend on an unknown input. An equation that reads one is late, and so "
        "are its results; the others are early. The late equations read some variables that are not late: those are "
        "needed.",
        "Backwards through the early equations: one that makes a needed variable, and may not be kept, is done again. "
        "Put it in front of the rest; its results are not needed any more, and what it reads is.",
        "Then `needed` are the residuals: results of the first program, inputs of the second. Let without_dead clear "
        "the whole program before you begin, and the first part in the end. jaxpr.replace(invars=..., outvars=..., "
        "eqns=...) makes a program.",
    ),
    cases=split_cases,
    mistakes=(
        Mistake(
            "everything may be kept",
            "Ask `saveable` about the equation that makes a needed value. If it says no, the second program does that "
            "equation again.",
            f"{_PARTS.format('False')}['rest'] == ['mul']",
            _INLINED.format("jnp.sin(x) * t"),
        ),
        Mistake(
            "one step back is enough",
            "What is done again needs its operands, and they may not be kept either. Go on, from the last early "
            "equation to the first, until only inputs and values that may be kept are needed.",
            f"{_PARTS.format('False')}['rest'] == ['cos', 'mul']",
            _INLINED.format("jnp.cos(jnp.sin(x)) * t"),
            explains=("jnp.cos(jnp.sin(x))", "jnp.cos(y)", "jax.jvp("),
        ),
        Mistake(
            "dead code keeps its residuals",
            "A late equation whose result nobody reads needs nothing. Clear the program before you look for what is "
            "needed.",
            f"{_PARTS.format('True')}['between'] != []",
            _INLINED.format("(jnp.exp(x) * t, x + 1.0)[1]"),
            explains=("x + 1.0)[1]",),
        ),
        Mistake(
            "done again, so not done at all",
            "A value can be a result of the first program, and be computed again by the second one. Both need its "
            "equation.",
            "is_refused",
            f"{_INLINED.format('(lambda y: (y, jnp.cos(y) * t))(jnp.sin(x))')}\n"
            "parts = split_program(program, [False, True], lambda eqn: False)\n"
            "try:\n    run_in_two(parts, program, [False, True], [1.0, 2.0])\n    is_refused = False\n"
            "except Exception:\n    is_refused = True",
            explains=("(lambda y:", "jnp.cos(x) * t", "jax.jvp("),
        ),
    ),
    names=names,
)  # fmt: skip
