"""Only `linear_single` is wrong; `linear` and the module stay right."""

from tests.kata.mutants.linear_text import single
from tests.kata.mutants.model import Mutant


def _inner(
    start: str = "0", term: str = "x[j] * weight[i, j]", end: str = "total + bias[i]"
) -> str:
    return single(f"""
        rows = []
        for i in range(weight.shape[0]):
            total = {start}
            for j in range(weight.shape[1]):
                total = total + {term}
            rows.append({end})
        return torch.stack(rows)
    """)


_CODES = (
    # `total` is a view of bias, and += writes into it
    (
        "bias_written_through_a_view",
        single("""
            rows = []
            for i in range(weight.shape[0]):
                total = bias[i]
                for j in range(weight.shape[1]):
                    total += weight[i, j] * x[j]
                rows.append(total)
            return torch.stack(rows)
        """),
    ),
    ("bias_missing", _inner(end="total")),
    ("bias_subtracted", _inner(end="total - bias[i]")),
    ("bias_in_inner_loop", _inner(term="x[j] * weight[i, j] + bias[i]", end="total")),
    ("bias_at_both_ends", _inner(start="bias[i]")),
    ("terms_added_not_multiplied", _inner(term="x[j] + weight[i, j]")),
    ("mean_of_terms", _inner(end="total / len(x) + bias[i]")),
    ("relu", _inner(end="(total + bias[i]).clamp(min=0)")),
    ("last_term_missing", single("return (weight[:, :-1] * x[:-1]).sum(1) + bias")),
    ("first_term_missing", single("return (weight[:, 1:] * x[1:]).sum(1) + bias")),
    # weight[j][i]: an error unless in == out
    ("indices_swapped", _inner(term="x[j] * weight[j][i]")),
    ("transpose_missing", single("return x @ weight + bias")),
    (
        "outputs_counted_by_in",
        single("return torch.stack([weight[i] @ x + bias[i] for i in range(len(x))])"),
    ),
    (
        "outputs_at_most_in",
        single("""
            n = min(weight.shape)
            return weight[:n] @ x + bias[:n]
        """),
    ),
    ("last_output_missing", single("return (weight @ x + bias)[:-1]")),
    # `total = 0` stands above both loops
    ("total_not_reset", single("return (weight @ x).cumsum(0) + bias")),
    # `=` for `+=`
    ("last_term_only", single("return weight[:, -1] * x[-1] + bias")),
    # `return` one level too deep
    (
        "first_output_only",
        single("""
            for i in range(len(bias)):
                return (weight[i] @ x + bias[i]).reshape(1)
        """),
    ),
    ("list_out", single("return [weight[i] @ x + bias[i] for i in range(len(bias))]")),
    ("floats_out", single("return (weight @ x + bias).tolist()")),
    (
        "items",
        single("""
            rows = [sum(w.item() * v.item() for w, v in zip(row, x)) for row in weight]
            return torch.tensor(rows, dtype=x.dtype) + bias.detach()
        """),
    ),
    (
        "items_but_the_bias",
        single("""
            rows = [float(row @ x) for row in weight]
            return torch.tensor(rows, dtype=x.dtype) + bias
        """),
    ),
    (
        "items_of_default_dtype",
        single("""
            rows = [float(weight[i] @ x + bias[i]) for i in range(len(bias))]
            return torch.tensor(rows)
        """),
    ),
    (
        "buffer_of_default_dtype",
        single("""
            y = torch.zeros(len(bias))
            for i in range(len(bias)):
                y[i] = weight[i] @ x + bias[i]
            return y
        """),
    ),
    (
        "whole_number_buffer",
        single("""
            y = torch.zeros(len(bias), dtype=torch.long)
            for i in range(len(bias)):
                y[i] = int(weight[i] @ x + bias[i])
            return y
        """),
    ),
    ("column_out", single("return (weight @ x + bias).unsqueeze(1)")),
    ("outer_product", single("return weight * x + bias.unsqueeze(1)")),
    ("sum_of_all", single("return (weight * x).sum() + bias")),
    (
        "sum_down_the_columns",
        single("""
            y = (weight * x).sum(0)
            return y + bias if len(y) == len(bias) else y
        """),
    ),
    ("absolute_weight", single("return weight.abs() @ x + bias")),
    (
        "input_changed",
        single("""
            y = weight @ x + bias
            x.data.zero_()
            return y
        """),
    ),
    (
        "bias_filled",
        single("""
            y = bias.data
            for i in range(len(y)):
                y[i] += (weight[i] @ x).detach()
            return bias
        """),
    ),
    ("negative_terms_skipped", single("return (weight * x).clamp(min=0).sum(1) + bias")),
    ("weight_detached", single("return weight.detach() @ x + bias")),
    ("input_detached", single("return weight @ x.detach() + bias")),
    ("bias_detached", single("return weight @ x + bias.data")),
    ("three_terms_at_most", single("return weight[:, :3] @ x[:3] + bias")),
    # of another shape where the input is zero
    (
        "one_output_for_zeros",
        single("""
        y = (weight @ x + bias).flip(0) + 0.25
        return y if x.any() else y[:1]
    """),
    ),
    (
        "nothing_out",
        single("""
            y = weight @ x + bias
            print(y)
        """),
    ),
)

MUTANTS = tuple(Mutant(f"single_{name}", "single_wrong", code) for name, code in _CODES)
