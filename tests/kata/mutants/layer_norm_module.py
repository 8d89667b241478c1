"""The class LayerNorm alone is wrong: its parameters, its eps, or it does not run."""

from tests.kata.mutants.layer_norm_text import module
from tests.kata.mutants.model import Mutant

_PARAMETERS = """
self.weight = nn.Parameter(torch.ones(dim))
self.bias = nn.Parameter(torch.zeros(dim))
"""
_ALL = "self.eps = eps" + _PARAMETERS

MUTANTS = (
    Mutant(
        "plain_tensors",
        "parameters_missing",
        module("""
            self.eps = eps
            self.weight = torch.ones(dim)
            self.bias = torch.zeros(dim)
        """),
    ),
    # the weight is saved and moved, and never trained
    Mutant(
        "buffers_for_parameters",
        "parameters_missing",
        module("""
            self.eps = eps
            self.register_buffer("weight", torch.ones(dim))
            self.register_buffer("bias", torch.zeros(dim))
        """),
    ),
    Mutant(
        "parameters_without_grad",
        "parameters_missing",
        module("""
            self.eps = eps
            self.weight = nn.Parameter(torch.ones(dim), requires_grad=False)
            self.bias = nn.Parameter(torch.zeros(dim), requires_grad=False)
        """),
    ),
    Mutant(
        "plain_bias",
        "parameters_missing",
        module("""
            self.eps = eps
            self.weight = nn.Parameter(torch.ones(dim))
            self.bias = torch.zeros(dim)
        """),
    ),
    # a list hides them from parameters(), state_dict() and double()
    Mutant(
        "parameters_in_a_list",
        "parameters_missing",
        module(
            """
            self.eps = eps
            self.affine = [nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))]
            """,
            "return layer_norm(x, *self.affine, self.eps)",
        ),
    ),
    Mutant(
        "no_affine_part",
        "parameters_missing",
        module("self.eps = eps", "return layer_norm(x, eps=self.eps)"),
    ),
    Mutant(
        "named_gamma_and_beta",
        "parameter_names",
        module(
            """
            self.eps = eps
            self.gamma = nn.Parameter(torch.ones(dim))
            self.beta = nn.Parameter(torch.zeros(dim))
            """,
            "return layer_norm(x, self.gamma, self.beta, self.eps)",
        ),
    ),
    Mutant(
        "named_a_2_and_b_2",
        "parameter_names",
        module(
            """
            self.eps = eps
            self.a_2 = nn.Parameter(torch.ones(dim))
            self.b_2 = nn.Parameter(torch.zeros(dim))
            """,
            "return layer_norm(x, self.a_2, self.b_2, self.eps)",
        ),
    ),
    # the keys become affine.weight and affine.bias
    Mutant(
        "named_inside_a_dictionary",
        "parameter_names",
        module(
            """
            self.eps = eps
            ones, zeros = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))
            self.affine = nn.ParameterDict({"weight": ones, "bias": zeros})
            """,
            'return layer_norm(x, self.affine["weight"], self.affine["bias"], self.eps)',
        ),
    ),
    Mutant(
        "weight_starts_at_zeros",
        "initial_values",
        module(_ALL.replace("ones", "zeros")),
    ),
    Mutant(
        "bias_starts_at_ones",
        "initial_values",
        module(_ALL.replace("zeros", "ones")),
    ),
    Mutant(
        "weight_starts_at_random",
        "initial_values",
        module(_ALL.replace("ones", "randn")),
    ),
    Mutant(
        "bias_starts_near_zero",
        "initial_values",
        module(_ALL + "nn.init.normal_(self.bias, std=0.02)"),
    ),
    # the names are right, what they hold is not
    Mutant(
        "weight_and_bias_start_swapped",
        "initial_values",
        module("""
            self.eps = eps
            self.weight = nn.Parameter(torch.zeros(dim))
            self.bias = nn.Parameter(torch.ones(dim))
        """),
    ),
    Mutant(
        "parameters_of_shape_1_dim",
        None,
        module(_ALL.replace("(dim)", "(1, dim)")),
    ),
    Mutant("parameters_of_shape_1", None, module(_ALL.replace("(dim)", "(1)"))),
    Mutant(
        "parameters_always_float64",
        "dtype_lost",
        module(_ALL.replace("(dim)", "(dim, dtype=torch.float64)")),
    ),
    Mutant(
        "eps_not_passed_on",
        "module_eps_ignored",
        module(forward="return layer_norm(x, self.weight, self.bias)"),
    ),
    Mutant(
        "eps_not_kept",
        "module_eps_ignored",
        module("self.eps = 1e-5" + _PARAMETERS),
    ),
    # LayerNorm(4, 0.1) takes 0.1 for something else
    Mutant(
        "eps_is_the_third_argument",
        "module_eps_ignored",
        module().replace("dim, eps=1e-5", "dim, affine=True, eps=1e-5"),
    ),
    Mutant("module_default_eps_1e6", "default_eps", module().replace("1e-5", "1e-6")),
    Mutant("module_default_eps_1e12", "default_eps", module().replace("1e-5", "1e-12")),
    Mutant(
        "eps_is_trained",
        "module_differs",
        module("self.eps = nn.Parameter(torch.tensor(eps))" + _PARAMETERS),
    ),
    # one more key in the state dict
    Mutant(
        "eps_is_a_buffer",
        "module_differs",
        module('self.register_buffer("eps", torch.tensor(eps))' + _PARAMETERS),
    ),
    Mutant(
        "running_mean_kept",
        "module_differs",
        module(_ALL + 'self.register_buffer("running_mean", torch.zeros(dim))'),
    ),
    # nothing uses it; the state dict knows
    Mutant(
        "unused_projection",
        "module_differs",
        module(_ALL + "self.projection = nn.Parameter(torch.zeros(dim, dim))"),
    ),
    # the class raises before a number is seen
    Mutant("super_init_forgotten", None, module().replace("        super().__init__()\n", "")),
    Mutant("init_misspelled", None, module().replace("def __init__", "def __int__")),
    Mutant("forward_misspelled", None, module().replace("def forward", "def foward")),
    Mutant(
        "parameter_misspelled",
        None,
        module(_ALL.replace("nn.Parameter", "nn.Paramater")),
    ),
    # no Module: callable, with nothing to save, train or move
    Mutant(
        "not_a_module",
        None,
        """\
class LayerNorm:
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def __call__(self, x):
        return layer_norm(x, self.weight, self.bias, self.eps)
""",
    ),
    Mutant(
        "one_row_without_affine",
        None,
        module(
            _ALL,
            """
            if x.ndim == 1:
                return layer_norm(x, eps=self.eps)
            return layer_norm(x, self.weight, self.bias, self.eps)
            """,
        ),
    ),
)
