"""The exercises of chapter 2 on loops and buffers: what they need, hints, known mistakes."""

from .chapter2_cases import names
from .chapter2_loop_cases import (
    ARRAYS,
    FIRST,
    TABLE,
    buffer_cases,
    join_cases,
    lifted_cases,
    running_cases,
    second,
    traffic_cases,
)
from .exercise import Exercise, Mistake

TRAFFIC = Exercise(
    "2.1", "how much does a kernel read?", "traffic", 1, 10, "sections 1 and 3",
    hints=(
        "Two functions: one for statements, with a `match` of three cases, and one that counts the loads in a value.",
        "A value is a Load, or an Op whose `args` are values again, or something that reads nothing. So the second "
        "function calls itself.",
        "A loop does its body `extent` times. So ask `traffic` for the body, and multiply both numbers.",
    ),
    cases=traffic_cases,
    mistakes=(
        Mistake(
            "loads inside of operations are not seen",
            "A value is a tree: the operands of an Op are values, and each of them may be a Load, or an Op again.",
            "traffic([Let('x', Op('neg', (Load('a', ZERO, f32),), f32))]) == (0, 0)",
            explains=("Op(",),
        ),
        Mistake(
            "what a store reads is forgotten",
            "A Store writes one number, but to know which one it may have to read others: look at its value, too.",
            "traffic([Store('b', ZERO, Load('a', ZERO, f32))]) == (0, 1)",
            explains=("Store(\"b\", ZERO, Load",),
        ),
        Mistake(
            "a loop counts once",
            "The body of a loop is done `extent` times, and so is what it reads and writes.",
            "traffic([For('i0', 3, [Store('b', i, Const(1.0, f32))])]) == (0, 1)",
            explains=("For(",),
        ),
    ),
    names=names,
)  # fmt: skip

RUNNING = Exercise(
    "2.5", "the largest so far", "running_max", 2, 20, "sections 3 and 7",
    hints=(
        "Write the text of the loops by hand first, for a table and axis 0. Where does the variable begin, and where "
        "is it stored?",
        "The loop along `axis` is the innermost. Around it stand the beginning of the variable, and around that the "
        "loops along all other axes.",
        "Build it from the inside out: the innermost For, then a list of the Let and this For, then one For after the "
        "other around the list. Begin with -np.inf, or with np.iinfo(dtype).min for integers.",
    ),
    cases=running_cases,
    mistakes=(
        Mistake(
            "the largest so far begins with 0",
            "Then negative numbers never count. It has to be smaller than all numbers of its dtype.",
            "run_loops(running_max(a, b, 0), a=x, b=x)['b'].tolist() == [0.0]",
            "x = np.float32([-1])\na, b = Buffer('a', (1,), f32), Buffer('b', (1,), f32)",
        ),
        Mistake(
            "the loops stand in the order of the axes",
            "A line along `axis` must be done without a break, or the variable gets numbers of all lines. So that loop "
            "is the innermost, whichever axis it is.",
            "run_loops(running_max(a, b, 0), a=x, b=x)['b'].tolist() in ([[4.0] * 2] * 2, [[4.0] * 2, [3.0] * 2])",
            "x = np.float32([[4, 2], [3, 1]])\na, b = Buffer('a', (2, 2), f32), Buffer('b', (2, 2), f32)",
            explains=("running_max(a, b, 0)",),
        ),
        Mistake(
            "one line goes on where the last one ended",
            "The variable begins anew for each line: its Let stands inside of the loops along the other axes.",
            "run_loops(running_max(a, b, 1), a=x, b=x)['b'].tolist() == [[4.0, 4.0], [4.0, 4.0]]",
            "x = np.float32([[4, 2], [3, 1]])\na, b = Buffer('a', (2, 2), f32), Buffer('b', (2, 2), f32)",
        ),
    ),
    names=names,
)  # fmt: skip

_LOOP = "loop = {}\n" + ARRAYS
LIFTED = Exercise(
    "2.8", "lines that leave a loop", "lifted", 2, 25, "sections 3 and 7; exercise 2.1",
    hints=(
        "Do the inner loops first: each statement of the body that is a For is replaced by what `lifted` makes of it. "
        "Then you have one flat list to go through.",
        "Collect all that changes in the loop in one set: the names that are bound, the counters, and the buffers that "
        "are stored into. A line may leave if what it depends on is disjoint from that set.",
        "The names of the body's own lines are in the set as well. Go through the lines from top to bottom; when one "
        "leaves, take its name out of the set. Count how often each name is bound, before you begin.",
    ),
    cases=lifted_cases,
    mistakes=(
        Mistake(
            "what is read before a loop without rounds",
            "The loop does nothing, and so it reads nothing. If its lines stand before it, they are done all the same, "
            "and the array may have no elements.",
            "len(lifted(loop)) == 2",
            _LOOP.format('For("i0", 0, [Let("t", Load("none", ZERO, f32)), Store("b", i, Name("t", f32))])'),
            explains=('("i0", 0,', '("i1", 0,'),
        ),
        Mistake(
            "a line that follows a line that left stays",
            "It reads a name that no longer changes: that line stands before the loop. So this one may go, too.",
            "len(lifted(loop)) == 2",
            _LOOP.format('For("i0", 2, [Let("t", Const(2.0, f32)), Let("u", Op("neg", (Name("t", f32),), f32)), '
                         'Store("b", i, Name("u", f32))])'),
            explains=('Let("u"',),
        ),
        Mistake(
            "what the loop writes is not looked at",
            "The line reads a buffer into which the loop stores. In the second round something else may be there.",
            "len(lifted(loop)) == 2",
            _LOOP.format('For("i0", 2, [Let("t", Load("b", ZERO, f32)), Store("b", i, Op("add", (Name("t", f32), '
                         'Const(1.0, f32)), f32))])'),
            explains=('Load("b"',),
        ),
        Mistake(
            "a name that is bound twice leaves",
            "Another line of the loop binds the name again, so each round needs the first line as well. A sum that "
            "grows is like that: there it begins anew.",
            "len(lifted(loop)) == 2",
            _LOOP.format('For("i0", 2, [Let("t", Const(0.0, f32)), For("i1", 2, [Let("t", Op("add", (Name("t", f32), '
                         'Load("a", j, f32)), f32))]), Store("b", i, Name("t", f32))])'),
            explains=('Let("t", Const(0.0', 'Let("t", Load("s", ZERO + 1', "softmax"),
        ),
    ),
    names=names,
)  # fmt: skip

