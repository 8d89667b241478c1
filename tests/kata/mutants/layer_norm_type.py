"""Input overwritten; wrong dtype, shape or type of the result; ranks, strides, no rows."""

from tests.kata.mutants.layer_norm_text import (
    affine,
    after_statistics,
    before_normalising,
    core,
    result,
)
from tests.kata.mutants.model import Mutant

MUTANTS = (
    # raises for an x that is a leaf with gradients, overwrites any other
    Mutant(
        "input_centred_in_place",
        "input_changed",
        core("""
            mean, variance = mean_and_variance(x)
            x -= mean
            y = x / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "input_data_centred_in_place",
        "input_changed",
        after_statistics("""
            x.data.sub_(mean)
            y = x / torch.sqrt(variance + eps)
        """),
    ),
    # taking and adding the mean is not exact: the last bit of x may change
    Mutant(
        "input_centred_and_put_back",
        "input_changed",
        after_statistics("""
            x.data.sub_(mean)
            y = x / torch.sqrt(variance + eps)
            x.data.add_(mean)
        """),
    ),
    # put back bit for bit: the gradient alone knows
    Mutant(
        "input_centred_and_restored",
        None,
        after_statistics("""
            before = x.data.clone()
            x.data.sub_(mean.detach())
            y = x / torch.sqrt(variance + eps)
            x.data.copy_(before)
        """),
    ),
    Mutant(
        "result_written_into_the_input",
        "input_changed",
        result("""
            x.data.copy_(y)
            return y
        """),
    ),
    Mutant(
        "weight_rescaled_in_place",
        "input_changed",
        affine("""
            if weight is not None:
                y = y * weight
                weight.data.clamp_(-1.0, 1.0)
            return y if bias is None else y + bias
        """),
    ),
    Mutant(
        "bias_emptied",
        "input_changed",
        result("""
            if bias is not None:
                bias.data.zero_()
            return y
        """),
    ),
    Mutant(
        "result_stays_float64",
        "dtype_lost",
        core("""
            mean, variance = mean_and_variance(x.double())
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "result_always_float32",
        "dtype_lost",
        result("return y.float()"),
    ),
    Mutant(
        "eps_as_a_float64_tensor",
        "dtype_lost",
        before_normalising("eps = torch.tensor([eps], dtype=torch.float64)"),
    ),
    Mutant(
        "result_flattened_to_rows",
        "wrong_shape",
        result("return y.reshape(-1, x.shape[-1])"),
    ),
    # only axes of size 1 go
    Mutant(
        "result_squeezed",
        "wrong_shape",
        result("return y.squeeze()"),
    ),
    Mutant(
        "result_of_no_rows_has_no_features",
        "wrong_shape",
        core("""
            if x.numel() == 0:
                return x.new_empty(0)
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "result_with_statistics",
        None,
        result("return y, mean, variance"),
    ),
    Mutant(
        "result_in_numpy",
        None,
        result("return y.detach().numpy()"),
    ),
    Mutant(
        "result_forgotten",
        None,
        result("""
        """),
    ),
    Mutant(
        "result_printed",
        None,
        result("print(tuple(y.shape))"),
    ),
    # a Parameter is a leaf: the graph ends, and a module that keeps it would train it
    Mutant(
        "result_is_a_parameter",
        None,
        result("return nn.Parameter(y)"),
    ),
    Mutant(
        "result_is_a_subclass",
        None,
        "class Rows(torch.Tensor):\n    pass\n\n\n" + result("return y.as_subclass(Rows)"),
    ),
    # one row computed, shown for all
    Mutant(
        "first_row_expanded",
        None,
        core("""
            rows = x.reshape(-1, x.shape[-1])[:1]
            mean, variance = mean_and_variance(rows)
            y = ((rows - mean) / torch.sqrt(variance + eps)).sum(dim=0).expand(x.shape)
        """),
    ),
    Mutant(
        "two_axes_only",
        "rank_limited",
        core("""
            rows, dim = x.shape
            mean = x.sum(dim=1, keepdim=True) / dim
            variance = ((x - mean) ** 2).sum(dim=1, keepdim=True) / dim
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "three_axes_only",
        "rank_limited",
        core("""
            batch, length, dim = x.shape
            mean = x.mean(dim=2).view(batch, length, 1)
            variance = x.var(dim=2, unbiased=False).view(batch, length, 1)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "four_axes_refused",
        "rank_limited",
        core("""
            letters = {1: "d", 2: "bd", 3: "btd"}[x.ndim]
            mean = x.mean(dim=-1, keepdim=True)
            squares = torch.einsum(f"{letters},{letters}->{letters[:-1]}", x - mean, x - mean)
            y = (x - mean) / torch.sqrt(squares.unsqueeze(-1) / x.shape[-1] + eps)
        """),
    ),
    Mutant(
        "one_vector_refused",
        "rank_limited",
        core("""
            assert x.ndim >= 2, "x needs a batch axis"
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # a single vector comes back as a batch of one
    Mutant(
        "one_vector_gets_a_batch_axis",
        "wrong_shape",
        core("""
            x = x.unsqueeze(0) if x.ndim == 1 else x
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # a permuted x has no such view; the transpose of a matrix raises too, of (1, D) does not
    Mutant(
        "view_of_rows",
        "contiguous_only",
        core("""
            rows = x.view(-1, x.shape[-1])
            mean, variance = mean_and_variance(rows)
            y = ((rows - mean) / torch.sqrt(variance + eps)).view(x.shape)
        """),
    ),
    # reads the memory in its own order, and says nothing
    Mutant(
        "rows_as_they_lie_in_memory",
        "contiguous_only",
        core("""
            rows = x.as_strided((x.numel() // x.shape[-1], x.shape[-1]), (x.shape[-1], 1))
            mean, variance = mean_and_variance(rows)
            y = ((rows - mean) / torch.sqrt(variance + eps)).reshape(x.shape)
        """),
    ),
)
