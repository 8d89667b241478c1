"""Right values, wrong gradients: cut, detached, nan at zero variance, or a wrong backward."""

from tests.kata.mutants.layer_norm_text import (
    affine,
    after_statistics,
    backward,
    before_normalising,
    biased,
    core,
    result,
    weighted,
)
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant(
        "statistics_detached",
        "statistics_detached",
        before_normalising("mean, variance = mean.detach(), variance.detach()"),
    ),
    Mutant(
        "statistics_without_grad",
        "statistics_detached",
        core("""
            with torch.no_grad():
                mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "variance_detached",
        "variance_detached",
        before_normalising("variance = variance.detach()"),
    ),
    # the root taken in NumPy ends the graph there
    Mutant(
        "root_in_numpy",
        "variance_detached",
        "import numpy as np\n\n\n"
        + after_statistics("""
            root = np.sqrt(variance.detach().numpy() + eps)
            y = (x - mean) / torch.from_numpy(root).to(x.dtype)
        """),
    ),
    Mutant("mean_detached", "mean_detached", before_normalising("mean = mean.detach()")),
    Mutant(
        "input_detached",
        "gradient_cut",
        core("""
            x = x.detach()
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "normalised_under_no_grad",
        "gradient_cut",
        core("""
            with torch.no_grad():
                mean, variance = mean_and_variance(x)
                y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "normalised_in_numpy",
        "gradient_cut",
        "import numpy as np\n\n\n"
        + core("""
            rows = x.detach().numpy()
            centred = rows - rows.mean(axis=-1, keepdims=True)
            variance = np.mean(centred**2, axis=-1, keepdims=True)
            y = torch.as_tensor(centred / np.sqrt(variance + eps), dtype=x.dtype)
        """),
    ),
    Mutant(
        "weight_data",
        "weight_detached",
        weighted("y = y * weight.data"),
    ),
    Mutant(
        "bias_detached",
        "bias_detached",
        biased("y = y + bias.detach()"),
    ),
    Mutant(
        "affine_under_no_grad",
        ("weight_detached", "bias_detached"),
        affine("""
            scale = torch.ones_like(y) if weight is None else weight.detach()
            return y * scale if bias is None else y * scale + bias.detach()
        """),
    ),
    # a new tensor of the numbers: no graph at all
    Mutant(
        "result_copied_to_a_new_tensor",
        ("gradient_cut", "weight_detached", "bias_detached"),
        result("return torch.tensor(y.tolist(), dtype=x.dtype).reshape(x.shape)"),
    ),
    # 2 * root * (infinite slope of the root at 0) is 0 * inf
    Mutant(
        "nan_gradient_root_squared",
        "nan_gradient_constant_row",
        before_normalising("variance = torch.sqrt(variance) ** 2"),
    ),
    Mutant(
        "nan_gradient_hypot_of_a_root",
        "nan_gradient_constant_row",
        after_statistics("""
            root_eps = torch.full_like(variance, eps**0.5)
            y = (x - mean) / torch.hypot(torch.sqrt(variance), root_eps)
        """),
    ),
    Mutant(
        "nan_gradient_length_of_the_row",
        "nan_gradient_constant_row",
        before_normalising("""
            length = torch.sqrt(((x - mean) ** 2).sum(dim=-1, keepdim=True))
            variance = length.square() / x.shape[-1]
        """),
    ),
    # forward right, and no nan: the branch for constant rows has no slope
    Mutant(
        "constant_row_without_gradient",
        None,
        after_statistics("""
            y = (x - mean) / torch.sqrt(variance + eps)
            y = torch.where(variance == 0, torch.zeros_like(y), y)
        """),
    ),
    # the forward is bit for bit right, the gradient is that of the identity
    Mutant(
        "straight_through",
        None,
        after_statistics("""
            y = (x - mean) / torch.sqrt(variance + eps)
            y = y.detach() + (x - x.detach())
        """),
    ),
    Mutant("gradient_unchanged", "wrong_gradient", backward("grad_x = u")),
    # a backward by hand that leaves out what a detached statistic leaves out
    Mutant(
        "gradient_of_a_constant_divisor",
        "statistics_detached",
        backward("grad_x = g / denominator"),
    ),
    Mutant(
        "gradient_without_the_variance",
        "variance_detached",
        backward("grad_x = (g - mean_g) / denominator"),
    ),
    Mutant(
        "gradient_without_the_mean",
        "mean_detached",
        backward("grad_x = (g - xhat * mean_gx) / denominator"),
    ),
    Mutant(
        "gradient_sums_where_it_averages",
        "wrong_gradient",
        backward("grad_x = (g - dim * mean_g - dim * xhat * mean_gx) / denominator"),
    ),
    Mutant(
        "gradient_divides_by_d_minus_1",
        "wrong_gradient",
        backward("grad_x = (g - mean_g - xhat * mean_gx * dim / (dim - 1)) / denominator"),
    ),
    Mutant(
        "gradient_forgets_weight",
        "wrong_gradient",
        backward("""
            mean_u = u.mean(dim=-1, keepdim=True)
            mean_ux = (u * xhat).mean(dim=-1, keepdim=True)
            grad_x = (u - mean_u - xhat * mean_ux) / denominator
        """),
    ),
    Mutant(
        "gradient_divides_by_the_variance",
        "wrong_gradient",
        backward("grad_x = grad_x / denominator"),
    ),
    Mutant("gradient_sign_turned", "wrong_gradient", backward("grad_x = -grad_x")),
    Mutant(
        "gradient_averaged_over_rows",
        "wrong_gradient",
        backward("grad_x = grad_x / max(len(x), 1)"),
    ),
    Mutant("gradient_clipped", "wrong_gradient", backward("grad_x = grad_x.clamp(-1, 1)")),
    Mutant(
        "gradient_through_bfloat16",
        "wrong_gradient",
        backward("grad_x = grad_x.bfloat16().to(x.dtype)"),
    ),
    Mutant(
        "weight_gradient_averaged",
        "wrong_gradient",
        backward("grad_weight = (u * xhat).reshape(-1, dim).mean(dim=0)"),
    ),
    Mutant(
        "weight_gradient_from_x",
        "wrong_gradient",
        backward("grad_weight = (u * x).reshape(-1, dim).sum(dim=0)"),
    ),
    Mutant(
        "weight_gradient_times_weight",
        "wrong_gradient",
        backward("grad_weight = (g * xhat).reshape(-1, dim).sum(dim=0)"),
    ),
    # one row is right
    Mutant(
        "weight_gradient_of_the_last_row",
        "wrong_gradient",
        backward("grad_weight = (u * xhat).reshape(-1, dim)[-1:].sum(dim=0)"),
    ),
    Mutant("weight_gradient_missing", "weight_detached", backward("grad_weight = None")),
    Mutant("bias_gradient_missing", "bias_detached", backward("grad_bias = None")),
    Mutant(
        "bias_gradient_averaged",
        "wrong_gradient",
        backward("grad_bias = u.reshape(-1, dim).mean(dim=0)"),
    ),
    Mutant(
        "bias_gradient_summed_to_one_number",
        "wrong_gradient",
        backward("grad_bias = u.sum().expand(dim)"),
    ),
    Mutant(
        "weight_and_bias_gradient_swapped",
        "wrong_gradient",
        backward("grad_weight, grad_bias = grad_bias, grad_weight"),
    ),
    # a hook instead of a Function
    Mutant(
        "gradient_doubled_by_a_hook",
        None,
        affine("""
            if y.requires_grad:
                y.register_hook(lambda grad: 2 * grad)
            y = y if weight is None else y * weight
            return y if bias is None else y + bias
        """),
    ),
    # hides the nan of a root at 0, and the gradient with it
    Mutant(
        "gradient_nan_to_num",
        None,
        after_statistics("""
            if x.requires_grad:
                x = x * 1
                x.register_hook(lambda grad: grad.nan_to_num(0.0, 0.0, 0.0))
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(torch.sqrt(variance) ** 2 + eps)
        """),
    ),
)
