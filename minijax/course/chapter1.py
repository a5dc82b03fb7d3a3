"""The exercises of chapter 1, avals and tracers: what they need, hints, known mistakes."""

from .chapter1_cases import (
    DENSE_CLASS,
    DENSE_TRIED,
    FAILING,
    KEEPING,
    LARGEST,
    TICK,
    TWO_CALLS,
    broadcast_cases,
    count_cases,
    dead_cases,
    dense_cases,
    inline_cases,
    join_cases,
    mul_add_cases,
    names,
    show_cases,
    tracer_cases,
)
from .exercise import Exercise, Mistake

TITLE = "avals and tracers"

JOIN = Exercise(
    "1.1", "what is its type?", "join_two", 1, 10, "sections 2 and 3",
    hints=(
        "Write a helper that gives the set of all types at or above one type: the type itself, and whatever is at or "
        "above one of the types right above it.",
        "A type that both may become is in both sets. There may be several. Which of them do you want?",
        "The least one is the one that lies below all the others: its own set of types above holds all common ones.",
    ),
    cases=join_cases,
    mistakes=(
        Mistake(
            "a weak type counts as much as a strong one",
            "int8 with the Python number 1 is int8: a weak type has a kind and gives way to the width of the other.",
            # whichever stands first: an answer that looks at one operand only has another fault
            'join_two(("int8", False), ("int32", True))[0] == join_two(("int32", True), ("int8", False))[0] == "int32"'
            ' or join_two(("bfloat16", False), ("float32", True))[0] == "float32"'
            ' == join_two(("float32", True), ("bfloat16", False))[0]',
            explains=("('int32', True), ('int8', False)", "('float32', True), ('bfloat16', False)"),
        ),
        Mistake(
            "NumPy's rule for an integer and a float",
            "NumPy widens the float so that each integer fits in it. JAX keeps the width of the float: int32 with "
            "float16 is float16.",
            'join_two(("int32", False), ("float16", False))[0] in ("float32", "float64")'
            ' and join_two(("bool", False), ("float16", False))[0] == "float16"',
            explains=("('int32', False), ('float16', False)",),
        ),
        Mistake(
            "only the first of several ways up",
            "ABOVE gives a list, and a list may have more than one member: from the weak float, one way leads to "
            "bfloat16 and another to float16. Follow all of them.",
            'join_two(("bool", False), ("float16", False)) == ("float32", False)'
            ' or join_two(("bool", False), ("bfloat16", False)) == ("float32", False)',
            explains=("('bool', False), ('float16', False)", "('bool', False), ('bfloat16', False)"),
        ),
        Mistake(
            "one of the two operands always wins",
            "bfloat16 and float16 are side by side in the lattice. Neither can hold the other, so the answer is a "
            "third type above both.",
            'join_two(("bfloat16", False), ("float16", False))[0] in ("bfloat16", "float16")',
            explains=("('bfloat16', False), ('float16', False)",),
        ),
    ),
    names=names,
)  # fmt: skip

