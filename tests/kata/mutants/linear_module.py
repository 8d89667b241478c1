"""The function and the parameters are right, what the module makes of them is not."""

from tests.kata.mutants.linear_text import forward, module
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant(
        "fresh_weight_each_call",
        "fresh_weights",
        module(
            after="self.bound = bound",
            forward="""
                weight = torch.empty_like(self.weight).uniform_(-self.bound, self.bound)
                return linear(x, weight, self.bias)
            """,
        ),
    ),
    Mutant(
        "reset_each_call",
        "fresh_weights",
        module(
            after="self.bound = bound",
            forward="""
                nn.init.uniform_(self.weight, -self.bound, self.bound)
                return linear(x, self.weight, self.bias)
            """,
        ),
    ),
    # right until something is loaded or learnt
    Mutant(
        "cached_transposed_copy",
        "cached_weight",
        module(
            after="self.columns = self.weight.detach().t().clone()",
            forward="return linear(x, self.columns.t().to(x.dtype), self.bias)",
        ),
    ),
    # with its graph: the first backward even reaches the weight, the values never follow
    Mutant(
        "cached_transposed_with_graph",
        "cached_weight",
        module(
            after="self.columns = self.weight.t().contiguous()",
            forward="return linear(x, self.columns.t().to(x.dtype), self.bias)",
        ),
    ),
    # a view: follows an optimizer and load_state_dict, but not .double()
    Mutant(
        "cached_view",
        "cached_weight",
        module(
            after="self.columns = self.weight.t()",
            forward="return linear(x, self.columns.t().to(x.dtype), self.bias)",
        ),
    ),
    Mutant(
        "cached_in_first_forward",
        "cached_weight",
        module(
            after="self.columns = None",
            forward="""
                if self.columns is None:
                    self.columns = self.weight.detach().clone()
                return linear(x, self.columns.to(x.dtype), self.bias)
            """,
        ),
    ),
    # only in evaluation, and never renewed
    Mutant(
        "cached_in_eval",
        "cached_weight",
        module(
            after="self.kept = None",
            forward="""
                if self.training:
                    return linear(x, self.weight, self.bias)
                if self.kept is None:
                    self.kept = self.weight.detach().clone()
                return linear(x, self.kept.to(x.dtype), self.bias)
            """,
        ),
    ),
    Mutant(
        "cached_bias",
        "cached_weight",
        module(
            after="self.shift = None if self.bias is None else self.bias.detach().clone()",
            forward="""
                shift = None if self.shift is None else self.shift.to(x.dtype)
                return linear(x, self.weight, shift)
            """,
        ),
    ),
    Mutant(
        "module_uses_data",
        ("weight_detached", "bias_detached"),
        forward("""
            bias = None if self.bias is None else self.bias.data
            return linear(x, self.weight.data, bias)
        """),
    ),
    Mutant(
        "module_adds_relu",
        "module_differs",
        forward("return torch.relu(linear(x, self.weight, self.bias))"),
    ),
    Mutant("module_forgets_bias", "module_differs", forward("return linear(x, self.weight)")),
    Mutant(
        "module_transpose_missing",
        "module_differs",
        forward("""
            y = x @ self.weight
            return y if self.bias is None else y + self.bias
        """),
    ),
    Mutant(
        "module_rank_limited",
        "module_differs",
        forward("""
            y = torch.einsum("bi,oi->bo", x, self.weight)
            return y if self.bias is None else y + self.bias
        """),
    ),
    Mutant(
        "module_flattens",
        "module_differs",
        forward("return linear(x.reshape(-1, x.shape[-1]), self.weight, self.bias)"),
    ),
    Mutant(
        "module_casts_to_float32",
        "module_differs",
        forward("""
            bias = None if self.bias is None else self.bias.float()
            return linear(x.float(), self.weight.float(), bias)
        """),
    ),
    Mutant(
        "module_dropout_in_training",
        "module_differs",
        forward("""
            y = linear(x, self.weight, self.bias)
            return nn.functional.dropout(y, 0.1, self.training)
        """),
    ),
    Mutant(
        "module_detached_in_eval",
        "module_differs",
        forward("""
            y = linear(x, self.weight, self.bias)
            return y if self.training else y.detach()
        """),
    ),
    Mutant(
        "module_bias_in_training_only",
        "module_differs",
        forward("return linear(x, self.weight, self.bias if self.training else None)"),
    ),
    # a gain of ones: the values are right, the state dict has a third entry
    Mutant(
        "module_has_a_gain",
        "module_differs",
        module(
            after="self.gain = nn.Parameter(torch.ones(()))",
            forward="return self.gain * linear(x, self.weight, self.bias)",
        ),
    ),
    Mutant(
        "module_has_a_counter",
        "module_differs",
        module(
            after='self.register_buffer("calls", torch.zeros(()))',
            forward="""
                self.calls += 1
                return linear(x, self.weight, self.bias)
            """,
        ),
    ),
    # where the sizes allow it
    Mutant(
        "module_adds_skip_when_square",
        "module_differs",
        forward("""
            y = linear(x, self.weight, self.bias)
            return x + y if y.shape == x.shape else y
        """),
    ),
    Mutant(
        "module_changes_input",
        "input_changed",
        forward("""
            y = linear(x, self.weight, self.bias)
            x.data.zero_()
            return y
        """),
    ),
    Mutant(
        "module_differs_from_second_call",
        "module_differs",
        module(
            after="self.calls = 0",
            forward="""
                self.calls += 1
                return linear(x, self.weight, self.bias) / self.calls
            """,
        ),
    ),
    Mutant(
        "module_keeps_running_mean",
        "module_differs",
        module(
            after="self.mean = 0.0",
            forward="""
                y = linear(x, self.weight, self.bias)
                if self.training and y.numel():
                    self.mean = 0.9 * self.mean + 0.1 * float(y.mean())
                return y - self.mean
            """,
        ),
    ),
    Mutant(
        "module_normalises_weight_in_place",
        "module_differs",
        forward("""
            with torch.no_grad():
                self.weight /= self.weight.norm()
            return linear(x, self.weight, self.bias)
        """),
    ),
    Mutant(
        "module_loads_nothing",
        "module_differs",
        module() + "\n    def _load_from_state_dict(self, *args):\n        pass\n",
    ),
    Mutant(
        "module_saves_nothing",
        "module_differs",
        module() + "\n    def state_dict(self, *args, **kwargs):\n        return {}\n",
    ),
    Mutant(
        "module_stays_float32",
        "module_differs",
        module() + "\n    def _apply(self, fn, recurse=True):\n        return self\n",
    ),
    Mutant("forward_missing", None, module().replace("def forward", "def forwards")),
)
