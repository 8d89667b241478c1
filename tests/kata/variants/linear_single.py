"""Ways to write `linear_single`, with loops and without."""

from tests.kata.variants.linear_text import single
from tests.kata.variants.model import Variant

_CODES = (
    (
        "zip_and_sum",
        """
            rows = [sum(w * v for w, v in zip(row, x)) + b for row, b in zip(weight, bias)]
            return torch.stack(rows)
        """,
    ),
    ("matvec", "return weight @ x + bias"),
    ("mv", "return torch.mv(weight, x).add(bias)"),
    ("addmv", "return torch.addmv(bias, weight, x)"),
    ("dot", "return torch.stack([torch.dot(row, x) for row in weight]) + bias"),
    ("einsum", 'return torch.einsum("oi,i->o", weight, x) + bias'),
    ("broadcast", "return (weight * x).sum(dim=1) + bias"),
    ("by_linear", "return linear(x, weight, bias)"),
    ("by_a_batch_of_one", "return linear(x.unsqueeze(0), weight, bias).squeeze(0)"),
    (
        "zeros_filled",
        """
            outputs, inputs = weight.shape
            y = torch.zeros(outputs, dtype=x.dtype)
            for i in range(outputs):
                for j in range(inputs):
                    y[i] += weight[i][j] * x[j]
                y[i] += bias[i]
            return y
        """,
    ),
    (
        "copy_of_bias_filled",
        """
            y = bias.clone()
            for j in range(len(x)):
                y = y + weight[:, j] * x[j]
            return y
        """,
    ),
    (
        "while_loops",
        """
            entries = []
            i = 0
            while i < weight.size(0):
                total, j = bias[i], 0
                while j < weight.size(1):
                    total = total + x[j] * weight[i, j]
                    j += 1
                entries.append(total)
                i += 1
            return torch.stack(entries)
        """,
    ),
    (
        "cat_of_single_entries",
        "return torch.cat([(row * x).sum().reshape(1) + b for row, b in zip(weight, bias)])",
    ),
    (
        "reduce",
        """
            from functools import reduce

            columns = zip(weight.unbind(1), x.unbind())
            return reduce(lambda total, pair: total + pair[0] * pair[1], columns, bias)
        """,
    ),
    (
        "terms_backwards",
        """
            total = bias
            for j in reversed(range(x.numel())):
                total = torch.add(total, weight[:, j] * x[j])
            return total
        """,
    ),
    (
        "matrix_of_a_diagonal",
        "return (weight @ torch.diag(x)).sum(1) + bias",
    ),
)

VARIANTS = tuple(Variant(f"single_{name}", single(code)) for name, code in _CODES)