DENSE = Exercise(
    "1.2", "a pytree of your own", "register_dense", 1, 10, "section 4",
    hints=(
        "A registration is two functions: one takes a value apart, and the other puts it together again.",
        "What is an array goes to the children. What Python must know while tracing (`act`) goes to aux, the second "
        "part of what the first function returns.",
        "register_pytree_with_keys takes the class and the two functions, in this order. The first takes x and gives "
        "([(GetAttrKey('w'), x.w), ...], aux). The second takes aux and the children, and gives a new value of cls.",
    ),
    cases=dense_cases,
    mistakes=(
        Mistake(
            "the name of the activation is a leaf",
            "A leaf must be an array in the end, and a string is none. What is not data belongs to aux: it becomes "
            "part of the structure, so a program is traced anew when it changes.",
            "'relu' in jax.tree.leaves(Dense(1.0, 2.0))",
            DENSE_CLASS,
            explains=("leaves(Dense",),
        ),
        Mistake(
            "the children have no names",
            "register_pytree_node registers children without keys. register_pytree_with_keys takes pairs of key and "
            "child; GetAttrKey('w') is shown as .w in paths and in errors.",
            "jax.tree.leaves(Dense(1.0, 2.0)) == [1.0, 2.0]"
            " and 'flat index' in keystr(tree_leaves_with_path(Dense(1.0, 2.0))[0][0])",
            DENSE_CLASS,
            explains=("keystr(path)",),
        ),
        Mistake(
            "the activation is lost",
            "Mapping over the tree gave a Dense with another `act`. Put it into aux, and use aux when you rebuild.",
            "jax.tree.map(lambda x: x, Dense(1.0, 2.0, 'tanh')).act != 'tanh'",
            DENSE_CLASS,
            explains=("'tanh'",),
        ),
        Mistake(
            "it registers another class",
            "`register_dense(cls)` has to register the class that it is given, not one that it knows by name.",
            "len(jax.tree.leaves(Dense(1.0, 2.0))) == 1",
            DENSE_TRIED,
        ),
    ),
    names=names,
)  # fmt: skip

BROADCAST = Exercise(
    "1.3", "the shape rule of a broadcasting primitive", "broadcast_shape", 2, 15, "section 5",
    hints=(
        "Three questions, one after the other: which shapes count at all, do their ranks agree, do their sizes agree?",
        "Leave out the scalars, then look at one axis of all shapes at a time: zip(*shapes) gives the sizes along it.",
        "Along an axis, put the sizes other than 1 into a set. Empty: the size is 1. One member: that. More: an error.",
    ),
    cases=broadcast_cases,
    mistakes=(
        Mistake(
            "NumPy's rule for ranks",
            "NumPy lines shapes up at the last axis and adds axes of size 1 in front. A primitive does not: ranks must "
            "agree. jnp functions add the axes, by an equation of their own.",
            'broadcast_shape("add", [(3,), (2, 3)]) == (2, 3)',
            explains=("[(1,), (1, 1)]", "[(3,), (2, 3)]"),
        ),
        Mistake(
            "the larger size wins",
            "1 goes with every size, and 0 is a size like others: (0,) with (1,) is (0,). And 2 does not go with 3.",
            'broadcast_shape("add", [(1,), (0,)]) == (1,)',
            explains=("[(1,), (0,)]",),
        ),
        Mistake(
            "a scalar must have the rank of the others",
            "A scalar, shape (), goes with all shapes. Leave scalars out before you compare ranks.",
            'got != (2,) and broadcast_shape("add", [(2,), (2,)]) == (2,)',
            'try:\n    got = broadcast_shape("add", [(), (2,)])\nexcept TypeError:\n    got = None',
            explains=("[(), (",),
        ),
    ),
    names=names,
)  # fmt: skip

MUL_ADD = Exercise(
    "1.4", "a primitive with all its obligations", "mul_add", 2, 20, "sections 5 and 8",
    hints=(
        "Three functions, and each has one kind of argument. The shape rule gets avals and gives an aval. The impl "
        "rule gets NumPy arrays and gives one. `mul_add` gets anything, and binds.",
        "The shape rule compares x.shape, y.shape and z.shape, and then the dtypes, and raises TypeError. If all is "
        "well, it makes a new ShapedArray. Do not compute with avals: they have no values.",
        "When is the result weak? Only if all three operands are. The third argument of ShapedArray says it.",
    ),
    cases=mul_add_cases,
    mistakes=(
        Mistake(
            "mul_add computes with `*` and `+`",
            "Then the program has the equations `mul` and `add`, and nobody ever sees a mul_add. The function has to "
            "bind the primitive; what the primitive computes is said in the impl rule.",
            "[str(eqn.primitive) for eqn in jax.make_jaxpr(mul_add)(1.0, 2.0, 3.0).eqns] == ['mul', 'add']",
            explains=("eqn.primitive",),
        ),
        Mistake(
            "the result takes over the whole aval of one operand",
            "An aval also says whether the dtype is weak. A result is weak only if all operands are weak; here one is "
            "strong.",
            "any(jax.make_jaxpr(mul_add)(*xs).out_avals[0].weak_type"
            " for xs in [(1.0, np.float32(1), np.float32(1)), (np.float32(1), 1.0, 1.0), (1.0, 1.0, np.float32(1))])",
            explains=("jax.typeof",),
        ),
        Mistake(
            "the two rules disagree about the dtype",
            "The shape rule promised one dtype, and the impl rule made another. Nobody checks this at run time: the "
            "impl rule has to keep the dtype of its operands.",
            "np.asarray(mul_add(*[jnp.ones(1, jnp.int8)] * 3)).dtype != np.int8",
            explains=("mul_add(2, 3, 4)).tolist()", ".dtype.name"),
        ),
    ),
    names=names,
    parts=("mul_add_p", "mul_add_impl"),
    plug="primitives.impl_rules[mul_add_p] = mul_add_impl",
)  # fmt: skip

