"""How the block calls the two modules it is given, and what it does to them."""

from tests.kata.mutants.model import Mutant
from tests.kata.mutants.residual_text import after, block, forward, joined

MUTANTS = (
    Mutant(
        "norm_called_for_nothing",
        "module_called_twice",
        forward("""
            self.norm(x)
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant(
        "sublayer_called_for_nothing",
        "module_called_twice",
        forward("""
            h = self.norm(x)
            self.sublayer(h)
            y = self.sublayer(h)
            return x + y if self.residual else y
        """),
    ),
    # to look at the shape first
    Mutant(
        "both_called_for_the_shape",
        "module_called_twice",
        forward("""
            with torch.no_grad():
                assert self.sublayer(self.norm(x)).shape == x.shape
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    # both branches of the choice are computed, one is taken
    Mutant(
        "both_ways_computed",
        "module_called_twice",
        forward("""
            without = self.sublayer(self.norm(x))
            with_skip = x + self.sublayer(self.norm(x))
            return with_skip if self.residual else without
        """),
    ),
    Mutant(
        "called_twice_in_training",
        "module_called_twice",
        forward("""
            if self.training:
                self.norm(x)
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant(
        "called_twice_without_skip",
        "module_called_twice",
        forward("""
            y = self.sublayer(self.norm(x))
            if not self.residual:
                y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    # row by row: once for each row of the batch
    Mutant(
        "called_for_each_row",
        "module_called_twice",
        joined("""
            if x.ndim > 1 and len(x):
                y = torch.stack([self.sublayer(self.norm(row)) for row in x])
            else:
                y = self.sublayer(self.norm(x))
        """),
    ),
    # recomputed in the backward pass to save memory
    Mutant(
        "called_again_in_backward",
        "module_called_twice",
        "from torch.utils.checkpoint import checkpoint\n\n\n"
        + joined("y = checkpoint(lambda h: self.sublayer(self.norm(h)), x, use_reentrant=False)"),
    ),
    Mutant("norm_set_to_eval", "module_state_changed", block(init="self.norm.eval()")),
    Mutant(
        "both_set_to_eval_in_forward",
        "module_state_changed",
        forward("""
            self.norm.eval()
            self.sublayer.eval()
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant(
        "sublayer_set_to_train",
        "module_state_changed",
        forward("""
            self.sublayer.train()
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant("norm_frozen", "module_state_changed", block(init="self.norm.requires_grad_(False)")),
    Mutant(
        "sublayer_frozen_without_skip",
        "module_state_changed",
        block(
            init="""
                if not residual:
                    self.sublayer.requires_grad_(False)
            """
        ),
    ),
    # start as the identity
    Mutant(
        "sublayer_zeroed",
        "module_state_changed",
        block(
            init="""
                for p in self.sublayer.parameters():
                    nn.init.zeros_(p)
            """
        ),
    ),
    Mutant(
        "sublayer_scaled",
        "module_state_changed",
        block(
            init="""
                with torch.no_grad():
                    for p in self.sublayer.parameters():
                        p.mul_(0.5)
            """
        ),
    ),
    Mutant(
        "norm_made_fresh",
        "module_state_changed",
        block(
            init="""
                for name, p in self.norm.named_parameters():
                    nn.init.constant_(p, float(name == 'weight'))
            """
        ),
    ),
    Mutant(
        "modules_made_double",
        "module_state_changed",
        block(
            init="""
                self.norm.double()
                self.sublayer.double()
            """
        ),
    ),
    Mutant(
        "weights_clamped_in_forward",
        "module_state_changed",
        after("""
            for p in self.sublayer.parameters():
                p.data.clamp_(-0.5, 0.5)
            return y
        """),
    ),
    Mutant(
        "gradients_cleared_in_forward",
        "module_state_changed",
        forward("""
            self.zero_grad()
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant(
        "hook_left_on_sublayer",
        "module_state_changed",
        block(init="self.sublayer.register_forward_hook(lambda module, args, out: out * 1.0)"),
    ),
    # the hook adds the skip, and stays when the sublayer is used elsewhere
    Mutant(
        "skip_added_by_a_hook",
        "module_state_changed",
        block(
            init="""
                def add(module, args, out):
                    return out + self.stream

                if residual:
                    sublayer.register_forward_hook(add)
            """,
            forward="""
                self.stream = x
                return self.sublayer(self.norm(x))
            """,
        ),
    ),
    Mutant("forward_missing", None, block().replace("def forward", "def forwards")),
)
