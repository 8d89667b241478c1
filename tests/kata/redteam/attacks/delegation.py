"""Attacks that let torch do it, by roads that nobody watches."""

from tests.kata.redteam.attacks.doors import body, norm
from tests.kata.redteam.model import Attack

_CALL = "(x, weight, bias)"

DELEGATION = (
    Attack(
        "functional.linear", "linear", body(f"return torch.nn.functional.linear{_CALL}"), known=31
    ),
    Attack(
        "linear by getattr",
        "linear",
        body(f"return getattr(_torch.nn.functional, 'lin' + 'ear'){_CALL}"),
        known=32,
    ),
    Attack(
        "linear by torch.ops",
        "linear",
        body(f"return getattr(getattr(_torch, 'op' + 's').aten, 'lin' + 'ear'){_CALL}"),
        "def helper(x):\n    return torch.add(x, 1)\n",
        known=32,
    ),
    Attack(
        "linear by torch._C",
        "linear",
        body(f"return getattr(getattr(_torch, '_' + 'C')._nn, 'lin' + 'ear'){_CALL}"),
        known=32,
    ),
    Attack(
        "linear in another thread",
        "linear",
        body(
            "out = []",
            f"go = lambda: out.append(getattr(_torch.nn.functional, 'lin' + 'ear'){_CALL})",
            "thread = _modules['threading'].Thread(target=go)",
            "thread.start()",
            "thread.join()",
            "return out[0]",
        ),
        known=33,
    ),
    Attack(
        "linear below every mode",
        "linear",
        body(
            "with getattr(_torch, '_' + 'C')._DisableTorchDispatch():",
            f"    return getattr(_torch.nn.functional, 'lin' + 'ear'){_CALL}",
        ),
        known=33,
    ),
    Attack(
        "tried, and right only if it is watched",
        "linear",
        body(
            f"try: return getattr(_torch.nn.functional, 'lin' + 'ear'){_CALL}",
            "except Exception: return x @ weight.T",
        ),
        known=35,
    ),
    Attack(
        "layer norm by getattr",
        "layer_norm",
        norm(
            "f = getattr(_torch.nn.functional, 'layer' + '_norm')",
            "return f(x, x.shape[-1:], weight, bias, eps)",
        ),
        known=32,
    ),
    Attack(
        "native layer norm",
        "layer_norm",
        norm(
            "f = getattr(_torch, 'native_' + 'layer_norm')",
            "return f(x, x.shape[-1:], weight, bias, eps)[0]",
        ),
        known=32,
    ),
    Attack(
        "layer norm by group norm",
        "layer_norm",
        norm(
            "f = getattr(_torch.nn.functional, 'group' + '_norm')",
            "flat = x.reshape(-1, 1, x.shape[-1])",
            "y = f(flat, 1, None, None, eps).reshape(x.shape)",
            "y = y if weight is None else y * weight",
            "return y if bias is None else y + bias",
        ),
        known=31,
    ),
    Attack(
        "layer norm by batch norm",
        "layer_norm",
        norm(
            "f = getattr(_torch.nn.functional, 'batch' + '_norm')",
            "flat = x.reshape(-1, x.shape[-1]).T",
            "y = f(flat, None, None, None, None, True, 0.1, eps).T.reshape(x.shape)",
            "y = y if weight is None else y * weight",
            "return y if bias is None else y + bias",
        ),
        known=31,
    ),
    Attack(
        "convolution as a linear layer",
        "linear",
        body(
            "f = getattr(_torch.nn.functional, 'conv' + '1d')",
            "flat = x.reshape(-1, x.shape[-1], 1)",
            "y = f(flat, weight[:, :, None], bias)",
            "return y.reshape(*x.shape[:-1], weight.shape[0])",
        ),
        known=31,
    ),
    Attack(
        "linear of a compiled program",
        "linear",
        body(
            f"return getattr(_torch, 'com' + 'pile')(lambda: torch.nn.functional.linear{_CALL})()"
        ),
        known=34,
    ),
)