SHOW = Exercise(
    "1.5", "name the variables, print an equation", "show_eqn", 2, 25, "section 7",
    hints=(
        "Split it: letters(n) is the n-th name, a helper gives the name of one variable (and remembers a new one in "
        "`names`), another gives the text of an operand.",
        "letters counts in base 26 with the digits a to z, where a is 0. So after z, which is 25, comes 26 = 1 0, and "
        "1 is b. The line is made from left to right: results first.",
        "An operand is either a Literal (its value as a Python number, a colon, its short type) or a Var (its name). "
        "A result is a name, a colon, and aval.str_short(short_dtypes=True). A DropVar is called _ and takes no name.",
    ),
    cases=show_cases,
    mistakes=(
        Mistake(
            "after z comes aa",
            "In this numeral system a is the digit 0, so aa would be 00. The number 26 has the digits 1 and 0: ba.",
            "show_eqn(program.eqns[0], names).startswith('aa:')",
            "program = jax.make_jaxpr(lax.neg)(1.0)\nnames = {program.invars[0]: 'a', **{i: '?' for i in range(25)}}",
            explains=("def chain",),
        ),
        Mistake(
            "operands are named before results",
            "The letters are given in the order in which one reads the line: the results stand first.",
            "show_eqn(jax.make_jaxpr(lax.neg)(1.0).eqns[0], {}) == 'b:f32[] = neg a'",
        ),
        Mistake(
            "an unread result gets a name",
            "A DropVar is a result that nobody reads. It is printed `_`, and it does not use up a letter.",
            "'_:' not in show_eqn(jax.make_jaxpr(lambda x: lax.top_k(x, 2)[0])(jnp.ones(3)).eqns[0], {})",
            explains=("lax.top_k(x, 2)[0]",),
        ),
        Mistake(
            "a literal is printed as NumPy prints it",
            "The text of a literal is that of the Python number: float32(0.1) is a little more than 0.1, and its "
            "`.item()` shows that.",
            "'0.1:f32[]' in show_eqn(jax.make_jaxpr(lambda x: lax.add(x, np.float32(0.1)))(np.float32(1)).eqns[0], {})",
            explains=("np.float32(0.1)",),
        ),
    ),
    names=names,
    fills_arguments=True,  # `names` learns the new variables
)  # fmt: skip

