"""Wrong product: the transpose, the terms of the sum, its scale, something folded in after it."""

from tests.kata.mutants.linear_text import function, product
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant("transpose_missing", "transpose_missing", product("y = x @ weight")),
    # no error at any size: wrong where in == out
    Mutant(
        "transpose_only_when_it_must",
        "transpose_missing",
        product("""
            fits = weight.shape[0] == x.shape[-1]
            y = x @ (weight if fits else weight.t())
        """),
    ),
    # the right shape, the wrong entries
    Mutant(
        "transpose_by_reshape",
        None,
        product("y = x @ weight.reshape(weight.shape[1], weight.shape[0])"),
    ),
    Mutant(
        "transpose_and_bias_missing",
        ("transpose_missing", "bias_missing"),
        function("return x @ weight"),
    ),
    # W @ x: right for one vector, an error for a matrix, silently wrong where rows == in
    Mutant("column_vectors", "rank_limited", product("y = weight @ x")),
    Mutant(
        "column_result",
        "wrong_shape",
        function("""
            if x.ndim == 1:
                return weight @ x if bias is None else weight @ x + bias
            y = weight @ x.transpose(-2, -1)
            return y if bias is None else y + bias.unsqueeze(1)
        """),
    ),
    # every number is right and stands in the wrong place
    Mutant(
        "column_result_reshaped",
        "batch_summed",
        product("""
            y = weight @ x.reshape(-1, weight.shape[1]).t()
            y = y.reshape(*x.shape[:-1], weight.shape[0])
        """),
    ),
    # sums over the outputs: (..., in) unless in == out
    Mutant("sum_over_outputs", None, product("y = (x.unsqueeze(-2) * weight).sum(-2)")),
    Mutant("largest_term", None, product("y = (x.unsqueeze(-2) * weight).amax(-1)")),
    Mutant("features_reversed", None, product("y = x.flip(-1) @ weight.t()")),
    Mutant("last_feature_missing", "term_missing", product("y = x[..., :-1] @ weight[:, :-1].t()")),
    Mutant("first_feature_missing", "term_missing", product("y = x[..., 1:] @ weight[:, 1:].t()")),
    # takes the features in pairs: wrong where in is odd
    Mutant(
        "odd_feature_missing",
        None,
        product("""
            n = x.shape[-1] // 2 * 2
            y = x[..., :n] @ weight[:, :n].t()
        """),
    ),
    # a loop unrolled by four without its remainder
    Mutant(
        "remainder_missing",
        None,
        product("""
            n = x.shape[-1] - x.shape[-1] % 4
            y = x[..., :n] @ weight[:, :n].t()
        """),
    ),
    Mutant(
        "last_output_zero",
        None,
        product("""
            y = x @ weight.t()
            y = torch.cat((y[..., :-1], torch.zeros_like(y[..., -1:])), -1)
        """),
    ),
    # the running total is never set back, so each output holds those before it
    Mutant("outputs_accumulate", None, product("y = (x @ weight.t()).cumsum(-1)")),
    Mutant(
        "scaled_by_root_of_in",
        "scaled",
        product("y = x @ weight.t() / math.sqrt(weight.shape[1])"),
    ),
    Mutant("mean_of_terms", "scaled", product("y = (x.unsqueeze(-2) * weight).mean(-1)")),
    Mutant(
        "scaled_by_root_of_out",
        "scaled",
        product("y = x @ weight.t() / weight.shape[0] ** 0.5"),
    ),
    Mutant("product_doubled", "scaled", product("y = 2 * (x @ weight.t())")),
    Mutant("product_a_little_small", "scaled", product("y = 0.999 * (x @ weight.t())")),
    Mutant("product_negated", "scaled", product("y = -(x @ weight.t())")),
    Mutant(
        "all_scaled",
        "scaled",
        function("""
            y = x @ weight.t()
            y = y if bias is None else y + bias
            return y / math.sqrt(x.shape[-1])
        """),
    ),
    Mutant(
        "scaled_and_bias_doubled",
        ("scaled", "bias_doubled"),
        function("""
            y = x @ weight.t() / x.shape[-1]
            return y if bias is None else y + 2 * bias
        """),
    ),
    # unit length: no constant factor
    Mutant(
        "output_normalised",
        None,
        function("""
            y = x @ weight.t()
            y = y if bias is None else y + bias
            return y / (y.norm(dim=-1, keepdim=True) + 1e-12)
        """),
    ),
    Mutant(
        "input_normalised",
        None,
        product("y = x / (x.norm(dim=-1, keepdim=True) + 1e-12) @ weight.t()"),
    ),
    Mutant(
        "input_centred",
        None,
        product("y = (x - x.mean(-1, keepdim=True)) @ weight.t()"),
    ),
)

_ACTIVATIONS = (
    ("relu", "torch.relu(y)"),
    ("leaky_relu", "nn.functional.leaky_relu(y, 0.01)"),
    ("tanh", "torch.tanh(y)"),
    ("sigmoid", "torch.sigmoid(y)"),
    ("gelu", "nn.functional.gelu(y)"),
    ("softmax", "torch.softmax(y, dim=-1)"),
    ("clamp", "y.clamp(-1, 1)"),
)

MUTANTS += tuple(
    Mutant(
        f"activation_{name}",
        "activation",
        function(f"""
            y = x @ weight.t()
            y = y if bias is None else y + bias
            return {call}
        """),
    )
    for name, call in _ACTIVATIONS
)

MUTANTS += (
    Mutant("activation_before_bias", "activation", product("y = torch.relu(x @ weight.t())")),
    Mutant("activation_on_input", "activation", product("y = torch.relu(x) @ weight.t()")),
    Mutant(
        "relu_and_bias_missing",
        ("activation", "bias_missing"),
        function("return torch.relu(x @ weight.t())"),
    ),
)
