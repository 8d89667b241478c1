#!/usr/bin/env bash
# install.sh VENV: makes an environment that holds what the grader needs, in its locked versions.
# torch is large: this runs once, where an image is built or a cache is filled, not per submission.
#
# PIP_EXTRA_INDEX_URL  the address that PyTorch's page "Get Started" shows for "CPU"; without it
#                      Linux gets the CUDA build, several GB that grading never uses
# PYTHON               the Python to use, 3.11 or newer; python3 if it is not set
set -euo pipefail
venv=${1:?"say where the environment goes: install.sh VENV"}
python=${PYTHON:-python3}
cd "$(dirname "$0")/kata"

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "$python is older than Python 3.11, which the grader needs; set PYTHON to a newer one." >&2
    exit 2
fi
if [ -z "${PIP_EXTRA_INDEX_URL:-}" ]; then
    echo "PIP_EXTRA_INDEX_URL is empty, so Linux gets torch's CUDA build, several GB." >&2
fi
"$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
    --constraint requirements.lock .
"$venv/bin/python" -c 'import torch; print("torch", torch.__version__, "is installed")'
