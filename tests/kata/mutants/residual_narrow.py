"""Right almost everywhere: wrong for one rank, one dtype, one mode, one order of calls."""

from tests.kata.mutants.model import Mutant
from tests.kata.mutants.residual_text import added, block

MUTANTS = (
    Mutant("narrow_vector_without_skip", None, added("return y if x.ndim == 1 else x + y")),
    Mutant("narrow_matrix_without_skip", None, added("return y if x.ndim == 2 else x + y")),
    Mutant("narrow_skip_for_three_axes_only", None, added("return x + y if x.ndim == 3 else y")),
    Mutant("narrow_four_axes_doubled", None, added("return x + x + y if x.ndim == 4 else x + y")),
    Mutant("narrow_one_row_without_skip", None, added("return y if x.shape[0] == 1 else x + y")),
    Mutant(
        "narrow_float64_without_skip",
        None,
        added("return y if x.dtype == torch.float64 else x + y"),
    ),
    Mutant(
        "narrow_without_gradient_no_skip",
        None,
        added("return x + y if torch.is_grad_enabled() else y"),
    ),
    Mutant("narrow_data_input_no_skip", None, added("return x + y if x.requires_grad else y")),
    # "no norm" read as "no skip"
    Mutant(
        "narrow_identity_norm_without_skip",
        None,
        added("return y if isinstance(self.norm, nn.Identity) else x + y"),
    ),
    # the first row of the batch belongs to the class token
    Mutant(
        "narrow_first_position_without_skip",
        None,
        added("""
            z = x + y
            return torch.cat((y[..., :1, :], z[..., 1:, :]), -2) if x.ndim > 1 else z
        """),
    ),
    Mutant("narrow_negative_entries_without_skip", None, added("return y + x.clamp(min=0)")),
    # large entries are cut before they are added
    Mutant("narrow_stream_clamped", None, added("return x.clamp(-5, 5) + y")),
    Mutant("narrow_branch_clamped", None, added("return x + y.clamp(-1, 1)")),
    Mutant(
        "narrow_strided_input_reordered",
        None,
        added("return x + y if x.is_contiguous() else x.flip(-1) + y"),
    ),
    Mutant(
        "narrow_sum_skipped_when_close",
        None,
        added("return x if torch.allclose(x, x + y, atol=0.1) else x + y"),
    ),
    Mutant(
        "narrow_zero_rows_skipped", None, added("return x + y * (x != 0).any(-1, keepdim=True)")
    ),
    # the stream of the first call is added to every later one
    Mutant(
        "first_stream_kept",
        "state_between_calls",
        block(
            init="self.stream = None",
            forward="""
                y = self.sublayer(self.norm(x))
                if self.stream is None or self.stream.shape != x.shape:
                    self.stream = x
                return self.stream + y if self.residual else y
            """,
        ),
    ),
    Mutant(
        "branch_kept_by_shape",
        "state_between_calls",
        block(
            init="self.kept = {}",
            forward="""
                key = x.shape, x.dtype
                if key not in self.kept:
                    self.kept[key] = self.sublayer(self.norm(x))
                return x + self.kept[key] if self.residual else self.kept[key]
            """,
        ),
    ),
    Mutant(
        "branch_added_up",
        "state_between_calls",
        block(
            init="self.total = 0",
            forward="""
                y = self.sublayer(self.norm(x))
                same = torch.is_tensor(self.total) and self.total.shape == y.shape
                self.total = y.detach() + self.total if same else y.detach()
                return x + y + (self.total - y.detach()) if self.residual else y
            """,
        ),
    ),
    Mutant(
        "skip_on_first_call_only",
        "state_between_calls",
        block(
            init="self.calls = 0",
            forward="""
                self.calls += 1
                y = self.sublayer(self.norm(x))
                return x + y if self.residual and self.calls == 1 else y
            """,
        ),
    ),
    # every other call
    Mutant(
        "flag_toggles",
        "state_between_calls",
        block(
            forward="""
                y = self.sublayer(self.norm(x))
                z = x + y if self.residual else y
                self.residual = not self.residual
                return z
            """,
        ),
    ),
    # one result tensor for each shape: the next call overwrites the last result
    Mutant(
        "result_shared_between_calls",
        "state_between_calls",
        block(
            init="self.results = {}",
            forward="""
                y = self.sublayer(self.norm(x))
                y = x + y if self.residual else y
                if y.requires_grad:
                    return y
                result = self.results.setdefault((y.shape, y.dtype), torch.empty_like(y))
                return result.copy_(y)
            """,
        ),
    ),
    # shared by all blocks: the second block adds the input of the first
    Mutant(
        "stream_of_first_block",
        "state_between_calls",
        "_streams = {}\n\n\n" + added("return _streams.setdefault((x.shape, x.dtype), x) + y"),
    ),
    Mutant(
        "same_block_for_all",
        "state_between_calls",
        block()
        + """
    def __new__(cls, *args, **kwargs):
        if not hasattr(cls, "only"):
            cls.only = super().__new__(cls)
        return cls.only
""",
    ),
    Mutant(
        "mean_of_stream_kept",
        "state_between_calls",
        block(
            init="self.mean = 0.0",
            forward="""
                y = self.sublayer(self.norm(x))
                if self.training and x.numel():
                    self.mean = 0.9 * self.mean + 0.1 * float(x.detach().mean())
                return x - self.mean + y if self.residual else y
            """,
        ),
    ),
    # warm-up: the branch grows over the first ten calls
    Mutant(
        "branch_warms_up",
        "state_between_calls",
        block(
            init="self.calls = 0",
            forward="""
                self.calls += self.training
                y = min(1.0, self.calls / 10) * self.sublayer(self.norm(x))
                return x + y if self.residual else y
            """,
        ),
    ),
)
