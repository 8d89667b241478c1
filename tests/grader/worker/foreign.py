"""No calls into libraries and no raw memory by ctypes, in a process that runs a learner's code.

By an address, the kernels that were replaced could be called all the same, or be put back.
"""

import sys


def refuse_foreign_calls() -> None:
    """Empty ctypes, for good: what is loaded again, or was kept, raises PermissionError.

    A hook for audits cannot be taken away again. It looks nothing up but what is in its own code.
    """
    for name in ("ctypes", "_ctypes"):  # an import that was left behind in a file still works
        if module := sys.modules.get(name):
            for part in [part for part in vars(module) if not part.startswith("__")]:
                delattr(module, part)
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event == "import" and arguments[0][-6:] == "ctypes":  # type: ignore[index]
        raise PermissionError("ctypes is not for an exercise")
    if event in (
        "ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function",
        "ctypes.cdata", "ctypes.cdata/buffer", "ctypes.addressof", "ctypes.string_at",
        "ctypes.wstring_at", "ctypes.PyObj_FromPtr",
    ):  # fmt: skip
        raise PermissionError("ctypes is not for an exercise")
    # Or this very function would be given another code.
    if event == "object.__setattr__" and arguments[1:2] == ("__code__",):
        raise PermissionError("a function keeps its code here")
