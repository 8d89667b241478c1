"""The branch is right; how it meets the stream is not."""

from tests.kata.mutants.model import Mutant
from tests.kata.mutants.residual_text import added, after, forward, joined

MUTANTS = (
    Mutant("skip_doubled", "skip_doubled", added("return x + x + y")),
    # yolo's `shortcut` added by the loop and by the layer
    Mutant(
        "skip_added_again",
        "skip_doubled",
        added("""
            y = y + x
            return x + y
        """),
    ),
    Mutant("skip_halved", "skip_scaled", added("return 0.5 * x + y")),
    Mutant("skip_a_little_small", "skip_scaled", added("return 0.999 * x + y")),
    Mutant("skip_by_root_two", "skip_scaled", added("return x / math.sqrt(2) + y")),
    Mutant(
        "sum_by_root_two",
        ("skip_scaled", "branch_scaled"),
        added("return (x + y) / math.sqrt(2)"),
    ),
    Mutant("mean_of_both", ("skip_scaled", "branch_scaled"), added("return (x + y) / 2")),
    # deeper nets: x alpha + y
    Mutant("skip_by_root_of_width", "skip_scaled", added("return x * math.sqrt(x.shape[-1]) + y")),
    Mutant("skip_multiplied", "skip_multiplied", added("return x * y")),
    # a highway: x (1 + y)
    Mutant("skip_multiplied_and_added", None, added("return x + x * y")),
    Mutant("skip_subtracted", "skip_subtracted", added("return y - x")),
    Mutant("branch_subtracted", "skip_subtracted", added("return x - y")),
    Mutant("branch_halved", "branch_scaled", added("return x + 0.5 * y")),
    Mutant("branch_doubled", "branch_scaled", added("return x + 2 * y")),
    # Inception-ResNet's tenth
    Mutant("branch_tenth", "branch_scaled", added("return torch.add(x, y, alpha=0.1)")),
    Mutant("branch_almost_whole", "branch_scaled", added("return x + 0.999 * y")),
    # with the skip and without
    Mutant("branch_scaled_always", "branch_scaled", joined("y = self.sublayer(self.norm(x)) / 2")),
    Mutant(
        "branch_scaled_down_by_width",
        "branch_scaled",
        added("return x + y / math.sqrt(x.shape[-1])"),
    ),
    Mutant(
        "moving_average", ("skip_scaled", "branch_scaled"), added("return torch.lerp(x, y, 0.5)")
    ),
    Mutant("larger_of_both", None, added("return torch.maximum(x, y)")),
    Mutant("length_of_both", None, added("return torch.sqrt(x**2 + y**2)")),
    Mutant(
        "dropout_on_stream",
        "dropout_on_stream",
        after("return nn.functional.dropout(y, 0.1, self.training)"),
    ),
    # in evaluation too
    Mutant(
        "dropout_on_stream_always",
        "dropout_on_stream",
        after("return nn.functional.dropout(y, 0.1)"),
    ),
    Mutant(
        "dropout_on_branch",
        None,
        joined("""
            y = self.sublayer(self.norm(x))
            y = nn.functional.dropout(y, 0.1, self.training)
        """),
    ),
    Mutant(
        "dropout_on_skip", None, added("return nn.functional.dropout(x, 0.1, self.training) + y")
    ),
    # stochastic depth: the whole branch, now and then
    Mutant(
        "branch_dropped_at_random",
        None,
        added("return x if self.training and torch.rand(()) < 0.5 else x + y"),
    ),
    Mutant("relu_on_sum", "activation_on_sum", added("return torch.relu(x + y)")),
    Mutant("relu_on_every_result", "activation_on_sum", after("return torch.relu(y)")),
    Mutant("gelu_on_sum", "activation_on_sum", added("return nn.functional.gelu(x + y)")),
    Mutant("tanh_on_sum", "activation_on_sum", added("return torch.tanh(x + y)")),
    Mutant("clamp_on_sum", "activation_on_sum", added("return (x + y).clamp(-1, 1)")),
    Mutant("relu_on_branch", None, joined("y = torch.relu(self.sublayer(self.norm(x)))")),
    Mutant("relu_on_skip", None, added("return torch.relu(x) + y")),
    Mutant("relu_before_sublayer", None, joined("y = self.sublayer(torch.relu(self.norm(x)))")),
    # a norm of its own behind the sum, without parameters
    Mutant(
        "sum_rescaled",
        None,
        added("""
            z = x + y
            return z / (z.norm(dim=-1, keepdim=True) + 1e-6)
        """),
    ),
    Mutant(
        "sum_centred",
        None,
        added("""
            z = x + y
            return z - z.mean(-1, keepdim=True)
        """),
    ),
    Mutant(
        "sublayer_twice", "sublayer_twice", joined("y = self.sublayer(self.sublayer(self.norm(x)))")
    ),
    # f + f: called twice, added twice
    Mutant(
        "sublayer_twice_side_by_side",
        "sublayer_twice",
        joined("""
            h = self.norm(x)
            y = self.sublayer(h) + self.sublayer(h)
        """),
    ),
    # the mean of two calls: the value is right
    Mutant(
        "sublayer_twice_averaged",
        "module_called_twice",
        joined("""
            h = self.norm(x)
            y = (self.sublayer(h) + self.sublayer(h)) / 2
        """),
    ),
    # two blocks in one
    Mutant(
        "block_twice",
        ("norm_twice", "sublayer_twice"),
        forward("""
            for _ in range(2):
                y = self.sublayer(self.norm(x))
                x = x + y if self.residual else y
            return x
        """),
    ),
    # right to seven digits: not bit for bit x where the branch is zero
    Mutant("sum_in_sevenths", None, added("return (x / 7 + y / 7) * 7")),
    Mutant("sum_shifted", None, added("return (x + 0.1) + (y - 0.1)")),
    # nothing smaller than a thousandth is left
    Mutant(
        "sum_in_three_decimals",
        None,
        added("""
            z = x + y
            return z + ((z * 1000).round() / 1000 - z).detach()
        """),
    ),
    Mutant(
        "rows_of_branch_averaged",
        None,
        added("return x + y.mean(0, keepdim=True) if x.ndim > 1 else x + y"),
    ),
    Mutant("skip_of_first_row", None, added("return x[:1] + y")),
    Mutant("skip_reversed", None, added("return x.flip(-1) + y")),
    Mutant("skip_rolled_by_one_row", None, added("return x.roll(1, 0) + y")),
    Mutant(
        "skip_of_half_the_features",
        None,
        added("""
            n = x.shape[-1] // 2
            return y + torch.cat((x[..., :n], torch.zeros_like(x[..., n:])), -1)
        """),
    ),
    Mutant("skip_of_mean", None, added("return x.mean(-1, keepdim=True) + y")),
)