BUFFERS = Exercise(
    "2.9", "who may lie where?", "buffers", 2, 20, "section 11",
    hints=(
        "Go through the steps in order, with a list of the buffers that belong to the program: the donated ones, and "
        "those that were made.",
        "For each step, collect what is still needed: the results, and all that this step and the later ones read. The "
        "buffers in which these lie are taken.",
        "lies.get(v, v) is the buffer of v: an argument lies in its own. Take the first buffer of your list that is "
        "not taken; if there is none, the step's own name.",
    ),
    cases=buffer_cases,
    mistakes=(
        Mistake(
            "nothing is used again",
            "That is always right, but not what is asked for: a buffer whose array is over can hold the next result.",
            "buffers([('b', ['a']), ('c', ['b']), ('d', ['c'])], ['d'], []) == {'b': 'b', 'c': 'c', 'd': 'd'}",
            explains=("len({",),
        ),
        Mistake(
            "a step writes over what it reads",
            "A step may read its operands in any order, and more than once. They are needed until the step is over.",
            "buffers([('c', ['a'])], ['c'], ['a'])['c'] == 'a'",
            explains=("what_is_lost",),
        ),
        Mistake(
            "an argument is overwritten that was not given away",
            "It belongs to the caller, who may read it after the call. Only donated buffers, and those that the "
            "program has made, can be used.",
            "buffers([('c', ['a']), ('d', ['c'])], ['d'], [])['d'] == 'a'",
            explains=("what_is_lost",),
        ),
        Mistake(
            "a result of the program is overwritten",
            "No step reads it any more, but the caller gets it. Results are needed to the end.",
            "buffers([('c', ['a']), ('d', ['a']), ('e', ['d'])], ['c', 'e'], [])['e'] == 'c'"
            " or buffers([('c', ['a']), ('d', ['a'])], ['c', 'd'], [])['d'] == 'c'",
            explains=("what_is_lost",),
        ),
    ),
    names=names,
)  # fmt: skip

JOIN = Exercise(
    "2.10", "two kernels become one", "join", 4, 60, "sections 3, 6 and 9; exercises 2.1 and 2.8",
    hints=(
        "Begin with the joined kernel, and always join. Then add one reason after the other to return None, and let "
        "check show you the next one.",
        "Write a generator touched(body, at): `at` maps counters to numbers. For a For, go through its rounds with "
        "{**at, counter: n}; for any other statement, yield each element that it touches as ((buffer, place), whether "
        "it is written).",
        "Remember for each element that the first kernel touches the rounds in which it does, and whether it writes. "
        "Then go through the second kernel: another round, and one of the two writes? Then return None.",
    ),
    cases=join_cases,
    mistakes=(
        Mistake(
            "rounds are not compared",
            "Equal loops are not enough. A round of the second kernel touches what another round of the first one "
            "makes, and that may not be there yet.",
            "join(first, second) is not None",
            "\n".join((FIRST, second('For("i0", 2, [Store("c", i, Load("b", i * -1 + 1, f32))])'))),
            explains=('Load("b", ZERO', 'Load("b", i * -1', 'Load("b", j', 'Load("b", i * -3', 'Load("b", i + j * 2'),
        ),
        Mistake(
            "only what the first one writes is looked at",
            "The second kernel writes to an array that the first one reads, in another round. Joined, the first would "
            "read the new number.",
            "join(first, second) is not None",
            "\n".join((FIRST, second('For("i0", 2, [Store("a", i * -1 + 1, Const(1.0, f32))])', "", "a"))),
            explains=('Store("a", i * -1',),
        ),
        Mistake(
            "the places must be written the same way",
            "The second kernel reads the row of its own round, only in another order, or one element of it. It is the "
            "elements that count, and not the formula.",
            "join(first, second) is None",
            "\n".join((TABLE, second('For("i0", 2, [Store("c", i, Load("b", i * 3 + 2, f32))])', b="2, 3"))),
            explains=('Load("b", i * 3', 'Load("b", i, f32), Const(1.0, f32)), f32))])])'),
        ),
        Mistake(
            "what the first one makes is an input",
            "The caller makes an array for each output. What the first half writes and the second half reads is there "
            "already, and would be handed over twice.",
            "len(join(first, second).inputs) == 2",
            "\n".join((FIRST, second('For("i0", 2, [Store("c", i, Load("b", i, f32))])'))),
            explains=("inputs]",),
        ),
    ),
    names=names,
)  # fmt: skip
