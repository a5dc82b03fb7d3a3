"""What is said of a collective: in a sentence for each step, and of the whole."""

from .figure import counted, listed
from .ring_recording import Message, Recording, State, Step


def heading(found: Recording) -> str:
    """psum of 4 devices as a ring, 6 steps: each device sends 24 bytes"""
    where = f"{found.devices} devices"
    if len(found.groups) > 1:
        where += f" along {found.axis}, in {len(found.groups)} groups of {found.n}"
    steps = counted(len(found.steps), "step")
    return f"{found.name} of {where} as a ring, {steps}: each device sends {found.sent(len(found.steps))} bytes"


def about(found: Recording, place: int) -> str:
    """What a step does; place 0 is before the first, the last one is the result."""
    if place == 0:
        return f"{heading(found)}. {before(found)}"
    if place == found.places - 1:
        return after(found)
    step = found.steps[place - 1]
    sent = f"Each device has sent {found.sent(place)} bytes."
    return f"Step {place} of {len(found.steps)}. {step.words} {sent}"


def before(found: Recording) -> str:
    """Which devices speak to each other, and what they have."""
    groups = [listed([*map(str, group)]) for group in found.groups]
    who = f"Devices {'; '.join(groups)} speak to each other. " if len(groups) > 1 else ""
    blocks = sum(cell is not None for cell in found.start[0])
    return f"{who}Each device begins with {counted(blocks, 'block')} of one number."


def after(found: Recording) -> str:
    """The result, what it cost, and whether the package has the same."""
    cost = f"Each device has sent {found.sent(len(found.steps))} bytes: {found.cost}, where n = {found.n}."
    if found.problem:
        return f"The result. {found.finish} {cost} The package cannot compute it. {found.problem}."
    if not found.agrees:
        got = "; ".join(f"device {d}: {numbers(row)}" for d, row in enumerate(found.result))
        return f"The result of the ring. {cost} But `{found.code}` in `shard_map` gives something else: {got}."
    return f"The result. {found.finish} {cost} `{found.code}` in `shard_map` gives the same."


def numbers(row: tuple[float, ...]) -> str:
    return " ".join(f"{x:g}" for x in row)


def whole(found: Recording) -> list[str]:
    """All states and all messages."""
    lines = [before(found), *state_words(found.start)]
    for place, step in enumerate(found.steps, start=1):
        lines += [about(found, place), *messages_words(found, place, step), *state_words(step.state)]
    return [*lines, after(found), *state_words(found.end)]


def state_words(state: State) -> list[str]:
    """device 0: 3, 1, -, 1"""
    return [f"  device {d}: {', '.join(cell.text if cell else '-' for cell in row)}" for d, row in enumerate(state)]


def messages_words(found: Recording, place: int, step: Step) -> list[str]:
    state = found.state(place - 1)
    return [f"  {message_words(state, m)}" for m in step.messages if m.travels]


def message_words(state: State, m: Message) -> str:
    """device 0 sends block 3 (1) to device 1"""
    cell = state[m.sender][m.source]
    return f"device {m.sender} sends block {m.source}{f' ({cell.text})' if cell else ''} to device {m.receiver}"
