"""Each figure in the notebooks is one that everybody can read: well-formed, with a label, and with words beside it."""

from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest

ROOT = Path(__file__).parent.parent


def figures():
    """The recorded drawings of all notebooks: their place, and the forms that were recorded."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", ()):
                if "image/svg+xml" in output.get("data", {}):
                    yield pytest.param(output.data, id=f"{path.stem}-{cell.id}")


@pytest.mark.parametrize("data", list(figures()))
def test_a_figure_says_in_words_what_it_shows(data):
    drawing = ElementTree.fromstring(data["image/svg+xml"])
    title, words = drawing.findtext("{*}title"), drawing.findtext("{*}desc")
    assert drawing.get("role") == "img"
    assert drawing.get("aria-label") == title
    assert data["text/plain"].split() == (words or title).split()  # the text is broken into lines
    assert len(data["text/plain"].split()) > 10
    assert "http" not in "".join(v for e in drawing.iter() for v in e.attrib.values()), "it needs no network"
