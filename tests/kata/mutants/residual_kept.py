"""How the block keeps the two modules it is given, and what it adds of its own."""

from textwrap import dedent

from tests.kata.mutants.model import Mutant
from tests.kata.mutants.residual_text import block, joined

_KEPT = "self.residual = residual\n"
_ADD = "\nreturn x + y if self.residual else y"


def _kept(lines: str, branch: str) -> str:
    """Modules kept in another way: `lines` in __init__, `branch` computes y with them."""
    return block(keep=_KEPT + dedent(lines), forward=dedent(branch) + _ADD)


_COPY = "from copy import deepcopy\n\n\n"

MUTANTS = (
    Mutant(
        "both_copied",
        "copies_modules",
        _COPY + block(init="self.norm, self.sublayer = deepcopy(norm), deepcopy(sublayer)"),
    ),
    Mutant("norm_copied", "copies_modules", _COPY + block(init="self.norm = deepcopy(norm)")),
    Mutant(
        "sublayer_copied",
        "copies_modules",
        _COPY + block(init="self.sublayer = deepcopy(sublayer)"),
    ),
    # only without the skip
    Mutant(
        "copied_without_skip",
        "copies_modules",
        _COPY
        + block(
            init="""
                if not residual:
                    self.sublayer = deepcopy(sublayer)
            """
        ),
    ),
    # with every call: what is learnt lands in a copy
    Mutant(
        "copied_in_forward",
        "copies_modules",
        _COPY + joined("y = deepcopy(self.sublayer)(deepcopy(self.norm)(x))"),
    ),
    Mutant("norm_forgotten_for_an_identity", None, block(init="self.norm = nn.Identity()")),
    Mutant("sublayer_forgotten_for_an_identity", None, block(init="self.sublayer = nn.Identity()")),
    # the first block's norm in every block
    Mutant(
        "first_norm_for_all",
        None,
        "_norms = []\n\n\n"
        + block(
            init="""
                _norms.append(norm)
                self.norm = _norms[0]
            """
        ),
    ),
    Mutant(
        "last_sublayer_for_all",
        None,
        "_last = {}\n\n\n"
        + block(
            init='_last["sublayer"] = sublayer',
            forward="""
                y = _last["sublayer"](self.norm(x))
                return x + y if self.residual else y
            """,
        ),
    ),
    Mutant(
        "in_a_list",
        "not_registered",
        _kept("self.parts = [norm, sublayer]", "y = self.parts[1](self.parts[0](x))"),
    ),
    Mutant(
        "in_a_tuple",
        "not_registered",
        _kept(
            "self.parts = norm, sublayer",
            """
                y = x
                for part in self.parts:
                    y = part(y)
            """,
        ),
    ),
    Mutant(
        "in_a_dict",
        "not_registered",
        _kept(
            'self.parts = {"norm": norm, "sublayer": sublayer}',
            'y = self.parts["sublayer"](self.parts["norm"](x))',
        ),
    ),
    Mutant(
        "in_a_lambda",
        "not_registered",
        _kept("self.branch = lambda x: sublayer(norm(x))", "y = self.branch(x)"),
    ),
    Mutant(
        "norm_in_a_list",
        "not_registered",
        _kept(
            """
                self.norms = [norm]
                self.sublayer = sublayer
            """,
            "y = self.sublayer(self.norms[0](x))",
        ),
    ),
    Mutant(
        "sublayer_in_a_closure",
        "not_registered",
        _kept(
            """
                self.norm = norm
                self.call = lambda h: sublayer(h)
            """,
            "y = self.call(self.norm(x))",
        ),
    ),
    Mutant(
        "behind_the_back_of_module",
        "not_registered",
        _kept(
            """
                object.__setattr__(self, "norm", norm)
                object.__setattr__(self, "sublayer", sublayer)
            """,
            "y = self.sublayer(self.norm(x))",
        ),
    ),
    Mutant(
        "in_a_partial",
        "not_registered",
        "from functools import partial\n\n\n"
        + _kept(
            """
                self.norm = partial(norm)
                self.sublayer = partial(sublayer)
            """,
            "y = self.sublayer(self.norm(x))",
        ),
    ),
    Mutant(
        "not_an_nn_module",
        "not_registered",
        block()
        .replace("(nn.Module)", "")
        .replace("        super().__init__()\n", "")
        .replace("def forward", "__call__ = lambda self, x: self.forward(x)\n\n    def forward"),
    ),
    Mutant("super_init_missing", None, block().replace("        super().__init__()\n", "")),
    # a branch that starts at zero: ReZero
    Mutant(
        "gate_of_zero",
        ("adds_parameters", "branch_missing"),
        block(
            init="self.gate = nn.Parameter(torch.zeros(1))",
            forward="""
                y = self.gate * self.sublayer(self.norm(x))
                return x + y if self.residual else y
            """,
        ),
    ),
    # the value is right
    Mutant(
        "gate_of_one",
        "adds_parameters",
        block(
            init="self.gate = nn.Parameter(torch.ones(()))",
            forward="""
                y = self.gate * self.sublayer(self.norm(x))
                return x + y if self.residual else y
            """,
        ),
    ),
    # a highway's gate, open half way
    Mutant(
        "gate_by_sigmoid",
        ("adds_parameters", "skip_scaled", "branch_scaled"),
        block(
            init="self.gate = nn.Parameter(torch.zeros(()))",
            forward="""
                y = self.sublayer(self.norm(x))
                g = torch.sigmoid(self.gate)
                return g * x + (1 - g) * y if self.residual else y
            """,
        ),
    ),
    Mutant(
        "parameter_unused",
        "adds_parameters",
        block(init="self.alpha = nn.Parameter(torch.tensor(1.0))"),
    ),
    Mutant(
        "buffer_of_calls",
        "adds_parameters",
        block(
            init='self.register_buffer("calls", torch.zeros(()))',
            forward="""
                self.calls += 1
                y = self.sublayer(self.norm(x))
                return x + y if self.residual else y
            """,
        ),
    ),
    # a shortcut for another width, built where none is needed
    Mutant(
        "projection_unused",
        "adds_parameters",
        block(init="self.shortcut = nn.ParameterList([torch.eye(2)])"),
    ),
    Mutant(
        "norm_added_of_its_own",
        "adds_parameters",
        block(init="self.gain = nn.ParameterList([p.detach().clone() for p in norm.parameters()])"),
    ),
    # learnt at the first call: the width is known then
    Mutant(
        "projection_in_first_call",
        "adds_parameters",
        block(
            init="self.shortcut = None",
            forward="""
                if self.shortcut is None:
                    self.shortcut = nn.Parameter(torch.eye(x.shape[-1], dtype=x.dtype))
                y = self.sublayer(self.norm(x))
                return x @ self.shortcut + y if self.residual else y
            """,
        ),
    ),
    Mutant("norm_set_to_train", "module_state_changed", block(init="norm.train()")),
    Mutant("block_set_to_train", "module_state_changed", block(init="self.train()")),
    Mutant("sublayer_set_to_eval", "module_state_changed", block(init="sublayer.eval()")),
    # only some modules have a parameter of that name
    Mutant(
        "called_by_keyword",
        None,
        block(
            forward="""
                y = self.sublayer(x=self.norm(x=x))
                return x + y if self.residual else y
            """
        ),
    ),
)
