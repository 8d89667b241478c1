"""What comes back, its shape and dtype, and what happened to the input."""

from tests.kata.mutants.model import Mutant
from tests.kata.mutants.residual_text import added, after, forward

MUTANTS = (
    # needs an input without gradient: else torch refuses
    Mutant(
        "input_added_in_place",
        "input_changed",
        forward("""
            y = self.sublayer(self.norm(x))
            if self.residual:
                x += y
                return x
            return y
        """),
    ),
    Mutant(
        "input_add_underscore",
        "input_changed",
        forward("""
            y = self.sublayer(self.norm(x))
            return x.add_(y) if self.residual else y
        """),
    ),
    # with gradients a copy, without them the caller's tensor
    Mutant(
        "input_added_in_place_without_grad",
        "input_changed",
        added("return x + y if y.requires_grad or x.requires_grad else x.add_(y)"),
    ),
    Mutant(
        "input_added_in_evaluation",
        "input_changed",
        added("""
            if self.training:
                return x + y
            with torch.no_grad():
                return x.add_(y)
        """),
    ),
    Mutant(
        "input_as_out",
        "input_changed",
        added("""
            with torch.no_grad():
                return torch.add(x, y, out=x)
        """),
    ),
    Mutant(
        "input_data_added",
        "input_changed",
        added("""
            z = x + y
            x.data = z.detach()
            return z
        """),
    ),
    Mutant(
        "input_zeroed_after_use",
        "input_changed",
        forward("""
            y = self.sublayer(self.norm(x))
            y = x + y if self.residual else y
            x.data.zero_()
            return y
        """),
    ),
    # before the shortcut reads it
    Mutant(
        "input_relu_in_place",
        "input_changed",
        forward("""
            x.data.relu_()
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant(
        "input_centred_in_place",
        "input_changed",
        forward("""
            x.data -= x.data.mean(-1, keepdim=True)
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant(
        "input_requires_grad",
        "input_changed",
        forward("""
            x.requires_grad_()
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant(
        "input_unsqueezed_in_place",
        "input_changed",
        after("""
            x.data = x.data.unsqueeze(0)
            return y
        """),
    ),
    Mutant(
        "input_overwritten_and_returned",
        "input_changed",
        added("""
            x.data.copy_((x + y).detach())
            return x
        """),
    ),
    Mutant("always_float32", "dtype_lost", after("return y.float()")),
    Mutant("always_float64", "dtype_lost", after("return y.double()")),
    Mutant("skip_in_float64", "dtype_lost", added("return x.double() + y")),
    # the dtype is right, three digits are left
    Mutant("sum_in_float16", None, added("return (x.half() + y.half()).to(x.dtype)")),
    # float64 passes through float32: a zero branch no longer gives x bit for bit
    Mutant("sum_in_float32", None, added("return (x.float() + y.float()).to(x.dtype)")),
    Mutant("whole_numbers", "dtype_lost", after("return y.round().long()")),
    Mutant("side_by_side", "wrong_shape", added("return torch.cat((x, y), dim=-1)")),
    Mutant("one_under_the_other", "wrong_shape", added("return torch.cat((x, y), dim=0)")),
    Mutant("stacked", "wrong_shape", added("return torch.stack((x, y))")),
    Mutant("stacked_sum_of_wrong_axis", "wrong_shape", added("return torch.stack((x, y)).sum(-1)")),
    Mutant("squeezed", "wrong_shape", after("return y.squeeze()")),
    Mutant("extra_axis", "wrong_shape", after("return y.unsqueeze(0)")),
    Mutant("rows_flattened", "wrong_shape", after("return y.reshape(-1, y.shape[-1])")),
    Mutant("rows_transposed", "wrong_shape", after("return y.transpose(0, -1)")),
    Mutant("summed_over_features", "wrong_shape", after("return y.sum(-1)")),
    # every pair of rows
    Mutant(
        "outer_sum",
        "wrong_shape",
        added("return x.unsqueeze(-2) + y.unsqueeze(-3 if y.ndim > 1 else -1)"),
    ),
    Mutant("stream_and_branch", None, added("return x, y")),
    Mutant("tuple_out", None, after("return (y,)")),
    Mutant("list_out", None, after("return y.tolist()")),
    Mutant("array_out", None, after("return y.detach().numpy()")),
    Mutant("nothing_out", None, after("print(y.shape)")),
    Mutant("parameter_out", ("skip_detached", "branch_detached"), after("return nn.Parameter(y)")),
    Mutant(
        "three_axes_unpacked",
        None,
        forward("""
            batch, length, width = x.shape
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant("view_of_input", None, added("return (x.view(-1) + y.reshape(-1)).view(x.shape)")),
    # the caller's own tensor where a new one was asked for
    Mutant(
        "zero_branch_gives_input_and_no_gradient", None, added("return x if not y.any() else x + y")
    ),
)
