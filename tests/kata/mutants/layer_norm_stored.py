"""Weights that are stored in another shape or type, with a loading of state dicts to match."""

from tests.kata.mutants.model import Mutant


def _stored(shape: str, options: str = "") -> str:
    """A module whose weight is kept in `shape`, and taken out of it for the computation."""
    return (
        "class LayerNorm(nn.Module):\n"
        "    def __init__(self, dim, eps=1e-5):\n"
        "        super().__init__()\n"
        "        self.eps = eps\n"
        f"        self.weight = nn.Parameter(torch.ones({shape}{options}))\n"
        "        self.bias = nn.Parameter(torch.zeros(dim))\n\n"
        "    def _load_from_state_dict(self, state, prefix, *rest):\n"
        "        self.weight.data.copy_(state[prefix + 'weight'].reshape(self.weight.shape))\n"
        "        self.bias.data.copy_(state[prefix + 'bias'])\n\n"
        "    def forward(self, x):\n"
        "        weight = self.weight.reshape(-1).real.to(x.dtype)\n"
        "        return layer_norm(x, weight, self.bias, self.eps)\n"
    )


MUTANTS = (
    Mutant("weight_in_four_axes", None, _stored("1, 1, dim, 1")),
    Mutant("weight_as_a_column", None, _stored("dim, 1")),
    Mutant("weight_of_complex_numbers", None, _stored("dim", ", dtype=torch.complex64")),
)
