"""What torch does in a closed-off child of a process that has it imported; started by a test.

Arguments: the folder of the kata, the child's scratch folder, and its user or a dash. Prints a
line of JSON: what each piece of work gave, and how many modules were imported late.
"""

import json
import os
import sys
from pathlib import Path


def work() -> dict[str, object]:
    """A little of everything that an exercise does."""
    import random

    import torch
    from torch import nn

    from tests.grader.ready_made import operations_seen

    torch.manual_seed(0)
    random.seed(0)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    (x @ x).sum().backward()
    assert x.grad is not None
    with operations_seen() as seen:
        nn.LayerNorm(2)(x)
    weight = nn.Parameter(torch.ones(2))
    optimizer = torch.optim.AdamW([weight], lr=0.5, weight_decay=0.0)
    weight.sum().backward()
    optimizer.step()
    return {
        "backward": x.grad.tolist(),
        "profiler": "layer_norm" in seen,
        "random": 0 <= torch.rand(1).item() < 1 and 0 <= random.random() < 1,
        "linalg": torch.linalg.svdvals(torch.diag(torch.tensor([2.0, 3.0]))).tolist(),
        "optimizer": [round(value, 4) for value in weight.tolist()],
    }


def main(kata: str, scratch: str, user: str) -> None:
    """Warm this process up, fork, close the child off and work there."""
    sys.path.insert(0, kata)
    from tests.grader.sandbox.close_off import close_off
    from tests.grader.sandbox.limits import Limits
    from tests.grader.sandbox.readable import python_folders
    from tests.grader.warm import import_torch

    import_torch()
    import torch

    torch.set_num_threads(1)  # threads do not survive a fork
    work()
    child = os.fork()
    if child == 0:
        uid = None if user == "-" else int(user)
        isolation = close_off(Path(scratch), python_folders(), Limits(), uid)
        before = set(sys.modules)
        found = {"level": isolation.level, **work(), "late": sorted(set(sys.modules) - before)}
        os.write(1, json.dumps(found).encode())
        os._exit(0)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
