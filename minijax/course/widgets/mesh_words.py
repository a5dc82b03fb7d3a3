"""What is said of an array on a mesh: in a sentence, and in full."""

from .figure import counted, listed
from .mesh_recording import Placement, Use, Value


def heading(found: Placement) -> str:
    """An array of shape (8, 16) on a mesh of x: 4, y: 2, divided as P('x', 'y')"""
    choice = found.choice
    return f"An array of shape {choice.shape} on a mesh of {choice.grid.title}, divided as {found.spec}"


def about(found: Placement) -> str:
    """How the array is divided, its type, and what each device holds; or why that cannot be."""
    if found.problem:
        return " ".join(filter(None, [f"`{found.spec}` does not fit.", found.reason, f"{found.problem}."]))
    return f"{divided(found)} The type is `{found.type}`. {held(found)} {replicas(found)}"


def divided(found: Placement) -> str:
    """P('x', None) divides axis 0 into 4 parts, along x. Axis 1 is whole."""
    parts, whole = [], []
    for d, (names, n) in enumerate(zip(found.choice.entries, found.tiling, strict=True)):
        if names:
            parts.append(f"axis {d} into {counted(n, 'part')} along {listed(names)}")
        else:
            whole.append(str(d))
    told = f"`{found.spec}` divides {listed(parts)}." if parts else f"`{found.spec}` divides nothing."
    rest = f"Axis {whole[0]} is whole." if len(whole) == 1 else f"Axes {listed(whole)} are whole." if whole else ""
    return f"{told} {rest}".strip()


def held(found: Placement) -> str:
    """Each of 8 devices holds a block of shape (2, 8): 64 of 512 bytes."""
    devices = counted(len(found.choice.grid.devices), "device")
    if len(found.blocks) == 1:
        return f"Each of {devices} holds the whole array, {found.bytes:,} bytes."
    return f"Each of {devices} holds a block of shape {found.part}: {found.bytes_of_part:,} of {found.bytes:,} bytes."


def replicas(found: Placement) -> str:
    """How many devices hold the same, and along which mesh axes they stand."""
    count = len(found.blocks[0].devices)
    if count == 1:
        return "No two devices hold the same."
    others = [name for name, size in found.choice.grid.sizes if size > 1 and name not in named(found)]
    total = f"{count * found.bytes:,} bytes in all"
    where = f"Devices that differ only along {listed(others)} hold the same" if named(found) else "All hold the same"
    return f"{where}: each block is there {count} times, {total}."


def named(found: Placement) -> set[str]:
    """The mesh axes that divide some axis."""
    return {name for names in found.choice.entries for name in names}


def about_program(use: Use) -> list[str]:
    """What the types say of a program, and what the compiler puts in."""
    if not (use.explicit or use.refused):
        return [f"`{use.code}`: {use.problem.rstrip('.')}."]
    explicit = (
        f"Along Explicit axes the types do not tell the result. {use.refused}."
        if use.refused
        else f"Along Explicit axes the result is `{use.explicit}`."
    )
    return [f"`{use.code}`: {listed([operand_words(each) for each in use.operands])}.", explicit, along_auto(use)]


def along_auto(use: Use) -> str:
    """How the compiler divides the result, and what that needs."""
    if use.problem:
        return f"What is needed along Auto axes is not known. {use.problem.rstrip('.')}."
    return f"Along Auto axes the compiler divides the result as `{use.auto}`. {collectives(use)}."


def operand_words(value: Value) -> str:
    return f"{value.name} is `{value.type}`"


def collectives(use: Use) -> str:
    """One device sends 256 bytes: psum along y, 256 bytes"""
    if not use.traffic:
        return "Nothing is sent: each device finds in its own parts what it needs"
    told = listed([f"{one.name} along {one.axes}, {one.bytes:,} bytes" for one in use.traffic])
    return f"One device sends {sum(one.bytes for one in use.traffic):,} bytes: {told}"


def whole(found: Placement) -> list[str]:
    """Everything: the sentence, and who holds which block."""
    lines = [about(found)]
    return lines + [f"Block {block.title}: {holders(block.devices)}" for block in found.blocks]


def holders(devices: tuple[int, ...]) -> str:
    return f"device{'s' * (len(devices) > 1)} {listed([*map(str, devices)])}"