DROP = Exercise(
    "1.6", "drop dead code", "drop_dead", 2, 25, "sections 7 and 16",
    hints=(
        "Which variables are needed? At the very end of the program you know: those that it returns. Start there.",
        "Walk through the equations from the last to the first with a set of needed variables. An equation stays if "
        "one of its results is needed, or if it has effects. If it stays, its operands are needed too.",
        "Literals cannot be in a set: skip them. Collect what stays, reverse it, and use eqn.replace(outvars=...) and "
        "jaxpr.replace(eqns=...), which make new objects. A result that is not needed becomes DropVar(v.aval).",
    ),
    cases=dead_cases,
    mistakes=(
        Mistake(
            "equations with effects are dropped",
            "Nobody reads the result, but the equation does something: eqn.effects is not empty, so it has to stay.",
            "len(drop_dead(program).eqns) == 0 and len(program.eqns) == 1",
            TICK + "program = jax.make_jaxpr(lambda x: (tick_p.bind(x), x)[1])(1.0)",
            explains=("tick",),
        ),
        Mistake(
            "only the last link of a dead chain is dropped",
            "An equation that is read by a dead equation only is dead too. If you walk from the end to the beginning, "
            "you know about the reader before you come to the equation.",
            "[str(eqn.primitive) for eqn in drop_dead(program).eqns] == ['sin', 'neg']",
            "program = jax.make_jaxpr(lambda x: (lax.cos(lax.sin(x)), lax.neg(x))[1])(1.0)",
            explains=("lax.cos(lax.sin(x))",),
        ),
        Mistake(
            "the order is reversed",
            "You walked backwards and collected what stays, so the list is backwards too.",
            "[str(eqn.primitive) for eqn in drop_dead(program).eqns] == ['cos', 'sin']",
            "program = jax.make_jaxpr(lambda x: lax.cos(lax.sin(x)))(1.0)",
            explains=("integer_pow", "lax.top_k"),
        ),
        Mistake(
            "the given program was changed",
            "Somebody may still need it. Make a new one: jaxpr.replace(...) and eqn.replace(...) do not change theirs.",
            "before != [(drop_dead(program), str(program))[1] for program in programs]",
            LARGEST + "programs = [jax.make_jaxpr(f)(jnp.ones(2)), "
            "jax.make_jaxpr(lambda x: (lax.sin(x), lax.cos(x))[1])(1.0)]\nbefore = list(map(str, programs))",
            explains=("str(program))[1]",),
        ),
    ),
    names=names,
)  # fmt: skip

COUNT = Exercise(
    "1.7", "count what a program does", "run_and_count", 2, 20, "section 9",
    hints=(
        "Begin with an interpreter that only runs: an environment from variables to values, a function that reads an "
        "operand, and a loop over the equations that binds each primitive.",
        "A jit equation is a program inside of the program: eqn.params['jaxpr']. You have a function that runs and "
        "counts a program. Let it call itself, and add up the counts.",
        "Bind constvars to jaxpr.consts and invars to the arguments. A Literal reads as its .val. Where "
        "eqn.primitive.multiple_results is true, bind gives a list, else one value.",
    ),
    cases=count_cases,
    mistakes=(
        Mistake(
            "jit is counted as one operation",
            "A call is not work, it is a name for work. Go into eqn.params['jaxpr'] and count what is done there.",
            "dict(run_and_count(program, 1.0)[1]) == {'jit': 2}", TWO_CALLS,
            explains=("jax.jit(",),
        ),
        Mistake(
            "the calls are counted with what they do",
            "You went into jit, which is right, and counted the call too.",
            "dict(run_and_count(program, 1.0)[1]) == {'jit': 2, 'sin': 2}", TWO_CALLS,
            explains=("jax.jit(",),
        ),
        Mistake(
            "a program that is called twice is counted once",
            "Both calls have the same jaxpr in their parameters, and both run it.",
            "dict(run_and_count(program, 1.0)[1]) == {'sin': 1}", TWO_CALLS,
            explains=("f(f(x))",),
        ),
    ),
    names=names,
)  # fmt: skip

