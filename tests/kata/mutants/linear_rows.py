"""Rows, ranks and memory: which row goes where, which shapes and strides are understood."""

from tests.kata.mutants.linear_text import function, product
from tests.kata.mutants.model import Mutant

MUTANTS = (
    # cs231n's habit: every axis behind the first is one long row
    Mutant(
        "flattened_behind_the_batch",
        "flattened",
        product("y = (x.reshape(x.shape[0], -1) if x.ndim > 1 else x) @ weight.t()"),
    ),
    Mutant("flattened_to_one_row", "flattened", product("y = x.reshape(-1) @ weight.t()")),
    # right rows, never put back into their axes
    Mutant(
        "rows_not_put_back",
        "wrong_shape",
        product("y = x.reshape(-1, weight.shape[1]) @ weight.t()"),
    ),
    Mutant(
        "rows_summed",
        "batch_summed",
        product("""
            y = x @ weight.t()
            if x.ndim > 1:
                y = y.sum(0)
        """),
    ),
    # the same, spread over the rows again: the shape is right
    Mutant(
        "rows_averaged",
        "batch_summed",
        product("""
            y = x @ weight.t()
            if x.ndim > 1:
                y = y.mean(0, keepdim=True).expand_as(y)
        """),
    ),
    Mutant(
        "rows_lost_in_einsum", "batch_summed", product('y = torch.einsum("...i,oi->o", x, weight)')
    ),
    Mutant(
        "rows_centred",
        "batch_summed",
        product("""
            if x.ndim > 1:
                x = x - x.mean(0, keepdim=True)
            y = x @ weight.t()
        """),
    ),
    # the accumulator is not set back between two rows
    Mutant(
        "rows_accumulate",
        "batch_summed",
        product("""
            y = x @ weight.t()
            if x.ndim > 1:
                y = y.cumsum(-2)
        """),
    ),
    Mutant(
        "first_row_for_all",
        "batch_summed",
        product("""
            y = x @ weight.t()
            if x.ndim > 1:
                y = y[:1].expand_as(y)
        """),
    ),
    Mutant(
        "rows_rolled",
        "batch_summed",
        product("""
            y = x @ weight.t()
            if x.ndim > 1:
                y = y.roll(1, -2)
        """),
    ),
    # three axes and more
    Mutant(
        "first_two_axes_swapped",
        None,
        product("""
            y = x @ weight.t()
            if x.ndim > 2:
                y = y.transpose(0, 1)
        """),
    ),
    # the same with its shape repaired
    Mutant(
        "first_two_axes_shuffled",
        None,
        product("""
            y = x @ weight.t()
            if x.ndim > 2:
                y = y.transpose(0, 1).reshape(y.shape)
        """),
    ),
    # two rows at a time: an odd last row stays zero
    Mutant(
        "odd_row_missing",
        None,
        product("""
            y = x @ weight.t()
            if x.ndim > 1:
                n = x.shape[0] // 2 * 2
                y = torch.cat((y[:n], torch.zeros_like(y[n:])))
        """),
    ),
    Mutant(
        "last_row_missing",
        "wrong_shape",
        product("""
            y = x @ weight.t()
            if x.ndim > 1:
                y = y[:-1]
        """),
    ),
    Mutant("two_axes_only", "rank_limited", product('y = torch.einsum("bi,oi->bo", x, weight)')),
    Mutant(
        "two_axes_unpacked",
        "rank_limited",
        product("""
            rows, width = x.shape
            y = x @ weight.t()
        """),
    ),
    Mutant(
        "three_axes_only", "rank_limited", product('y = torch.einsum("bti,oi->bto", x, weight)')
    ),
    Mutant(
        "three_axes_bmm",
        "rank_limited",
        product("y = torch.bmm(x, weight.t().expand(x.shape[0], -1, -1))"),
    ),
    Mutant("one_axis_only", "rank_limited", product("y = torch.mv(weight, x)")),
    Mutant(
        "three_axes_at_most",
        "rank_limited",
        product("""
            letters = {1: "", 2: "b", 3: "bt"}[x.ndim]
            y = torch.einsum(f"{letters}i,oi->{letters}o", x, weight)
        """),
    ),
    Mutant(
        "two_axes_and_more",
        "rank_limited",
        product("""
            y = x.flatten(0, -2) @ weight.t()
            y = y.unflatten(0, x.shape[:-1])
        """),
    ),
    Mutant(
        "vector_gets_an_axis",
        "wrong_shape",
        product("""
            if x.ndim == 1:
                x = x.unsqueeze(0)
            y = x @ weight.t()
        """),
    ),
    Mutant(
        "vector_becomes_column",
        "wrong_shape",
        product("""
            y = x @ weight.t()
            if x.ndim == 1:
                return y.unsqueeze(1) if bias is None else (y + bias).unsqueeze(1)
        """),
    ),
    # a batch of one loses its axis
    Mutant(
        "squeezed",
        "wrong_shape",
        function("""
            y = x @ weight.t()
            return (y if bias is None else y + bias).squeeze()
        """),
    ),
    Mutant(
        "squeeze_forgotten",
        "wrong_shape",
        product("y = (weight @ x.unsqueeze(-1)).transpose(-1, -2)"),
    ),
    Mutant(
        "input_returned_too",
        "wrong_shape",
        function("""
            y = x @ weight.t()
            y = y if bias is None else y + bias
            return torch.cat((x, y), -1)
        """),
    ),
    Mutant(
        "view_of_rows",
        "contiguous_only",
        product("""
            y = x.view(-1, x.shape[-1]) @ weight.t()
            y = y.view(*x.shape[:-1], weight.shape[0])
        """),
    ),
    # no error: reads the memory as if it lay in order
    Mutant(
        "memory_order",
        "contiguous_only",
        product("""
            steps = [math.prod(x.shape[i + 1 :]) for i in range(x.ndim)]
            y = x.as_strided(x.shape, steps) @ weight.t()
        """),
    ),
    Mutant(
        "view_of_weight",
        "contiguous_only",
        product("y = x @ weight.view(-1).view(weight.shape).t()"),
    ),
    # torch.stack of no rows
    Mutant(
        "stack_of_rows",
        "empty_batch",
        product("""
            rows = x.reshape(-1, weight.shape[1])
            y = torch.stack([weight @ row for row in rows])
            y = y.reshape(*x.shape[:-1], weight.shape[0])
        """),
    ),
    Mutant(
        "stack_of_outputs_by_size",
        "empty_batch",
        product("""
            y = x @ weight.t()
            y = y.reshape(*x.shape[:-1], -1)
        """),
    ),
    Mutant(
        "empty_batch_given_back",
        "empty_batch",
        function("""
            if x.numel() == 0:
                return x
            y = x @ weight.t()
            return y if bias is None else y + bias
        """),
    ),
    Mutant(
        "empty_batch_has_no_axes",
        "empty_batch",
        product("""
            y = x @ weight.t()
            if x.numel() == 0:
                return torch.empty(0, dtype=x.dtype)
        """),
    ),
    # looks at the largest entry of nothing
    Mutant(
        "empty_batch_has_no_largest",
        "empty_batch",
        product("""
            assert x.max() < math.inf
            y = x @ weight.t()
        """),
    ),
)
