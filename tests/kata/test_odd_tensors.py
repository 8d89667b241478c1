"""Tensors that are not plain dense ones, and modes that a file leaves on, get a plain sentence."""

import warnings

import pytest

from tests.kata.harness import first_failure, grade_text, solution_with

ODD = {
    "sparse": ("y.to_sparse()", "returns a sparse tensor (of some places and their values)"),
    "sparse rows": ("y.reshape(1, -1).to_sparse_csr()", "returns a sparse tensor"),
    "quantised": (
        "torch.quantize_per_tensor(y.detach().float(), 0.1, 0, torch.qint8)",
        "returns a quantised tensor (of integers and a scale)",
    ),
    "meta": ("y.to('meta')", "returns a meta tensor (a shape without numbers)"),
    "nested": ("torch.nested.nested_tensor([y, y])", "returns a nested tensor"),
    "mkldnn": ("y.float().to_mkldnn()", "returns an mkldnn tensor (in an order of its own)"),
    "emptied": (
        "(lambda z: (z.untyped_storage().resize_(0), z)[1])(y.detach().clone())",
        "returns a tensor whose storage was taken away",
    ),
}


def failure_of(result: str, before: str = "") -> tuple[str, str] | None:
    """Outcome and message of the first check that a linear layer with this result fails."""
    code = (
        f"{before}\ndef linear(x, weight, bias=None):\n"
        "    y = x @ weight.T if bias is None else x @ weight.T + bias\n"
        f"    return {result}\n"
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR|.*(quantiz|nested).*|.*prototype.*")
        warnings.filterwarnings("error", category=RuntimeWarning)
        warnings.filterwarnings("error", "Casting complex")
        found = first_failure(grade_text("linear", solution_with("linear", code), examples=3))
    return None if found is None else (found.outcome, " ".join(found.message.split()))


@pytest.mark.parametrize("kind", ODD)
def test_a_result_that_is_no_plain_tensor_is_told_by_its_kind(kind: str) -> None:
    result, told = ODD[kind]
    found = failure_of(result)
    assert found is not None
    outcome, message = found
    assert outcome == "incorrect"
    assert f"It {told}" in message
    assert "; a plain dense tensor is wanted." in message


def test_a_complex_result_is_told_by_its_dtype() -> None:
    found = failure_of("y + 0j")
    assert found is not None
    assert "comes back as complex64 where x is float32" in found[1]


def test_gradients_switched_off_at_the_top_of_a_file_are_on_again() -> None:
    assert failure_of("y", "torch.set_grad_enabled(False)\n") is None
