"""The function is right; the module's parameters, their names or its bias flag are not."""

from tests.kata.mutants.linear_text import BIAS, WEIGHT, forward, module
from tests.kata.mutants.model import Mutant

_RENAMED = f"""
weight = {WEIGHT}
self.{{weight}} = nn.Parameter(weight)
"""

MUTANTS = (
    Mutant(
        "plain_tensors",
        "parameters_missing",
        module(
            weight=f"self.weight = {WEIGHT}",
            bias=f"self.bias = {BIAS}",
        ),
    ),
    # `requires_grad=True` makes no parameter: gradients come, the optimizer never hears of them
    Mutant(
        "plain_tensors_with_grad",
        "parameters_missing",
        module(
            weight=f"self.weight = {WEIGHT}.requires_grad_()",
            bias=f"self.bias = {BIAS}.requires_grad_()",
        ),
    ),
    Mutant(
        "bias_is_a_plain_tensor",
        "parameters_missing",
        module(bias=f"self.bias = {BIAS}"),
    ),
    # a device move or a dtype in between: the parameter is a leaf no longer, nor a Parameter
    Mutant(
        "parameter_times_bound",
        "parameters_missing",
        module(weight=f"self.weight = nn.Parameter({WEIGHT} / bound) * bound"),
    ),
    Mutant(
        "buffers",
        "parameters_missing",
        module(
            weight=f'self.register_buffer("weight", {WEIGHT})',
            bias=f'self.register_buffer("bias", {BIAS})',
        ),
    ),
    Mutant(
        "python_list_of_rows",
        "parameters_missing",
        module(
            weight=f"self.rows = [nn.Parameter(row.clone()) for row in {WEIGHT}]",
            forward="return linear(x, torch.stack(self.rows), self.bias)",
        ),
    ),
    Mutant(
        "parameters_in_a_dict",
        "parameters_missing",
        module(
            weight=f'self.p = {{"weight": nn.Parameter({WEIGHT})}}',
            forward='return linear(x, self.p["weight"], self.bias)',
        ),
    ),
    # made in the first forward: the optimizer was built before
    Mutant(
        "made_in_first_forward",
        "parameters_missing",
        module(
            weight="""
                self.weight = None
                self.first = lambda: torch.empty(out_features, in_features).uniform_(-bound, bound)
            """,
            forward="""
                if self.weight is None:
                    self.weight = nn.Parameter(self.first())
                return linear(x, self.weight, self.bias)
            """,
        ),
    ),
    Mutant(
        "not_an_nn_module",
        "parameters_missing",
        module()
        .replace("(nn.Module)", "")
        .replace("        super().__init__()\n", "")
        .replace('self.register_parameter("bias", None)', "self.bias = None")
        .replace("def forward(", "__call__ = lambda self, x: self.forward(x)\n\n    def forward("),
    ),
    Mutant("super_init_missing", None, module().replace("        super().__init__()\n", "")),
    Mutant(
        "parameters_frozen",
        "weight_detached",
        module(weight=f"self.weight = nn.Parameter({WEIGHT}, requires_grad=False)"),
    ),
    Mutant(
        "bias_frozen",
        "bias_detached",
        module(bias=f"self.bias = nn.Parameter({BIAS}, False)"),
    ),
    Mutant(
        "names_short",
        "parameter_names",
        module(
            weight=_RENAMED.format(weight="W"),
            bias=f"self.b = nn.Parameter({BIAS})",
            no_bias="self.b = None",
            after="self.bias = None",
            forward="return linear(x, self.W, self.b)",
        ),
    ),
    Mutant(
        "name_weights",
        "parameter_names",
        module(
            weight=_RENAMED.format(weight="weights"),
            forward="return linear(x, self.weights, self.bias)",
        ),
    ),
    # state dict keys `params.weight`, `params.bias`
    Mutant(
        "names_nested",
        "parameter_names",
        f"""class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        bound = 1 / math.sqrt(in_features)
        self.params = nn.ParameterDict()
        self.params["weight"] = {WEIGHT}
        if bias:
            self.params["bias"] = {BIAS}

    weight = property(lambda self: self.params["weight"])
    bias = property(lambda self: self.params["bias"] if "bias" in self.params else None)

    def forward(self, x):
        return linear(x, self.weight, self.bias)
""",
    ),
    # one parameter (out, in + 1) holds both
    Mutant(
        "bias_is_a_column_of_weight",
        "parameter_names",
        module(
            weight=f"""
                in_features += bool(bias)
                self.weight = nn.Parameter({WEIGHT})
                self.has_bias = bias
            """,
            bias="self.bias = None",
            forward="""
                if self.has_bias:
                    return linear(x, self.weight[:, :-1], self.weight[:, -1])
                return linear(x, self.weight)
            """,
        ),
    ),
    Mutant(
        "bias_has_two_axes",
        "wrong_shape",
        module(
            bias=f"self.bias = nn.Parameter({BIAS}.unsqueeze(0))",
            forward="return linear(x, self.weight, None if self.bias is None else self.bias[0])",
        ),
    ),
    # the result has one axis too many for a vector
    Mutant(
        "bias_has_two_axes_everywhere",
        "wrong_shape",
        module(bias=f"self.bias = nn.Parameter({BIAS}.unsqueeze(0))"),
    ),
    Mutant(
        "bias_is_one_number",
        "bias_scalar",
        module(bias="self.bias = nn.Parameter(torch.empty(1).uniform_(-bound, bound))"),
    ),
    Mutant(
        "stored_in_out",
        "weight_stored_transposed",
        module(
            weight=f"self.weight = nn.Parameter({WEIGHT}.t().contiguous())",
            forward="return linear(x, self.weight.t(), self.bias)",
        ),
    ),
    # and multiplied as if it were (out, in): sizes clash unless in == out
    Mutant(
        "stored_in_out_used_out_in",
        "weight_stored_transposed",
        module(weight=f"self.weight = nn.Parameter({WEIGHT}.t().contiguous())"),
    ),
    Mutant(
        "arguments_swapped",
        "weight_stored_transposed",
        module(head="out_features, in_features, bias=True"),
    ),
    Mutant(
        "bias_flag_in_place_of_bias",
        "bias_flag_kept",
        module(
            bias=f"self.b = nn.Parameter({BIAS})",
            no_bias="self.b = None",
            after="self.bias = bias",
            forward="return linear(x, self.weight, self.b)",
        ),
    ),
    # only without a bias: False where None should be
    Mutant(
        "bias_is_false",
        "bias_flag_kept",
        module(
            no_bias="self.bias = bias",
            forward="return linear(x, self.weight, None if self.bias is False else self.bias)",
        ),
    ),
    Mutant("bias_is_zero_number", None, module(no_bias="self.bias = 0.0")),
    Mutant(
        "bias_created_and_used",
        "bias_created_anyway",
        module(no_bias=f"self.bias = nn.Parameter({BIAS})"),
    ),
    # never added: only the count of parameters shows it
    Mutant(
        "bias_created_unused",
        "bias_created_anyway",
        module(
            no_bias="self.bias = nn.Parameter(torch.zeros(out_features))",
            after="self.use_bias = bias",
            forward="return linear(x, self.weight, self.bias if self.use_bias else None)",
        ),
    ),
    Mutant(
        "bias_zero_buffer",
        "bias_created_anyway",
        module(no_bias='self.register_buffer("bias", torch.zeros(out_features))'),
    ),
    # no parameter and not in the state dict, yet not None
    Mutant(
        "bias_zero_tensor",
        "bias_created_anyway",
        module(no_bias="self.bias = torch.zeros(out_features)"),
    ),
    Mutant("bias_attribute_missing", "bias_false_breaks", module(no_bias="pass")),
    Mutant(
        "bias_none_added",
        "bias_false_breaks",
        forward("return x @ self.weight.t() + self.bias"),
    ),
    Mutant(
        "bias_argument_missing",
        "bias_false_breaks",
        module(head="in_features, out_features").replace(
            "        if bias:\n", "        if True:\n"
        ),
    ),
    # the tensor's truth value: breaks with a bias, not without
    Mutant(
        "bias_truth_value_in_forward",
        None,
        forward("return linear(x, self.weight, self.bias if self.bias else None)"),
    ),
    Mutant("bias_off_by_default", None, module(head="in_features, out_features, bias=False")),
    Mutant(
        "bias_flag_inverted",
        None,
        module(head="in_features, out_features, bias=True").replace(
            "        if bias:\n", "        if not bias:\n"
        ),
    ),
    # stored turned round, which the loading of state dicts hides
    Mutant(
        "stored_turned_round",
        None,
        """\
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        bound = 1 / math.sqrt(in_features)
        self.weight = nn.Parameter(torch.empty(in_features, out_features).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(out_features).uniform_(-bound, bound))

    def _load_from_state_dict(self, state, prefix, *rest):
        self.weight.data.copy_(state[prefix + "weight"].T)
        self.bias.data.copy_(state[prefix + "bias"])

    def forward(self, x):
        return x @ self.weight + self.bias
""",
    ),
)
