"""The product by loops, recursion and vmap; empty batches are looked after."""

from tests.kata.variants.linear_text import function, product
from tests.kata.variants.model import Variant

VARIANTS = (
    Variant(
        "loop_over_features",
        product("""
            y = 0
            for j in range(x.shape[-1]):
                y = y + x[..., j : j + 1] * weight[:, j]
        """),
    ),
    Variant(
        "loop_over_outputs",
        product("y = torch.stack([(x * row).sum(-1) for row in weight], dim=-1)"),
    ),
    Variant(
        "outputs_written_into_place",
        product("""
            y = x.new_zeros(*x.shape[:-1], weight.shape[0])
            for i, row in enumerate(weight):
                y[..., i] = x @ row
        """),
    ),
    Variant(
        "accumulated_in_place",
        function("""
            y = torch.zeros(x.shape[:-1] + weight.shape[:1], dtype=x.dtype)
            for j, column in enumerate(weight.unbind(1)):
                y += x[..., j, None] * column
            if bias is not None:
                y += bias
            return y
        """),
    ),
    Variant(
        "loop_over_rows",
        product("""
            outputs, inputs = weight.shape
            rows = [weight @ row for row in x.reshape(-1, inputs)]
            y = torch.stack(rows) if rows else x.new_zeros(0, outputs)
            y = y.reshape(*x.shape[:-1], outputs)
        """),
    ),
    Variant(
        "rows_by_linear_single",
        function("""
            shift = weight.new_zeros(weight.shape[0]) if bias is None else bias
            rows = x.reshape(-1, weight.shape[1])
            if len(rows) == 0:
                return x.new_empty(*x.shape[:-1], weight.shape[0])
            y = torch.stack([linear_single(row, weight, shift) for row in rows])
            return y.reshape(*x.shape[:-1], weight.shape[0])
        """),
    ),
    Variant(
        "recursion_over_axes",
        function("""
            if x.ndim == 1:
                y = weight @ x
                return y if bias is None else y + bias
            if x.shape[0] == 0:
                return x.new_zeros(*x.shape[:-1], weight.shape[0])
            return torch.stack([linear(part, weight, bias) for part in x])
        """),
    ),
    Variant(
        "recursion_over_halves_of_features",
        product("""
            inputs = weight.shape[1]
            if inputs == 1:
                y = x * weight[:, 0]
            else:
                half = inputs // 2
                y = linear(x[..., :half], weight[:, :half])
                y = y + linear(x[..., half:], weight[:, half:])
        """),
    ),
    Variant(
        "vmap_over_rows",
        product("""
            rows = x.reshape(-1, weight.shape[1])
            if rows.shape[0]:
                y = torch.vmap(lambda row: weight @ row)(rows)
            else:
                y = x.new_zeros(0, weight.shape[0])
            y = y.reshape(x.shape[:-1] + (weight.shape[0],))
        """),
    ),
    Variant(
        "vmap_over_outputs",
        product("y = torch.vmap(lambda row: (x * row).sum(-1), out_dims=-1)(weight)"),
    ),
    # every entry by hand: four loops in all
    Variant(
        "loops_all_the_way",
        product("""
            outputs, inputs = weight.shape
            rows = []
            for row in x.reshape(-1, inputs):
                entries = []
                for i in range(outputs):
                    total = row[0] * weight[i, 0]
                    for j in range(1, inputs):
                        total = total + row[j] * weight[i, j]
                    entries.append(total)
                rows.append(torch.stack(entries))
            y = torch.stack(rows) if rows else torch.zeros(0, outputs, dtype=x.dtype)
            y = y.reshape(*x.shape[:-1], outputs)
        """),
    ),
    # the blocks of a big product, three rows at a time
    Variant(
        "rows_in_blocks",
        product("""
            rows = x.reshape(-1, weight.shape[1])
            y = torch.cat([block @ weight.t() for block in rows.split(3)])
            y = y.reshape(*x.shape[:-1], weight.shape[0])
        """),
    ),
)
