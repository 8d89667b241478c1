"""The training: the task, the mask, shared initial values, both programs, and the trace.

python -m pytest tests/kata/test_train.py -v
"""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from tests.kata.made_recordings import write_made_folder
from train.bench import operations
from train.config import MAIN, ROWS, Config
from train.copy_task import held_out_batch, training_batch
from train.loop import Progress, batch_loss, one_thread, train
from train.outcome import outcome
from train.parallel import shares
from train.record import main as record_main
from train.recording import read_main
from train.schema import Run
from train.stack import Parts, Stack, build_stack, initial_values
from train.together import Rows, train_together

SMALL = Config("both", steps=6, batch=4, depth=2, evaluate_every=3, held_out=8)
FIRST_SYMBOLS, FIRST_VALUE = [6, 12, 0, 12, 15, 10], 0.00948898404524484


def rows_of(config: Config) -> list[Config]:
    return [replace(config, row=row) for row in ROWS]


def far(one: list[float], other: list[float]) -> float:
    return max(abs(a - b) / abs(b) for a, b in zip(one, other, strict=True))


# The task.


def test_the_copied_half_asks_for_what_the_first_half_showed() -> None:
    batch = training_batch(MAIN[0], 1)
    assert batch.tokens.shape == (16, 32)
    np.testing.assert_array_equal(batch.tokens[:, :16], batch.targets)
    assert (batch.tokens[:, 16] == 16).all(), "the separator"
    np.testing.assert_array_equal(batch.tokens[:, 17:], batch.targets[:, :-1])


def test_the_token_at_a_scored_position_says_nothing_of_its_target() -> None:
    batch = held_out_batch(replace(MAIN[0], held_out=4096))
    same = (batch.tokens[:, 16:] == batch.targets).mean()
    assert same == pytest.approx(1 / 16, abs=0.005)


def test_batches_are_the_same_on_every_machine() -> None:
    assert training_batch(MAIN[0], 1).targets[0, :6].tolist() == FIRST_SYMBOLS
    assert initial_values(MAIN[0])["token.weight"][0, 0] == FIRST_VALUE


def test_rows_see_the_same_data_and_steps_differ() -> None:
    first = [training_batch(config, 1).tokens for config in MAIN]
    assert all((tokens == first[0]).all() for tokens in first)
    assert (training_batch(MAIN[0], 2).tokens != first[0]).any()


# The stack.


def parameters(stack: Stack) -> list[torch.Tensor]:
    return [p for name, p in stack.named_parameters() if "norm" not in name]


def test_shared_initial_values_are_equal_in_all_rows() -> None:
    four = [parameters(build_stack(config)) for config in rows_of(SMALL)]
    for one in four[1:]:
        for a, b in zip(four[0], one, strict=True):
            torch.testing.assert_close(a, b, rtol=0, atol=0)
    rows = Rows(rows_of(SMALL)[:1] * 2, torch.float64)
    for name, value in initial_values(SMALL).items():
        np.testing.assert_array_equal(rows.values[name].detach()[1].numpy(), value)


def test_norms_stand_only_where_the_row_has_norms() -> None:
    counts = [
        sum(isinstance(module, nn.LayerNorm) for module in build_stack(config).modules())
        for config in rows_of(SMALL)
    ]
    assert counts == [0, 5, 0, 5]  # two a block, and the last


def test_a_later_token_does_not_change_earlier_logits() -> None:
    stack = build_stack(SMALL, dtype=torch.float64)
    tokens = torch.from_numpy(training_batch(SMALL, 1).tokens)
    changed = tokens.clone()
    changed[:, 20] = (changed[:, 20] + 1) % 16
    before, after = stack(tokens), stack(changed)
    torch.testing.assert_close(after[:, :4], before[:, :4], rtol=0, atol=0)
    assert (after[:, 4:] != before[:, 4:]).any()


def test_the_loss_counts_the_copied_half_only() -> None:
    stack = build_stack(SMALL, dtype=torch.float64)
    batch = training_batch(SMALL, 1)
    logits = stack(torch.from_numpy(batch.tokens)).detach().numpy()
    assert logits.shape == (4, 16, 16)
    total = 0.0
    for b in range(4):
        for t in range(16):
            row = logits[b, t]
            total += math.log(np.exp(row).sum()) - row[batch.targets[b, t]]
    assert batch_loss(stack, batch).item() == pytest.approx(total / 64, rel=1e-12)


