"""Judging what a module registers."""

from tests.grader import say
from tests.grader.observation import ModuleFacts
from tests.grader.verdict import Verdict


def require_parameters(facts: ModuleFacts, call: str, shapes: dict[str, tuple[int, ...]]) -> None:
    """The module registers exactly these parameters, trainable, and no other state."""

    def wrong(mistake: str, move: str) -> Verdict:
        return Verdict("incorrect", "\n".join(say.sentences(call, mistake, move)), mistake)

    for name, shape in shapes.items():
        if name not in facts.parameters:
            kind = facts.attributes.get(name)
            if kind is None:
                there = say.names(tuple(facts.parameters)) or "none"
                raise wrong(
                    f"There is no parameter named {name} (the module has: {there}).",
                    "The names are those of torch, so that state dicts are interchangeable.",
                )
            if kind == "Parameter":
                raise wrong(
                    f"self.{name} leads to a parameter that is registered under another name "
                    f"({say.names(tuple(facts.parameters)) or 'none'}).",
                    f"Assign it as self.{name}: state dicts are interchangeable with torch's.",
                )
            raise wrong(
                f"self.{name} is a {kind}, not a parameter: it would never be trained.",
                f"Wrap it: self.{name} = nn.Parameter(...), after super().__init__().",
            )
        got = facts.parameters[name].shape
        if got != shape:
            turned = got[::-1] == shape and len(shape) == 2
            more = " It is stored turned round." if turned else ""
            raise wrong(f"{name} has shape {got} where {shape} is wanted.{more}", "")
        if str(facts.parameters[name].dtype) != "float32":
            raise wrong(f"{name} is {facts.parameters[name].dtype}; it starts as float32.", "")
        if name in facts.frozen:
            raise wrong(f"{name} has requires_grad=False: it would never be trained.", "")
    # A buffer with persistent=False is in no state dict, and so is nobody's business.
    surplus = [n for n in facts.parameters if n not in shapes]
    surplus += [n for n in facts.state_keys if n not in shapes and n not in surplus]
    if surplus:
        raise wrong(
            f"The module also registers {say.names(surplus)}: its state dict has "
            f"{', '.join(shapes)} and nothing else.",
            "Keep plain numbers as plain attributes.",
        )
    missing = [n for n in shapes if n not in facts.state_keys]
    if missing:
        raise wrong(f"{missing[0]} is missing from the state dict.", "")
