"""Wrong pieces of the experiment: the block, the accuracy, what recovers more."""

from tests.kata.mutants.ablation_text import accuracy, block, halves, recovered
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant("norm_ignored", "norm_ignored", block("norm = True")),
    Mutant("norm_never", "norm_ignored", block("norm = False")),
    Mutant("residual_ignored", "residual_ignored", block("residual = True")),
    Mutant("residual_never", "residual_ignored", block("residual = False")),
    Mutant("flags_exchanged", "flags_exchanged", block("norm, residual = residual, norm")),
    Mutant("flags_turned_round", None, block("norm, residual = not norm, not residual")),
    Mutant("norm_only_beside_residual", None, block("norm = norm and residual")),
    Mutant("residual_only_beside_norm", None, block("residual = norm and residual")),
    Mutant("mlp_first", "mlp_first", block("attention, mlp = mlp, attention")),
    Mutant("attention_twice", None, block("mlp = attention")),
    Mutant("mlp_twice", None, block("attention = mlp")),
    Mutant(
        "attention_alone",
        "attention_alone",
        block(result="ResidualBlock(normed(), attention, residual)"),
    ),
    Mutant("mlp_alone", None, block(result="ResidualBlock(normed(), mlp, residual)")),
    Mutant(
        "one_norm_for_both",
        "one_norm_for_both",
        block("n = normed()", halves("n", "n")),
    ),
    Mutant(
        "first_norm_alone", None, block(result=halves("normed()", "nn.Identity()"))
    ),
    Mutant(
        "second_norm_alone", None, block(result=halves("nn.Identity()", "normed()"))
    ),
    Mutant(
        "first_skip_alone",
        None,
        block(result=halves("normed()", "normed()", "residual", "False")),
    ),
    Mutant(
        "second_skip_alone",
        None,
        block(result=halves("normed()", "normed()", "False", "residual")),
    ),
    Mutant(
        "third_norm",
        None,
        block(result=f"nn.Sequential({halves('normed()', 'normed()')}, normed())"),
    ),
    Mutant(
        "one_branch_of_both",
        None,
        block(result="ResidualBlock(normed(), nn.Sequential(attention, mlp), residual)"),
    ),
    Mutant(
        "modules_in_a_list",
        None,
        block(
            "class Block(nn.Module):\n"
            "    def __init__(self, *parts):\n"
            "        super().__init__()\n"
            "        self.parts = list(parts)\n"
            "    def forward(self, x):\n"
            "        for part in self.parts:\n"
            "            x = part(x)\n"
            "        return x\n",
            "Block(ResidualBlock(normed(), attention, residual),"
            " ResidualBlock(normed(), mlp, residual))",
        ),
    ),
    Mutant(
        "norms_unused_but_owned",
        None,
        block(
            "class Spare(nn.Identity):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n"
            "        self.norm = LayerNorm(dim)\n",
            halves("normed() if norm else Spare()", "normed() if norm else Spare()"),
        ),
    ),
    Mutant("block_of_nothing", None, block(result="nn.Sequential(attention, mlp)")),
    Mutant("block_not_returned", None, block(result="None")),
    Mutant("percentage", "percentage", accuracy("return 100 * right.float().mean().item()")),
    Mutant("error_rate", "share_of_wrong", accuracy("return 1 - right.float().mean().item()")),
    Mutant("count", "count", accuracy("return float(right.sum())")),
    Mutant("whole_sequences", "whole", accuracy("return right.all(-1).float().mean().item()")),
    Mutant("any_of_a_sequence", None, accuracy("return right.any(-1).float().mean().item()")),
    Mutant("first_sequence_alone", None, accuracy("return right[0].float().mean().item()")),
    Mutant("last_position_alone", None, accuracy("return right[:, -1].float().mean().item()")),
    Mutant("first_position_left_out", None, accuracy("return right[:, 1:].float().mean().item()")),
    Mutant("divided_by_batch", None, accuracy("return (right.sum() / len(right)).item()")),
    Mutant("divided_by_length", None, accuracy("return (right.sum() / right.shape[1]).item()")),
    Mutant("divided_by_vocabulary", None,
           accuracy("return (right.sum() / logits.shape[-1]).item()")),
    Mutant("tensor_returned", None, accuracy("return right.float().mean()")),
    Mutant("rounded", None, accuracy("return round(right.float().mean().item(), 2)")),
    Mutant("boolean", None, accuracy("return bool(right.float().mean() > 0.5)")),
    Mutant("as_text", None, accuracy("return f'{right.float().mean().item():.3f}'")),
    Mutant("smallest_logit", None,
           accuracy("return (logits.argmin(-1) == targets).float().mean().item()")),
    Mutant("largest_over_positions", None, accuracy(
        "best = logits.argmax(1)[:, :1].expand_as(targets)\n"
        "return (best == targets).float().mean().item()")),
    Mutant("largest_over_batch", None, accuracy(
        "best = logits.argmax(0)[:, 0].expand_as(targets)\n"
        "return (best == targets).float().mean().item()")),
    Mutant("shifted_by_one", None,
           accuracy("return (best[:, :-1] == targets[:, 1:]).float().mean().item()")),
    Mutant("positive_logits_alone", None, accuracy(
        "best = logits.relu().argmax(-1)\nreturn (best == targets).float().mean().item()")),
    Mutant("probability_of_target", None, accuracy(
        "p = logits.softmax(-1).gather(-1, targets[..., None])\nreturn p.mean().item()")),
    Mutant("within_one", None,
           accuracy("return ((best - targets).abs() <= 1).float().mean().item()")),
    Mutant("targets_not_0_alone", None, accuracy(
        "there = targets != 0\n"
        "return ((right & there).sum() / there.sum().clamp(min=1)).item()")),
    Mutant("logits_changed", None, accuracy(
        "logits -= logits.mean()\nreturn right.float().mean().item()")),
    Mutant("name_of_the_worse", None,
           recovered("return min(gains, key=gains.get), max(gains.values())")),
    Mutant("amount_of_the_worse", None,
           recovered("return max(gains, key=gains.get), min(gains.values())")),
    Mutant("always_residual", None, recovered("return 'residual', gains['residual']")),
    Mutant("always_norm", None, recovered("return 'norm', gains['norm']")),
    Mutant("names_exchanged", None, recovered(
        "best = max(gains, key=gains.get)\n"
        "return {'norm': 'residual', 'residual': 'norm'}[best], gains[best]")),
    Mutant("name_of_the_row", None, recovered(
        "best = max(gains, key=gains.get)\nreturn f'{best} only', gains[best]")),
    Mutant("lead_over_the_other", "lead", recovered(
        "best = max(gains, key=gains.get)\n"
        "return best, abs(gains['norm'] - gains['residual'])")),
    Mutant("sign_lost", None, recovered(
        "gains = {name: abs(gain) for name, gain in gains.items()}\n"
        "best = max(gains, key=gains.get)\nreturn best, gains[best]")),
    Mutant("sign_turned", None, recovered(
        "best = max(gains, key=gains.get)\nreturn best, -gains[best]")),
    Mutant("never_below_0", None, recovered(
        "best = max(gains, key=gains.get)\nreturn best, max(gains[best], 0.0)")),
    Mutant("loss_itself", None, recovered(
        "best = max(gains, key=gains.get)\nreturn best, rows[f'{best} only']")),
    Mutant("share_of_neither", None, recovered(
        "best = max(gains, key=gains.get)\nreturn best, gains[best] / rows['neither']")),
    Mutant("share_of_what_both_recover", None, recovered(
        "best = max(gains, key=gains.get)\n"
        "return best, gains[best] / (rows['neither'] - rows['both'])")),
    Mutant("measured_from_both", None, recovered(
        "gains = {n: rows[f'{n} only'] - rows['both'] for n in gains}\n"
        "best = max(gains, key=gains.get)\nreturn best, gains[best]")),
    Mutant("taken_out_of_both", None, recovered(
        "gains = {'residual': rows['norm only'] - rows['both'],\n"
        "         'norm': rows['residual only'] - rows['both']}\n"
        "best = max(gains, key=gains.get)\nreturn best, gains[best]")),
    Mutant("by_the_order_of_rows", None, recovered(
        "one, two, three, four = rows.values()\n"
        "gains = {'norm': one - two, 'residual': one - three}\n"
        "best = max(gains, key=gains.get)\nreturn best, gains[best]")),
    Mutant("best_row_of_all", None, recovered(
        "best = min(rows, key=rows.get)\nreturn best.split()[0], rows['neither'] - rows[best]")),
    Mutant("amount_first", None, recovered(
        "best = max(gains, key=gains.get)\nreturn gains[best], best")),
    Mutant("name_alone", None, recovered("return max(gains, key=gains.get)")),
    Mutant("amount_rounded", None, recovered(
        "best = max(gains, key=gains.get)\nreturn best, round(gains[best], 1)")),
    Mutant("exponentials_without_end", None, accuracy(
        "p = logits.exp()\np = p / p.sum(-1, keepdim=True)\n"
        "return (p.argmax(-1) == targets).float().mean().item()")),
    Mutant("sigmoid_of_logits", None, accuracy(
        "return (logits.sigmoid().argmax(-1) == targets).float().mean().item()")),
    Mutant("in_eval_mode", None, block("attention.eval()")),
    Mutant("norms_frozen", None, block(result=halves("normed()", "normed()").replace(
        "normed()", "normed().requires_grad_(False)"))),
    Mutant("rows_written_to", None,
           "def recovered(rows):\n    rows['residual only'] = rows['neither'] - 1.0\n"
           "    rows['norm only'] = rows['neither']\n    return 'residual', 1.0\n"),
    # kinds of number and of text that only look it
    Mutant("a_float_of_its_own", None,
           "class float:\n    pass\n\n\n" + recovered("return 'norm', float()")),
    Mutant("a_text_of_its_own", None,
           "class str:\n    pass\n\n\n" + recovered("return str(), gains['norm']")),
    Mutant("an_accuracy_of_its_own", None,
           "class float:\n    pass\n\n\n" + accuracy("return float()")),
    Mutant("nothing_predicted", None, "PREDICTIONS = {}\n"),
    Mutant("one_row_not_predicted", None, "PREDICTIONS['both'] = None\n"),
    Mutant("predicted_otherwise", None, "PREDICTIONS['both'] = 'explodes'\n"),
    Mutant("predicted_in_capitals", None, "PREDICTIONS['both'] = 'Learns'\n"),
    Mutant("predictions_are_a_list", None, "PREDICTIONS = ['learns'] * 4\n"),
    Mutant("predicted_a_row_too_many", None, "PREDICTIONS['all'] = 'learns'\n"),
    Mutant("takeaway_empty", None, "TAKEAWAY = '  '\n"),
    Mutant("takeaway_is_no_text", None, "TAKEAWAY = None\n"),
)  # fmt: skip