def test_a_linear_without_the_usual_names_is_refused_with_its_name() -> None:
    class Odd(nn.Module):
        def __init__(self, inputs: int, outputs: int) -> None:
            super().__init__()
            self.w = nn.Parameter(torch.zeros(outputs, inputs))

    with pytest.raises(ValueError, match="has no parameter named weight, bias"):
        build_stack(SMALL, Parts(Linear=Odd))


# Both programs.


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
def test_rows_trained_together_equal_rows_trained_alone(dtype: torch.dtype) -> None:
    together = train_together(rows_of(SMALL), dtype=dtype)
    assert [run.row for run in together] == list(ROWS)
    for run in together:
        alone = train(run.config, dtype=dtype, fused=False)
        assert far(run.losses, alone.losses) < (1e-12 if dtype == torch.float64 else 1e-5)
        if dtype == torch.float64:
            assert run.evaluations == alone.evaluations


def test_rows_of_several_seeds_train_together() -> None:
    configs = [replace(SMALL, row=row, seed=seed) for seed in (1, 2) for row in ROWS]
    for run in train_together(configs, dtype=torch.float64):
        assert far(run.losses, train(run.config, dtype=torch.float64).losses) < 1e-12


def test_rows_that_differ_in_more_are_refused() -> None:
    with pytest.raises(ValueError, match="may differ in row and seed only"):
        train_together([SMALL, replace(SMALL, learning_rate=0.1)])


@pytest.mark.parametrize(
    "program", [train, lambda config: train_together([config])[0]], ids=["alone", "together"]
)
def test_a_loss_that_is_not_finite_is_a_result(program: Callable[[Config], Run]) -> None:
    run = program(replace(SMALL, row="residual only", learning_rate=1e9, steps=20))
    assert run.diverged_at is not None
    assert len(run.losses) == run.diverged_at - 1 < 20
    assert all(map(math.isfinite, run.losses))
    assert outcome(run) == "diverges"


def test_control_c_keeps_what_ran() -> None:
    def stop(progress: Progress) -> None:
        if progress.step == 5:
            raise KeyboardInterrupt

    run = train(SMALL, report=stop)
    assert run.stopped_at == len(run.losses) == 5
    assert run.evaluations.steps == [0, 3]


def test_one_thread_gives_the_threads_back() -> None:
    before = torch.get_num_threads()
    with one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


def test_rows_are_dealt_out_evenly() -> None:
    assert [[c.norm for c in share] for share in shares(MAIN, 2)] == [[False, True]] * 2
    assert [len(share) for share in shares(MAIN, 9)] == [1, 1, 1, 1]


def test_operations_are_counted_by_hand() -> None:
    # 1 block, 2 positions: 12 * 4 * 4 weights, 2 * 4 * 2 for attention, half of 4 * 8 for the head.
    tiny = Config("both", steps=1, batch=1, length=1, vocabulary=8, depth=1, width=4, hidden=16)
    assert operations(tiny) == 6 * (192 + 16 + 16) * 2


# The recordings, made again.


@pytest.mark.parametrize("row", ROWS)
def test_the_first_steps_come_out_as_recorded(row: str) -> None:
    run = next(run for run in read_main().runs if run.row == row)
    with one_thread():
        again = train(replace(run.config, steps=10, evaluate_every=10))
    assert far(again.losses, run.losses[:10]) < 1e-5


def test_a_broken_folder_is_refused_on_standard_error_with_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_made_folder(tmp_path)
    broken = (tmp_path / "main.json").read_bytes()[:-9]
    (tmp_path / "main.json").write_bytes(broken)
    assert record_main(["--check", "--out", str(tmp_path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("main.json ends in the middle")
    assert (tmp_path / "main.json").read_bytes() == broken, "nothing is overwritten"


def test_an_out_that_is_no_folder_is_refused_before_anything_is_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    assert record_main(["--out", str(tmp_path / "file")]) == 2
    assert "--out needs a folder" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"
