"""The product in one call, written in the many ways torch has for it."""

from tests.kata.variants.linear_text import function, product
from tests.kata.variants.model import Variant

_ONE_LINE = (
    ("einsum", 'torch.einsum("...i,oi->...o", x, weight)'),
    ("einsum_weight_first", 'torch.einsum("oi,...i->...o", weight, x)'),
    ("einsum_numbers", "torch.einsum(x, [..., 0], weight, [1, 0], [..., 1])"),
    ("weight_T", "x @ weight.T"),
    ("matmul_transpose_last_two", "x.matmul(weight.transpose(-1, -2))"),
    ("matmul_swapaxes", "torch.matmul(x, weight.swapaxes(0, 1))"),
    ("matmul_movedim", "torch.matmul(x, torch.movedim(weight, 0, 1))"),
    ("matmul_permute", "torch.matmul(input=x, other=weight.permute(1, 0))"),
    ("matmul_contiguous_copy", "x.contiguous() @ weight.mT.contiguous()"),
    ("matmul_dunder", "x.__matmul__(weight.t())"),
    ("column", "(weight @ x.unsqueeze(-1)).squeeze(-1)"),
    ("column_index", "(weight @ x[..., None])[..., 0]"),
    ("row", "(x.unsqueeze(-2) @ weight.t()).squeeze(-2)"),
    ("tensordot", "torch.tensordot(x, weight, ([-1], [1]))"),
    ("tensordot_keywords", "torch.tensordot(x, weight, dims=((x.ndim - 1,), (1,)))"),
    ("inner", "torch.inner(x, weight)"),
    ("vecdot", "torch.linalg.vecdot(x.unsqueeze(-2), weight)"),
    ("broadcast_sum", "(x.unsqueeze(-2) * weight).sum(-1)"),
    (
        "broadcast_sum_keepdim",
        "torch.mul(x[..., None, :], weight).sum(-1, keepdim=True).squeeze(-1)",
    ),
    ("mean_times_count", "(x.unsqueeze(-2) * weight).mean(-1) * x.shape[-1]"),
    ("double_inside", "(x.double() @ weight.double().t()).to(x.dtype)"),
)

VARIANTS = tuple(Variant(name, product(f"y = {line}")) for name, line in _ONE_LINE)

VARIANTS += (
    # columns on paper: W X, turned over at the end
    Variant(
        "columns_turned_over",
        function("""
            if x.ndim == 1:
                y = weight @ x
                return y if bias is None else bias + y
            y = weight @ x.transpose(-1, -2)
            if bias is not None:
                y = y + bias[:, None]
            return y.transpose(-1, -2)
        """),
    ),
    Variant(
        "addmm_of_rows",
        function("""
            outputs, inputs = weight.shape
            rows = x.reshape(-1, inputs)
            if bias is None:
                y = torch.mm(rows, weight.t())
            else:
                y = torch.addmm(bias, rows, weight.t())
            return y.reshape(*x.shape[:-1], outputs)
        """),
    ),
    Variant(
        "addmm_for_matrices",
        function("""
            if x.ndim == 2 and bias is not None:
                return torch.addmm(bias, x, weight.t())
            y = x.matmul(weight.t())
            if bias is not None:
                y += bias
            return y
        """),
    ),
    Variant(
        "addmv_for_vectors",
        function("""
            if bias is None:
                bias = weight.new_zeros(weight.shape[0])
            if x.ndim == 1:
                return torch.addmv(bias, weight, x)
            return torch.add(bias, torch.matmul(x, weight.t()))
        """),
    ),
    Variant(
        "baddbmm_expanded",
        function("""
            outputs, inputs = weight.shape
            if bias is None:
                bias = torch.zeros(outputs, dtype=x.dtype, device=x.device)
            rows = x.reshape(-1, 1, inputs)
            columns = weight.t().expand(rows.shape[0], inputs, outputs)
            y = torch.baddbmm(bias.expand(rows.shape[0], 1, outputs), rows, columns)
            return y.reshape(x.shape[:-1] + (outputs,))
        """),
    ),
    Variant(
        "flatten_and_unflatten",
        product("""
            vector = x.ndim == 1
            rows = x.unsqueeze(0) if vector else x.flatten(0, -2)
            y = rows @ weight.t()
            y = y.squeeze(0) if vector else y.unflatten(0, x.shape[:-1])
        """),
    ),
    Variant(
        "rows_by_math_prod",
        product("""
            *lead, inputs = x.shape
            y = x.contiguous().view(math.prod(lead), inputs) @ weight.t()
            y = y.view(*lead, len(weight))
        """),
    ),
    # a kind of its own for every number of axes
    Variant(
        "match_on_rank",
        product("""
            match x.ndim:
                case 1:
                    y = torch.mv(weight, x)
                case 2:
                    y = torch.mm(x, weight.t())
                case 3:
                    y = torch.bmm(x, weight.t().expand(x.shape[0], -1, -1))
                case _:
                    y = x @ weight.t()
        """),
    ),
    Variant(
        "letters_for_every_axis",
        product("""
            axes = "abcdefgh"[: x.ndim - 1]
            y = torch.einsum(f"{axes}i,oi->{axes}o", x, weight)
        """),
    ),
    Variant(
        "features_in_two_halves",
        product("""
            half = x.shape[-1] // 2
            left, right = x[..., :half], x[..., half:]
            y = left @ weight[:, :half].t() + right @ weight[:, half:].t()
        """),
    ),
    Variant(
        "outputs_in_chunks",
        product("y = torch.cat([x @ part.t() for part in weight.split(2)], dim=-1)"),
    ),
    Variant(
        "operator_matmul",
        "from operator import matmul\n\n\n" + product("y = matmul(x, weight.t())"),
    ),
    # says what is wrong with a wrong width, and nothing otherwise
    Variant(
        "width_checked",
        product("""
            if x.shape[-1] != weight.shape[-1]:
                raise ValueError(f"x has {x.shape[-1]} features, weight wants {weight.shape[-1]}")
            y = x @ weight.t()
        """),
    ),
    Variant(
        "autograd_function",
        """\
class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        rows = x.reshape(-1, weight.shape[1])
        grads = grad.reshape(-1, weight.shape[0])
        return grad @ weight, grads.t() @ rows


"""
        + product("y = Product.apply(x, weight)"),
    ),
    # asks which gradients are wanted; the bias is part of it
    Variant(
        "autograd_function_with_bias",
        """\
class Affine(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias):
        y = torch.einsum("...i,oi->...o", x, weight)
        return y if bias is None else y + bias

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, _ = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        lead = tuple(range(grad.ndim - 1))
        dx = grad @ weight if ctx.needs_input_grad[0] else None
        dw = torch.tensordot(grad, x, (lead, lead)) if ctx.needs_input_grad[1] else None
        db = grad.sum(lead) if lead and ctx.needs_input_grad[2] else grad
        return dx, dw, db if ctx.needs_input_grad[2] else None


def linear(x, weight, bias=None):
    return Affine.apply(x, weight, bias)
""",
    ),
)
