"""Right arithmetic, wrong beginning: the values a new module starts with."""

from tests.kata.mutants.linear_text import BIAS, WEIGHT, module
from tests.kata.mutants.model import Mutant

_SHAPE = "out_features, in_features"


def _start(weight: str | None = None, bias: str | None = None, before: str = "") -> str:
    """`weight` and `bias` are expressions for the first values; `bound` is right before them."""
    lines = {}
    if weight:
        lines["weight"] = f"{before}\nself.weight = nn.Parameter({weight})"
    if bias:
        lines["bias"] = f"self.bias = nn.Parameter({bias})"
    return module(**lines)


def _range(bound: str) -> str:
    """Uniform for both, within a `bound` that is wrong."""
    return _start(
        WEIGHT,
        BIAS,
        f"bound = {bound}",
    )


MUTANTS = (
    Mutant("init_zero_weight", "init_zero", _start(f"torch.zeros({_SHAPE})")),
    Mutant(
        "init_all_zero", "init_zero", _start(f"torch.zeros({_SHAPE})", "torch.zeros(out_features)")
    ),
    Mutant("init_zero_bias", "bias_init", _start(bias="torch.zeros(out_features)")),
    Mutant("init_bias_ones", "bias_init", _start(bias="torch.ones(out_features)")),
    Mutant("init_bias_positive", "bias_init", _start(bias="torch.rand(out_features) * bound")),
    Mutant(
        "init_bias_tiny",
        "bias_init",
        _start(bias="torch.empty(out_features).uniform_(-0.001, 0.001)"),
    ),
    # dlsys: fan out for the bias; wrong unless in == out
    Mutant(
        "init_bias_fan_out",
        "bias_init",
        _start(bias="torch.empty(out_features).uniform_(-1, 1) / math.sqrt(out_features)"),
    ),
    # the bias is the first column of the weight, in memory too: loading one overwrites the other
    Mutant("init_bias_is_part_of_weight", "bias_init", _start(bias="self.weight.data[:, 0]")),
    # equal numbers in both
    Mutant("init_bias_repeats_weight", "bias_init", _start(bias="self.weight.data[:, 0].clone()")),
    Mutant(
        "init_bias_shared_entry",
        "bias_init",
        _start(bias="torch.empty(1).uniform_(-bound, bound).repeat(out_features)"),
    ),
    Mutant("init_rand", "init_positive", _start(f"torch.rand({_SHAPE})")),
    Mutant(
        "init_rand_within_bound",
        "init_positive",
        _start(f"torch.rand({_SHAPE}) * bound", "torch.rand(out_features) * bound"),
    ),
    # below zero: one-sided all the same
    Mutant("init_negative", None, _start(f"-torch.rand({_SHAPE}) * bound")),
    Mutant("init_randn", "init_scale", _start(f"torch.randn({_SHAPE})")),
    Mutant("init_randn_hundredth", "init_scale", _start(f"torch.randn({_SHAPE}) * 0.01")),
    # the bound used as a standard deviation
    Mutant("init_normal_of_bound", "init_scale", _start(f"torch.randn({_SHAPE}) * bound")),
    # mean and variance of the uniform, and a tail outside of it
    Mutant(
        "init_normal_same_variance",
        "init_scale",
        _start(f"torch.randn({_SHAPE}) * bound / math.sqrt(3)"),
    ),
    # no tail: only the spread inside the range tells
    Mutant(
        "init_normal_clipped",
        "init_scale",
        _start(f"(torch.randn({_SHAPE}) * bound / 3).clamp(-bound, bound)"),
    ),
    Mutant("init_within_one", "init_scale", _range("1")),
    Mutant("init_one_over_in", "init_scale", _range("1 / in_features")),
    Mutant("init_fan_out", "init_scale", _range("1 / math.sqrt(out_features)")),
    Mutant("init_fan_sum", "init_scale", _range("1 / math.sqrt(in_features + out_features)")),
    Mutant("init_twice_the_bound", "init_scale", _range("2 / math.sqrt(in_features)")),
    Mutant("init_half_the_bound", "init_scale", _range("0.5 / math.sqrt(in_features)")),
    Mutant("init_root_three_too_wide", "init_scale", _range("math.sqrt(3 / in_features)")),
    Mutant("init_fixed_tenth", "init_scale", _range("0.1")),
    # in + 1: the bias counted as an input; near for wide layers
    Mutant("init_in_plus_one", "init_scale", _range("1 / math.sqrt(in_features + 1)")),
    Mutant("init_xavier", "init_scale", _start(f"nn.init.xavier_uniform_(torch.empty({_SHAPE}))")),
    # kaiming without a = sqrt(5)
    Mutant(
        "init_kaiming_for_relu",
        "init_scale",
        _start(f"nn.init.kaiming_uniform_(torch.empty({_SHAPE}))"),
    ),
    # a = 5 for a = sqrt(5)
    Mutant(
        "init_kaiming_five",
        "init_scale",
        _start(f"nn.init.kaiming_uniform_(torch.empty({_SHAPE}), a=5)"),
    ),
    Mutant("init_orthogonal", "init_scale", _start(f"nn.init.orthogonal_(torch.empty({_SHAPE}))")),
    # only the two ends of the range
    Mutant("init_signs", "init_scale", _start(f"bound * torch.randn({_SHAPE}).sign()")),
    # whole steps: randint
    Mutant(
        "init_five_values", "init_scale", _start(f"bound * torch.randint(-2, 3, ({_SHAPE})) / 2")
    ),
    Mutant("init_identity", None, _start(f"torch.eye({_SHAPE})")),
    Mutant(
        "init_mostly_zero", None, _start(f"nn.init.sparse_(torch.empty({_SHAPE}), sparsity=0.9)")
    ),
    Mutant("init_one_number", "init_constant", _start(f"torch.full(({_SHAPE}), bound)")),
    Mutant(
        "init_same_rows",
        "init_constant",
        _start("torch.empty(in_features).uniform_(-bound, bound).repeat(out_features, 1)"),
    ),
    Mutant(
        "init_same_columns",
        "init_constant",
        _start("torch.empty(out_features, 1).uniform_(-bound, bound).repeat(1, in_features)"),
    ),
    # a ramp: inside the range and evenly spread, and the same in every module
    Mutant(
        "init_ramp",
        "init_constant",
        _start(f"torch.linspace(-bound, bound, out_features * in_features).reshape({_SHAPE})"),
    ),
    # every module begins alike, and torch's own stream of numbers is set back for everybody
    Mutant(
        "init_seeded",
        "init_constant",
        module(
            weight=f"""
                torch.manual_seed(0)
                self.weight = nn.Parameter({WEIGHT})
            """
        ),
    ),
    Mutant(
        "init_own_seeded_generator",
        "init_constant",
        _start(
            f"torch.empty({_SHAPE}).uniform_(-bound, bound, generator=own)",
            before="own = torch.Generator().manual_seed(1)",
        ),
    ),
    # drawn once for each size and shared: training one module trains all
    Mutant(
        "init_shared_by_size",
        "init_constant",
        "_made = {}\n\n\n"
        + module(
            weight=f"""
                if ({_SHAPE}) not in _made:
                    _made[{_SHAPE}] = nn.Parameter({WEIGHT})
                self.weight = _made[{_SHAPE}]
            """
        ),
    ),
    Mutant(
        "init_float64",
        "dtype_lost",
        _start(
            f"torch.empty({_SHAPE}, dtype=torch.float64).uniform_(-bound, bound)",
            "torch.empty(out_features, dtype=torch.float64).uniform_(-bound, bound)",
        ),
    ),
    # written out of the parameter's sight: the list is full, the parameter is zero
    Mutant(
        "init_of_a_copy",
        "init_zero",
        module(
            weight=f"""
                self.weight = nn.Parameter(torch.zeros({_SHAPE}))
                self.weight.detach().clone().uniform_(-bound, bound)
            """
        ),
    ),
    Mutant("init_bias_negated_weight", "bias_init", _start(bias="-self.weight.data[:, -1]")),
    Mutant(
        "init_half_mirrored",
        "init_repeated",
        module(
            weight=f"""
                self.weight = nn.Parameter({WEIGHT})
                half = out_features // 2
                self.weight.data[-half:] = -self.weight.data[:half]
            """
        ),
    ),
    Mutant(
        "init_one_row_twice",
        "init_repeated",
        module(
            weight=f"""
                self.weight = nn.Parameter({WEIGHT})
                self.weight.data[0] = self.weight.data[-1]
            """
        ),
    ),
    Mutant("init_rows_sorted", "init_sorted", _start(f"{WEIGHT}.sort(1).values")),
    Mutant("init_columns_sorted", "init_sorted", _start(f"{WEIGHT}.sort(0).values")),
    Mutant("init_bias_sorted", "bias_init", _start(bias=f"{BIAS}.sort().values")),
)
