"""No compiled code but what Python was installed with, in a process that runs a learner's code.

By an address, or from a library of its own, code could call the kernels that were replaced all the
same, or put them back. Nor is torch's own code for them in Python loaded a second time.
"""

import os
import sys
from collections.abc import Collection
from types import FunctionType

# Of torch, what has versions of the ready-made layers to compile and to export; not loaded here.
COMPILERS = ("_inductor", "_vendor", "onnx")


def refuse_foreign_calls(replaced: Collection[str], torch_folder: str) -> None:
    """Empty ctypes, for good, and let no library be opened; what tries raises PermissionError.

    replaced: the files of torch in which functions were replaced; none of them runs again.
    """
    for name in ("ctypes", "_ctypes"):  # an import that was left behind in a file still works
        if module := sys.modules.get(name):
            for part in [part for part in vars(module) if not part.startswith("__")]:
                delattr(module, part)
    known = {
        "FOLDERS": tuple(os.path.join(folder, "") for folder in sys.path if folder),
        "REPLACED": frozenset(replaced),
        "COMPILERS": tuple(os.path.join(torch_folder, name, "") for name in COMPILERS),
    }
    code = _refuse.__code__
    constants = tuple(known.get(c, c) if isinstance(c, str) else c for c in code.co_consts)
    # A hook for audits cannot be taken away again, and looks nothing up but what is in its code.
    sys.addaudithook(FunctionType(code.replace(co_consts=constants), {}))


def _refuse(event: str, arguments: tuple[str, ...]) -> None:
    if event == "import":
        name, file = arguments[:2]
        if name[-6:] == "ctypes" or name[-7:] == "tkinter":
            raise PermissionError(name + " is not for an exercise")
        if file and (".." in file or not file.startswith("FOLDERS")):
            raise PermissionError("a library of its own is not for an exercise")
    elif event == "exec":
        file = arguments[0].co_filename  # type: ignore[attr-defined]
        if file in "REPLACED" or file.startswith("COMPILERS"):
            raise PermissionError("this part of torch is not for an exercise")
    elif event in (
        "ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function",
        "ctypes.cdata", "ctypes.cdata/buffer", "ctypes.addressof", "ctypes.string_at",
        "ctypes.wstring_at", "ctypes.PyObj_FromPtr", "sqlite3.enable_load_extension",
    ):  # fmt: skip
        raise PermissionError("libraries are not for an exercise")
    # Or this very function would be given another code.
    elif event == "object.__setattr__" and arguments[1:2] == ("__code__",):
        raise PermissionError("a function keeps its code here")
