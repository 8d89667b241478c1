"""Other ways through the rows: loops, vmap, flattening, moved axes, own buffers, own backward."""

from tests.kata.variants.layer_norm_text import core
from tests.kata.variants.model import Variant

_ROW = """\
def normalise_row(row, eps):
    centred = row - row.mean()
    return centred / torch.sqrt(centred.dot(centred) / len(row) + eps)


"""

VARIANTS = (
    Variant(
        "flattened_and_reshaped",
        core("""
            rows = x.reshape(-1, x.shape[-1])
            mean = rows.mean(1).unsqueeze(1)
            var = rows.var(1, unbiased=False).unsqueeze(1)
            y = ((rows - mean) / torch.sqrt(var + eps)).reshape(x.shape)
        """),
    ),
    Variant(
        "contiguous_then_view",
        core("""
            rows = x.contiguous().view(-1, x.size(-1))
            mean = rows.mean(1, keepdim=True)
            var = (rows - mean).pow(2).mean(1, keepdim=True)
            y = ((rows - mean) / (var + eps).sqrt()).view(x.size())
        """),
    ),
    Variant(
        "flatten_and_unflatten",
        core("""
            rows = x.unsqueeze(0).flatten(0, -2)
            mean, variance = mean_and_variance(rows)
            y = ((rows - mean) / torch.sqrt(variance + eps)).view_as(x)
        """),
    ),
    Variant(
        "comprehension_and_stack",
        _ROW
        + core("""
            rows = [normalise_row(row, eps) for row in x.reshape(-1, x.shape[-1])]
            y = torch.stack(rows).reshape(x.shape) if rows else x * 1
        """),
    ),
    Variant(
        "loop_into_an_own_buffer",
        _ROW
        + core("""
            y = x.clone()
            for index in range(x[..., 0].numel()):
                place = []
                for size in reversed(x.shape[:-1]):
                    place.insert(0, index % size)
                    index //= size
                y[tuple(place)] = normalise_row(x[tuple(place)], eps)
        """),
    ),
    Variant(
        "recursion_over_the_axes",
        """\
def normalise(x, eps):
    if x.ndim == 1:
        centred = x - x.mean()
        return centred / torch.sqrt((centred * centred).mean() + eps)
    return torch.stack([normalise(part, eps) for part in x]) if len(x) else x + 0


"""
        + core("y = normalise(x, eps)"),
    ),
    Variant(
        "unbind_and_cat",
        core("""
            pieces = x.reshape(-1, x.shape[-1]).split(1) if x.numel() else [x]
            done = []
            for piece in pieces:
                mean, variance = mean_and_variance(piece)
                done.append((piece - mean) / torch.sqrt(variance + eps))
            y = torch.cat(done).reshape(x.shape)
        """),
    ),
    Variant(
        "vmap_over_rows",
        _ROW
        + core("""
            rows = x.reshape(-1, x.shape[-1])
            over_rows = torch.vmap(lambda row: normalise_row(row, eps))
            y = over_rows(rows).reshape(x.shape) if len(rows) else x.clone()
        """),
    ),
    Variant(
        "generator_of_columns",
        core("""
            n = x.shape[-1]
            mean = sum(x[..., j] for j in range(n)) / n
            var = sum((x[..., j] - mean) ** 2 for j in range(n)) / n
            y = torch.stack([(x[..., j] - mean) / torch.sqrt(var + eps) for j in range(n)], -1)
        """),
    ),
    Variant(
        "reduce_over_columns",
        "from functools import reduce\nfrom operator import add\n\n\n"
        + core("""
            columns = x.unbind(-1)
            mean = (reduce(add, columns) / len(columns)).unsqueeze(-1)
            squares = [(column.unsqueeze(-1) - mean).square() for column in columns]
            y = (x - mean) / torch.sqrt(reduce(add, squares) / len(columns) + eps)
        """),
    ),
    # Welford: mean and squares are brought up to date with each column
    Variant(
        "one_pass_over_columns",
        core("""
            mean = torch.zeros_like(x[..., :1])
            squares = torch.zeros_like(mean)
            for seen, column in enumerate(x.split(1, dim=-1), start=1):
                step = column - mean
                mean = mean + step / seen
                squares = squares + step * (column - mean)
            y = (x - mean) / torch.sqrt(squares / x.shape[-1] + eps)
        """),
    ),
    Variant(
        "while_loop_over_columns",
        core("""
            j, total = 0, 0
            while j < x.shape[-1]:
                total = total + x[..., j]
                j += 1
            centred = x - (total / j)[..., None]
            y = centred / torch.sqrt(centred.pow(2).mean(-1, keepdim=True) + eps)
        """),
    ),
    Variant(
        "features_moved_to_the_front",
        core("""
            columns = x.movedim(-1, 0)
            mean = columns.mean(0)
            var = columns.var(0, correction=0)
            y = ((columns - mean) / torch.sqrt(var + eps)).movedim(0, -1)
        """),
    ),
    Variant(
        "ends_transposed",
        core("""
            swapped = x.transpose(0, -1)
            var, mean = torch.var_mean(swapped, 0, correction=0, keepdim=True)
            y = ((swapped - mean) / torch.sqrt(var + eps)).transpose(0, -1)
        """),
    ),
    Variant(
        "axis_counted_from_the_front",
        core("""
            last = x.ndim - 1
            mean = x.mean(dim=last, keepdim=True)
            y = (x - mean) / torch.sqrt(x.var(dim=last, correction=0, keepdim=True) + eps)
        """),
    ),
    Variant(
        "axis_in_a_tuple",
        core("""
            mean = x.mean(dim=(-1,), keepdim=True)
            var = x.var(dim=(x.dim() - 1,), unbiased=False, keepdim=True)
            y = (x - mean) / torch.sqrt(var + eps)
        """),
    ),
    Variant(
        "axis_in_the_words_of_numpy",
        core("""
            mean = x.mean(axis=-1, keepdims=True)
            var = torch.square(x - mean).mean(axis=-1, keepdims=True)
            y = (x - mean) / torch.sqrt(var + eps)
        """),
    ),
    Variant(
        "unsqueeze_for_keepdim",
        core("""
            mean = x.mean(-1).unsqueeze(-1)
            y = (x - mean) / torch.sqrt(x.var(-1, correction=0)[..., None] + eps)
        """),
    ),
    Variant(
        "expanded_statistics",
        core("""
            mean, variance = (s.expand_as(x) for s in mean_and_variance(x))
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # in place, on a tensor that no one else has
    Variant(
        "own_copy_in_place",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    y = x.clone()
    y -= mean
    y *= torch.rsqrt(variance + eps)
    if weight is not None:
        y *= weight
    if bias is not None:
        y += bias
    return y
""",
    ),
    Variant(
        "own_root_in_place",
        core("""
            mean, variance = mean_and_variance(x)
            root = variance.add(eps).sqrt_()
            y = (x - mean).div_(root)
        """),
    ),
    Variant(
        "zeros_filled_by_copy",
        core("""
            mean, variance = mean_and_variance(x)
            y = x.new_zeros(x.shape)
            y.copy_((x - mean) / torch.sqrt(variance + eps))
        """),
    ),
    Variant(
        "own_backward",
        """\
class RowNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps):
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        scale = torch.rsqrt(var + eps)
        y = (x - mean) * scale
        ctx.save_for_backward(y, scale)
        return y

    @staticmethod
    def backward(ctx, up):
        y, scale = ctx.saved_tensors
        along = (up * y).mean(-1, keepdim=True)
        return scale * (up - up.mean(-1, keepdim=True) - y * along), None


"""
        + core("y = RowNorm.apply(x, eps)"),
    ),
    Variant(
        "own_backward_with_weight_and_bias",
        """\
class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, xhat, weight, bias):
        ctx.save_for_backward(xhat, weight)
        return torch.addcmul(bias, xhat, weight)

    @staticmethod
    def backward(ctx, up):
        xhat, weight = ctx.saved_tensors
        rows = up.reshape(-1, up.shape[-1])
        grad_weight = torch.einsum("rd,rd->d", rows, xhat.reshape(rows.shape))
        return up * weight, grad_weight, rows.sum(0)


def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    xhat = (x - mean) / torch.sqrt(variance + eps)
    weight = x.new_ones(x.shape[-1]) if weight is None else weight
    bias = x.new_zeros(x.shape[-1]) if bias is None else bias
    return Affine.apply(xhat, weight, bias)
""",
    ),
    # autograd sums a gradient that is larger than its tensor by the axes that were broadcast
    Variant(
        "own_backward_leaves_the_sums_to_autograd",
        """\
class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, xhat, weight, bias):
        ctx.save_for_backward(xhat, weight)
        return xhat * weight + bias

    @staticmethod
    def backward(ctx, up):
        xhat, weight = ctx.saved_tensors
        return up * weight, up * xhat, up


def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    xhat = (x - mean) * torch.rsqrt(variance + eps)
    weight = torch.ones_like(x) if weight is None else weight
    bias = torch.zeros_like(x) if bias is None else bias
    return Affine.apply(xhat, weight, bias)
""",
    ),
)