INLINE = Exercise(
    "1.8", "dissolve the calls", "inline_calls", 3, 45, "sections 7, 9 and 10; exercise 1.7",
    hints=(
        "It is an interpreter again. Its environment does not hold values: it maps each variable of an old program "
        "to the atom (a variable or a literal) that stands for it in the new program.",
        "For an ordinary equation: make a new variable for each result, and append the equation with its operands "
        "looked up. For a jit equation: look up the operands, walk through the inner program with a new environment, "
        "and let the results of the call stand for what the inner program returns.",
        "A recursive helper walk(jaxpr, args) that appends to one list and returns the atoms of its results is "
        "enough. Inner constants become constvars of the new program, one for each constant that you meet.",
    ),
    cases=inline_cases,
    mistakes=(
        Mistake(
            "only the outermost calls are dissolved",
            "A called program may call another. Do the same inside.",
            "[eqn.primitive.name for eqn in inline_calls(program).eqns] == ['cos', 'jit']",
            "f = jax.jit(lax.sin)\ng = jax.jit(lambda x: f(lax.cos(x)))\nprogram = jax.make_jaxpr(lambda x: g(x))(1.0)",
            explains=("g = jax.jit(lambda x: f(",),
        ),
        Mistake(
            "two calls of one function share their variables",
            "Both calls have the same jaxpr, so its equations are copied twice. Each copy needs variables of its own, "
            "or a variable is bound twice.",
            "flat.eqns[0].outvars[0] is flat.eqns[1].outvars[0]",
            f"{TWO_CALLS}\nflat = inline_calls(program)",
            explains=("f(f(x))",),
        ),
        Mistake(
            "constants are lost",
            "A program has constvars and consts, and so has each program that it calls. All of them must become "
            "constants of the new program.",
            "len(inline_calls(program).consts) == 0",
            "c = jnp.arange(2.0)\nf = jax.jit(lambda x: x * c)\nprogram = jax.make_jaxpr(lambda x: f(x))(c)",
            explains=("c = jnp.arange(2.0)\n",),
        ),
    ),
    names=names,
)  # fmt: skip

TRACER = Exercise(
    "1.9", "a tracer of your own", "my_make_jaxpr", 4, 60, "sections 6, 7, 8 and 13",
    hints=(
        "Begin with programs of one primitive, such as `lax.sin`. You need new_arg, process_primitive for one result, "
        "and my_make_jaxpr with set_current_trace. Then let check show you what comes next.",
        "`atom` has three cases: a tracer of this trace stands for its own atom; a number becomes a Literal; every "
        "other value becomes a constvar, and the same value the same one. Remember it under its id.",
        "A tracer of another trace is a constant too, as long as that trace is alive. So set trace.alive to False in "
        "a `finally`, and let `atom` raise UnexpectedTracerError for a tracer whose trace is not alive.",
    ),
    cases=tracer_cases,
    mistakes=(
        Mistake(
            "each use of a constant makes a new constvar",
            "The same array came twice, and is one constant of the program. Remember for each value which variable "
            "stands for it (by its id, since arrays cannot be keys).",
            "len(my_make_jaxpr(lambda x: (x + c) * c)(c).consts) == 2",
            "c = jnp.arange(2.0)",
            explains=("(x + c) * c",),
        ),
        Mistake(
            "numbers become constvars",
            "A Python or NumPy number stands in the equation itself, as a Literal.",
            "len(my_make_jaxpr(lambda x: lax.mul(x, 2.0))(1.0).consts) == 1",
            explains=("lambda x: 2.0", "lax.mul(x, 2.0)"),
        ),
        Mistake(
            "the trace stays current after an error",
            "Your trace was still the current one when the function had raised. set_current_trace, used in a `with`, "
            "restores the old one whatever happens.",
            "isinstance(lax.add(1.0, 2.0), Tracer)",
            FAILING,
            explains=("lax.add(1.0, 2.0).item()",),
        ),
        Mistake(
            "a leaked tracer is taken for a constant",
            "The function that it stood in for has returned, so it has no meaning any more. A trace that is over says "
            "so (`alive` is False), and `atom` must look.",
            "len(my_make_jaxpr(lambda y: y * kept[0])(2.0).consts) == 1",
            f"{KEEPING}my_make_jaxpr(keep)(1.0)",
            explains=("kept[0]",),
        ),
    ),
    names=names,
)  # fmt: skip

EXERCISES = (JOIN, DENSE, BROADCAST, MUL_ADD, SHOW, DROP, COUNT, INLINE, TRACER)
