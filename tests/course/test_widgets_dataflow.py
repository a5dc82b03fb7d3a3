"""The dataflow drawing has a box for each equation and an arrow for each value that one reads from another."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

import minijax as jax
import minijax.numpy as jnp
from minijax.course.widgets import dataflow
from minijax.course.widgets.dataflow_drawing import sized
from minijax.course.widgets.layered import Node, arrange
from minijax.course.widgets.program import MOST
from minijax.layer1_core.jaxpr import Literal


@jax.jit
def scaled(x, y):
    return x * y + 1.0


def framed(x, w):
    y = jnp.sin(x)
    z = scaled(y, x)
    return (jnp.where(z > 0, z, 0.0) @ w).sum(), y


def layers(ws, x):
    for w, b in ws:
        x = jnp.maximum(x @ w + b, 0)
    return jax.nn.softmax(x)


def split(x):
    return jnp.linalg.svd(x)


def constant(x):
    return x + jnp.arange(3.0)


def unread(x):
    jnp.sin(x)
    return x


def ignores(x, y):
    return 3.0, y


def long(x):
    for _ in range(MOST + 7):
        x = x + 1.0
    return x


vector, square = jnp.ones(3), jnp.ones((3, 3))
CALLS = [
    (framed, vector, jnp.ones((3, 4))),
    (layers, [(square, vector)] * 3, vector),
    (split, square),
    (constant, vector),
    (unread, vector),
    (ignores, 1.0, vector),
    (long, 1.0),
    (lambda: jnp.zeros(3),),
    (lambda x: x, 1.0),
]


def all_graphs(graph):
    return [graph, *(inner for box in graph.boxes if box.frame for inner in all_graphs(box.frame))]


@pytest.mark.parametrize("call", CALLS)
def test_each_equation_is_a_box_and_each_operand_an_arrow(call):
    jaxpr = jax.make_jaxpr(call[0])(*call[1:])
    graph = dataflow(jaxpr).graph
    eqns = jaxpr.eqns[:MOST]
    assert [box.label.split()[0] for box in graph.boxes if box.kind == "equation"] == [e.primitive.name for e in eqns]
    outs = 0 if graph.left_out else len(jaxpr.outvars)
    assert len(graph.arrows) == sum(len(e.invars) for e in eqns) + outs
    literals = [v for e in eqns for v in e.invars if isinstance(v, Literal)]
    assert len([box for box in graph.boxes if box.kind == "literal"]) >= len(literals)


@pytest.mark.parametrize("call", CALLS)
def test_each_value_carries_its_type(call):
    jaxpr = jax.make_jaxpr(call[0])(*call[1:])
    graph = dataflow(jaxpr).graph
    types = [[v.aval.str_short(short_dtypes=True) for v in e.outvars] for e in jaxpr.eqns[:MOST]]
    boxes = [box for box in graph.boxes if box.kind == "equation"]
    assert [[name.split(":")[1] for name in box.results] for box in boxes] == types


def test_the_words_say_who_reads_what():
    figure = dataflow(framed, vector, jnp.ones((3, 4)))
    assert figure.sentence(1) == (
        "Equation 1, `c:f32[3] = sin a`, reads the input a. Its result c is read by equation 2 and is returned."
    )
    assert "Equation 2.1, `e:f32[3] = mul c a`, reads the input c and the input a." in figure.text()
    assert "`_:f32[3] = sin a`, reads the input a. Its result _ is read by nothing." in dataflow(unread, vector).text()


def test_each_result_of_an_equation_goes_its_own_way():
    graph = dataflow(split, square).graph
    (svd,) = (i for i, box in enumerate(graph.boxes) if box.kind == "equation")
    assert [arrow.out for arrow in graph.arrows if arrow.start == svd] == [0, 1, 2]


def test_a_small_program_inside_an_equation_is_drawn_in_a_frame_and_a_large_one_is_counted():
    boxes = dataflow(framed, vector, jnp.ones((3, 4))).graph.boxes
    assert [box.label for box in boxes if box.frame] == ["jit scaled", "jit _where"]
    (box,) = (box for box in dataflow(jax.jit(long), 1.0).graph.boxes if box.kind == "equation")
    assert box.frame is None
    assert box.details == (f"({MOST + 7} equations inside)",)


def test_of_a_very_long_program_the_first_equations_are_drawn_and_the_rest_is_counted():
    figure = dataflow(long, 1.0)
    assert len(figure.equations) == MOST
    assert "and 7 more that are not drawn" in figure.text()
    assert "and 7 more equations, which are not drawn" in figure.svg()


def test_a_function_and_its_jaxpr_have_the_same_drawing():
    assert dataflow(framed, vector, square).svg() == dataflow(jax.make_jaxpr(framed)(vector, square)).svg()


def test_what_cannot_be_drawn_is_refused_in_words():
    with pytest.raises(TypeError, match="draws a jaxpr or a function with its arguments, and this is 3"):
        dataflow(3)
    with pytest.raises(TypeError, match="takes no arguments"):
        dataflow(jax.make_jaxpr(constant)(vector), vector)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        dataflow(constant)


# ---- the drawing


@pytest.mark.parametrize("call", CALLS)
def test_the_drawing_is_well_formed_and_says_the_same_in_words(call):
    figure = dataflow(*call)
    drawing = ElementTree.fromstring(figure.svg())
    assert drawing.get("role") == "img"
    assert drawing.findtext("{*}desc") == figure.text()
    shown = {element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")}
    for graph in all_graphs(figure.graph):
        assert {name for box in graph.boxes for name in box.results} <= shown


@pytest.mark.parametrize("call", CALLS)
def test_the_chosen_equation_is_the_one_that_is_marked(call):
    figure = dataflow(*call)
    for place, (graph, index) in list(enumerate(figure.equations, start=1))[:5]:
        svg = figure.page_at(place).partition("<svg")[2].partition("</svg>")[0]
        drawing = ElementTree.fromstring(f"<svg{svg}</svg>")
        groups = drawing.iter("{http://www.w3.org/2000/svg}g")
        (marked,) = (group for group in groups if group.find("{*}rect").get("stroke-width") == "3")
        assert marked.findtext("{*}text").split()[0] == graph.boxes[index].number
    assert "stroke-width='3'" not in figure.page_at(0)


def test_the_sentence_stands_above_the_drawing_which_has_no_height_of_its_own():
    page = dataflow(framed, vector, square).page_at(1)
    assert page.index("role='status'") < page.index("<svg")
    assert "max-height" not in page
    assert ":hover" not in page


@pytest.mark.parametrize("call", CALLS)
def test_a_frame_holds_all_that_is_in_it(call):
    def check(whole):
        for i, inner in whole.frames.items():
            node = whole.layout.nodes[i]
            assert inner.layout.width <= 2 * node.left
            assert inner.layout.height <= node.height
            check(inner)

    check(sized(dataflow(*call).graph))


@st.composite
def programs(draw):
    """Boxes of any size, the first few of which are inputs and the last few outputs, and arrows between them."""
    inputs, inner, outputs = draw(st.integers(1, 3)), draw(st.integers(0, 9)), draw(st.integers(1, 3))
    count, sizes = inputs + inner + outputs, st.floats(5, 90)
    nodes, arrows = [], []
    for i in range(count):
        half = draw(sizes)
        reads = 0 if i < inputs else 1 if i >= count - outputs else draw(st.integers(0, 3))
        right = half + draw(st.floats(0, 50))
        nodes.append(Node(half, right, draw(sizes), [0.0] * reads, [0.0]))
        limit = min(i, inputs + inner) - 1
        arrows += [(draw(st.integers(0, limit)), 0, i, k) for k in range(reads)]
    return nodes, arrows, range(inputs), range(count - outputs, count)


@given(programs())
def test_boxes_do_not_touch_and_every_arrow_points_down(program):
    layout = arrange(*program)
    for link in layout.links:
        start, stop = layout.nodes[link.start], layout.nodes[link.stop]
        assert start.layer + 1 == stop.layer
        assert start.floor < stop.y or (stop.y > start.y + start.height)
    for k, one in enumerate(layout.nodes):
        assert one.left - 1e-6 <= one.x <= layout.width - one.right + 1e-6
        assert -1e-6 <= one.y <= layout.height - one.height + 1e-6
        for other in layout.nodes[:k]:
            beside = one.x + one.right <= other.x - other.left or other.x + other.right <= one.x - one.left
            assert beside or one.layer != other.layer


@given(programs())
def test_every_arrow_is_drawn_from_its_start_to_its_end(program):
    _, arrows, _, _ = program
    layout = arrange(*program)
    for route, (start, _, stop, _) in enumerate(arrows):
        pieces = {link.start: link.stop for link in layout.links if route in link.routes}
        at = start
        while at != stop:
            at = pieces.pop(at)
        assert not pieces


def test_an_order_without_crossings_is_found():
    nodes = [Node(10, 10, 10, [0.0] * (i > 2), [0.0]) for i in range(6)]
    arrows = [(0, 0, 5, 0), (1, 0, 3, 0), (2, 0, 4, 0)]
    layout = arrange(nodes, arrows, [0, 1, 2], [])
    places = sorted((layout.nodes[a].x, layout.nodes[b].x) for a, _, b, _ in arrows)
    assert [below for _, below in places] == sorted(below for _, below in places)
