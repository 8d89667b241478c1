"""Odd but right pieces of the experiment."""

from tests.kata.mutants.ablation_text import accuracy, block, halves, recovered
from tests.kata.variants.model import Variant

_CLASS = """\
class Block(nn.Module):
    def __init__(self, dim, attention, mlp, norm, residual):
        super().__init__()
        self.first = ResidualBlock(LayerNorm(dim) if norm else nn.Identity(), attention, residual)
        self.second = ResidualBlock(LayerNorm(dim) if norm else nn.Identity(), mlp, residual)

    def forward(self, x):
        return self.second(self.first(x))


def build_block(dim, attention, mlp, *, norm, residual):
    return Block(dim, attention, mlp, norm, residual)
"""
_LIST = """\
class Chain(nn.Module):
    def __init__(self, parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


def build_block(dim, attention, mlp, *, norm, residual):
    make = (lambda: LayerNorm(dim)) if norm else nn.Identity
    return Chain(ResidualBlock(make(), part, residual=residual) for part in (attention, mlp))
"""
_LOOP = """\
def copy_accuracy(logits, targets):
    right = 0
    for rows, wanted in zip(logits, targets):
        for row, target in zip(rows.tolist(), wanted.tolist()):
            right += row.index(max(row)) == target
    return right / (len(targets) * len(targets[0]))
"""
_IFS = """\
def recovered(rows):
    residual = rows["neither"] - rows["residual only"]
    norm = rows["neither"] - rows["norm only"]
    if residual > norm:
        return "residual", residual
    return "norm", norm
"""
_NAMES = """\
def recovered(rows: dict) -> tuple:
    name = "residual only" if rows["residual only"] < rows["norm only"] else "norm only"
    return name.removesuffix(" only"), rows["neither"] - rows[name]
"""

VARIANTS = (
    Variant("class_of_its_own", _CLASS),
    Variant("module_list", _LIST),
    Variant("flag_by_name", block(result=halves("normed()", "normed()").replace(
        ", residual)", ", residual=residual)"))),
    Variant("flags_made_boolean", block("norm, residual = bool(norm), bool(residual)")),
    Variant("eps_said", block(result=halves("normed()", "normed()")).replace(
        "LayerNorm(dim)", "LayerNorm(dim, eps=1e-5)")),
    Variant("sequential_of_names", block(
        "from collections import OrderedDict",
        "nn.Sequential(OrderedDict(attention=ResidualBlock(normed(), attention, residual),"
        " mlp=ResidualBlock(normed(), mlp, residual)))")),
    Variant("accuracy_by_loops", _LOOP),
    Variant("accuracy_by_sum", accuracy("return right.sum().item() / right.numel()")),
    Variant("accuracy_by_topk", accuracy(
        "best = logits.topk(1, dim=-1).indices.squeeze(-1)\n"
        "return float((best == targets).double().mean())")),
    Variant("accuracy_by_max", accuracy(
        "_, best = logits.max(-1)\n"
        "return torch.eq(best, targets).to(torch.float32).mean().item()")),
    Variant("accuracy_flattened", accuracy(
        "best = logits.reshape(-1, logits.size(-1)).argmax(1)\n"
        "return (best == targets.reshape(-1)).float().mean().item()")),
    Variant("accuracy_by_softmax", accuracy(
        "best = logits.softmax(-1).argmax(-1)\n"
        "return (best == targets).float().mean().item()")),
    Variant("accuracy_without_gradient", accuracy(
        "with torch.no_grad():\n    return right.float().mean().item()")),
    Variant("accuracy_by_lists", accuracy(
        "flat = right.flatten().tolist()\nreturn sum(flat) / len(flat)")),
    Variant("accuracy_as_1_minus_errors", accuracy(
        "return 1.0 - (best != targets).float().mean().item()")),
    Variant("accuracy_by_numpy", "import numpy\n\n\n" + accuracy(
        "return numpy.mean(right.numpy())")),
    Variant("recovered_by_ifs", _IFS),
    Variant("recovered_by_the_lower_loss", _NAMES),
    Variant("recovered_as_a_list", recovered(
        "best = max(gains, key=gains.get)\nreturn [best, gains[best]]")),
    Variant("recovered_by_sorting", recovered(
        "return max(gains.items(), key=lambda pair: pair[1])")),
    Variant("recovered_by_pairs", recovered(
        "gain, name = max((gain, name) for name, gain in gains.items())\nreturn name, gain")),
    Variant("a_takeaway_of_two_lines",
            "TAKEAWAY = ('The skip carries the signal; '\n"
            "            'the norm keeps its size.')\n"),
    Variant("predictions_one_by_one",
            "PREDICTIONS = {}\n"
            "PREDICTIONS['neither'] = 'diverges'\nPREDICTIONS['both'] = 'learns'\n"
            "PREDICTIONS.update({'norm only': 'stalls', 'residual only': 'learns'})\n"),
)  # fmt: skip
