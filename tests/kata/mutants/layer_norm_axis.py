"""Wrong axis, wrong centre: what is averaged, and whether it is taken away."""

from tests.kata.mutants.layer_norm_text import after_statistics, before_normalising, core
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant(
        "axis_first",
        "axis_first",
        core("""
            mean = x.mean(dim=0, keepdim=True)
            variance = x.var(dim=0, unbiased=False, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # right for a matrix; one vector has no axis 1 and raises
    Mutant(
        "axis_1",
        "axis_1",
        core("""
            mean = x.mean(dim=1, keepdim=True)
            variance = x.var(dim=1, correction=0, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # the same without the error: dies on three axes only
    Mutant(
        "axis_1_where_there_is_one",
        "axis_1",
        core("""
            dim = 1 if x.ndim > 1 else 0
            mean = x.mean(dim=dim, keepdim=True)
            variance = (x - mean).pow(2).mean(dim=dim, keepdim=True)
            y = (x - mean) * torch.rsqrt(variance + eps)
        """),
    ),
    Mutant(
        "axis_all",
        "axis_all",
        core("""
            mean = x.mean()
            variance = x.var(unbiased=False)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # right for one vector and for a matrix
    Mutant(
        "axis_all_but_first",
        "axis_all_but_first",
        core("""
            dims = list(range(1, x.ndim)) or [0]
            mean = x.mean(dim=dims, keepdim=True)
            variance = x.var(dim=dims, correction=0, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # batch norm: one mean for each feature; the first axis only when x is a matrix
    Mutant(
        "axis_all_but_last",
        None,
        core("""
            dims = list(range(x.ndim - 1)) or [0]
            mean = x.mean(dim=dims, keepdim=True)
            variance = x.var(dim=dims, correction=0, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "axis_last_two",
        None,
        core("""
            dims = (-2, -1) if x.ndim > 1 else (-1,)
            mean = x.mean(dim=dims, keepdim=True)
            variance = ((x - mean) ** 2).mean(dim=dims, keepdim=True)
            y = (x - mean) / (variance + eps).sqrt()
        """),
    ),
    # over the positions of a sequence, counted from the end
    Mutant(
        "axis_minus_2",
        None,
        core("""
            dim = max(x.ndim - 2, 0)
            mean = x.mean(dim=dim, keepdim=True)
            variance = x.var(dim=dim, correction=0, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "axis_the_longest",
        None,
        core("""
            dim = x.shape.index(max(x.shape))
            mean = x.mean(dim=dim, keepdim=True)
            variance = x.var(dim=dim, correction=0, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "mean_of_columns_variance_of_rows",
        None,
        core("""
            mean = x.mean(dim=0, keepdim=True)
            variance = x.var(dim=-1, correction=0, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "mean_of_rows_variance_of_all",
        None,
        after_statistics("""
            variance = ((x - mean) ** 2).mean()
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "mean_of_all_variance_of_rows",
        None,
        before_normalising("mean = x.mean()"),
    ),
    Mutant(
        "variance_averaged_over_the_rows",
        None,
        before_normalising("variance = variance.mean()"),
    ),
    Mutant(
        "statistics_of_the_first_row",
        None,
        before_normalising("""
            mean = mean.reshape(-1)[:1].sum()
            variance = variance.reshape(-1)[:1].sum()
        """),
    ),
    # right for one vector; lines up with the wrong axis in a square, raises elsewhere
    Mutant(
        "keepdim_forgotten",
        None,
        core("""
            mean = x.mean(-1)
            variance = x.var(-1, correction=0)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # rows grouped as they lie in memory: (D, rows) is not the transpose of (rows, D)
    Mutant(
        "reshaped_where_transposed_was_meant",
        None,
        core("""
            columns = x.reshape(x.shape[-1], -1)
            mean = columns.mean(dim=0)
            variance = columns.var(dim=0, correction=0)
            y = ((columns - mean) / torch.sqrt(variance + eps)).reshape(x.shape)
        """),
    ),
    Mutant("no_mean", "no_mean", after_statistics("y = x / torch.sqrt(variance + eps)")),
    Mutant(
        "rms",
        "rms",
        core("y = x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)"),
    ),
    Mutant(
        "variance_not_centred",
        "variance_not_centred",
        before_normalising("variance = (x * x).mean(dim=-1, keepdim=True)"),
    ),
    Mutant("mean_added", None, before_normalising("mean = -mean")),
    Mutant("sign_turned", None, after_statistics("y = (mean - x) / torch.sqrt(variance + eps)")),
    Mutant(
        "median_for_mean",
        None,
        before_normalising("mean = x.median(dim=-1, keepdim=True).values"),
    ),
    Mutant(
        "variance_around_the_median",
        None,
        before_normalising("""
            middle = x.median(dim=-1, keepdim=True).values
            variance = ((x - middle) ** 2).mean(dim=-1, keepdim=True)
        """),
    ),
    Mutant(
        "mean_without_the_last_feature",
        None,
        core("""
            mean = x[..., :-1].mean(dim=-1, keepdim=True)
            variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "mean_of_absolute_values",
        None,
        before_normalising("mean = x.abs().mean(dim=-1, keepdim=True)"),
    ),
    Mutant(
        "axis_first_rms",
        ("axis_first", "rms"),
        core("y = x / torch.sqrt((x**2).mean(dim=0, keepdim=True) + eps)"),
    ),
    Mutant(
        "axis_first_no_eps",
        ("axis_first", "no_eps"),
        core("y = (x - x.mean(0, keepdim=True)) / x.std(0, correction=0, keepdim=True)"),
    ),
    Mutant(
        "axis_all_eps_outside_root",
        ("axis_all", "eps_outside_root"),
        core("y = (x - x.mean()) / (x.std(correction=0) + eps)"),
    ),
    Mutant(
        "axis_1_variance_not_centred",
        ("axis_1", "variance_not_centred"),
        core("""
            dim = min(1, x.ndim - 1)
            y = (x - x.mean(dim, keepdim=True)) / torch.sqrt((x**2).mean(dim, keepdim=True) + eps)
        """),
    ),
)
