"""What a program may do besides computing: print, and call a function of Python's that does something.

An equation that does so stays where it is, even if nobody reads its results: see the passes of layer 2.
"""


class Effect:
    """A kind of thing that a program does besides computing."""

    name = ""

    def __str__(self) -> str:
        return self.name


class DebugEffect(Effect):
    """To tell something about the values of a program."""

    name = "Debug"


class OrderedDebugEffect(Effect):
    """The same, in the order of the program."""

    name = "OrderedDebug"


class IOEffect(Effect):
    """To do something that a program can depend on."""

    name = "IO"


class OrderedIOEffect(Effect):
    """The same, in the order of the program."""

    name = "OrderedIO"


debug_effect, ordered_debug_effect = DebugEffect(), OrderedDebugEffect()
io_effect, ordered_io_effect = IOEffect(), OrderedIOEffect()


def effects_barrier() -> None:
    """Wait until all that was begun is done. Programs run at once here, so it is."""
