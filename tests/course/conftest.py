"""What learners' answers do to the package is over when the file that tried them is."""

from collections.abc import Iterator

import pytest

from minijax.course.snapshot import Snapshot


@pytest.fixture(scope="module", autouse=True)
def the_package_as_it_was() -> Iterator[Snapshot]:
    snapshot = Snapshot.take()
    yield snapshot
    snapshot.restore()
